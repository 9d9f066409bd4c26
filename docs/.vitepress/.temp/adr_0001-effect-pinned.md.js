import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"1. Effect 4.1, pinned exactly","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0001-effect-pinned.md","filePath":"docs/adr/0001-effect-pinned.md"}');
const _sfc_main = { name: "adr/0001-effect-pinned.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_1-effect-4-1-pinned-exactly" tabindex="-1">1. Effect 4.1, pinned exactly <a class="header-anchor" href="#_1-effect-4-1-pinned-exactly" aria-label="Permalink to &quot;1. Effect 4.1, pinned exactly&quot;">​</a></h1><p>2026-11-21 · accepted</p><p><strong>Context.</strong> The server needs typed errors, resources that are always released, and tests that control the clock. Effect 4.1 has all three, but its HTTP, SQL and platform modules are tagged unstable, so a minor release may break them.</p><p><strong>Decision.</strong> The server is written in Effect 4.1.0. <code>effect</code>, <code>@effect/platform-node</code>, <code>@effect/sql-pg</code> and <code>@effect/vitest</code> are pinned to exact versions, and each upgrade is a commit of its own. Nothing outside the server depends on Effect. The SDK, the CLI and applications that embed the server use promises.</p><p><strong>Consequences.</strong> Upgrades take work. To keep that work small, only a few places may import <code>effect/sql</code>, <code>effect/http-api</code> and <code>@effect/platform-node</code> (ADR 2).</p><p>Sources: the <code>@stability</code> tags of effect 4.1.0 and the documentation in the installed package.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0001-effect-pinned.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0001EffectPinned = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0001EffectPinned as default
};
