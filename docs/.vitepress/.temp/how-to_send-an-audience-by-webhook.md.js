import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Send an audience to a mailing tool by webhook","description":"","frontmatter":{},"headers":[],"relativePath":"how-to/send-an-audience-by-webhook.md","filePath":"docs/how-to/send-an-audience-by-webhook.md"}');
const _sfc_main = { name: "how-to/send-an-audience-by-webhook.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="send-an-audience-to-a-mailing-tool-by-webhook" tabindex="-1">Send an audience to a mailing tool by webhook <a class="header-anchor" href="#send-an-audience-to-a-mailing-tool-by-webhook" aria-label="Permalink to &quot;Send an audience to a mailing tool by webhook&quot;">​</a></h1><p>Your mailing tool has an API, and Footfall has people with buying intent. A 30-line receiver connects the two. You need an audience (the <a href="/guide/tutorial">tutorial</a> creates one) and five minutes.</p><h2 id="_1-write-the-receiver" tabindex="-1">1. Write the receiver <a class="header-anchor" href="#_1-write-the-receiver" aria-label="Permalink to &quot;1. Write the receiver&quot;">​</a></h2><p>Install the SDK where the receiver runs (<code>npm install @footfall/sdk</code>). This one verifies each request and adds the contact to a list. Change <code>add</code> to what your tool expects:</p><div class="language-sh"><button title="Copy Code" class="copy"></button><span class="lang">sh</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span class="t-function">cat</span><span class="t-keyword"> &gt;</span><span class="t-string"> receiver.mjs</span><span class="t-keyword"> &lt;&lt;</span><span>&#39;END&#39;</span></span>
<span class="line"><span class="t-string-expression">import { createServer } from &quot;node:http&quot;</span></span>
<span class="line"><span class="t-string-expression">import { buffer } from &quot;node:stream/consumers&quot;</span></span>
<span class="line"><span class="t-string-expression">import { verifyWebhook, WebhookVerificationError } from &quot;@footfall/sdk/webhooks&quot;</span></span>
<span class="line"></span>
<span class="line"><span class="t-string-expression">const add = ({ email, firstName }) =&gt;</span></span>
<span class="line"><span class="t-string-expression">  fetch(process.env.MAILING_TOOL_URL, {</span></span>
<span class="line"><span class="t-string-expression">    method: &quot;POST&quot;,</span></span>
<span class="line"><span class="t-string-expression">    headers: { &quot;content-type&quot;: &quot;application/json&quot; },</span></span>
<span class="line"><span class="t-string-expression">    body: JSON.stringify({ email, firstName, tags: [&quot;intent&quot;] }),</span></span>
<span class="line"><span class="t-string-expression">  })</span></span>
<span class="line"></span>
<span class="line"><span class="t-string-expression">createServer(async (request, response) =&gt; {</span></span>
<span class="line"><span class="t-string-expression">  try {</span></span>
<span class="line"><span class="t-string-expression">    const event = await verifyWebhook({</span></span>
<span class="line"><span class="t-string-expression">      payload: await buffer(request),</span></span>
<span class="line"><span class="t-string-expression">      headers: request.headers,</span></span>
<span class="line"><span class="t-string-expression">      secret: process.env.FOOTFALL_WEBHOOK_SECRET,</span></span>
<span class="line"><span class="t-string-expression">    })</span></span>
<span class="line"><span class="t-string-expression">    if (event.event === &quot;intent.audience.contact.upserted&quot;) {</span></span>
<span class="line"><span class="t-string-expression">      const added = await add(event.data.contact)</span></span>
<span class="line"><span class="t-string-expression">      console.log(event.data.contact.email, added.status)</span></span>
<span class="line"><span class="t-string-expression">      if (!added.ok) return response.writeHead(502).end() // Footfall sends it again later</span></span>
<span class="line"><span class="t-string-expression">    }</span></span>
<span class="line"><span class="t-string-expression">    response.writeHead(204).end()</span></span>
<span class="line"><span class="t-string-expression">  } catch (error) {</span></span>
<span class="line"><span class="t-string-expression">    response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end()</span></span>
<span class="line"><span class="t-string-expression">  }</span></span>
<span class="line"><span class="t-string-expression">}).listen(4243, () =&gt; console.log(&quot;waiting for contacts&quot;))</span></span>
<span class="line"><span>END</span></span></code></pre></div><h2 id="_2-create-the-destination" tabindex="-1">2. Create the destination <a class="header-anchor" href="#_2-create-the-destination" aria-label="Permalink to &quot;2. Create the destination&quot;">​</a></h2><p>The signing secret is shown only once. Save it for the receiver:</p><div class="language-sh"><button title="Copy Code" class="copy"></button><span class="lang">sh</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span class="t-function">footfall</span><span class="t-string"> destinations</span><span class="t-string"> create</span><span> $AUDIENCE </span><span class="t-string-expression">&quot;Mailing tool&quot;</span><span class="t-string"> --url</span><span class="t-string"> http://127.0.0.1:4243/</span><span class="t-string"> --json</span><span class="t-keyword"> &gt;</span><span class="t-string"> destination.json</span></span>
<span class="line"><span class="t-keyword">export</span><span> FOOTFALL_WEBHOOK_SECRET</span><span class="t-keyword">=</span><span>$(</span><span class="t-function">jq</span><span class="t-string"> -r</span><span class="t-string"> .data.webhookSecret</span><span class="t-string"> destination.json</span><span>)</span></span></code></pre></div><p>To send to your own computer, run the server with <code>ALLOW_PRIVATE_WEBHOOKS=on</code>. In production, the URL must be public and start with <code>https</code>.</p><h2 id="_3-start-the-receiver" tabindex="-1">3. Start the receiver <a class="header-anchor" href="#_3-start-the-receiver" aria-label="Permalink to &quot;3. Start the receiver&quot;">​</a></h2><div class="language-sh"><button title="Copy Code" class="copy"></button><span class="lang">sh</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span>MAILING_TOOL_URL</span><span class="t-keyword">=</span><span class="t-string">https://mailing-tool.example/contacts</span><span class="t-function"> node</span><span class="t-string"> receiver.mjs</span></span></code></pre></div><h2 id="_4-activate-it-and-send" tabindex="-1">4. Activate it and send <a class="header-anchor" href="#_4-activate-it-and-send" aria-label="Permalink to &quot;4. Activate it and send&quot;">​</a></h2><p>A destination is a draft until you activate it. To deliver people, sign in as a member:</p><div class="language-sh"><button title="Copy Code" class="copy"></button><span class="lang">sh</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span class="t-function">footfall</span><span class="t-string"> destinations</span><span class="t-string"> activate</span><span> $AUDIENCE </span><span class="t-string-expression">&quot;Mailing tool&quot;</span></span>
<span class="line"><span class="t-function">footfall</span><span class="t-string"> destinations</span><span class="t-string"> test</span><span> $AUDIENCE </span><span class="t-string-expression">&quot;Mailing tool&quot;</span></span>
<span class="line"><span class="t-function">footfall</span><span class="t-string"> login</span><span class="t-string"> --email</span><span class="t-string"> owner@footfall.example</span></span>
<span class="line"><span class="t-function">footfall</span><span class="t-string"> sync</span><span> $AUDIENCE </span><span class="t-string-expression">&quot;Mailing tool&quot;</span></span>
<span class="line"><span class="t-function">footfall</span><span class="t-string"> deliveries</span><span class="t-string"> list</span><span> $AUDIENCE</span></span></code></pre></div><p>Each person is sent once, and again only when something about them changes. Every new day of data starts a new run, which sends only the new people.</p><h2 id="next-steps" tabindex="-1">Next steps <a class="header-anchor" href="#next-steps" aria-label="Permalink to &quot;Next steps&quot;">​</a></h2><ul><li>If a response is lost, a contact can arrive twice. <code>event.id</code> is the same both times, so store it if adding a contact twice would be a problem. <a href="/guide/explanation/deliveries#at-least-once">Deliveries</a> explains why.</li><li>For Express, Fastify, Hono and edge runtimes, and for the fields of every event, see <a href="/guide/reference/webhooks">webhooks</a>.</li><li>If your tool supports the <code>mailer</code> interface, you don&#39;t need a receiver: <a href="/guide/how-to/deliver-to-a-mailing-list">deliver to a mailing list</a>.</li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/how-to/send-an-audience-by-webhook.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const sendAnAudienceByWebhook = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  sendAnAudienceByWebhook as default
};
