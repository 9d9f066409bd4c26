import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Uninstall","description":"","frontmatter":{},"headers":[],"relativePath":"operations/uninstall.md","filePath":"docs/operations/uninstall.md"}');
const _sfc_main = { name: "operations/uninstall.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="uninstall" tabindex="-1">Uninstall <a class="header-anchor" href="#uninstall" aria-label="Permalink to &quot;Uninstall&quot;">​</a></h1><ol><li>Remove the pixel&#39;s tag from your sites. A tag whose server is gone does no harm: the page ignores the missing script.</li><li>Pause destinations and delete webhooks in the console, so that no receiver waits for data. Contacts that Footfall added to a mailing list stay there.</li><li>Stop the server and remove its files:</li></ol><div class="language-text"><button title="Copy Code" class="copy"></button><span class="lang">text</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span>systemctl disable --now footfall</span></span>
<span class="line"><span>rm /etc/systemd/system/footfall.service</span></span>
<span class="line"><span>rm -r /etc/footfall /opt/footfall</span></span>
<span class="line"><span>rm -r /var/lib/footfall /var/cache/footfall    # the embedded database and the secret</span></span>
<span class="line"><span>userdel footfall</span></span></code></pre></div><ol start="4"><li>With your own Postgres, drop the database and the role:</li></ol><div class="language-text"><button title="Copy Code" class="copy"></button><span class="lang">text</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span>drop database footfall;</span></span>
<span class="line"><span>drop role footfall;</span></span></code></pre></div><ol start="5"><li>If signals or old events are in ClickHouse, drop its database, too. Delete backups and copies of the secret.</li></ol><p>Without a service, data is in <code>DATA_DIR</code> (<code>./.footfall</code> of the folder in which the server started), and compiled code in <code>~/.cache/footfall</code>. The command line keeps its profiles in <code>~/.config/footfall</code> (<code>footfall profiles list</code> prints the folder), and keys in the keychain of the system if it has one: run <code>footfall logout</code> first.</p><p>To remove one person instead, see <a href="/guide/explanation/privacy">privacy</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/operations/uninstall.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const uninstall = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  uninstall as default
};
