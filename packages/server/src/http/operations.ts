// Endpoints for an operator's tools: is the process alive, and may it receive traffic (spec 5.15).
import { Clock, Context, Deferred, Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { refused } from "./answer.ts"
import { success } from "./envelope.ts"

/** The longest polling interval that shutdown waits for. Units: milliseconds. */
const pollIntervalMaxMs = 10_000

/** A load balancer that misses two polls still counts as polling if it is at most this late for the third. */
const lateMs = 1_000

/** A database that takes longer to report its schema counts as unreachable. */
const answerMax = "2 seconds"

/** Whether this process may receive traffic: false as soon as it starts to stop. */
export class Readiness extends Context.Service<
  Readiness,
  {
    readonly isReady: Effect.Effect<boolean>
    /**
     * Makes `/readyz` return 503 from now on. Completes once the regular poller has seen it, because a load balancer
     * sends requests until then; at once if nothing polls.
     */
    readonly stop: Effect.Effect<void>
  }
>()("@footfall/server/http/Readiness") {
  /** `isSchemaCurrent`: whether the database responds and has this server's schema. */
  static readonly layer = <R>(isSchemaCurrent: Effect.Effect<boolean, unknown, R>) =>
    Layer.effect(
      Readiness,
      Effect.gen(function* () {
        const context = yield* Effect.context<R>()
        const closing = yield* Deferred.make<void>()
        const polls = { at: -Infinity, interval: 0 }
        let isStopping = false
        return Readiness.of({
          stop: Effect.gen(function* () {
            isStopping = true
            const sincePoll = (yield* Clock.currentTimeMillis) - polls.at
            const longestWait = Math.min(3 * polls.interval + lateMs, pollIntervalMaxMs) - sincePoll
            if (longestWait > 0) yield* Effect.timeoutOption(Deferred.await(closing), longestWait)
          }),
          isReady: Effect.gen(function* () {
            const now = yield* Clock.currentTimeMillis
            // A single request is not yet regular polling.
            polls.interval = polls.at === -Infinity ? 0 : now - polls.at
            polls.at = now
            if (isStopping) {
              yield* Deferred.succeed(closing, undefined)
              return false
            }
            return yield* isSchemaCurrent.pipe(
              Effect.provideContext(context),
              Effect.timeoutOrElse({ duration: answerMax, orElse: () => Effect.succeed(false) }),
              Effect.catchCause(() => Effect.succeed(false)),
            )
          }),
        })
      }),
    )
}

export const operationsRoutes = [
  { method: "GET", path: "/healthz" },
  { method: "GET", path: "/readyz" },
] as const

export const OperationsRoutes = Layer.mergeAll(
  HttpRouter.add(
    "GET",
    "/healthz",
    Effect.map(success({ status: "ok" }), HttpServerResponse.jsonUnsafe),
  ),
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const readiness = yield* Readiness
      yield* router.add(
        "GET",
        "/readyz",
        Effect.gen(function* () {
          if (yield* readiness.isReady) {
            return HttpServerResponse.jsonUnsafe(yield* success({ status: "ready" }))
          }
          return yield* refused(
            { code: "SERVICE_UNAVAILABLE", message: "The server is not ready." },
            { "retry-after": "1" },
          )
        }),
      )
    }),
  ),
)
