// The rate limits as middleware, by what they count: the API key or user, the client address, or whichever of both
// a public request has (spec 10.2). An annotation of the endpoint or its group names the limit.
import { Context, Effect, Layer, Option } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import { TooManyRequests, Unauthorized } from "./errors.ts"
import { type RateLimitGroup, RateLimits } from "./rate-limits.ts"
import { DataKeys } from "../secrets/data-keys.ts"
import { RequestContext } from "./request-context.ts"
import { type Address, networkOf, readAddress } from "./address.ts"

/** Annotation that puts an endpoint or a group of endpoints under a limit per key or user. */
export class RateLimited extends Context.Service<RateLimited, RateLimitGroup>()(
  "@footfall/server/http/RateLimited",
) {}

/** Who is counted: the API key or user of the request. Set by the authentication. */
export class RateLimitSubject extends Context.Service<RateLimitSubject, string>()(
  "@footfall/server/http/RateLimitSubject",
) {}

/** Per API key or user. Runs after authentication, which identifies the caller. */
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

/** Per client address. Comes before the credentials, so it is the outermost middleware. */ // spec 1.4
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

/**
 * For endpoints that need no credentials: per client address without them, per API key or user with them, where
 * the limit is higher. Comes after the authentication, so wrong credentials use up nothing.
 */ // spec 10.1.3
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

/** An IPv4 address, or the /64 that one IPv6 customer is given, so that changing addresses inside it escapes nothing. */
export const rateSubject = (address: Address): string =>
  address.kind() === "ipv4" ? address.toString() : networkOf(address, 64)

/** The same as counters hold it: a keyed hash, never an address. Unknown addresses share one count. */
export const addressSubject = (dataKeys: DataKeys["Service"], clientAddress: string): string => {
  const address = readAddress(clientAddress)
  return dataKeys
    .sign("address", address === undefined ? "unknown" : rateSubject(address))
    .toString("base64url")
}
