import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Notify a Slack, Teams or Discord channel","description":"","frontmatter":{},"headers":[],"relativePath":"how-to/tell-a-chat-channel.md","filePath":"docs/how-to/tell-a-chat-channel.md"}');
const _sfc_main = { name: "how-to/tell-a-chat-channel.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="notify-a-slack-teams-or-discord-channel" tabindex="-1">Notify a Slack, Teams or Discord channel <a class="header-anchor" href="#notify-a-slack-teams-or-discord-channel" aria-label="Permalink to &quot;Notify a Slack, Teams or Discord channel&quot;">​</a></h1><p>A visitor webhook can post readable messages to a channel: who visited, where they work, what they looked at, how they found you, and a link to the person in the console.</p><h2 id="_1-get-a-webhook-url" tabindex="-1">1. Get a webhook URL <a class="header-anchor" href="#_1-get-a-webhook-url" aria-label="Permalink to &quot;1. Get a webhook URL&quot;">​</a></h2><ul><li><strong>Slack:</strong> create an app with <a href="https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks" target="_blank" rel="noreferrer">incoming webhooks</a>, and add it to the channel.</li><li><strong>Teams:</strong> in the channel, choose Workflows, then &quot;Send webhook alerts to a channel&quot;.</li><li><strong>Discord:</strong> in the channel settings, choose Integrations, then Webhooks.</li></ul><p>Each gives you an <code>https:</code> URL. Anyone who has it can post to the channel, so treat it like a password.</p><h2 id="_2-create-the-webhook" tabindex="-1">2. Create the webhook <a class="header-anchor" href="#_2-create-the-webhook" aria-label="Permalink to &quot;2. Create the webhook&quot;">​</a></h2><div class="language-sh"><button title="Copy Code" class="copy"></button><span class="lang">sh</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span class="t-function">footfall</span><span class="t-string"> webhooks</span><span class="t-string"> create</span><span class="t-string-expression"> &quot;#sales&quot;</span><span class="t-string"> https://hooks.slack.com/services/T0/B0/x</span><span class="t-string"> --format</span><span class="t-string"> slack</span></span>
<span class="line"><span class="t-function">footfall</span><span class="t-string"> webhooks</span><span class="t-string"> test</span><span> $WEBHOOK</span></span></code></pre></div><p><code>test</code> sends a message about a made-up person. For Teams and Discord, use <code>--format teams</code> and <code>--format discord</code>.</p><h3 id="when-someone-reads-the-pricing-page" tabindex="-1">When someone reads the pricing page <a class="header-anchor" href="#when-someone-reads-the-pricing-page" aria-label="Permalink to &quot;When someone reads the pricing page&quot;">​</a></h3><p>Save these visitors as a segment, and send only that segment:</p><div class="language-sh"><button title="Copy Code" class="copy"></button><span class="lang">sh</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span class="t-function">footfall</span><span class="t-string"> segments</span><span class="t-string"> create</span><span class="t-string-expression"> &quot;Read pricing&quot;</span><span class="t-string"> --where</span><span class="t-string-expression"> &#39;behavior.pricing_page_views gte 1&#39;</span></span>
<span class="line"><span class="t-function">footfall</span><span class="t-string"> webhooks</span><span class="t-string"> create</span><span class="t-string-expression"> &quot;#pricing&quot;</span><span class="t-string"> https://hooks.slack.com/services/T0/B0/x</span><span class="t-string"> --format</span><span class="t-string"> slack</span><span class="t-string"> --segment</span><span class="t-string-expression"> &quot;Read pricing&quot;</span></span></code></pre></div><p>The message shows the person, their company and the pages they looked at. To also be notified of companies whose visitors are anonymous, add a webhook with <code>--trigger company_seen</code>:</p><div class="language-sh"><button title="Copy Code" class="copy"></button><span class="lang">sh</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span class="t-function">footfall</span><span class="t-string"> webhooks</span><span class="t-string"> create</span><span class="t-string-expression"> &quot;#accounts&quot;</span><span class="t-string"> https://hooks.slack.com/services/T0/B0/x</span><span class="t-string"> --format</span><span class="t-string"> slack</span><span class="t-string"> --trigger</span><span class="t-string"> company_seen</span></span></code></pre></div><p>It sends every company that visits, each at most once in 7 days. It doesn&#39;t support segments, so you can&#39;t limit it to the pricing page. <a href="/guide/how-to/see-companies">Companies</a> explains where companies come from.</p><h3 id="which-people-and-how-often" tabindex="-1">Which people, and how often <a class="header-anchor" href="#which-people-and-how-often" aria-label="Permalink to &quot;Which people, and how often&quot;">​</a></h3><p>By default, the channel is notified of each person once, when they are first identified. <code>--trigger every_update</code> also sends new sessions and changes. <code>--segment</code> and <code>--pixel</code> limit who is sent, as for every <a href="/guide/how-to/receive-webhooks">webhook</a>.</p><h2 id="_3-send-fewer-messages" tabindex="-1">3. Send fewer messages <a class="header-anchor" href="#_3-send-fewer-messages" aria-label="Permalink to &quot;3. Send fewer messages&quot;">​</a></h2><div class="language-sh"><button title="Copy Code" class="copy"></button><span class="lang">sh</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span class="t-function">footfall</span><span class="t-string"> webhooks</span><span class="t-string"> update</span><span> $WEBHOOK </span><span class="t-string">--digest</span><span class="t-string"> daily</span><span class="t-string"> --digest-hour</span><span class="t-constant"> 7</span></span></code></pre></div><p><code>hourly</code> and <code>daily</code> send one message with the counts and the first 20 people or companies. The daily digest is sent at 8:00 UTC unless you set another hour. It leaves out anyone suppressed or erased before it is sent. If there were no visitors, nothing is sent.</p><h2 id="what-is-sent" tabindex="-1">What is sent <a class="header-anchor" href="#what-is-sent" aria-label="Permalink to &quot;What is sent&quot;">​</a></h2><p>Messages are signed, retried and recorded like every webhook: <code>footfall webhooks deliveries $WEBHOOK</code> lists them. If the chat service responds with 429 or 503 and a <code>Retry-After</code> header, Footfall waits that long before sending anything else to it.</p><p>Text from visitors is escaped for each service. If a visitor enters <code>&lt;!channel&gt;</code>, <code>@everyone</code> or <code>[x](https://evil.example)</code> as their name, it appears as plain text: it doesn&#39;t notify anyone or create a link.</p><p>Slack receives:</p><div class="language-json"><button title="Copy Code" class="copy"></button><span class="lang">json</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span>{</span></span>
<span class="line"><span class="t-keyword">  &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Jane Mercer visited example.com&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">  &quot;mrkdwn&quot;</span><span class="t-punctuation">:</span><span class="t-constant"> false</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">  &quot;unfurl_links&quot;</span><span class="t-punctuation">:</span><span class="t-constant"> false</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">  &quot;unfurl_media&quot;</span><span class="t-punctuation">:</span><span class="t-constant"> false</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">  &quot;blocks&quot;</span><span class="t-punctuation">:</span><span> [</span></span>
<span class="line"><span>    {</span></span>
<span class="line"><span class="t-keyword">      &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;header&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">      &quot;text&quot;</span><span class="t-punctuation">:</span><span> {</span></span>
<span class="line"><span class="t-keyword">        &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;plain_text&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">        &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Jane Mercer visited example.com&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">        &quot;emoji&quot;</span><span class="t-punctuation">:</span><span class="t-constant"> false</span></span>
<span class="line"><span>      }</span></span>
<span class="line"><span>    }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>    {</span></span>
<span class="line"><span class="t-keyword">      &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;section&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">      &quot;fields&quot;</span><span class="t-punctuation">:</span><span> [</span></span>
<span class="line"><span>        {</span></span>
<span class="line"><span class="t-keyword">          &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;plain_text&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Email: jane@acme.example&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;emoji&quot;</span><span class="t-punctuation">:</span><span class="t-constant"> false</span></span>
<span class="line"><span>        }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>        {</span></span>
<span class="line"><span class="t-keyword">          &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;plain_text&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Job: Head of Freight&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;emoji&quot;</span><span class="t-punctuation">:</span><span class="t-constant"> false</span></span>
<span class="line"><span>        }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>        {</span></span>
<span class="line"><span class="t-keyword">          &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;plain_text&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Company: Acme (acme.example)&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;emoji&quot;</span><span class="t-punctuation">:</span><span class="t-constant"> false</span></span>
<span class="line"><span>        }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>        {</span></span>
<span class="line"><span class="t-keyword">          &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;plain_text&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Industry: logistics&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;emoji&quot;</span><span class="t-punctuation">:</span><span class="t-constant"> false</span></span>
<span class="line"><span>        }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>        {</span></span>
<span class="line"><span class="t-keyword">          &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;plain_text&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Looked at: /pricing, / (3 page views)&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;emoji&quot;</span><span class="t-punctuation">:</span><span class="t-constant"> false</span></span>
<span class="line"><span>        }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>        {</span></span>
<span class="line"><span class="t-keyword">          &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;plain_text&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Source: news.example&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;emoji&quot;</span><span class="t-punctuation">:</span><span class="t-constant"> false</span></span>
<span class="line"><span>        }</span></span>
<span class="line"><span>      ]</span></span>
<span class="line"><span>    }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>    {</span></span>
<span class="line"><span class="t-keyword">      &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;context&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">      &quot;elements&quot;</span><span class="t-punctuation">:</span><span> [</span></span>
<span class="line"><span>        {</span></span>
<span class="line"><span class="t-keyword">          &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;mrkdwn&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;&lt;https://footfall.example.com/console/people/930ddda806d63038cb481e4c43e2c0a5a0d3aa0698d51b2aab83dd91808dd0f9|Open in Footfall&gt;&quot;</span></span>
<span class="line"><span>        }</span></span>
<span class="line"><span>      ]</span></span>
<span class="line"><span>    }</span></span>
<span class="line"><span>  ]</span></span>
<span class="line"><span>}</span></span></code></pre></div><p>Teams receives an Adaptive Card:</p><div class="language-json"><button title="Copy Code" class="copy"></button><span class="lang">json</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span>{</span></span>
<span class="line"><span class="t-keyword">  &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;message&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">  &quot;attachments&quot;</span><span class="t-punctuation">:</span><span> [</span></span>
<span class="line"><span>    {</span></span>
<span class="line"><span class="t-keyword">      &quot;contentType&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;application/vnd.microsoft.card.adaptive&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">      &quot;contentUrl&quot;</span><span class="t-punctuation">:</span><span class="t-constant"> null</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">      &quot;content&quot;</span><span class="t-punctuation">:</span><span> {</span></span>
<span class="line"><span class="t-keyword">        &quot;$schema&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;http://adaptivecards.io/schemas/adaptive-card.json&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">        &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;AdaptiveCard&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">        &quot;version&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;1.4&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">        &quot;msteams&quot;</span><span class="t-punctuation">:</span><span> {</span></span>
<span class="line"><span class="t-keyword">          &quot;width&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Full&quot;</span></span>
<span class="line"><span>        }</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">        &quot;body&quot;</span><span class="t-punctuation">:</span><span> [</span></span>
<span class="line"><span>          {</span></span>
<span class="line"><span class="t-keyword">            &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;RichTextBlock&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">            &quot;inlines&quot;</span><span class="t-punctuation">:</span><span> [</span></span>
<span class="line"><span>              {</span></span>
<span class="line"><span class="t-keyword">                &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;TextRun&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">                &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Jane Mercer visited example.com&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">                &quot;size&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Medium&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">                &quot;weight&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Bolder&quot;</span></span>
<span class="line"><span>              }</span></span>
<span class="line"><span>            ]</span></span>
<span class="line"><span>          }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>          {</span></span>
<span class="line"><span class="t-keyword">            &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;RichTextBlock&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">            &quot;inlines&quot;</span><span class="t-punctuation">:</span><span> [</span></span>
<span class="line"><span>              {</span></span>
<span class="line"><span class="t-keyword">                &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;TextRun&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">                &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Email: &quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">                &quot;weight&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Bolder&quot;</span></span>
<span class="line"><span>              }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>              {</span></span>
<span class="line"><span class="t-keyword">                &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;TextRun&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">                &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;jane@acme.example&quot;</span></span>
<span class="line"><span>              }</span></span>
<span class="line"><span>            ]</span></span>
<span class="line"><span>          }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>          {</span></span>
<span class="line"><span class="t-keyword">            &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;RichTextBlock&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">            &quot;inlines&quot;</span><span class="t-punctuation">:</span><span> [</span></span>
<span class="line"><span>              {</span></span>
<span class="line"><span class="t-keyword">                &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;TextRun&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">                &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Job: &quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">                &quot;weight&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Bolder&quot;</span></span>
<span class="line"><span>              }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>              {</span></span>
<span class="line"><span class="t-keyword">                &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;TextRun&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">                &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Head of Freight&quot;</span></span>
<span class="line"><span>              }</span></span>
<span class="line"><span>            ]</span></span>
<span class="line"><span>          }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>          {</span></span>
<span class="line"><span class="t-keyword">            &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;RichTextBlock&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">            &quot;inlines&quot;</span><span class="t-punctuation">:</span><span> [</span></span>
<span class="line"><span>              {</span></span>
<span class="line"><span class="t-keyword">                &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;TextRun&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">                &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Company: &quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">                &quot;weight&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Bolder&quot;</span></span>
<span class="line"><span>              }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>              {</span></span>
<span class="line"><span class="t-keyword">                &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;TextRun&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">                &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Acme (acme.example)&quot;</span></span>
<span class="line"><span>              }</span></span>
<span class="line"><span>            ]</span></span>
<span class="line"><span>          }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>          {</span></span>
<span class="line"><span class="t-keyword">            &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;RichTextBlock&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">            &quot;inlines&quot;</span><span class="t-punctuation">:</span><span> [</span></span>
<span class="line"><span>              {</span></span>
<span class="line"><span class="t-keyword">                &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;TextRun&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">                &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Industry: &quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">                &quot;weight&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Bolder&quot;</span></span>
<span class="line"><span>              }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>              {</span></span>
<span class="line"><span class="t-keyword">                &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;TextRun&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">                &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;logistics&quot;</span></span>
<span class="line"><span>              }</span></span>
<span class="line"><span>            ]</span></span>
<span class="line"><span>          }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>          {</span></span>
<span class="line"><span class="t-keyword">            &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;RichTextBlock&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">            &quot;inlines&quot;</span><span class="t-punctuation">:</span><span> [</span></span>
<span class="line"><span>              {</span></span>
<span class="line"><span class="t-keyword">                &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;TextRun&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">                &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Looked at: &quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">                &quot;weight&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Bolder&quot;</span></span>
<span class="line"><span>              }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>              {</span></span>
<span class="line"><span class="t-keyword">                &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;TextRun&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">                &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;/pricing, / (3 page views)&quot;</span></span>
<span class="line"><span>              }</span></span>
<span class="line"><span>            ]</span></span>
<span class="line"><span>          }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>          {</span></span>
<span class="line"><span class="t-keyword">            &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;RichTextBlock&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">            &quot;inlines&quot;</span><span class="t-punctuation">:</span><span> [</span></span>
<span class="line"><span>              {</span></span>
<span class="line"><span class="t-keyword">                &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;TextRun&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">                &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Source: &quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">                &quot;weight&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Bolder&quot;</span></span>
<span class="line"><span>              }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>              {</span></span>
<span class="line"><span class="t-keyword">                &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;TextRun&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">                &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;news.example&quot;</span></span>
<span class="line"><span>              }</span></span>
<span class="line"><span>            ]</span></span>
<span class="line"><span>          }</span></span>
<span class="line"><span>        ]</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">        &quot;actions&quot;</span><span class="t-punctuation">:</span><span> [</span></span>
<span class="line"><span>          {</span></span>
<span class="line"><span class="t-keyword">            &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Action.OpenUrl&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">            &quot;title&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Open in Footfall&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">            &quot;url&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;https://footfall.example.com/console/people/930ddda806d63038cb481e4c43e2c0a5a0d3aa0698d51b2aab83dd91808dd0f9&quot;</span></span>
<span class="line"><span>          }</span></span>
<span class="line"><span>        ]</span></span>
<span class="line"><span>      }</span></span>
<span class="line"><span>    }</span></span>
<span class="line"><span>  ]</span></span>
<span class="line"><span>}</span></span></code></pre></div><p>Discord receives:</p><div class="language-json"><button title="Copy Code" class="copy"></button><span class="lang">json</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span>{</span></span>
<span class="line"><span class="t-keyword">  &quot;allowed_mentions&quot;</span><span class="t-punctuation">:</span><span> {</span></span>
<span class="line"><span class="t-keyword">    &quot;parse&quot;</span><span class="t-punctuation">:</span><span> []</span></span>
<span class="line"><span>  }</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">  &quot;embeds&quot;</span><span class="t-punctuation">:</span><span> [</span></span>
<span class="line"><span>    {</span></span>
<span class="line"><span class="t-keyword">      &quot;title&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Jane Mercer visited example.com&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">      &quot;url&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;https://footfall.example.com/console/people/930ddda806d63038cb481e4c43e2c0a5a0d3aa0698d51b2aab83dd91808dd0f9&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">      &quot;fields&quot;</span><span class="t-punctuation">:</span><span> [</span></span>
<span class="line"><span>        {</span></span>
<span class="line"><span class="t-keyword">          &quot;name&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Email&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;value&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;jane\\\\@acme.example&quot;</span></span>
<span class="line"><span>        }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>        {</span></span>
<span class="line"><span class="t-keyword">          &quot;name&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Job&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;value&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Head of Freight&quot;</span></span>
<span class="line"><span>        }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>        {</span></span>
<span class="line"><span class="t-keyword">          &quot;name&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Company&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;value&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Acme \\\\(acme.example\\\\)&quot;</span></span>
<span class="line"><span>        }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>        {</span></span>
<span class="line"><span class="t-keyword">          &quot;name&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Industry&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;value&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;logistics&quot;</span></span>
<span class="line"><span>        }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>        {</span></span>
<span class="line"><span class="t-keyword">          &quot;name&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Looked at&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;value&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;/pricing, / \\\\(3 page views\\\\)&quot;</span></span>
<span class="line"><span>        }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>        {</span></span>
<span class="line"><span class="t-keyword">          &quot;name&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Source&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;value&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;news.example&quot;</span></span>
<span class="line"><span>        }</span></span>
<span class="line"><span>      ]</span></span>
<span class="line"><span>    }</span></span>
<span class="line"><span>  ]</span></span>
<span class="line"><span>}</span></span></code></pre></div><p>With <code>--trigger company_seen</code>, Slack receives:</p><div class="language-json"><button title="Copy Code" class="copy"></button><span class="lang">json</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span>{</span></span>
<span class="line"><span class="t-keyword">  &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Acme visited example.com&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">  &quot;mrkdwn&quot;</span><span class="t-punctuation">:</span><span class="t-constant"> false</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">  &quot;unfurl_links&quot;</span><span class="t-punctuation">:</span><span class="t-constant"> false</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">  &quot;unfurl_media&quot;</span><span class="t-punctuation">:</span><span class="t-constant"> false</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">  &quot;blocks&quot;</span><span class="t-punctuation">:</span><span> [</span></span>
<span class="line"><span>    {</span></span>
<span class="line"><span class="t-keyword">      &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;header&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">      &quot;text&quot;</span><span class="t-punctuation">:</span><span> {</span></span>
<span class="line"><span class="t-keyword">        &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;plain_text&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">        &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Acme visited example.com&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">        &quot;emoji&quot;</span><span class="t-punctuation">:</span><span class="t-constant"> false</span></span>
<span class="line"><span>      }</span></span>
<span class="line"><span>    }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>    {</span></span>
<span class="line"><span class="t-keyword">      &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;section&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">      &quot;fields&quot;</span><span class="t-punctuation">:</span><span> [</span></span>
<span class="line"><span>        {</span></span>
<span class="line"><span class="t-keyword">          &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;plain_text&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Domain: acme.example&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;emoji&quot;</span><span class="t-punctuation">:</span><span class="t-constant"> false</span></span>
<span class="line"><span>        }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>        {</span></span>
<span class="line"><span class="t-keyword">          &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;plain_text&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Industry: logistics&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;emoji&quot;</span><span class="t-punctuation">:</span><span class="t-constant"> false</span></span>
<span class="line"><span>        }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>        {</span></span>
<span class="line"><span class="t-keyword">          &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;plain_text&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Employees: 340&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;emoji&quot;</span><span class="t-punctuation">:</span><span class="t-constant"> false</span></span>
<span class="line"><span>        }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>        {</span></span>
<span class="line"><span class="t-keyword">          &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;plain_text&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Location: Hamburg, DE&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;emoji&quot;</span><span class="t-punctuation">:</span><span class="t-constant"> false</span></span>
<span class="line"><span>        }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>        {</span></span>
<span class="line"><span class="t-keyword">          &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;plain_text&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Visits: 4 sessions, 11 page views, 2 on pricing, 1 on the demo&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;emoji&quot;</span><span class="t-punctuation">:</span><span class="t-constant"> false</span></span>
<span class="line"><span>        }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>        {</span></span>
<span class="line"><span class="t-keyword">          &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;plain_text&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Identified: 1 person&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;emoji&quot;</span><span class="t-punctuation">:</span><span class="t-constant"> false</span></span>
<span class="line"><span>        }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>        {</span></span>
<span class="line"><span class="t-keyword">          &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;plain_text&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Looked at: /pricing&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;emoji&quot;</span><span class="t-punctuation">:</span><span class="t-constant"> false</span></span>
<span class="line"><span>        }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>        {</span></span>
<span class="line"><span class="t-keyword">          &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;plain_text&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Source: news.example&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;emoji&quot;</span><span class="t-punctuation">:</span><span class="t-constant"> false</span></span>
<span class="line"><span>        }</span></span>
<span class="line"><span>      ]</span></span>
<span class="line"><span>    }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>    {</span></span>
<span class="line"><span class="t-keyword">      &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;context&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">      &quot;elements&quot;</span><span class="t-punctuation">:</span><span> [</span></span>
<span class="line"><span>        {</span></span>
<span class="line"><span class="t-keyword">          &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;mrkdwn&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;&lt;https://footfall.example.com/console/companies/acme.example|Open in Footfall&gt;&quot;</span></span>
<span class="line"><span>        }</span></span>
<span class="line"><span>      ]</span></span>
<span class="line"><span>    }</span></span>
<span class="line"><span>  ]</span></span>
<span class="line"><span>}</span></span></code></pre></div><p>A daily digest of people looks like this:</p><div class="language-json"><button title="Copy Code" class="copy"></button><span class="lang">json</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span>{</span></span>
<span class="line"><span class="t-keyword">  &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;3 visitors in the last day: 2 new, 1 active again&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">  &quot;mrkdwn&quot;</span><span class="t-punctuation">:</span><span class="t-constant"> false</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">  &quot;unfurl_links&quot;</span><span class="t-punctuation">:</span><span class="t-constant"> false</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">  &quot;unfurl_media&quot;</span><span class="t-punctuation">:</span><span class="t-constant"> false</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">  &quot;blocks&quot;</span><span class="t-punctuation">:</span><span> [</span></span>
<span class="line"><span>    {</span></span>
<span class="line"><span class="t-keyword">      &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;header&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">      &quot;text&quot;</span><span class="t-punctuation">:</span><span> {</span></span>
<span class="line"><span class="t-keyword">        &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;plain_text&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">        &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;3 visitors in the last day: 2 new, 1 active again&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">        &quot;emoji&quot;</span><span class="t-punctuation">:</span><span class="t-constant"> false</span></span>
<span class="line"><span>      }</span></span>
<span class="line"><span>    }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>    {</span></span>
<span class="line"><span class="t-keyword">      &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;section&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">      &quot;text&quot;</span><span class="t-punctuation">:</span><span> {</span></span>
<span class="line"><span class="t-keyword">        &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;plain_text&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">        &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Jane Mercer, Head of Freight, Acme (acme.example)&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">        &quot;emoji&quot;</span><span class="t-punctuation">:</span><span class="t-constant"> false</span></span>
<span class="line"><span>      }</span></span>
<span class="line"><span>    }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>    {</span></span>
<span class="line"><span class="t-keyword">      &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;context&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">      &quot;elements&quot;</span><span class="t-punctuation">:</span><span> [</span></span>
<span class="line"><span>        {</span></span>
<span class="line"><span class="t-keyword">          &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;mrkdwn&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;&lt;https://footfall.example.com/console/people/930ddda806d63038cb481e4c43e2c0a5a0d3aa0698d51b2aab83dd91808dd0f9|Open in Footfall&gt;&quot;</span></span>
<span class="line"><span>        }</span></span>
<span class="line"><span>      ]</span></span>
<span class="line"><span>    }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>    {</span></span>
<span class="line"><span class="t-keyword">      &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;section&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">      &quot;text&quot;</span><span class="t-punctuation">:</span><span> {</span></span>
<span class="line"><span class="t-keyword">        &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;plain_text&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">        &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Ade Bello, Acme (acme.example)&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">        &quot;emoji&quot;</span><span class="t-punctuation">:</span><span class="t-constant"> false</span></span>
<span class="line"><span>      }</span></span>
<span class="line"><span>    }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>    {</span></span>
<span class="line"><span class="t-keyword">      &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;context&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">      &quot;elements&quot;</span><span class="t-punctuation">:</span><span> [</span></span>
<span class="line"><span>        {</span></span>
<span class="line"><span class="t-keyword">          &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;mrkdwn&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;&lt;https://footfall.example.com/console/people/930ddda806d63038cb481e4c43e2c0a5a0d3aa0698d51b2aab83dd91808dd0f9|Open in Footfall&gt;&quot;</span></span>
<span class="line"><span>        }</span></span>
<span class="line"><span>      ]</span></span>
<span class="line"><span>    }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>    {</span></span>
<span class="line"><span class="t-keyword">      &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;section&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">      &quot;text&quot;</span><span class="t-punctuation">:</span><span> {</span></span>
<span class="line"><span class="t-keyword">        &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;plain_text&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">        &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;Kim Tran, Acme (acme.example)&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">        &quot;emoji&quot;</span><span class="t-punctuation">:</span><span class="t-constant"> false</span></span>
<span class="line"><span>      }</span></span>
<span class="line"><span>    }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>    {</span></span>
<span class="line"><span class="t-keyword">      &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;context&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">      &quot;elements&quot;</span><span class="t-punctuation">:</span><span> [</span></span>
<span class="line"><span>        {</span></span>
<span class="line"><span class="t-keyword">          &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;mrkdwn&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;&lt;https://footfall.example.com/console/people/930ddda806d63038cb481e4c43e2c0a5a0d3aa0698d51b2aab83dd91808dd0f9|Open in Footfall&gt;&quot;</span></span>
<span class="line"><span>        }</span></span>
<span class="line"><span>      ]</span></span>
<span class="line"><span>    }</span><span class="t-punctuation">,</span></span>
<span class="line"><span>    {</span></span>
<span class="line"><span class="t-keyword">      &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;context&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">      &quot;elements&quot;</span><span class="t-punctuation">:</span><span> [</span></span>
<span class="line"><span>        {</span></span>
<span class="line"><span class="t-keyword">          &quot;type&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;mrkdwn&quot;</span><span class="t-punctuation">,</span></span>
<span class="line"><span class="t-keyword">          &quot;text&quot;</span><span class="t-punctuation">:</span><span class="t-string-expression"> &quot;&lt;https://footfall.example.com/console/people|Open in Footfall&gt;&quot;</span></span>
<span class="line"><span>        }</span></span>
<span class="line"><span>      ]</span></span>
<span class="line"><span>    }</span></span>
<span class="line"><span>  ]</span></span>
<span class="line"><span>}</span></span></code></pre></div></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/how-to/tell-a-chat-channel.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const tellAChatChannel = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  tellAChatChannel as default
};
