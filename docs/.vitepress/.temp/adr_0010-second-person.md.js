import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"10. A second identification ends the session","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0010-second-person.md","filePath":"docs/adr/0010-second-person.md"}');
const _sfc_main = { name: "adr/0010-second-person.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_10-a-second-identification-ends-the-session" tabindex="-1">10. A second identification ends the session <a class="header-anchor" href="#_10-a-second-identification-ends-the-session" aria-label="Permalink to &quot;10. A second identification ends the session&quot;">​</a></h1><p>2026-11-21 · accepted</p><p><strong>Context.</strong> &quot;Two addresses identified in one browser: two people. Sessions before the first identification belong to the first person; from the second identification on they belong to the second.&quot; But a session has one owner, and the second identification happens in the middle of one. An identification may also arrive late, when the session it falls into already belongs to someone else.</p><p><strong>Decision.</strong> The open session ends, and the identify event starts a new one. Ownership follows the time of events, with one exception: a session in which someone was identified stays theirs. Only sessions without an identification change owner, to the person who had the browser when they began. So a late identification of someone else starts its own session.</p><p><strong>Consequences.</strong></p><ul><li>Both people keep what is theirs, and both are listed: everyone who was identified has a session.</li><li>Two sessions of one browser may be less than 30 minutes apart, or one inside the other.</li><li>Pages stay in the session in which someone was identified, even if a late event shows that another person had the browser when it began.</li><li>An event that arrives late and closes the gap between two sessions joins the nearer one, and both sessions stay. Merging them would break ids, cursors and pages that clients already have, and contradict <code>session.ended</code> events already sent.</li><li>&quot;A session ends after 30 minutes without an event&quot; (spec 2.2) applies to events in the order they arrived. The rule does not ask to undo earlier responses.</li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0010-second-person.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0010SecondPerson = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0010SecondPerson as default
};
