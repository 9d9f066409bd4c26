// The rate limits of spec 10: counts a request, sets the headers, and rejects it above the limit. If the counters are
// unreachable, the request passes and the failure is logged: limits protect the service and must not take it down.
import { Context, Effect, Layer } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { Background } from "../database/statement-limits.ts"
import { refuse } from "./errors.ts"
import { type Consumed, RateLimitStore } from "./store.ts"

/** The name under which requests are counted together. `limit`: requests per window and subject. */
export interface RateLimitGroup {
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
    Effect.catchCause((cause) => Effect.logWarning("rate limits not pruned", cause)),
    Effect.forever,
    Effect.forkScoped,
  )
  const orUncounted = Effect.catchCause((cause) =>
    Effect.as(Effect.logWarning("rate limit not counted", cause), undefined),
  )
  return {
    /**
     * Counts the current request.
     *
     * *Errors*: TooManyRequests above the limit; such a request is not counted. *Guarantee*: exact across all processes
     * on one database.
     */
    count: Effect.fnUntraced(function* (
      { limit, name, windowSeconds = 60 }: RateLimitGroup,
      subject: string,
    ) {
      const consumed = yield* orUncounted(store.consume(`${name}:${subject}`, limit, windowSeconds))
      if (consumed === undefined) return
      yield* setHeaders(limit, consumed)
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

/** When two limits apply, the headers show the one closer to its end. */
const setHeaders = (limit: number, { resetSeconds, used }: Consumed) =>
  HttpEffect.appendPreResponseHandler((_request, response) => {
    const remaining = Math.max(0, limit - used)
    const other = response.headers["ratelimit-remaining"]
    if (other !== undefined && Number(other) < remaining) return Effect.succeed(response)
    return Effect.succeed(
      HttpServerResponse.setHeaders(response, {
        "ratelimit-limit": String(limit),
        "ratelimit-remaining": String(remaining),
        "ratelimit-reset": String(resetSeconds),
        ...(used > limit ? { "retry-after": String(resetSeconds) } : {}),
      }),
    )
  })
