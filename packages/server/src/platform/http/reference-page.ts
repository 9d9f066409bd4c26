// The API reference at `/docs`: a page that the build generates from the contract (scripts/api-reference/page.ts), with
// its style, script and icon. It is the same for everyone, so browsers revalidate it by ETag.
import { Effect, FileSystem } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"
import { acceptsGzip } from "./compression.ts"

/** Files in the assets folder; `isPacked` means that the build also made a compressed copy. */
const files = [
  { path: "/docs", file: "docs/index.html", type: "text/html; charset=utf-8", isPacked: true },
  { path: "/docs/assets/docs.css", file: "docs/docs.css", type: "text/css; charset=utf-8" },
  { path: "/docs/assets/docs.js", file: "docs/docs.js", type: "text/javascript; charset=utf-8" },
  { path: "/docs/assets/icon.svg", file: "docs/icon.svg", type: "image/svg+xml" },
  { path: "/docs/assets/tokens.css", file: "tokens.css", type: "text/css; charset=utf-8" },
] as const

export const referenceRoutes = files.map(({ path }) => ({ method: "GET", path }))

/** Nothing is loaded from or sent to another host, and the page has no inline script or style. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ")

/** `directory`: the assets folder. */
export const ReferenceRoutes = (directory: string) =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const system = yield* FileSystem.FileSystem
      const read = (file: string) => Effect.orDie(system.readFile(`${directory}/${file}`))
      for (const { file, path, type, ...more } of files) {
        const plain = yield* read(file)
        const packed = "isPacked" in more ? yield* read(`${file}.gz`) : undefined
        const etag = `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`
        const headers = {
          etag,
          "cache-control": "no-cache",
          "content-security-policy": contentSecurityPolicy,
          "referrer-policy": "same-origin",
          ...(packed !== undefined && { vary: "Accept-Encoding" }),
        }
        const unchanged = HttpServerResponse.empty({ status: 304, headers })
        const whole = HttpServerResponse.uint8Array(plain, { contentType: type, headers })
        const compressed =
          packed &&
          HttpServerResponse.uint8Array(packed, {
            contentType: type,
            headers: { ...headers, "content-encoding": "gzip" },
          })
        yield* router.add(
          "GET",
          path,
          Effect.map(HttpServerRequest.HttpServerRequest, ({ headers: requested }) =>
            requested["if-none-match"]?.includes(etag) === true
              ? unchanged
              : compressed !== undefined && acceptsGzip(requested["accept-encoding"])
                ? compressed
                : whole,
          ),
        )
      }
    }),
  )
