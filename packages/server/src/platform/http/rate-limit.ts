// Rate limits as middleware, by what they count: the API key or user, the client address, or, for public requests,
// whichever is available (spec 10.2). An annotation on the endpoint or its group names the limit.
import { Context, Effect, Layer, Option } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { Background } from "../database/statement-limits.ts"
import { refuse, TooManyRequests, Unauthorized } from "./errors.ts"
import { DataKeys } from "../secrets/data-keys.ts"
import { RequestContext } from "./request-context.ts"
import { type Address, networkOf, readAddress } from "./address.ts"
import { type Consumed, RateLimitStore } from "./store.ts"

/** Annotation: limits an endpoint or group per key or user. */
export class RateLimited extends Context.Service<RateLimited, RateLimitGroup>()(
  "@footfall/server/http/RateLimited",
) {}

/** The key or user to count. Set by authentication. */
export class RateLimitSubject extends Context.Service<RateLimitSubject, string>()(
  "@footfall/server/http/RateLimitSubject",
) {}

/** Per API key or user. Runs after authentication. */
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
   * Whether a 401 counts. False where credentials are checked later; true where the endpoint itself checks a password,
   * which the limit protects.
   */ // spec 10.1.3
  readonly countsUnauthorized: boolean
}

/** Annotation: limits an endpoint or group per client address. */
export class AddressRateLimited extends Context.Service<
  AddressRateLimited,
  AddressRateLimitGroup
>()("@footfall/server/http/AddressRateLimited") {}

/** Per client address. Runs before authentication, so it is the outermost middleware. */ // spec 1.4
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
            // Another limit rejected it, and rejected requests do not count.
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
  /** Requests per 60 seconds and address, without credentials. */
  readonly limitOfAddress: number
}

/** Annotation: sets this limit for an endpoint or group. */
export class PublicRateLimited extends Context.Service<PublicRateLimited, PublicRateLimitGroup>()(
  "@footfall/server/http/PublicRateLimited",
) {}

/** The key or user to count; without one, the address counts. Set by authentication. */
export class PublicRateLimitSubject extends Context.Service<
  PublicRateLimitSubject,
  Option.Option<string>
>()("@footfall/server/http/PublicRateLimitSubject") {}

/**
 * For endpoints that need no credentials: counts the client address, or, with credentials, the key or user, whose limit
 * is higher. Runs after authentication, so wrong credentials use up nothing.
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

/** An IPv4 address, or an IPv6 customer's /64, so that changing addresses within it does not help. */
export const rateSubject = (address: Address): string =>
  address.kind() === "ipv4" ? address.toString() : networkOf(address, 64)

/** The key of a counter: a keyed hash, never an address. Unknown addresses share one counter. */
export const addressSubject = (dataKeys: DataKeys["Service"], clientAddress: string): string => {
  const address = readAddress(clientAddress)
  return dataKeys
    .sign("address", address === undefined ? "unknown" : rateSubject(address))
    .toString("base64url")
}

// The rate limits of spec 10: counts a request, sets the headers, and rejects it above the limit. If the counters are
// unreachable, the request passes and the failure is logged: limits protect the service and must not take it down.

/** The name under which requests are counted together. `limit`: requests per window and subject. */
interface RateLimitGroup {
  readonly name: string
  readonly limit: number
  /** Default: 60. Units: seconds. */
  readonly windowSeconds?: number
}

/** `RATE_LIMITS`: off removes every limit and its headers. */ // spec 10.1
export const RateLimitsEnabled = Context.Reference<boolean>(
  "@footfall/server/http/RateLimitsEnabled",
  { defaultValue: () => true },
)

const make = Effect.gen(function* () {
  const store = yield* RateLimitStore
  if (!(yield* RateLimitsEnabled)) return { count: () => Effect.void, giveBack: () => Effect.void }
  yield* Effect.delay(store.prune, "1 minute").pipe(
    Effect.provideService(Background, true),
    Effect.catchCause((cause) => Effect.logWarning("could not delete old rate limits", cause)),
    Effect.forever,
    Effect.forkScoped,
  )
  const orUncounted = Effect.catchCause((cause) =>
    Effect.as(Effect.logWarning("could not count a request", cause), undefined),
  )
  return {
    /**
     * Counts the current request.
     *
     * *Errors*: TooManyRequests above the limit; such a request is not counted. *Guarantee*: exact across all processes
     * on one database.
     */
    count: Effect.fnUntraced(function* (group: RateLimitGroup, subject: string) {
      const { limit, name, windowSeconds = defaultWindowSeconds } = group
      const consumed = yield* orUncounted(store.consume(`${name}:${subject}`, limit, windowSeconds))
      if (consumed === undefined) return
      yield* setHeaders(group, consumed)
      if (consumed.used <= limit) return
      return yield* refuse({
        code: "RATE_LIMITED",
        message: `Too many requests: more than ${limit} in ${windowSeconds} seconds. Try again in ${consumed.resetSeconds} seconds.`,
        details: { retryAfterSeconds: consumed.resetSeconds },
      })
    }),

    /** Takes back one counted request. */
    giveBack: ({ limit, name }: RateLimitGroup, subject: string): Effect.Effect<void> =>
      orUncounted(store.giveBack(`${name}:${subject}`, limit)),
  }
})

export class RateLimits extends Context.Service<RateLimits, Effect.Success<typeof make>>()(
  "@footfall/server/http/RateLimits",
) {
  static readonly layer = Layer.effect(RateLimits, make)
}

const defaultWindowSeconds = 60

/**
 * When two limits apply, the headers show the one closer to its end. Listing both would tell a stranger which limits
 * apply to an account, and so what is known about it.
 */
const setHeaders = (
  { limit, name, windowSeconds = defaultWindowSeconds }: RateLimitGroup,
  { resetSeconds, used }: Consumed,
) =>
  HttpEffect.appendPreResponseHandler((_request, response) => {
    const remaining = Math.max(0, limit - used)
    const other = response.headers["ratelimit-remaining"]
    if (other !== undefined && Number(other) < remaining) return Effect.succeed(response)
    return Effect.succeed(
      HttpServerResponse.setHeaders(response, {
        "ratelimit-limit": String(limit),
        "ratelimit-remaining": String(remaining),
        "ratelimit-reset": String(resetSeconds),
        // The structured fields of draft-ietf-httpapi-ratelimit-headers-11. Names need no escaping.
        "ratelimit-policy": `"${name}";q=${limit};w=${windowSeconds}`,
        ratelimit: `"${name}";r=${remaining};t=${resetSeconds}`,
        ...(used > limit ? { "retry-after": String(resetSeconds) } : {}),
      }),
    )
  })
