import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Add a second organization","description":"","frontmatter":{},"headers":[],"relativePath":"how-to/add-an-organization.md","filePath":"docs/how-to/add-an-organization.md"}');
const _sfc_main = { name: "how-to/add-an-organization.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="add-a-second-organization" tabindex="-1">Add a second organization <a class="header-anchor" href="#add-a-second-organization" aria-label="Permalink to &quot;Add a second organization&quot;">​</a></h1><p>Each organization has its own sites, people, suppression list, audiences, keys and members. Nothing is shared between them, so use one for each company or client.</p><p>Create it as a signed-in user, who becomes its owner:</p><div class="language-sh"><button title="Copy Code" class="copy"></button><span class="lang">sh</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span class="t-function">footfall</span><span class="t-string"> login</span></span>
<span class="line"><span class="t-function">footfall</span><span class="t-string"> organizations</span><span class="t-string"> create</span><span class="t-string-expression"> &quot;Tidewater&quot;</span><span class="t-string"> --slug</span><span class="t-string"> tidewater</span></span>
<span class="line"><span class="t-function">footfall</span><span class="t-string"> organizations</span><span class="t-string"> use</span><span class="t-string"> tidewater</span></span></code></pre></div><p>A user may create up to five organizations. The operator of the server isn&#39;t limited in what they change:</p><div class="language-text"><button title="Copy Code" class="copy"></button><span class="lang">text</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span>footfall-server organizations list</span></span>
<span class="line"><span>footfall-server organizations set &lt;id&gt; --status active --credit-limit 5000</span></span>
<span class="line"><span>footfall-server keys create --organization &lt;id&gt; --name &quot;Nightly import&quot;</span></span>
<span class="line"><span>footfall-server members add --organization &lt;id&gt; --email anna@tidewater.example --role admin</span></span>
<span class="line"><span>footfall-server members list --organization &lt;id&gt;</span></span></code></pre></div><p>An API key belongs to one organization. <code>footfall organizations use</code> changes the organization of your session, so save a profile for each key that you use: <code>footfall profiles create tidewater</code>. <code>footfall whoami</code> says which organization a command would act on.</p><p>In the console, choose the organization at the top left.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/how-to/add-an-organization.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const addAnOrganization = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  addAnOrganization as default
};
