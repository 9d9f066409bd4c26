// The console at `/console`: one document for all its URLs, and the built files next to it (packages/console). It
// contains no data about anyone; everything it shows comes from the public API.
import { Effect, FileSystem } from "effect"
import { HttpPlatform, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { notFound } from "../../platform/http/answer.ts"
import { escaped } from "../../platform/http/plain-page.ts"
import { acceptsGzip } from "../../platform/http/compression.ts"

export const consoleRoutes = [
  { method: "GET", path: "/console" },
  { method: "GET", path: "/console/*" },
] as const

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ")

const types = new Map([
  ["js", "text/javascript; charset=utf-8"],
  ["css", "text/css; charset=utf-8"],
  ["svg", "image/svg+xml"],
  ["png", "image/png"],
  ["woff2", "font/woff2"],
])

/** File names change with their content. */
const forever = "public, max-age=31536000, immutable"

export interface ConsoleOptions {
  /** The prefix of every request path. */
  readonly basePath: string
  /** The built console. */
  readonly directory: string
  /** The identity provider's name on the sign-in page. Undefined: users sign in with a password only. */
  readonly issuerName: string | undefined
}

export const ConsoleRoutes = ({ basePath, directory, issuerName }: ConsoleOptions) =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const platform = yield* HttpPlatform.HttpPlatform
      const document = yield* Effect.orDie(files.readFileString(`${directory}/index.html`))
      // Its URLs are relative, so it works under any prefix.
      const head = [
        `<base href="${basePath}/console/">`,
        ...(issuerName === undefined
          ? []
          : [`<meta name="footfall-issuer" content="${escaped(issuerName)}">`]),
      ].join("\n")
      const html = document.replace("<head>", () => `<head>\n${head}`)
      const page = HttpServerResponse.html(html).pipe(
        HttpServerResponse.setHeaders({
          "content-security-policy": contentSecurityPolicy,
          "referrer-policy": "same-origin",
          "cache-control": "no-cache",
        }),
      )
      // Only files that existed at the start are read, so no request can name another path.
      const names = new Set(yield* Effect.orDie(files.readDirectory(`${directory}/assets`)))
      yield* router.add(
        "GET",
        "/console/*",
        Effect.gen(function* () {
          const { headers, url } = yield* HttpServerRequest.HttpServerRequest
          const path = url.split("?", 1)[0]!
          if (!path.startsWith("/console/assets/")) return page
          const name = path.slice("/console/assets/".length)
          const type = types.get(name.split(".").at(-1)!)
          if (!names.has(name) || type === undefined) return yield* notFound
          const isPacked = names.has(`${name}.gz`) && acceptsGzip(headers["accept-encoding"])
          const file = `${directory}/assets/${isPacked ? `${name}.gz` : name}`
          return yield* HttpServerResponse.file(file, {
            headers: {
              "content-type": type,
              "cache-control": forever,
              vary: "Accept-Encoding",
              ...(isPacked && { "content-encoding": "gzip" }),
            },
          }).pipe(Effect.provideService(HttpPlatform.HttpPlatform, platform), Effect.orDie)
        }),
      )
    }),
  )
