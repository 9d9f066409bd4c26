import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse(`{"title":"Send events from RudderStack's libraries","description":"","frontmatter":{},"headers":[],"relativePath":"how-to/send-events-from-rudderstack.md","filePath":"docs/how-to/send-events-from-rudderstack.md"}`);
const _sfc_main = { name: "how-to/send-events-from-rudderstack.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="send-events-from-rudderstack-s-libraries" tabindex="-1">Send events from RudderStack&#39;s libraries <a class="header-anchor" href="#send-events-from-rudderstack-s-libraries" aria-label="Permalink to &quot;Send events from RudderStack&#39;s libraries&quot;">​</a></h1><p>RudderStack&#39;s libraries use the same API as Segment&#39;s, so all they need to send to Footfall is a URL and a write key.</p><div class="language-sh"><button title="Copy Code" class="copy"></button><span class="lang">sh</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span class="t-function">footfall</span><span class="t-string"> pixels</span><span class="t-string"> write-keys</span><span class="t-string"> create</span><span class="t-string"> example.com</span><span class="t-string"> Backend</span></span></code></pre></div><div class="language-js"><button title="Copy Code" class="copy"></button><span class="lang">js</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span class="t-keyword">import</span><span> RudderStack </span><span class="t-keyword">from</span><span class="t-string-expression"> &quot;@rudderstack/rudder-sdk-node&quot;</span></span>
<span class="line"></span>
<span class="line"><span class="t-keyword">const</span><span class="t-constant"> client</span><span class="t-keyword"> =</span><span class="t-keyword"> new</span><span class="t-function"> RudderStack</span><span>(</span><span class="t-constant">process</span><span>.</span><span class="t-constant">env</span><span>.</span><span class="t-constant">FOOTFALL_WRITE_KEY</span><span class="t-punctuation">,</span><span> {</span></span>
<span class="line"><span>  dataPlaneUrl</span><span class="t-keyword">:</span><span class="t-string-expression"> &quot;https://footfall.example.com&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span>})</span></span>
<span class="line"></span>
<span class="line"><span class="t-constant">client</span><span class="t-function">.identify</span><span>({ userId</span><span class="t-keyword">:</span><span class="t-string-expression"> &quot;u_42&quot;</span><span class="t-punctuation">,</span><span> traits</span><span class="t-keyword">:</span><span> { email</span><span class="t-keyword">:</span><span class="t-string-expression"> &quot;jane@acme.example&quot;</span><span> } })</span></span>
<span class="line"><span class="t-constant">client</span><span class="t-function">.track</span><span>({ userId</span><span class="t-keyword">:</span><span class="t-string-expression"> &quot;u_42&quot;</span><span class="t-punctuation">,</span><span> event</span><span class="t-keyword">:</span><span class="t-string-expression"> &quot;Demo Booked&quot;</span><span> })</span></span>
<span class="line"><span class="t-constant">client</span><span class="t-function">.flush</span><span>()</span></span></code></pre></div><p>The library compresses its batches with gzip and resends any that got no response. Each message counts once, by its <code>messageId</code>. <code>originalTimestamp</code> is used as the time of the event. Footfall honors <code>context.consentManagement.deniedConsentIds</code>: if one of them is a category that identification needs, such as <code>marketing</code>, <code>analytics</code> or OneTrust&#39;s <code>C0002</code>, no one is identified (<a href="/guide/specification/15-sources">specification 15.2.7</a>).</p><p>For what each call does, and how to rotate a key, see <a href="/guide/how-to/send-events-from-segment">Send events from Segment&#39;s libraries</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/how-to/send-events-from-rudderstack.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const sendEventsFromRudderstack = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  sendEventsFromRudderstack as default
};
