import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse(`{"title":"16. The pass charges credits in the organization's turn","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0016-credits.md","filePath":"docs/adr/0016-credits.md"}`);
const _sfc_main = { name: "adr/0016-credits.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_16-the-pass-charges-credits-in-the-organization-s-turn" tabindex="-1">16. The pass charges credits in the organization&#39;s turn <a class="header-anchor" href="#_16-the-pass-charges-credits-in-the-organization-s-turn" aria-label="Permalink to &quot;16. The pass charges credits in the organization&#39;s turn&quot;">​</a></h1><p>2026-11-21 · accepted</p><p><strong>Context.</strong> Each newly identified, unsuppressed person costs one credit, and only once. The count must be exact with any number of processes and after kill -9. When the month changes or the limit is raised, the process that notices it releases the people held back, oldest first.</p><p><strong>Decision.</strong> Each charged person has a row in <code>credit</code>, and each organization and month has a count in <code>credit_month</code>. The transaction that identifies the person writes both. It holds the organization&#39;s turn, so nothing is counted twice and no extra lock is needed. The month is that of the database&#39;s clock, in UTC. People held back wait in order of arrival, and get free credits before anyone new. A worker checks every two seconds whether it can release someone.</p><ul><li>Everyone who was identified before credits existed counts as charged in their first month.</li><li>If a person is suppressed while held back, the worker releases them without a charge: suppressed people are listed and free.</li><li>The server counts credits even without a limit.</li><li>When two visitors merge, the remaining one keeps its credit or takes over the other&#39;s. The month still counts both. The person is held back only if both visitors were.</li></ul><p><strong>Consequences.</strong> A pass runs one more statement when it identifies someone. Right after a limit is raised, new people may be held back for up to two seconds, until the people before them are released.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0016-credits.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0016Credits = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0016Credits as default
};
