import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"7. A window counts whole sessions","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0007-session-granularity.md","filePath":"docs/adr/0007-session-granularity.md"}');
const _sfc_main = { name: "adr/0007-session-granularity.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_7-a-window-counts-whole-sessions" tabindex="-1">7. A window counts whole sessions <a class="header-anchor" href="#_7-a-window-counts-whole-sessions" aria-label="Permalink to &quot;7. A window counts whole sessions&quot;">​</a></h1><p>2026-11-21 · accepted</p><p><strong>Context.</strong> Visitor counters are &quot;counted inside the requested window&quot;. Lists must never read raw events. A session may start before the window and end inside it.</p><p><strong>Decision.</strong> A session belongs to a window if its last event does, and then the whole session counts. The list itself stays exact: a visitor is listed if one of their events is in the window.</p><p><strong>Consequences.</strong> For at most one session per browser, page views from before the start of the window count too. If that ever matters, the session row needs the time of each page view.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0007-session-granularity.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0007SessionGranularity = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0007SessionGranularity as default
};
