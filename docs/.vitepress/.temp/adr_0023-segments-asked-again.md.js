import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"23. Segments that could not be evaluated are evaluated later","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0023-segments-asked-again.md","filePath":"docs/adr/0023-segments-asked-again.md"}');
const _sfc_main = { name: "adr/0023-segments-asked-again.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_23-segments-that-could-not-be-evaluated-are-evaluated-later" tabindex="-1">23. Segments that could not be evaluated are evaluated later <a class="header-anchor" href="#_23-segments-that-could-not-be-evaluated-are-evaluated-later" aria-label="Permalink to &quot;23. Segments that could not be evaluated are evaluated later&quot;">​</a></h1><p>2026-11-22 · accepted</p><p><strong>Context.</strong> A <code>first_match</code> webhook is sent once, the first time a person is identified and matches (spec 8.5). The segment is evaluated in the transaction that processes the person&#39;s event, for at most 2 seconds, because everyone&#39;s identification waits for it. A rule that took longer matched no one, and a person who never came back was lost.</p><p><strong>Decision.</strong> The same transaction stores what could not be evaluated: one row per webhook and person, with the time of the latest event. A worker evaluates it later, one webhook and 100 people at a time, outside the organization&#39;s turn and as of that time, so the window does not move. Only the result is written in the turn, by the statement that sends every webhook, which leaves out people who are suppressed or were already sent. The waits are the same as between attempts to send (8.5): it gives up after eight tries in 41 hours, and logs this. After a failed try, the webhook&#39;s other stored rows wait a minute. During that minute the turn does not evaluate its segment either, so a rule that is always too slow takes at most 2 seconds a minute of the turn, however many people arrive.</p><p><strong>Consequences.</strong> <code>stats.lastErrorMessage</code> of the webhook says that its rule could not be evaluated, and also marks the minute: if another request to the webhook fails within it, the turn evaluates the segment once more. Rows of a stopped webhook stay until it is active again, those of a deleted webhook are deleted within a minute, and those of an erased person with the person.</p><p><strong>Tests.</strong> <code>test/webhooks/questions.test.ts</code>, and <code>unaskable-segment.test.ts</code> against a server.</p><p><strong>Considered.</strong> Sending when in doubt (would send people outside the segment); a longer limit (delays every organization); retrying forever (a rule that never ends would be evaluated for everyone who was ever identified).</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0023-segments-asked-again.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0023SegmentsAskedAgain = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0023SegmentsAskedAgain as default
};
