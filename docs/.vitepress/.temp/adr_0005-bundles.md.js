import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"5. Bundles of the server","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0005-bundles.md","filePath":"docs/adr/0005-bundles.md"}');
const _sfc_main = { name: "adr/0005-bundles.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_5-bundles-of-the-server" tabindex="-1">5. Bundles of the server <a class="header-anchor" href="#_5-bundles-of-the-server" aria-label="Permalink to &quot;5. Bundles of the server&quot;">​</a></h1><p>2026-11-21 · accepted; the command is three files since 2026-11-26</p><p><strong>Context.</strong> A process that loads the core of Effect takes 216 ms unbundled and 58 ms bundled, of which Node takes 24 ms (measured in September 2026). An application that embeds the server must share one copy of Effect with it. The code of the API, its routes and the workers takes more than half of the time that the whole server takes to load, and only <code>footfall-server start</code> needs it.</p><p><strong>Decision.</strong> <code>dist/index.js</code> leaves its dependencies to the application. The command bundles everything except the Postgres binaries:</p><ul><li><code>dist/main.js</code> parses the arguments. It answers <code>--help</code>, <code>--version</code> and invalid arguments, contains no Effect, and loads one of the other two.</li><li><code>dist/main-start.js</code> is the server, in one file.</li><li><code>dist/main-commands.js</code> contains every other command, with only the services that they need (<code>commands/services.ts</code>).</li></ul><p>Packages that only some servers need (mail, an issuer for sign-in, page analysis) are in files of their own, <code>dist/main-*-HASH.js</code>, which load when they are first used.</p><p><strong>Consequences.</strong> The server&#39;s file is large but loads fast. <code>footfall-server --version</code> takes 40 ms of CPU time instead of 300, and an import of an empty file 200 ms less (alternating runs, 2026-11-26). Both bundles contain Effect, so the package has 2.4 MB more, 0.6 MB of it compressed. None of our modules may be loaded on demand: its file would share Effect with the server, every use of Effect would go through an export, and an event of ingest took 6 % more processor time (six alternating pairs, 2026-11-26). With the packages in files of their own, an idle server is 8 MiB smaller than in one file. Replacing the files of a running server breaks what it has not loaded yet, so stop it first. The same relative path finds the assets from <code>dist/</code> and from <code>src/</code>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0005-bundles.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0005Bundles = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0005Bundles as default
};
