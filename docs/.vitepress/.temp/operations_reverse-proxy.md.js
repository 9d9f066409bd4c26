import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Behind a reverse proxy","description":"","frontmatter":{},"headers":[],"relativePath":"operations/reverse-proxy.md","filePath":"docs/operations/reverse-proxy.md"}');
const _sfc_main = { name: "operations/reverse-proxy.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="behind-a-reverse-proxy" tabindex="-1">Behind a reverse proxy <a class="header-anchor" href="#behind-a-reverse-proxy" aria-label="Permalink to &quot;Behind a reverse proxy&quot;">​</a></h1><p>The server speaks plain HTTP. Use a reverse proxy for TLS and to block private endpoints. Give Footfall its own host name: its pages and pixel URLs start at <code>/</code>.</p><p>Configure the server&#39;s public URL and the proxies it trusts:</p><div class="language-text"><button title="Copy Code" class="copy"></button><span class="lang">text</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span>BASE_URL=https://footfall.acme.example</span></span>
<span class="line"><span>HOST=127.0.0.1</span></span>
<span class="line"><span>TRUSTED_PROXIES=127.0.0.1</span></span></code></pre></div><p><code>TRUSTED_PROXIES</code> lists the IP addresses your proxy connects from, as networks (<code>10.0.0.0/8,::1</code>). Without it, all visitors share the proxy&#39;s address and its rate limits. If a network is too wide, anyone in it can fake any address.</p><h2 id="behind-a-cdn" tabindex="-1">Behind a CDN <a class="header-anchor" href="#behind-a-cdn" aria-label="Permalink to &quot;Behind a CDN&quot;">​</a></h2><p>A CDN is a second proxy, so list its networks too: those that <a href="https://www.cloudflare.com/ips/" target="_blank" rel="noreferrer">Cloudflare</a>, <a href="https://api.fastly.com/public-ip-list" target="_blank" rel="noreferrer">Fastly</a> or your CDN publishes, besides your own proxy&#39;s. The server then reads <code>X-Forwarded-For</code> from the right and takes the first address that isn&#39;t a trusted proxy&#39;s. It doesn&#39;t read <code>CF-Connecting-IP</code> or <code>True-Client-IP</code>, because every CDN also sets <code>X-Forwarded-For</code>. The networks change, so update the list when your CDN does.</p><p>For countries, set <code>GEO_COUNTRY_HEADER</code> to the header of your CDN, such as <code>CF-IPCountry</code>. Make sure that no one can reach the server past the CDN, for example with a firewall.</p><h2 id="nginx" tabindex="-1">nginx <a class="header-anchor" href="#nginx" aria-label="Permalink to &quot;nginx&quot;">​</a></h2><div class="language-text"><button title="Copy Code" class="copy"></button><span class="lang">text</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span>upstream footfall {</span></span>
<span class="line"><span>  server 127.0.0.1:4100;</span></span>
<span class="line"><span>  keepalive 32;</span></span>
<span class="line"><span>}</span></span>
<span class="line"><span></span></span>
<span class="line"><span>server {</span></span>
<span class="line"><span>  listen 443 ssl;</span></span>
<span class="line"><span>  server_name footfall.acme.example;</span></span>
<span class="line"><span>  ssl_certificate     /etc/ssl/footfall.acme.example.pem;</span></span>
<span class="line"><span>  ssl_certificate_key /etc/ssl/footfall.acme.example.key;</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  client_max_body_size 0;</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  location = /metrics { return 404; }</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  location / {</span></span>
<span class="line"><span>    proxy_pass http://footfall;</span></span>
<span class="line"><span>    proxy_http_version 1.1;</span></span>
<span class="line"><span>    proxy_set_header Connection &quot;&quot;;</span></span>
<span class="line"><span>    proxy_set_header Host $http_host;</span></span>
<span class="line"><span>    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;</span></span>
<span class="line"><span>    proxy_request_buffering off;</span></span>
<span class="line"><span>    proxy_read_timeout 300s;</span></span>
<span class="line"><span>  }</span></span>
<span class="line"><span>}</span></span></code></pre></div><table tabindex="0"><thead><tr><th>Line</th><th>Without it</th></tr></thead><tbody><tr><td><code>client_max_body_size 0</code></td><td>nginx refuses bodies over 1 MiB, such as imports, with an HTML page. The server has its own limits</td></tr><tr><td><code>proxy_http_version 1.1</code>, <code>Connection &quot;&quot;</code></td><td>nginx opens a new connection for every request</td></tr><tr><td><code>Host</code></td><td>opting out at <code>/opt-out</code> can fail, because the server can&#39;t tell that the request came from its own page</td></tr><tr><td><code>X-Forwarded-For</code></td><td>all visitors appear to have the proxy&#39;s address</td></tr><tr><td><code>proxy_request_buffering off</code></td><td>nginx writes an import to disk before the server sees its first row</td></tr><tr><td><code>proxy_read_timeout 300s</code></td><td>nginx cuts off the response to a long import after a minute</td></tr></tbody></table><h2 id="caddy" tabindex="-1">Caddy <a class="header-anchor" href="#caddy" aria-label="Permalink to &quot;Caddy&quot;">​</a></h2><div class="language-text"><button title="Copy Code" class="copy"></button><span class="lang">text</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span>footfall.acme.example {</span></span>
<span class="line"><span>  respond /metrics 404</span></span>
<span class="line"><span>  reverse_proxy 127.0.0.1:4100</span></span>
<span class="line"><span>}</span></span></code></pre></div><p>Caddy sets the headers automatically and doesn&#39;t limit body sizes.</p><h2 id="check-the-setup" tabindex="-1">Check the setup <a class="header-anchor" href="#check-the-setup" aria-label="Permalink to &quot;Check the setup&quot;">​</a></h2><div class="language-text"><button title="Copy Code" class="copy"></button><span class="lang">text</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span>curl --fail https://footfall.acme.example/readyz</span></span>
<span class="line"><span>curl --silent --output /dev/null --write-out &#39;%{http_code}\\n&#39; https://footfall.acme.example/metrics</span></span>
<span class="line"><span>footfall doctor --base-url https://footfall.acme.example --api-key-stdin &lt; key.txt</span></span></code></pre></div><p>The first prints a JSON document with <code>&quot;status&quot;:&quot;ready&quot;</code>, the second <code>404</code>, and the third checks the setup of your pixels. To record visitors&#39; countries, have the proxy send the country in a header, and set <code>GEO_COUNTRY_HEADER</code> to the header&#39;s name.</p><p>Have the load balancer check <code>/readyz</code> at least every five seconds, and stop sending requests after the first 503. While it shuts down, a server returns 503 there and keeps serving everything else until the regular checks have seen it, for at most ten seconds. For one more second, it asks keep-alive connections to close. Then it stops accepting connections.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/operations/reverse-proxy.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const reverseProxy = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  reverseProxy as default
};
