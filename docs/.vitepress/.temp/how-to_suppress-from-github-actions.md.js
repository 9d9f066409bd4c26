import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Keep customers out with GitHub Actions","description":"","frontmatter":{},"headers":[],"relativePath":"how-to/suppress-from-github-actions.md","filePath":"docs/how-to/suppress-from-github-actions.md"}');
const _sfc_main = { name: "how-to/suppress-from-github-actions.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="keep-customers-out-with-github-actions" tabindex="-1">Keep customers out with GitHub Actions <a class="header-anchor" href="#keep-customers-out-with-github-actions" aria-label="Permalink to &quot;Keep customers out with GitHub Actions&quot;">​</a></h1><p>A scheduled workflow can import your customers every night, or apply a list that you keep in the repository. Store the API key as the secret <code>FOOTFALL_API_KEY</code> of the repository, and the address of your server as the variable <code>FOOTFALL_BASE_URL</code>.</p><h2 id="apply-the-list-of-the-repository" tabindex="-1">Apply the list of the repository <a class="header-anchor" href="#apply-the-list-of-the-repository" aria-label="Permalink to &quot;Apply the list of the repository&quot;">​</a></h2><p>Pull requests show what would change. A merge applies it:</p><div class="language-yaml"><button title="Copy Code" class="copy"></button><span class="lang">yaml</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span class="t-keyword">name</span><span class="t-keyword">:</span><span class="t-string-expression"> Suppression</span></span>
<span class="line"><span class="t-constant">on</span><span class="t-keyword">:</span></span>
<span class="line"><span class="t-keyword">  pull_request</span><span class="t-keyword">:</span></span>
<span class="line"><span class="t-keyword">    paths</span><span class="t-keyword">:</span><span> [</span><span class="t-string">rules.csv</span><span>]</span></span>
<span class="line"><span class="t-keyword">  push</span><span class="t-keyword">:</span></span>
<span class="line"><span class="t-keyword">    branches</span><span class="t-keyword">:</span><span> [</span><span class="t-string">main</span><span>]</span></span>
<span class="line"><span class="t-keyword">    paths</span><span class="t-keyword">:</span><span> [</span><span class="t-string">rules.csv</span><span>]</span></span>
<span class="line"></span>
<span class="line"><span class="t-keyword">permissions</span><span class="t-keyword">:</span></span>
<span class="line"><span class="t-keyword">  contents</span><span class="t-keyword">:</span><span class="t-string-expression"> read</span></span>
<span class="line"></span>
<span class="line"><span class="t-comment"># Pull requests never cancel a merge that waits.</span></span>
<span class="line"><span class="t-keyword">concurrency</span><span class="t-keyword">:</span><span class="t-string-expression"> suppression-\${{ github.event_name }}</span></span>
<span class="line"></span>
<span class="line"><span class="t-keyword">jobs</span><span class="t-keyword">:</span></span>
<span class="line"><span class="t-keyword">  suppression</span><span class="t-keyword">:</span></span>
<span class="line"><span class="t-comment">    # A pull request from a fork has no secrets.</span></span>
<span class="line"><span class="t-keyword">    if</span><span class="t-keyword">:</span><span class="t-string-expression"> github.event_name == &#39;push&#39; || github.event.pull_request.head.repo.full_name == github.repository</span></span>
<span class="line"><span class="t-keyword">    runs-on</span><span class="t-keyword">:</span><span class="t-string-expression"> ubuntu-latest</span></span>
<span class="line"><span class="t-keyword">    env</span><span class="t-keyword">:</span></span>
<span class="line"><span class="t-keyword">      FOOTFALL_API_KEY</span><span class="t-keyword">:</span><span class="t-string-expression"> \${{ secrets.FOOTFALL_API_KEY }}</span></span>
<span class="line"><span class="t-keyword">      FOOTFALL_BASE_URL</span><span class="t-keyword">:</span><span class="t-string-expression"> \${{ vars.FOOTFALL_BASE_URL }}</span></span>
<span class="line"><span class="t-keyword">    steps</span><span class="t-keyword">:</span></span>
<span class="line"><span>      - </span><span class="t-keyword">uses</span><span class="t-keyword">:</span><span class="t-string-expression"> actions/checkout@v5</span></span>
<span class="line"><span>      - </span><span class="t-keyword">uses</span><span class="t-keyword">:</span><span class="t-string-expression"> actions/setup-node@v5</span></span>
<span class="line"><span class="t-keyword">        with</span><span class="t-keyword">:</span></span>
<span class="line"><span class="t-keyword">          node-version</span><span class="t-keyword">:</span><span class="t-constant"> 24</span></span>
<span class="line"><span>      - </span><span class="t-keyword">run</span><span class="t-keyword">:</span><span class="t-string-expression"> npm install --global @footfall/cli</span></span>
<span class="line"><span>      - </span><span class="t-keyword">if</span><span class="t-keyword">:</span><span class="t-string-expression"> github.event_name == &#39;pull_request&#39;</span></span>
<span class="line"><span class="t-keyword">        run</span><span class="t-keyword">:</span><span class="t-string-expression"> footfall suppression plan rules.csv --output table</span></span>
<span class="line"><span>      - </span><span class="t-keyword">if</span><span class="t-keyword">:</span><span class="t-string-expression"> github.event_name == &#39;push&#39;</span></span>
<span class="line"><span class="t-keyword">        run</span><span class="t-keyword">:</span><span class="t-string-expression"> footfall suppression apply rules.csv --yes</span></span></code></pre></div><p>The step fails if the list would lose more than half of its rules, if the file is empty, or if a column is unclear. Nothing is sent then. To allow a large removal once, run <code>footfall suppression apply rules.csv --allow-removals 5000</code> on your own computer.</p><h2 id="import-customers-every-night" tabindex="-1">Import customers every night <a class="header-anchor" href="#import-customers-every-night" aria-label="Permalink to &quot;Import customers every night&quot;">​</a></h2><div class="language-yaml"><button title="Copy Code" class="copy"></button><span class="lang">yaml</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span class="t-keyword">name</span><span class="t-keyword">:</span><span class="t-string-expression"> Customers</span></span>
<span class="line"><span class="t-constant">on</span><span class="t-keyword">:</span></span>
<span class="line"><span class="t-keyword">  schedule</span><span class="t-keyword">:</span></span>
<span class="line"><span>    - </span><span class="t-keyword">cron</span><span class="t-keyword">:</span><span class="t-string-expression"> &quot;15 3 * * *&quot;</span></span>
<span class="line"></span>
<span class="line"><span class="t-keyword">permissions</span><span class="t-keyword">:</span></span>
<span class="line"><span class="t-keyword">  contents</span><span class="t-keyword">:</span><span class="t-string-expression"> read</span></span>
<span class="line"></span>
<span class="line"><span class="t-keyword">jobs</span><span class="t-keyword">:</span></span>
<span class="line"><span class="t-keyword">  customers</span><span class="t-keyword">:</span></span>
<span class="line"><span class="t-keyword">    runs-on</span><span class="t-keyword">:</span><span class="t-string-expression"> ubuntu-latest</span></span>
<span class="line"><span class="t-keyword">    env</span><span class="t-keyword">:</span></span>
<span class="line"><span class="t-keyword">      FOOTFALL_API_KEY</span><span class="t-keyword">:</span><span class="t-string-expression"> \${{ secrets.FOOTFALL_API_KEY }}</span></span>
<span class="line"><span class="t-keyword">      FOOTFALL_BASE_URL</span><span class="t-keyword">:</span><span class="t-string-expression"> \${{ vars.FOOTFALL_BASE_URL }}</span></span>
<span class="line"><span class="t-keyword">    steps</span><span class="t-keyword">:</span></span>
<span class="line"><span>      - </span><span class="t-keyword">uses</span><span class="t-keyword">:</span><span class="t-string-expression"> actions/checkout@v5</span></span>
<span class="line"><span>      - </span><span class="t-keyword">uses</span><span class="t-keyword">:</span><span class="t-string-expression"> actions/setup-node@v5</span></span>
<span class="line"><span class="t-keyword">        with</span><span class="t-keyword">:</span></span>
<span class="line"><span class="t-keyword">          node-version</span><span class="t-keyword">:</span><span class="t-constant"> 24</span></span>
<span class="line"><span>      - </span><span class="t-keyword">run</span><span class="t-keyword">:</span><span class="t-string-expression"> npm install --global @footfall/cli</span></span>
<span class="line"><span>      - </span><span class="t-keyword">run</span><span class="t-keyword">:</span><span class="t-string-expression"> ./export-customers &gt; customers.csv</span></span>
<span class="line"><span>      - </span><span class="t-keyword">run</span><span class="t-keyword">:</span><span class="t-string-expression"> footfall suppression import customers.csv --column Email --type email --yes --quiet || [ $? = 3 ]</span></span></code></pre></div><p>Replace <code>./export-customers</code> with your own export. The last line accepts exit code 3, rejected rows; every other code fails the job. With <code>--column</code> and <code>--type</code>, a new column in the export never stops the import.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/how-to/suppress-from-github-actions.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const suppressFromGithubActions = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  suppressFromGithubActions as default
};
