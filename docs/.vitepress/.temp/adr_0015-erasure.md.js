import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"15. Erasure leaves a keyed hash","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0015-erasure.md","filePath":"docs/adr/0015-erasure.md"}');
const _sfc_main = { name: "adr/0015-erasure.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_15-erasure-leaves-a-keyed-hash" tabindex="-1">15. Erasure leaves a keyed hash <a class="header-anchor" href="#_15-erasure-leaves-a-keyed-hash" aria-label="Permalink to &quot;15. Erasure leaves a keyed hash&quot;">​</a></h1><p>2026-11-21 · accepted</p><p><strong>Context.</strong> &quot;Left behind: a keyed hash of each address: a later hit is not identified again&quot;, and nothing else of the person. Events in the inbox, a running pass or a running import must not bring them back. A browser may be shared, and an imported record may be shared by every organization.</p><p><strong>Decision.</strong> Erasure is one transaction that waits for the organization&#39;s turn, as passes, imports and sync cycles do. It leaves tombstones: HMAC-SHA-256 with the data key <code>tombstone</code> over the organization and the SHA-256 of the address, so each organization has its own. There is one for every address of the visitor, and for every address that imports assign to the same person and that no other visitor has. A pass removes email, hash and traits from an event that names such an address before it stores the event.</p><ul><li>People held back are erased like any others, because 4.6 says from any state. The response does not mention them.</li><li>An organization can erase anyone it knows, seen or not: from an import, a link, results of a run, a suppression rule or its own signals. If it knows nothing, as after an erasure, the response is 404. A later import rejects rows about an erased person with <code>erased</code>.</li><li>Shared people belong to the operator and stay. The organization that erased the person does not identify them again.</li><li>In a browser that others use too, the erased person&#39;s time belongs to no one afterwards, so later events are not assigned to someone else. A browser that only they used is forgotten: its events are anonymous, as from a new browser.</li><li>What the organization wrote itself stays: rules, segments, and with <code>suppress=true</code> the new rules. An address known only by its hash creates no rule.</li><li>The credit is not refunded. The row that named the visitor is deleted; the month&#39;s count stays.</li></ul><p><strong>Consequences.</strong> Tombstones depend on a data key, which survives every replacement of <code>FOOTFALL_SECRET</code>. If you lose the secret, the server no longer knows who was erased. Postgres&#39;s planner statistics may contain single values until the next ANALYZE; dumps leave them out by default.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0015-erasure.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0015Erasure = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0015Erasure as default
};
