import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"11. A real Postgres, embedded","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0011-embedded-postgres.md","filePath":"docs/adr/0011-embedded-postgres.md"}');
const _sfc_main = { name: "adr/0011-embedded-postgres.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_11-a-real-postgres-embedded" tabindex="-1">11. A real Postgres, embedded <a class="header-anchor" href="#_11-a-real-postgres-embedded" aria-label="Permalink to &quot;11. A real Postgres, embedded&quot;">​</a></h1><p>2026-11-21 · accepted</p><p><strong>Context.</strong> A new user has Node and npm, but no database. We tested Postgres in WebAssembly. It never syncs to disk, and it stalls the event loop. Two processes that use one folder silently lose each other&#39;s rows.</p><p><strong>Decision.</strong> Without <code>DATABASE_URL</code>, the server runs the Postgres 18 that npm ships, supervised by <code>database/embedded.ts</code>. If a killed server left a Postgres running, the next server stops it and starts its own. So every Postgres is a child process of its server and uses that server&#39;s settings and log.</p><p><strong>Consequences.</strong> Tests, trials and production use the same engine. The binaries take 60 MB per platform. Systems that use musl are not supported.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0011-embedded-postgres.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0011EmbeddedPostgres = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0011EmbeddedPostgres as default
};
