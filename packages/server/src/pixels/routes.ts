// The pixel host's script route (decisions.md 5.2, 6.1). Cacheable by anyone for five minutes and
// readable from every origin; an unknown id is a 404 that is still a valid script.
import { Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Pixels } from "./pixels.ts"
import { PixelScript } from "./script.ts"

const headers = {
  "content-type": "text/javascript; charset=utf-8",
  "cross-origin-resource-policy": "cross-origin",
  "access-control-allow-origin": "*",
}
const cacheControl = "public, max-age=300"
/** A pixel may be created a moment after its tag was pasted: a miss is not kept. */
const notFoundCacheControl = "no-store"

export const scriptRoutes = [{ method: "GET", path: "/p/:script" }] as const

export const ScriptRoutes = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const pixels = yield* Pixels
    const scripts = yield* PixelScript
    const answer = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { script: name = "" } = yield* HttpRouter.params
      const pixel = name.endsWith(".js") ? yield* pixels.hosted(name.slice(0, -3)) : Option.none()
      if (Option.isNone(pixel)) {
        return HttpServerResponse.text("// Pixel not found", {
          status: 404,
          headers: { ...headers, "cache-control": notFoundCacheControl },
        })
      }
      const { body, etag } = scripts.of(pixel.value)
      const present = { ...headers, "cache-control": cacheControl, etag }
      return isKnown(request.headers["if-none-match"], etag)
        ? HttpServerResponse.empty({ status: 304, headers: present })
        : HttpServerResponse.text(body, { headers: present })
    })
    yield* router.add("GET", "/p/:script", answer)
  }),
)

/** RFC 9110, 13.1.2: a list of tags, weak ones too, or any. */
const isKnown = (header: string | undefined, etag: string): boolean =>
  header !== undefined && (header === "*" || header.includes(etag))
