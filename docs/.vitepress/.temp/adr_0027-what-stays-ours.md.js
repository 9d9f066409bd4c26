import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"27. What stays ours, and what a library does","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0027-what-stays-ours.md","filePath":"docs/adr/0027-what-stays-ours.md"}');
const _sfc_main = { name: "adr/0027-what-stays-ours.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_27-what-stays-ours-and-what-a-library-does" tabindex="-1">27. What stays ours, and what a library does <a class="header-anchor" href="#_27-what-stays-ours-and-what-a-library-does" aria-label="Permalink to &quot;27. What stays ours, and what a library does&quot;">​</a></h1><p>2026-11-29 · accepted</p><p><strong>Context.</strong> We prefer a well-kept library to our own code outside what Footfall exists for, even a slower one. Our own code stays only where a comparison shows that users would lose something.</p><p><strong>Decision.</strong></p><ul><li><strong>Connections to webhooks: undici&#39;s <code>Pool</code>.</strong> There is one pool for each origin and set of vetted addresses, with our guarded connector. Our own list of clients is gone. In three alternating pairs of <code>bench deliveries</code>, the median was 12,690 contacts per second with the pool and 10,776 without; the pairs differed by more than that from each other.</li><li><strong>The API reference at <code>/docs</code> stays ours.</strong> Scalar 1.46 needs 3.6 MB of JavaScript (993 KB gzipped; our page is 80 KB), shows nothing without JavaScript, and breaks our content security policy: 36 inline styles were refused on one page.</li><li><strong>Shell completion stays ours.</strong> <code>@bomb.sh/tab</code> 0.0.22 runs the program for every Tab, which takes 80 ms; our scripts answer from memory. It also does not complete file names after <code>--file</code>, where people of the command line need it most, nor names of profiles.</li><li><strong>Sealing stays on <code>node:crypto</code>.</strong> Effect&#39;s <code>Aead</code> calls WebCrypto, so every webhook secret that is opened while sending would wait for a promise. It would replace six lines in each of two files.</li><li><strong>The progress line of an import is ours</strong> (<code>import-progress.ts</code>); <code>cli-progress</code> needed a wrapper of the same size.</li></ul><p><strong>Consequences.</strong> A connection of undici rests for one turn of the event loop after a response, so a sender that waits for each response uses two connections instead of one.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0027-what-stays-ours.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0027WhatStaysOurs = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0027WhatStaysOurs as default
};
