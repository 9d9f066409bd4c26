// The pixel host's script route (spec 5.2, 6.1). The plain URL is cacheable for five minutes, a URL with a hash for
// a year; every origin may read both. A browser that opted out gets a script that does nothing. An unknown id or
// hash gets a 404 that is still a valid script; any other path is not found.
import { Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { notFound } from "../../platform/http/answer.ts"
import { isKnownTag } from "../../platform/http/revalidation.ts"
import { ImmutableScripts } from "./immutable-scripts.ts"
import { hasOptedOut } from "./opt-out/opt-out.ts"
import { Pixels } from "./pixels.ts"
import { noOp, PixelScript, reasonForNothing } from "./script.ts"

const headers = {
  "content-type": "text/javascript; charset=utf-8",
  "cross-origin-resource-policy": "cross-origin",
  "access-control-allow-origin": "*",
}
const cacheControl = "public, max-age=300"
const immutableCacheControl = "public, max-age=31536000, immutable"
/** A pixel may be created right after its tag was pasted, so a miss is not cached. */
const notFoundCacheControl = "no-store"

/** Browsers that opted out get a different script, and some take a compressed one, so a cache must not mix them. */
const vary = "cookie, Accept-Encoding"
const optedOut = HttpServerResponse.text(noOp("this browser is opted out"), {
  headers: { ...headers, "cache-control": "private, no-store", vary },
})

export const scriptRoutes = [{ method: "GET", path: "/p/:script" }] as const

/** `<pixel id>.js`, or `<pixel id>.<hash>.js`. */
const scriptName = /^([^.]+)(?:\.([0-9a-f]{16}))?\.js$/

export const ScriptRoutes = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const pixels = yield* Pixels
    const scripts = yield* PixelScript
    const immutables = yield* ImmutableScripts

    const find = Effect.fnUntraced(function* (name: string) {
      const [, pixelId = "", hash] = scriptName.exec(name) ?? []
      const pixel = yield* pixels.hosted(pixelId)
      if (Option.isNone(pixel)) return Option.none()
      if (hash === undefined) {
        if (reasonForNothing(pixel.value) === undefined) yield* immutables.publishFull(pixel.value)
        return Option.some({ ...scripts.render(pixel.value), cacheControl })
      }
      const { organizationId } = pixel.value
      return Option.map(yield* immutables.find({ organizationId, pixelId, hash }), (body) => ({
        body,
        etag: `"${hash}"`,
        cacheControl: immutableCacheControl,
      }))
    })

    const answer = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { script: name = "" } = yield* HttpRouter.params
      if (!name.endsWith(".js")) return yield* notFound
      const script = yield* find(name)
      if (Option.isNone(script)) {
        return HttpServerResponse.text("// Pixel not found", {
          status: 404,
          headers: { ...headers, "cache-control": notFoundCacheControl },
        })
      }
      if (hasOptedOut(request.headers["cookie"])) return optedOut
      const { body, etag } = script.value
      const present = {
        ...headers,
        "cache-control": script.value.cacheControl,
        // Weak, because it is the same for the compressed script.
        etag: `W/${etag}`,
        vary,
      }
      return isKnownTag(request.headers["if-none-match"], etag)
        ? HttpServerResponse.empty({ status: 304, headers: present })
        : HttpServerResponse.text(body, { headers: present })
    })
    yield* router.add("GET", "/p/:script", answer)
  }),
)
