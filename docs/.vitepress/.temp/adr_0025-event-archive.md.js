import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"25. Old events move to ClickHouse without a transaction","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0025-event-archive.md","filePath":"docs/adr/0025-event-archive.md"}');
const _sfc_main = { name: "adr/0025-event-archive.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_25-old-events-move-to-clickhouse-without-a-transaction" tabindex="-1">25. Old events move to ClickHouse without a transaction <a class="header-anchor" href="#_25-old-events-move-to-clickhouse-without-a-transaction" aria-label="Permalink to &quot;25. Old events move to ClickHouse without a transaction&quot;">​</a></h1><p>2026-11-26 · accepted</p><p><strong>Context.</strong> Events are most of the disk space of visits, and after three months they only say how an address was learned. <code>EVENT_ARCHIVE_DAYS</code> moves them to ClickHouse (spec 18.3). No transaction spans both databases, either may stop at any moment, and an erasure must find every event.</p><p><strong>Decision.</strong> A batch is read, written, read back and compared, and then deleted from Postgres. Nothing records which batches have moved: the table replaces rows with the same key, and an event never changes, so repeating a batch is harmless. No turn and no transaction is open while ClickHouse answers.</p><p>Three rules make an erasure complete. The day is recorded before a batch of it is read, and the read skips rows that an erasure is deleting, so an erasure that could miss an event knows that it must record its sessions. ClickHouse refuses a batch after its lease of five minutes. And the recorded sessions are deleted twice, the second time when no lease from before the erasure is left.</p><p>Events without a session that have a browser stay in Postgres, because an erasure recognizes them by addresses and by who had the browser when. So sessions are enough to erase what is in ClickHouse, and no address is stored for it.</p><p><strong>Consequences.</strong> An erasure never waits for ClickHouse and succeeds while it is unreachable. An event that was moving during an erasure can be in ClickHouse for 32 minutes, where no response reads it. If ClickHouse&#39;s clock is five minutes ahead, nothing moves, and the log says so.</p><p><strong>Considered.</strong> Naming batches in Postgres, as sets of signals are named: the names would stay forever, and every look-up would need them. A transaction that holds the organization&#39;s turn: a ClickHouse that hangs would stop identification. Partitions of files in object storage: erasing one person would rewrite them.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0025-event-archive.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0025EventArchive = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0025EventArchive as default
};
