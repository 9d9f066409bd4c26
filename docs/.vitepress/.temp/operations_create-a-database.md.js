import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Create a database","description":"","frontmatter":{},"headers":[],"relativePath":"operations/create-a-database.md","filePath":"docs/operations/create-a-database.md"}');
const _sfc_main = { name: "operations/create-a-database.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="create-a-database" tabindex="-1">Create a database <a class="header-anchor" href="#create-a-database" aria-label="Permalink to &quot;Create a database&quot;">​</a></h1><p>Footfall needs Postgres 15 or newer, a database of its own, and a role that owns it. As a superuser:</p><div class="language-text"><button title="Copy Code" class="copy"></button><span class="lang">text</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span>create role footfall login password &#39;PASSWORD&#39;;</span></span>
<span class="line"><span>create database footfall owner footfall encoding &#39;UTF8&#39; template template0;</span></span></code></pre></div><p>The role needs no other rights: it isn&#39;t a superuser, it can&#39;t create databases or roles, and Footfall needs no extension. The server creates its tables when it first starts.</p><div class="language-text"><button title="Copy Code" class="copy"></button><span class="lang">text</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span>DATABASE_URL=postgres://footfall:PASSWORD@db.acme.example:5432/footfall?sslmode=verify-full</span></span></code></pre></div><p>Percent-encode special characters in the password: <code>@</code> is <code>%40</code>, <code>/</code> is <code>%2F</code>, <code>#</code> is <code>%23</code>, <code>?</code> is <code>%3F</code>, <code>:</code> is <code>%3A</code>. To keep the URL out of the environment, write it to a file and set <code>DATABASE_URL_FILE</code> to its path.</p><ul><li>A process uses up to 10 connections, plus up to two for imports and copies. Add this up for all processes when you set <code>max_connections</code>. <a href="/guide/operations/scale-out#pgbouncer">PgBouncer</a> works in transaction mode.</li><li><code>footfall-server doctor</code> checks the connection, the version, the clock and the schema.</li><li>To back up the database, see <a href="/guide/operations/backup-and-restore">backup and restore</a>. Restoring into a new database needs the two statements above with another name.</li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/operations/create-a-database.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const createADatabase = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  createADatabase as default
};
