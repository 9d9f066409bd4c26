import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"9. Rate limits are counted in Postgres","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0009-rate-limits.md","filePath":"docs/adr/0009-rate-limits.md"}');
const _sfc_main = { name: "adr/0009-rate-limits.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_9-rate-limits-are-counted-in-postgres" tabindex="-1">9. Rate limits are counted in Postgres <a class="header-anchor" href="#_9-rate-limits-are-counted-in-postgres" aria-label="Permalink to &quot;9. Rate limits are counted in Postgres&quot;">​</a></h1><p>2026-11-21 · accepted</p><p><strong>Context.</strong> Limits must be exact across all processes, and a second data store would be one more thing to run.</p><p><strong>Decision.</strong> One unlogged table, one atomic statement per request, and the database&#39;s clock. The collect route counts inside the statement that stores its batches. If the counter can&#39;t be reached, the request passes and the failure is logged.</p><p><strong>Consequences.</strong> If Postgres crashes, the windows start over. IP addresses are stored as a keyed hash.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0009-rate-limits.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0009RateLimits = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0009RateLimits as default
};
