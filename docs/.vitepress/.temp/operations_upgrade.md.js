import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Upgrade","description":"","frontmatter":{},"headers":[],"relativePath":"operations/upgrade.md","filePath":"docs/operations/upgrade.md"}');
const _sfc_main = { name: "operations/upgrade.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="upgrade" tabindex="-1">Upgrade <a class="header-anchor" href="#upgrade" aria-label="Permalink to &quot;Upgrade&quot;">​</a></h1><ol><li>Make a <a href="/guide/operations/backup-and-restore">backup</a>.</li><li>Stop the server, or install the new version in another folder: a server loads some of its files only when it needs them. Then start the new version. It updates the schema before it serves requests. To update the schema earlier, run <code>footfall-server migrate</code>. All pending migrations run in one transaction under one lock, so only one process runs them, and if it is killed, nothing is left half done.</li><li>Run <code>footfall-server doctor</code> to check the result.</li></ol><p>Migrations only add things. A running server therefore keeps working on a newer schema, and you can upgrade servers one at a time while the others handle requests. Each new server&#39;s <code>/readyz</code> returns 200 once its schema is ready. There is one exception: during the upgrade from 0.1 to 0.2, a server still on 0.1 returns 500 when someone adds a member. A server doesn&#39;t start on a schema newer than its own (<code>SchemaNewer</code>). To go back to an older version, restore the backup.</p><table tabindex="0"><thead><tr><th>Step</th><th>Command</th><th>Without it</th></tr></thead><tbody><tr><td>update the schema</td><td><code>footfall-server migrate</code></td><td>the server does it on start</td></tr><tr><td>stop</td><td><code>SIGTERM</code></td><td>requests in progress finish, within 20 seconds</td></tr><tr><td>stop immediately</td><td><code>SIGTERM</code> twice</td><td>job leases expire, and other workers continue</td></tr><tr><td>check</td><td><code>footfall-server doctor</code></td><td></td></tr></tbody></table><p>Pinned pixel scripts (<code>embed.immutable</code>) don&#39;t change when you upgrade. Browsers pick up the new regular script within five minutes.</p><p>Do not change <code>FOOTFALL_SECRET</code> during an upgrade; see <a href="/guide/operations/security#replace-the-secret">Security</a>. With <code>migrate: false</code>, <code>createFootfall</code> doesn&#39;t start on a schema that is older than its own (<code>DataKeysMissing</code>), so run <code>footfall-server migrate</code> first.</p><p>When you upgrade from 0.2.0 or older, people who are signed in to the console over https have to sign in again, because its cookie has a new name that only the server&#39;s own host can set.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/operations/upgrade.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const upgrade = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  upgrade as default
};
