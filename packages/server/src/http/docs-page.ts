// How /docs shows the contract. Nothing is loaded from another host and nothing leads to one, as far as Scalar
// can be told: no fonts of its maker, no hosted client, no bar of tools that publishes the document. Its content
// security policy holds it to that, and runs no script but the page's own two.
import { Effect } from "effect"
import { type HttpBody, HttpRouter, HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"
import { icon } from "./plain-page.ts"

/** Scalar's configuration goes to the page as it is; Effect's type for it names only a part. */
export const docsPage = {
  withDefaultFonts: false,
  showDeveloperTools: "never",
  hideClientButton: true,
  telemetry: false,
  agent: { disabled: true },
  authentication: { preferredSecurityScheme: "apiKey" },
  favicon: icon,
}

/** Gives /docs its policy. The page is made once, so its scripts are hashed once. */
export const DocsPolicy = HttpRouter.middleware((page) =>
  Effect.map(page, (response) =>
    HttpServerResponse.setHeaders(response, {
      "content-security-policy": policyOf(response.body),
      "referrer-policy": "same-origin",
    }),
  ),
).layer

const policies = new WeakMap<HttpBody.HttpBody, string>()

const policyOf = (body: HttpBody.HttpBody): string => {
  const known = policies.get(body)
  if (known !== undefined) return known
  const policy = [
    "default-src 'none'",
    `script-src ${scriptsOf(body).map(hashOf).join(" ")}`,
    // Scalar writes its styles into the page while it runs.
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    // Requests that a reader tries go to this server.
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ")
  policies.set(body, policy)
  return policy
}

const scriptsOf = (body: HttpBody.HttpBody): ReadonlyArray<string> => {
  if (body._tag !== "Uint8Array") throw new Error("The page of /docs is no text.")
  const html = new TextDecoder().decode(body.body)
  return [...html.matchAll(/<script>([^]*?)<\/script>/g)].map(([, script]) => script!)
}

const hashOf = (script: string): string =>
  `'sha256-${createHash("sha256").update(script).digest("base64")}'`
