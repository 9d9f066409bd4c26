import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"13. Paging through sessions","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0013-session-walk.md","filePath":"docs/adr/0013-session-walk.md"}');
const _sfc_main = { name: "adr/0013-session-walk.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_13-paging-through-sessions" tabindex="-1">13. Paging through sessions <a class="header-anchor" href="#_13-paging-through-sessions" aria-label="Permalink to &quot;13. Paging through sessions&quot;">​</a></h1><p>2026-11-21 · accepted</p><p><strong>Context.</strong> The first page of a session list fixes <code>asOf</code>. Reading all pages may take hours. In that time sessions begin, continue and arrive late, but the pages must neither repeat nor skip a session. The list is ordered by start. Whether a session is in the window depends on its last event (ADR 7), which moves.</p><p><strong>Decision.</strong> One index orders sessions by (start, pixel, session). A page contains the sessions after the last one returned that began by <code>asOf</code> and ended in the window. The server remembers nothing else. It does not look for sessions that began more than a week before the window. Without that bound, the last page would read the person&#39;s whole history and find nothing.</p><p><strong>Consequences.</strong></p><ul><li>A session that continues keeps its place. The page shows it as it is when the page is read.</li><li>A later end of a session has one possible effect: it adds a session that began before the window. Such a session comes at the end of the list.</li><li>If a session that began before <code>asOf</code> arrives while a client reads the pages, it is shown if the client has not passed its place yet.</li><li>The decision does not cover one case. A late event can move the start of a session back, by less than 30 minutes. If the client is between the two starts at that moment, the session is shown twice, with the same <code>sessionId</code>.</li><li>A session that changes owner (ADR 10) leaves one person&#39;s list and joins the other&#39;s.</li><li>A session that lasts more than a week without a pause and began more than a week before the window is counted in the visitor&#39;s <code>sessions</code> but not listed.</li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0013-session-walk.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0013SessionWalk = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0013SessionWalk as default
};
