// The documentation at `/guide`: the site that `npm run docs` puts into the assets (scripts/guide.ts), each file
// compressed, and each page as Markdown too. Its links begin with `/guide/`, so below another path they are rewritten as they are sent. spec 5.15.6
import { Effect, FileSystem } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { promisify } from "node:util"
import { gunzip } from "node:zlib"
import { notFound } from "./answer.ts"
import { acceptsGzip } from "./compression.ts"

export const guideRoutes = [
  { method: "GET", path: "/guide" },
  { method: "GET", path: "/guide/*" },
] as const

/** Nothing is loaded from another host, and no page has an inline script or style. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ")

/** A picture may contain styles, and is a document if it is opened by itself. */
const pictureSecurityPolicy = "default-src 'none'; style-src 'unsafe-inline'"

const types = new Map([
  ["html", "text/html; charset=utf-8"],
  ["md", "text/markdown; charset=utf-8"],
  ["js", "text/javascript; charset=utf-8"],
  ["css", "text/css; charset=utf-8"],
  ["svg", "image/svg+xml"],
  ["png", "image/png"],
])

const unpack = promisify(gunzip)

export interface GuideOptions {
  /** The prefix of every path of the server, or empty. */
  readonly basePath: string
  /** The folder of the built site. */
  readonly directory: string
}

export const GuideRoutes = ({ basePath, directory }: GuideOptions) =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const system = yield* FileSystem.FileSystem
      // Only files that existed at the start are read, so no request can name another path.
      const names = new Set(
        yield* Effect.orDie(system.readDirectory(directory, { recursive: true })),
      )

      const send = (name: string, status: number, takesPacked: boolean) =>
        Effect.gen(function* () {
          const isPacked = names.has(`${name}.gz`)
          const bytes = yield* Effect.orDie(
            system.readFile(`${directory}/${name}${isPacked ? ".gz" : ""}`),
          )
          const isPicture = /\.(?:svg|png)$/.test(name)
          const headers = {
            "cache-control": name.startsWith("assets/")
              ? "public, max-age=31536000, immutable"
              : "no-cache",
            "content-security-policy": isPicture ? pictureSecurityPolicy : contentSecurityPolicy,
            "referrer-policy": "same-origin",
            vary: "Accept-Encoding",
          }
          const contentType = types.get(name.split(".").at(-1)!)!
          if (!isPacked)
            return HttpServerResponse.uint8Array(bytes, { status, contentType, headers })
          if (basePath === "" && takesPacked)
            return HttpServerResponse.uint8Array(bytes, {
              status,
              contentType,
              headers: { ...headers, "content-encoding": "gzip" },
            })
          const text = String(yield* Effect.promise(() => unpack(bytes)))
          return HttpServerResponse.text(text.replaceAll("/guide/", `${basePath}/guide/`), {
            status,
            contentType,
            headers,
          })
        })

      const nameOf = (path: string): string | undefined => {
        // A folder is the same page with and without a slash at its end: some hosts remove it, and a redirect that
        // adds it again would never end.
        const name = path.slice("/guide/".length).replace(/\/$/, "")
        const index = name === "" ? "index.html" : `${name}/index.html`
        const candidates = path.endsWith("/") ? [index] : [name, `${name}.html`, index]
        return candidates.find(
          (each) =>
            types.has(each.split(".").at(-1)!) && (names.has(each) || names.has(`${each}.gz`)),
        )
      }

      yield* router.add(
        "GET",
        "/guide/*",
        Effect.gen(function* () {
          const { headers, url } = yield* HttpServerRequest.HttpServerRequest
          const [path = ""] = url.split("?", 1)
          const takesPacked = acceptsGzip(headers["accept-encoding"])
          const name = nameOf(path)
          if (name !== undefined) return yield* send(name, 200, takesPacked)
          if (headers["accept"]?.includes("text/html") !== true) return yield* notFound
          return yield* send("404.html", 404, takesPacked)
        }),
      )
    }),
  )
