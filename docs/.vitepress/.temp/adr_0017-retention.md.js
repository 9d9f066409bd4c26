import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"17. What is deleted when retention is limited","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0017-retention.md","filePath":"docs/adr/0017-retention.md"}');
const _sfc_main = { name: "adr/0017-retention.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_17-what-is-deleted-when-retention-is-limited" tabindex="-1">17. What is deleted when retention is limited <a class="header-anchor" href="#_17-what-is-deleted-when-retention-is-limited" aria-label="Permalink to &quot;17. What is deleted when retention is limited&quot;">​</a></h1><p>2026-11-21 · accepted</p><p><strong>Context.</strong> &quot;Sessions and events: organization setting <code>retentionDays</code>.&quot; A visitor is someone with an event, and first and last seen are &quot;over the whole history&quot;. The specification does not say what happens to people whose sessions are all deleted.</p><p><strong>Decision.</strong> Once an hour, in batches, the server deletes sessions that ended before the limit and events received on an earlier day. It recalculates the affected people&#39;s first seen, last seen and custom attribution from their remaining sessions. It forgets a person without any session: profile, addresses, credit. It forgets who was identified in a browser when none of those sessions remain. Imported people and links stay. When a day&#39;s partition of events is empty for every organization, it is dropped. Click ids are deleted after 90 days, regardless of the setting: sessions keep the names with null as the value, so <code>clickIdTypes</code> and rules give the same result as before; events lose them.</p><p><strong>Consequences.</strong> Lists and counters always agree with the sessions. Someone who comes back later is a new person, is identified again and uses another credit. Avoiding that would mean keeping an address of everyone the organization decided not to keep. The credits used in a month stay counted. Sessions need one more index, (organization, end), to find the oldest.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0017-retention.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0017Retention = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0017Retention as default
};
