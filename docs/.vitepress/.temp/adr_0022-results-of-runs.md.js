import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"22. What is stored for a run, and for how long","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0022-results-of-runs.md","filePath":"docs/adr/0022-results-of-runs.md"}');
const _sfc_main = { name: "adr/0022-results-of-runs.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_22-what-is-stored-for-a-run-and-for-how-long" tabindex="-1">22. What is stored for a run, and for how long <a class="header-anchor" href="#_22-what-is-stored-for-a-run-and-for-how-long" aria-label="Permalink to &quot;22. What is stored for a run, and for how long&quot;">​</a></h1><p>2026-11-22 · accepted</p><p><strong>Context.</strong> Spec 1.8 sets no age for the results of runs. Statistics &quot;describe the stored run snapshot&quot;. An erased person&#39;s rows in run results are deleted within 24 hours (5.1).</p><p><strong>Decision.</strong> Rows are stored for 365 days from completion. The rows of an audience&#39;s latest completed run are kept permanently, and those of a deleted audience until the next hourly pass. The run itself is kept permanently, with its counts and statistics; its results then return 404. Statistics are stored as whole numbers and divided on request, so that an erasure can subtract a person from rows, <code>resultCount</code>, statistics and <code>audienceSize</code> in its own transaction. <code>candidateCount</code> does not change. A running run completes under a lock that erasures take too, and starts again if someone was erased after its people were chosen. <code>hashedEmail</code> is unique in a run.</p><p><strong>Consequences.</strong> Rows, counts and statistics always agree. Comparing a run with one older than 365 days finds no rows of the older one, so everyone counts as new. An erasure looks up each address in each stored run of the organization: one index lookup each.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0022-results-of-runs.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0022ResultsOfRuns = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0022ResultsOfRuns as default
};
