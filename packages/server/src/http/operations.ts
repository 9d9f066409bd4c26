// What an operator's tools ask: is the process alive, may it have traffic (spec 5.15).
import { Clock, Context, Deferred, Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { refused } from "./answer.ts"
import { success } from "./envelope.ts"

/** A load balancer that asks more rarely than this is not waited for. Units: milliseconds. */
const toldWithinMs = 10_000

/** One that missed two turns, and is late for the third, still asks. */
const lateMs = 1_000

/** A database that takes longer to report its schema counts as unreachable. Our bound. */
const answerMax = "2 seconds"

/** Whether this process may have traffic: false from the moment it begins to stop. */
export class Readiness extends Context.Service<
  Readiness,
  {
    readonly isReady: Effect.Effect<boolean>
    /**
     * From now on `/readyz` answers 503. Ends when whoever asks it regularly has been answered so, because a load
     * balancer sends requests here until then; at once when no one does.
     */
    readonly stop: Effect.Effect<void>
  }
>()("@footfall/server/http/Readiness") {
  /** `isSchemaCurrent`: whether the database answers and has the schema of this server. */
  static readonly layer = <R>(isSchemaCurrent: Effect.Effect<boolean, unknown, R>) =>
    Layer.effect(
      Readiness,
      Effect.gen(function* () {
        const context = yield* Effect.context<R>()
        const told = yield* Deferred.make<void>()
        const asked = { at: -Infinity, interval: 0 }
        let isStopping = false
        return Readiness.of({
          stop: Effect.gen(function* () {
            isStopping = true
            const sinceAsked = (yield* Clock.currentTimeMillis) - asked.at
            const longestWait = Math.min(3 * asked.interval + lateMs, toldWithinMs) - sinceAsked
            if (longestWait > 0) yield* Effect.timeoutOption(Deferred.await(told), longestWait)
          }),
          isReady: Effect.gen(function* () {
            const now = yield* Clock.currentTimeMillis
            // Whoever asked once need not ask again.
            asked.interval = asked.at === -Infinity ? 0 : now - asked.at
            asked.at = now
            if (isStopping) {
              yield* Deferred.succeed(told, undefined)
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
