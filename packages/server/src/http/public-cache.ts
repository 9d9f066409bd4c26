// Lets clients and proxies keep what public endpoints answer to a GET for a minute. Without credentials
// any cache may; with them only the client's own, and none answers a request with other credentials from
// it, for they must be checked. Answers that are not 200 are not kept.
import { Effect, Layer } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"

/** How old an answer may be that is read from a cache. Our decision, within spec 5.7. */
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
