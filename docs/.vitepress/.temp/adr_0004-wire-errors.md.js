import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"4. Wire errors without _tag","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0004-wire-errors.md","filePath":"docs/adr/0004-wire-errors.md"}');
const _sfc_main = { name: "adr/0004-wire-errors.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_4-wire-errors-without-tag" tabindex="-1">4. Wire errors without <code>_tag</code> <a class="header-anchor" href="#_4-wire-errors-without-tag" aria-label="Permalink to &quot;4. Wire errors without \`_tag\`&quot;">​</a></h1><p>2026-11-21 · accepted</p><p><strong>Context.</strong> The body of an error is <code>{error: {code, message, details?}, meta}</code>. Effect&#39;s tagged errors put <code>_tag</code> on the wire. For unknown paths, parse errors and defects Effect sends empty bodies by default. Requests that Node&#39;s parser rejects get a response before the app sees them.</p><p><strong>Decision.</strong> Each status has one error class with that body. Only <code>handlers.ts</code> turns domain errors into these classes. One outermost layer (<code>http/answer.ts</code>) gives every undeclared error the same kind of body and a request id. <code>http/parser-errors.ts</code> does this for requests that Node rejects. <code>visits/listener.ts</code> does it for the collect route, which <code>node:http</code> serves before the router. The codes are those of spec 9.</p><p><strong>Consequences.</strong> Every response with status 400 or above has this body. There are two exceptions: <code>HEAD</code>, and the 404 of the pixel script, whose body is a script.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0004-wire-errors.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0004WireErrors = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0004WireErrors as default
};
