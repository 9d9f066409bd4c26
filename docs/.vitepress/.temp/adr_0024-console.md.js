import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse(`{"title":"24. The console's parts","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0024-console.md","filePath":"docs/adr/0024-console.md"}`);
const _sfc_main = { name: "adr/0024-console.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_24-the-console-s-parts" tabindex="-1">24. The console&#39;s parts <a class="header-anchor" href="#_24-the-console-s-parts" aria-label="Permalink to &quot;24. The console&#39;s parts&quot;">​</a></h1><p>2026-11-23 · accepted</p><p><strong>Context.</strong> The console (spec 17) must be small, strict and pleasant: a content security policy without inline styles, at most 180 KB for the first script, any path prefix, both themes.</p><p><strong>Decision.</strong> React with TanStack Router, Query and Virtual. Plain CSS with every color and size as a variable in one file, and both themes side by side with <code>light-dark()</code>. The browser&#39;s own <code>dialog</code>, <code>details</code> and <code>select</code>. Charts with one series are drawn as SVG. The SDK is the only client. The session is one object outside React, responses are in Query&#39;s cache, and what is open is in the URL. Vite builds files with relative URLs, and the server writes the prefix into the document&#39;s base.</p><p>A file of suppression rules is sent to the server as it is, which answers with a plan (spec 5.16). <code>XMLHttpRequest</code> sends it, because <code>fetch</code> doesn&#39;t say how much of a body has been sent. Several topics are small charts with a shared scale instead of lines in one chart.</p><p><strong>Consequences.</strong> The first script is 126 KB gzipped, and a screen&#39;s part at most 17. A test checks the sizes, the policy and both themes.</p><p><strong>Considered.</strong> Radix for dialogs: it writes a style element to stop scrolling, which the policy blocks. Tailwind: a build step and a vocabulary for what a few hundred lines of CSS do. TanStack Table: the server sorts and filters, so there is nothing left for it to do. A state library: the cache and the URL are the state.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0024-console.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0024Console = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0024Console as default
};
