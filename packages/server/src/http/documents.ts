// The OpenAPI documents, without the envelope (spec 1.3, 5.15): everything, and the part of
// each of the two APIs with no more schemas than it names.
import { Effect } from "effect"
import { type HttpBody, HttpRouter, HttpServerResponse } from "effect/http"
import type { OpenApi } from "effect/http-api"
import { createHash } from "node:crypto"
import { icon } from "./plain-page.ts"

const parts = [
  { path: "/openapi.json", prefix: "/" },
  { path: "/openapi-data.json", prefix: "/v1/data" },
  { path: "/openapi-intent.json", prefix: "/v1/intent" },
] as const

export const documentRoutes = parts.map(({ path }) => ({ method: "GET", path }))

/** `baseUrl`: where clients that are generated from the documents send their requests. */
export const DocumentRoutes = (document: OpenApi.OpenAPISpec, baseUrl: string) => {
  const whole = { ...document, servers: [{ url: baseUrl }] }
  return HttpRouter.use((router) =>
    Effect.forEach(
      parts,
      ({ path, prefix }) => {
        const response = HttpServerResponse.jsonUnsafe(partOf(whole, prefix))
        return router.add("GET", path, Effect.succeed(response))
      },
      { discard: true },
    ),
  )
}

const partOf = (whole: OpenApi.OpenAPISpec, prefix: string): OpenApi.OpenAPISpec => {
  const paths = Object.fromEntries(
    Object.entries(whole.paths).filter(([path]) => path.startsWith(prefix)),
  )
  const groups = new Set(
    Object.values(paths).flatMap(({ delete: remove, get, patch, post, put }) =>
      [get, post, put, patch, remove].flatMap((operation) => operation?.tags ?? []),
    ),
  )
  return {
    ...whole,
    paths,
    components: { ...whole.components, schemas: schemasOf(paths, whole.components.schemas) },
    tags: whole.tags.filter(({ name }) => groups.has(name)),
  }
}

type Schemas = OpenApi.OpenAPISpec["components"]["schemas"]

/** The schemas a part names, and those they name. */
const schemasOf = (paths: unknown, all: Schemas): Schemas => {
  const found = new Set<string>()
  const look = (value: unknown): void => {
    for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (name === undefined || found.has(name)) continue
      found.add(name)
      look(Object.hasOwn(all, name) ? all[name] : undefined)
    }
  }
  look(paths)
  return Object.fromEntries(Object.entries(all).filter(([name]) => found.has(name)))
}

// How /docs shows the contract. Nothing is loaded from another host and nothing links to one, as far as Scalar
// has an option for it: no fonts of its maker, no hosted client, no bar of tools that publishes the document. Its content
// security policy holds it to that, and runs no script but the page's own two.
/** Scalar's configuration goes to the page as it is; Effect's type for it names only a part. */
export const docsPage = (tokens: string) => ({
  theme: "none" as const,
  customCss: `${tokens}${docsColors}`,
  withDefaultFonts: false,
  showDeveloperTools: "never",
  hideClientButton: true,
  telemetry: false,
  agent: { disabled: true },
  authentication: { preferredSecurityScheme: "apiKey" },
  favicon: icon,
})

/** The tokens by Scalar's names. Its switch of themes sets a class, which chooses the side of `light-dark()`. */
const docsColors = `
.light-mode { color-scheme: light }
.dark-mode { color-scheme: dark }
.light-mode, .dark-mode {
  --scalar-background-1: var(--paper);
  --scalar-background-2: var(--raised);
  --scalar-background-3: var(--sunk);
  --scalar-background-accent: var(--sea-tint);
  --scalar-border-color: var(--line);
  --scalar-color-1: var(--ink);
  --scalar-color-2: var(--soft);
  --scalar-color-3: var(--soft);
  --scalar-color-accent: var(--sea);
  --scalar-color-red: var(--danger);
  --scalar-button-1: var(--sea);
  --scalar-button-1-color: var(--on-sea);
  --scalar-font: var(--sans);
  --scalar-font-code: var(--mono);
}
`

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
