import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Send events from a backend","description":"","frontmatter":{},"headers":[],"relativePath":"how-to/send-events-from-a-backend.md","filePath":"docs/how-to/send-events-from-a-backend.md"}');
const _sfc_main = { name: "how-to/send-events-from-a-backend.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="send-events-from-a-backend" tabindex="-1">Send events from a backend <a class="header-anchor" href="#send-events-from-a-backend" aria-label="Permalink to &quot;Send events from a backend&quot;">​</a></h1><p>Your backend knows things a page doesn&#39;t, such as that an invoice was paid or a trial ended. Any HTTP client can send these events to a pixel with a <a href="/guide/reference/glossary">write key</a>. You don&#39;t need a library.</p><div class="language-sh"><button title="Copy Code" class="copy"></button><span class="lang">sh</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span>FOOTFALL_WRITE_KEY</span><span class="t-keyword">=</span><span>$(</span><span class="t-function">footfall</span><span class="t-string"> pixels</span><span class="t-string"> write-keys</span><span class="t-string"> create</span><span class="t-string"> example.com</span><span class="t-string"> Backend</span><span class="t-string"> --json</span><span class="t-keyword"> |</span><span class="t-function"> jq</span><span class="t-string"> -r</span><span class="t-string"> .data.writeKey</span><span>)</span></span>
<span class="line"><span class="t-function">curl</span><span class="t-string"> https://footfall.example.com/v1/batch</span><span class="t-string"> -u</span><span class="t-string-expression"> &quot;$FOOTFALL_WRITE_KEY:&quot;</span><span class="t-string"> -d</span><span class="t-string-expression"> &#39;{</span></span>
<span class="line"><span class="t-string-expression">  &quot;batch&quot;: [</span></span>
<span class="line"><span class="t-string-expression">    {</span></span>
<span class="line"><span class="t-string-expression">      &quot;type&quot;: &quot;identify&quot;,</span></span>
<span class="line"><span class="t-string-expression">      &quot;messageId&quot;: &quot;invoice-1042-who&quot;,</span></span>
<span class="line"><span class="t-string-expression">      &quot;userId&quot;: &quot;u_42&quot;,</span></span>
<span class="line"><span class="t-string-expression">      &quot;traits&quot;: { &quot;email&quot;: &quot;jane@acme.example&quot;, &quot;company&quot;: { &quot;name&quot;: &quot;Acme&quot; } }</span></span>
<span class="line"><span class="t-string-expression">    },</span></span>
<span class="line"><span class="t-string-expression">    {</span></span>
<span class="line"><span class="t-string-expression">      &quot;type&quot;: &quot;track&quot;,</span></span>
<span class="line"><span class="t-string-expression">      &quot;messageId&quot;: &quot;invoice-1042&quot;,</span></span>
<span class="line"><span class="t-string-expression">      &quot;userId&quot;: &quot;u_42&quot;,</span></span>
<span class="line"><span class="t-string-expression">      &quot;event&quot;: &quot;Invoice Paid&quot;,</span></span>
<span class="line"><span class="t-string-expression">      &quot;properties&quot;: { &quot;amount&quot;: 1200 }</span></span>
<span class="line"><span class="t-string-expression">    }</span></span>
<span class="line"><span class="t-string-expression">  ]</span></span>
<span class="line"><span class="t-string-expression">}&#39;</span></span></code></pre></div><p>Once the events are stored, the server responds with <code>{&quot;success&quot;:true,&quot;rejected&quot;:[]}</code>. A few things to know:</p><ul><li><strong>Retries are safe.</strong> Give each message your own <code>messageId</code>, such as the invoice id. If you send it again within a day, it counts once. After a 5xx, a 429 or no response, send the same batch again.</li><li><strong>Connect events to the browser.</strong> Send the pixel&#39;s <code>footfall.getVisitorId()</code> to your backend with a form or sign-in, and use it as <code>anonymousId</code> in one <code>identify</code> call. From then on, <code>userId</code> alone identifies the same person. Send an id of one person, never one that a team or all visitors share: Footfall stops joining browsers by such an id, and shows it on the pixel&#39;s page.</li><li><strong>Say when it happened.</strong> Set <code>&quot;timestamp&quot;: &quot;2026-03-11T09:05:00.000Z&quot;</code>. Without it, Footfall uses the current time.</li><li><strong>Respect consent.</strong> You are responsible for having consent. If a visitor refused, send <code>&quot;context&quot;: { &quot;consent&quot;: { &quot;categoryPreferences&quot;: { &quot;marketing&quot;: false } } }</code>: the event still counts, but identifies no one.</li><li><strong>Send history to <code>/v1/import</code>.</strong> Every other endpoint rejects events older than 30 days.</li></ul><p>A batch can have up to 500 KB (with gzip, 5 MB uncompressed) and 2,500 messages of 32 KB. <a href="/guide/specification/15-sources">Chapter 15</a> of the specification describes each message and every reason for rejecting one.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/how-to/send-events-from-a-backend.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const sendEventsFromABackend = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  sendEventsFromABackend as default
};
