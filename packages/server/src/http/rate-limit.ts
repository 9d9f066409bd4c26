// The limit per API key or user as a middleware: each endpoint names its group, the group its limit
// (spec 10.2). Comes after the authentication, which says whom to count.
import { Context, Effect, Layer } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import { TooManyRequests } from "./errors.ts"
import { type RateLimitGroup, RateLimits } from "./rate-limits.ts"

/** Annotation that puts an endpoint or a group of endpoints under a limit per key or user. */
export class RateLimited extends Context.Service<RateLimited, RateLimitGroup>()(
  "@footfall/server/http/RateLimited",
) {}

/** Who is counted: the API key or user of the request. Set by the authentication. */
export class RateLimitSubject extends Context.Service<RateLimitSubject, string>()(
  "@footfall/server/http/RateLimitSubject",
) {}

export class RateLimit extends HttpApiMiddleware.Service<
  RateLimit,
  { requires: RateLimitSubject }
>()("@footfall/server/http/RateLimit", { error: TooManyRequests }) {
  static readonly layer = Layer.effect(
    RateLimit,
    Effect.gen(function* () {
      const limits = yield* RateLimits
      return RateLimit.of((app, { endpoint, group }) => {
        const limited =
          Context.getOrUndefined(endpoint.annotations, RateLimited) ??
          Context.getOrUndefined(group.annotations, RateLimited)
        if (limited === undefined) return app
        return Effect.flatMap(RateLimitSubject, (subject) =>
          Effect.andThen(limits.count(limited, subject), app),
        )
      })
    }),
  )
}
