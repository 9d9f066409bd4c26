// The limit of endpoints that need no credentials: per client address without them, per API key or
// user with them, where it is a higher one (spec 10.2). Comes after the authentication, which
// says whom to count, so wrong credentials use up nothing (spec 10.1.3, "what counts").
import { Context, Effect, Layer, Option } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import { DataKeys } from "./data-keys/data-keys.ts"
import { TooManyRequests } from "./errors.ts"
import { addressSubject } from "./rate-limit-subject.ts"
import { type RateLimitGroup, RateLimits } from "./rate-limits.ts"
import { RequestContext } from "./request-context.ts"

/** `limit`: requests per 60 seconds and key or user. */
export interface PublicRateLimitGroup extends RateLimitGroup {
  /** Requests per 60 seconds and address without credentials. */
  readonly limitOfAddress: number
}

/** Annotation that puts an endpoint or a group of endpoints under such a limit. */
export class PublicRateLimited extends Context.Service<PublicRateLimited, PublicRateLimitGroup>()(
  "@footfall/server/http/PublicRateLimited",
) {}

/** The API key or user that is counted; none: the address is. Set by the authentication. */
export class PublicRateLimitSubject extends Context.Service<
  PublicRateLimitSubject,
  Option.Option<string>
>()("@footfall/server/http/PublicRateLimitSubject") {}

export class PublicRateLimit extends HttpApiMiddleware.Service<
  PublicRateLimit,
  { requires: PublicRateLimitSubject }
>()("@footfall/server/http/PublicRateLimit", { error: TooManyRequests }) {
  static readonly layer = Layer.effect(
    PublicRateLimit,
    Effect.gen(function* () {
      const limits = yield* RateLimits
      const dataKeys = yield* DataKeys
      return PublicRateLimit.of((app, { endpoint, group }) => {
        const limited =
          Context.getOrUndefined(endpoint.annotations, PublicRateLimited) ??
          Context.getOrUndefined(group.annotations, PublicRateLimited)
        if (limited === undefined) return app
        const { limit, limitOfAddress, name } = limited
        return Effect.gen(function* () {
          const subject = yield* PublicRateLimitSubject
          if (Option.isSome(subject)) {
            yield* limits.count({ name, limit }, subject.value)
          } else {
            const { clientAddress } = yield* RequestContext
            yield* limits.count(
              { name, limit: limitOfAddress },
              addressSubject(dataKeys, clientAddress),
            )
          }
          return yield* app
        })
      })
    }),
  )
}
