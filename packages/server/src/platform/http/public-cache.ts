// Lets clients and proxies cache public GET responses for a minute. Without credentials any cache may store them. With
// credentials only the client's own cache may, and only for the same credentials, because those must be checked. Only
// 200 responses are cached.
import { Effect, Layer } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"

/** Maximum age of a cached response. Our own choice, within spec 5.7. */
const maxAgeSeconds = 60

export class PublicCache extends HttpApiMiddleware.Service<PublicCache>()(
  "@footfall/server/http/PublicCache",
) {
  static readonly layer = Layer.succeed(
    PublicCache,
    PublicCache.of((app, { endpoint }) =>
      endpoint.method === "GET" ? Effect.andThen(allowKeeping, app) : app,
    ),
  )
}

const allowKeeping = HttpEffect.appendPreResponseHandler((request, response) => {
  if (response.status !== 200) return Effect.succeed(response)
  const { authorization, "x-api-key": apiKey } = request.headers
  const isPublic = authorization === undefined && apiKey === undefined
  return Effect.succeed(
    HttpServerResponse.setHeaders(response, {
      "cache-control": `${isPublic ? "public" : "private"}, max-age=${maxAgeSeconds}`,
      vary: "Authorization, X-API-Key",
    }),
  )
})
