// PUB of spec 5.7: credentials are optional, and checked when they are sent. Wrong ones are a
// 401, never a request without credentials; the token counts when a key is sent beside it. A header
// that is there is sent, also an empty one: a client that lost its key should hear of it. Those of a
// suspended or expired organization are good here: a public endpoint answers them too (5.3).
import { Effect, Layer, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { ServiceUnavailable, Unauthorized } from "../http/errors.ts"
import { PublicRateLimitSubject } from "../http/rate-limit.ts"
import { ApiKeys } from "./api-keys.ts"
import { keyScheme, tokenHolder, unauthorized } from "./authentication.ts"
import { type Caller, MaybeCaller } from "./caller.ts"

export class OptionalAuthentication extends HttpApiMiddleware.Service<
  OptionalAuthentication,
  { provides: MaybeCaller | PublicRateLimitSubject }
>()("@footfall/server/access/OptionalAuthentication", {
  error: [Unauthorized, ServiceUnavailable],
  // Tried in this order; of two failures the last one is answered.
  security: { apiKey: keyScheme, bearer: HttpApiSecurity.bearer },
}) {
  static readonly layer = Layer.effect(
    OptionalAuthentication,
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const holderOf = yield* tokenHolder
      const refused = unauthorized(
        "Invalid access token or API key. This endpoint also works without credentials.",
      )
      return OptionalAuthentication.of({
        apiKey: (app, { credential }) =>
          Effect.gen(function* () {
            const { headers } = yield* HttpServerRequest.HttpServerRequest
            if (headers["authorization"] !== undefined) return yield* refused
            if (headers["x-api-key"] === undefined) return yield* as(Option.none(), app)
            const caller = yield* Effect.catchTag(
              keys.authenticate(credential),
              "KeyRefused",
              () => refused,
            )
            return yield* as(Option.some(caller), app)
          }),
        bearer: (app, { credential }) =>
          Effect.gen(function* () {
            const { headers } = yield* HttpServerRequest.HttpServerRequest
            // Only the key was sent, and it was wrong.
            if (headers["authorization"] === undefined) return yield* refused
            return yield* as(Option.some(yield* holderOf(credential)), app)
          }),
      })
    }),
  )
}

/** What the OpenAPI document says of such an endpoint: no credentials, or one of these. */
export const credentialsOptional = { security: [{}, { apiKey: [] }, { bearer: [] }] }

/** Runs the rest of the request as the caller, or as no one. */
const as = <A, E, R>(caller: Option.Option<Caller>, app: Effect.Effect<A, E, R>) =>
  app.pipe(
    Effect.provideService(MaybeCaller, caller),
    Effect.provideService(
      PublicRateLimitSubject,
      Option.map(caller, ({ actor }) => actor.id),
    ),
  )
