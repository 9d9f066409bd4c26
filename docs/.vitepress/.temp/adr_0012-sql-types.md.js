import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"12. No column-name transforms, JSON for bulk rows","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0012-sql-types.md","filePath":"docs/adr/0012-sql-types.md"}');
const _sfc_main = { name: "adr/0012-sql-types.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_12-no-column-name-transforms-json-for-bulk-rows" tabindex="-1">12. No column-name transforms, JSON for bulk rows <a class="header-anchor" href="#_12-no-column-name-transforms-json-for-bulk-rows" aria-label="Permalink to &quot;12. No column-name transforms, JSON for bulk rows&quot;">​</a></h1><p>2026-11-21 · accepted</p><p><strong>Context.</strong> The client&#39;s name transforms also rewrite keys inside <code>jsonb</code>, which would corrupt customers&#39; data. The client also cannot infer a type for arrays of nulls.</p><p><strong>Decision.</strong> The SQL gives each column its alias. The server sends bulk rows as one JSON parameter, and Postgres reads them with <code>jsonb_to_recordset</code>. In our measurements this was as fast as <code>unnest</code> of arrays. Counts are cast to <code>int</code>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0012-sql-types.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0012SqlTypes = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0012SqlTypes as default
};
