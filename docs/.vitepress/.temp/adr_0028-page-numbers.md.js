import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"28. Page numbers skip rows","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0028-page-numbers.md","filePath":"docs/adr/0028-page-numbers.md"}');
const _sfc_main = { name: "adr/0028-page-numbers.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_28-page-numbers-skip-rows" tabindex="-1">28. Page numbers skip rows <a class="header-anchor" href="#_28-page-numbers-skip-rows" aria-label="Permalink to &quot;28. Page numbers skip rows&quot;">​</a></h1><p>2026-11-29 · accepted; supersedes page numbers in <a href="/guide/adr/0008-cursors">8</a></p><p><strong>Context.</strong> Every process remembered for 15 minutes where the pages it served end, so that consecutive page numbers were found by key. To know when that is no longer true, triggers counted every write to 15 tables, in the transactions of visits and deliveries. A page that no earlier request led to was already found by skipping rows in the index.</p><p><strong>Decision.</strong> A page by number always skips rows in the index, and counts its total. Cursors are as before: found by key, with the total of the first page. The SDK, the command line and the console page by cursor.</p><p><strong>Measured.</strong> With 200,000 visitors, a page around 4,000 takes 1.06 to 1.35 times as long as page 1, and 0.96 to 0.99 when it was remembered. With 2,000,000, page 20,000 takes 36 ms and page 1 takes 16.</p><p><strong>Consequences.</strong> Triggers count only milestones, which a read replica must have reached. A program that reads a whole list by page number counts it once for each page.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0028-page-numbers.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0028PageNumbers = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0028PageNumbers as default
};
