// PUB in spec 5.7: credentials are optional but checked if sent. Invalid ones are a 401, never treated as missing; the
// token takes precedence if a key is sent too. An empty header counts as sent, because a client that lost its key
// should find out. Suspended and expired organizations are accepted, because public endpoints serve them too (5.3).
import { Effect, Layer, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { Forbidden, ServiceUnavailable, Unauthorized } from "../platform/http/errors.ts"
import { PublicRateLimitSubject } from "../platform/http/rate-limit.ts"
import { ApiKeys } from "./api-keys.ts"
import { keyScheme, makeOutside, tokenHolder, unauthorized } from "./authentication.ts"
import { type Caller, MaybeCaller } from "./caller.ts"

export class OptionalAuthentication extends HttpApiMiddleware.Service<
  OptionalAuthentication,
  { provides: MaybeCaller | PublicRateLimitSubject }
>()("@footfall/server/access/OptionalAuthentication", {
  error: [Unauthorized, Forbidden, ServiceUnavailable],
  // Tried in this order; if both fail, the last failure is returned.
  security: { apiKey: keyScheme, bearer: HttpApiSecurity.bearer },
}) {
  static readonly layer = Layer.effect(
    OptionalAuthentication,
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const holderOf = yield* tokenHolder
      const outside = makeOutside()
      const refused = unauthorized(
        "Invalid access token or API key. This endpoint also works without credentials.",
      )
      return OptionalAuthentication.of({
        apiKey: (app, { credential }) =>
          Effect.gen(function* () {
            const request = yield* HttpServerRequest.HttpServerRequest
            const { headers } = request
            if (headers["authorization"] !== undefined) return yield* refused
            if (headers["x-api-key"] === undefined) return yield* as(Option.none(), app)
            const caller = yield* Effect.catchTags(keys.authenticate(credential), {
              KeyRefused: () => refused,
              NetworkRefused: outside.note(request),
            })
            return yield* as(Option.some(caller), app)
          }),
        bearer: (app, { credential }) =>
          Effect.gen(function* () {
            const request = yield* HttpServerRequest.HttpServerRequest
            yield* outside.refuse(request)
            // Only an invalid key was sent.
            if (request.headers["authorization"] === undefined) return yield* refused
            return yield* as(Option.some(yield* holderOf(credential)), app)
          }),
      })
    }),
  )
}

/** How the OpenAPI document describes such an endpoint: no credentials, or one of these. */
export const credentialsOptional = { security: [{}, { apiKey: [] }, { bearer: [] }] }

/** Runs the rest of the request as the caller, or anonymously. */
const as = <A, E, R>(caller: Option.Option<Caller>, app: Effect.Effect<A, E, R>) =>
  app.pipe(
    Effect.provideService(MaybeCaller, caller),
    Effect.provideService(
      PublicRateLimitSubject,
      Option.map(caller, ({ actor }) => actor.id),
    ),
  )
