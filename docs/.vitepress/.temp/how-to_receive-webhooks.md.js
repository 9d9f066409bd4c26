import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Receive webhooks","description":"","frontmatter":{},"headers":[],"relativePath":"how-to/receive-webhooks.md","filePath":"docs/how-to/receive-webhooks.md"}');
const _sfc_main = { name: "how-to/receive-webhooks.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="receive-webhooks" tabindex="-1">Receive webhooks <a class="header-anchor" href="#receive-webhooks" aria-label="Permalink to &quot;Receive webhooks&quot;">​</a></h1><p>Footfall sends two kinds of webhooks: one when a visitor is identified, and one for each person when an audience is delivered. <a href="/guide/reference/webhooks">Webhooks</a> has receivers for Node, Express, Fastify, Hono and edge runtimes that verify the signature.</p><p>To receive visitors (all of them, or those in a saved segment), create a webhook. The signing secret is shown only once:</p><div class="language-sh"><button title="Copy Code" class="copy"></button><span class="lang">sh</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span class="t-function">footfall</span><span class="t-string"> webhooks</span><span class="t-string"> create</span><span class="t-string-expression"> &quot;CRM intake&quot;</span><span class="t-string"> https://crm.example/footfall</span></span>
<span class="line"><span class="t-function">footfall</span><span class="t-string"> webhooks</span><span class="t-string"> list</span></span>
<span class="line"><span class="t-function">footfall</span><span class="t-string"> webhooks</span><span class="t-string"> test</span><span> $WEBHOOK</span></span>
<span class="line"><span class="t-function">footfall</span><span class="t-string"> webhooks</span><span class="t-string"> deliveries</span><span> $WEBHOOK</span></span></code></pre></div><p>To receive an audience, create a destination:</p><div class="language-sh"><button title="Copy Code" class="copy"></button><span class="lang">sh</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span class="t-function">footfall</span><span class="t-string"> destinations</span><span class="t-string"> create</span><span> $AUDIENCE </span><span class="t-string-expression">&quot;CRM intake&quot;</span><span class="t-string"> --url</span><span class="t-string"> https://crm.example/footfall</span></span></code></pre></div><p>While you&#39;re writing the receiver, <code>listen</code> shows each webhook or forwards it to your code:</p><div class="language-sh"><button title="Copy Code" class="copy"></button><span class="lang">sh</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span class="t-function">footfall</span><span class="t-string"> listen</span><span class="t-string"> --create</span><span class="t-string"> --forward-to</span><span class="t-string"> http://localhost:3000/hooks</span></span></code></pre></div></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/how-to/receive-webhooks.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const receiveWebhooks = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  receiveWebhooks as default
};
