import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"2. Rooms, and the order of imports","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0002-rooms.md","filePath":"docs/adr/0002-rooms.md"}');
const _sfc_main = { name: "adr/0002-rooms.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_2-rooms-and-the-order-of-imports" tabindex="-1">2. Rooms, and the order of imports <a class="header-anchor" href="#_2-rooms-and-the-order-of-imports" aria-label="Permalink to &quot;2. Rooms, and the order of imports&quot;">​</a></h1><p>2026-11-21 · accepted</p><p><strong>Context.</strong> Folders by layer (<code>api/</code>, <code>persistence/</code>) spread one change over four places. A flat folder of services has no order at all.</p><p><strong>Decision.</strong> A room is a folder named after a word of the glossary, or after what it connects to (<code>database</code>, <code>http</code>, <code>access</code>). Every room uses the same file names:</p><ul><li>a value and a service, named after the noun;</li><li><code>store.ts</code>, the only SQL; a second noun has a <code>…-store.ts</code> next to it;</li><li><code>api.ts</code>, the contract, and <code>handlers.ts</code>, which translates between contract and service;</li><li><code>routes.ts</code> for what is not part of the API: scripts, pages, the collect route;</li><li><code>worker.ts</code>, and <code>layer.ts</code>, which provides all of them.</li></ul><p>Rooms stand in seven wings: <code>platform</code>, <code>access</code>, <code>collect</code>, <code>people</code>, <code>intent</code>, <code>activation</code> and <code>app</code> (since 2026-11-29; before, 29 rooms stood side by side). ARCHITECTURE.md says what each is for.</p><p>Handlers implement their own group over <code>http/contract.ts</code>, so no room imports the contract of the whole server. Wings and the rooms in them are ordered, and each imports only earlier ones. dependency-cruiser checks the order, the places that may import SQL and the platform, and the edges between packages.</p><p><strong>Consequences.</strong> A noun that two rooms need belongs to the earlier one. Only <code>app/</code> knows every room. <code>app/server/services.ts</code> provides what earlier rooms need from later ones. dependency-cruiser reads TypeScript through <code>@swc/core</code>, because TypeScript 7 has no compiler API.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0002-rooms.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0002Rooms = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0002Rooms as default
};
