import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"6. Events wait in an inbox, and the pass moves them","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0006-inbox.md","filePath":"docs/adr/0006-inbox.md"}');
const _sfc_main = { name: "adr/0006-inbox.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_6-events-wait-in-an-inbox-and-the-pass-moves-them" tabindex="-1">6. Events wait in an inbox, and the pass moves them <a class="header-anchor" href="#_6-events-wait-in-an-inbox-and-the-pass-moves-them" aria-label="Permalink to &quot;6. Events wait in an inbox, and the pass moves them&quot;">​</a></h1><p>2026-11-21 · accepted</p><p><strong>Context.</strong> Collecting an event must be one fast, durable write. Identification must process every acknowledged event once and in order, although writers commit out of order and processes get killed. The candidates were:</p><ul><li>a <code>processed</code> flag, which writes every archived row twice;</li><li>a cursor over a sequence, which skips rows that commit late;</li><li>a cursor over transaction ids, which stalls behind any long transaction and does not survive dump and restore;</li><li>an inbox.</li></ul><p><strong>Decision.</strong> Acknowledged events go into <code>event_inbox</code>. The identification pass takes the next rows by sequence, writes sessions, visitors and the <code>event</code> rows (partitioned by day), and deletes the rows from the inbox, all in one transaction. At first, only one pass ran per database. Since 2026-11-25 organizations are divided into lanes, and only one pass runs per lane (<a href="/guide/specification/18-scale">specification 18.1</a>).</p><p><strong>Consequences.</strong> A row that commits late is simply taken later. A crash repeats nothing. The inbox&#39;s unique index catches a repeated event id; once the first event has left the inbox, the pass catches it. The pass also looks one day back and one day ahead. Each event is written twice.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0006-inbox.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0006Inbox = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0006Inbox as default
};
