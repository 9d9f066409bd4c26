import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"11. Versioning","description":"","frontmatter":{},"headers":[],"relativePath":"specification/11-versioning.md","filePath":"docs/specification/11-versioning.md"}');
const _sfc_main = { name: "specification/11-versioning.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_11-versioning" tabindex="-1">11. Versioning <a class="header-anchor" href="#_11-versioning" aria-label="Permalink to &quot;11. Versioning&quot;">​</a></h1><ul><li><a id="11.1"></a><strong>11.1</strong> Every path begins with <code>/v1</code>. Within <code>/v1</code>, new fields, enum values of responses, endpoints and optional parameters may be added. Nothing is removed, and nothing changes its meaning. Clients must ignore fields they do not know.</li><li><a id="11.2"></a><strong>11.2</strong> The legacy names of 2.1.2 stay in all of <code>/v1</code>.</li><li><a id="11.3"></a><strong>11.3</strong> A deprecation is announced at least 6 months in advance, with the headers <code>Deprecation</code> (RFC 9745) and <code>Sunset</code> (RFC 8594).</li><li><a id="11.4"></a><strong>11.4</strong> A later signing scheme gets a new <code>signingVersion</code>. Existing webhooks keep <code>v1</code>.</li><li><a id="11.5"></a><strong>11.5</strong> The OpenAPI documents have version 1.0.0. Additions increase the second number.</li><li><a id="11.6"></a><strong>11.6</strong> Version 1 does not have an event for contacts that leave an audience, suppression by hash, wildcard, reason or expiry, or an export endpoint for visitors.</li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/specification/11-versioning.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _11Versioning = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _11Versioning as default
};
