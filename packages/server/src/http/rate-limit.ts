// The rate limits of decisions.md 10 as a middleware: each endpoint names its group, the group its
// limit. A limiter that cannot reach its counters lets the request pass and logs: the limits guard
// the service, they must not be what takes it down (reliability.md 2).
import { Context, Effect, Layer } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"
import { refuse, TooManyRequests } from "./errors.ts"
import { type Consumed, RateLimitStore } from "./store.ts"

/** A group of endpoints that share a limit. `limit`: requests per 60 seconds and subject. */
export interface RateLimitGroup {
  readonly name: string
  readonly limit: number
}

/** Annotation that puts an endpoint or a group of endpoints under a limit. */
export class RateLimited extends Context.Service<RateLimited, RateLimitGroup>()(
  "@footfall/server/http/RateLimited",
) {}

/** Who is counted: the API key or user of the request. Set by the authentication. */
export class RateLimitSubject extends Context.Service<RateLimitSubject, string>()(
  "@footfall/server/http/RateLimitSubject",
) {}

/** `RATE_LIMITS`: off lifts every limit and leaves out its headers. decisions.md 10.1. */
export const RateLimitsEnabled = Context.Reference<boolean>(
  "@footfall/server/http/RateLimitsEnabled",
  { defaultValue: () => true },
)

export class RateLimit extends HttpApiMiddleware.Service<
  RateLimit,
  { requires: RateLimitSubject }
>()("@footfall/server/http/RateLimit", { error: TooManyRequests }) {
  static readonly layer = Layer.effect(
    RateLimit,
    Effect.gen(function* () {
      const store = yield* RateLimitStore
      const isEnabled = yield* RateLimitsEnabled
      yield* Effect.delay(store.prune, "1 minute").pipe(
        Effect.catchCause((cause) => Effect.logWarning("rate limits not pruned", cause)),
        Effect.forever,
        Effect.forkScoped,
      )
      return RateLimit.of((app, { endpoint, group }) => {
        const limited =
          Context.getOrUndefined(endpoint.annotations, RateLimited) ??
          Context.getOrUndefined(group.annotations, RateLimited)
        return limited === undefined || !isEnabled ? app : counted(store, limited, app)
      })
    }),
  )
}

const counted = <A, E, R>(
  store: RateLimitStore["Service"],
  { limit, name }: RateLimitGroup,
  app: Effect.Effect<A, E, R>,
) =>
  Effect.gen(function* () {
    const subject = yield* RateLimitSubject
    const consumed = yield* store
      .consume(`${name}:${subject}`, limit)
      .pipe(
        Effect.catchCause((cause) =>
          Effect.as(Effect.logWarning("rate limit not counted", cause), undefined),
        ),
      )
    if (consumed === undefined) return yield* app
    yield* setHeaders(limit, consumed)
    if (consumed.used <= limit) return yield* app
    return yield* refuse({
      code: "RATE_LIMITED",
      message: `More than ${limit} requests in 60 seconds; wait ${consumed.resetSeconds} seconds.`,
      details: { retryAfterSeconds: consumed.resetSeconds },
    })
  })

const setHeaders = (limit: number, { resetSeconds, used }: Consumed) =>
  HttpEffect.appendPreResponseHandler((_request, response) =>
    Effect.succeed(
      HttpServerResponse.setHeaders(response, {
        "ratelimit-limit": String(limit),
        "ratelimit-remaining": String(Math.max(0, limit - used)),
        "ratelimit-reset": String(resetSeconds),
        ...(used > limit ? { "retry-after": String(resetSeconds) } : {}),
      }),
    ),
  )
