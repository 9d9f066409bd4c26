import { ssrRenderAttrs, ssrRenderAttr } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const _imports_0 = "/guide/diagrams/13cf883ab423.svg";
const _imports_1 = "/guide/diagrams/920100073c14.svg";
const __pageData = JSON.parse('{"title":"How Footfall works","description":"","frontmatter":{},"headers":[],"relativePath":"explanation/how-it-works.md","filePath":"docs/explanation/how-it-works.md"}');
const _sfc_main = { name: "explanation/how-it-works.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="how-footfall-works" tabindex="-1">How Footfall works <a class="header-anchor" href="#how-footfall-works" aria-label="Permalink to &quot;How Footfall works&quot;">​</a></h1><p>One process collects visits, works out which person and company they belong to, and sends what you choose to your other tools. All of its data is in one Postgres.</p><h2 id="how-data-flows" tabindex="-1">How data flows <a class="header-anchor" href="#how-data-flows" aria-label="Permalink to &quot;How data flows&quot;">​</a></h2><p><img class="diagram"${ssrRenderAttr("src", _imports_0)} alt="How data flows" width="1193" height="722"></p><ol><li><strong>Collect.</strong> The server stores an event before it responds. A crash after that loses nothing.</li><li><strong>Identify.</strong> Every few seconds, one pass per organization turns the inbox into sessions, people and companies. <a href="/guide/explanation/identity">Identity</a> explains what identifies a person.</li><li><strong>Suppress.</strong> <a href="/guide/explanation/suppression">Suppression</a> keeps customers and colleagues out of everything that costs money or takes action.</li><li><strong>Score.</strong> Signals show who researches which topic. See <a href="/guide/explanation/topics-and-signals">where topics and signals come from</a>.</li><li><strong>Deliver.</strong> A webhook sends each visitor when they are identified. A <a href="/guide/explanation/deliveries">delivery</a> sends the people in an audience.</li></ol><h2 id="what-is-stored-where" tabindex="-1">What is stored where <a class="header-anchor" href="#what-is-stored-where" aria-label="Permalink to &quot;What is stored where&quot;">​</a></h2><p><img class="diagram"${ssrRenderAttr("src", _imports_1)} alt="What is stored where" width="483" height="564"></p><p>Nothing else is stored, and nothing is sent to the makers of Footfall. <a href="/guide/explanation/privacy">Privacy</a> explains how long everything is stored and what an erasure deletes, and <a href="/guide/operations/backup-and-restore">backup</a> explains what to back up.</p><h2 id="more-than-one-process" tabindex="-1">More than one process <a class="header-anchor" href="#more-than-one-process" aria-label="Permalink to &quot;More than one process&quot;">​</a></h2><p>You can run one process or many. <a href="/guide/operations/scale-out">Scale out</a> has a diagram and explains what the processes share.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/explanation/how-it-works.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const howItWorks = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  howItWorks as default
};
