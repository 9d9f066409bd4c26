import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"8. Cursors, and page numbers that do not skip rows","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0008-cursors.md","filePath":"docs/adr/0008-cursors.md"}');
const _sfc_main = { name: "adr/0008-cursors.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_8-cursors-and-page-numbers-that-do-not-skip-rows" tabindex="-1">8. Cursors, and page numbers that do not skip rows <a class="header-anchor" href="#_8-cursors-and-page-numbers-that-do-not-skip-rows" aria-label="Permalink to &quot;8. Cursors, and page numbers that do not skip rows&quot;">​</a></h1><p>2026-11-21 · accepted; page numbers superseded by <a href="/guide/adr/0028-page-numbers">28</a></p><p><strong>Context.</strong> With OFFSET, <code>page=20000</code> takes a second. By key, it costs the same as page 1.</p><p><strong>Decision.</strong> A cursor contains the sort key of the last row. It is signed (HMAC-SHA-256 with a sub-key of <code>FOOTFALL_SECRET</code>), bound to organization, route and filters, and valid for 24 hours. For page numbers, each process caches for 15 minutes where the pages it served end. An index-only scan finds any other page, which is then cached too.</p><p><strong>Consequences.</strong> The memory is bounded and belongs to one process, so another replica pays for one index-only scan. The total is counted with page 1, or with whichever page is requested first.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0008-cursors.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0008Cursors = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0008Cursors as default
};
