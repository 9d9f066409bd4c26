import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"3. The contract is in the server, the SDK is written by hand","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0003-contract-and-sdk.md","filePath":"docs/adr/0003-contract-and-sdk.md"}');
const _sfc_main = { name: "adr/0003-contract-and-sdk.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_3-the-contract-is-in-the-server-the-sdk-is-written-by-hand" tabindex="-1">3. The contract is in the server, the SDK is written by hand <a class="header-anchor" href="#_3-the-contract-is-in-the-server-the-sdk-is-written-by-hand" aria-label="Permalink to &quot;3. The contract is in the server, the SDK is written by hand&quot;">​</a></h1><p>2026-11-21 · superseded by <a href="/guide/adr/0026-generated-sdk">26</a></p><p><strong>Context.</strong> Users read the types of an SDK as documentation, and generated types read poorly. A contract package that the SDK shares with the server would make every SDK user install Effect.</p><p><strong>Decision.</strong> The only contract is <code>HttpApi</code>, in each room&#39;s <code>api.ts</code>. It serves requests, <code>/openapi.json</code> and <code>/docs</code>. We write the SDK&#39;s types by hand, and a parity test in the server compares both at compile time.</p><p><strong>Consequences.</strong> If we add a field on one side only, <code>npm run check</code> fails with a compile error. The busiest route does not encode its responses with the schema. Its mapping is written out, so on a busy machine it serves 154 pages a second instead of 122. Tests check its responses against the schema.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0003-contract-and-sdk.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0003ContractAndSdk = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0003ContractAndSdk as default
};
