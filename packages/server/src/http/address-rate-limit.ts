// The limit per client address as a middleware. It comes before the credentials (spec 1.4),
// so it is the last of an endpoint's middlewares.
import { Context, Effect, Layer } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import { DataKeys } from "./data-keys/data-keys.ts"
import { TooManyRequests, Unauthorized } from "./errors.ts"
import { addressSubject } from "./rate-limit-subject.ts"
import { type RateLimitGroup, RateLimits } from "./rate-limits.ts"
import { RequestContext } from "./request-context.ts"

export interface AddressRateLimitGroup extends RateLimitGroup {
  /**
   * Whether a 401 uses up the limit. False where credentials are checked after it; true where the endpoint itself
   * checks a password, which the limit guards.
   */ // spec 10.1.3
  readonly countsUnauthorized: boolean
}

/** Annotation that puts an endpoint or a group of endpoints under a limit per address. */
export class AddressRateLimited extends Context.Service<
  AddressRateLimited,
  AddressRateLimitGroup
>()("@footfall/server/http/AddressRateLimited") {}

export class AddressRateLimit extends HttpApiMiddleware.Service<AddressRateLimit>()(
  "@footfall/server/http/AddressRateLimit",
  { error: TooManyRequests },
) {
  static readonly layer = Layer.effect(
    AddressRateLimit,
    Effect.gen(function* () {
      const limits = yield* RateLimits
      const dataKeys = yield* DataKeys
      return AddressRateLimit.of((app, { endpoint, group }) => {
        const limited =
          Context.getOrUndefined(endpoint.annotations, AddressRateLimited) ??
          Context.getOrUndefined(group.annotations, AddressRateLimited)
        if (limited === undefined) return app
        return Effect.gen(function* () {
          const subject = addressSubject(dataKeys, (yield* RequestContext).clientAddress)
          yield* limits.count(limited, subject)
          const isFree = (error: unknown) =>
            // Another limit refused it, and refused requests do not count.
            error instanceof TooManyRequests ||
            (!limited.countsUnauthorized && error instanceof Unauthorized)
          return yield* Effect.tapError(app, (error) =>
            isFree(error) ? limits.giveBack(limited, subject) : Effect.void,
          )
        })
      })
    }),
  )
}
