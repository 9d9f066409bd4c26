// What an operator's tools ask: is the process alive, may it have traffic (decisions.md 5.15).
import { Context, Effect, Layer, Ref } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { refused } from "./answer.ts"
import { success } from "./envelope.ts"

/** Whether this process may have traffic: false from the moment it begins to stop. */
export class Readiness extends Context.Service<
  Readiness,
  {
    readonly isReady: Effect.Effect<boolean>
    /** From now on `/readyz` answers 503. */
    readonly stop: Effect.Effect<void>
  }
>()("@footfall/server/http/Readiness") {
  /** `isSchemaCurrent`: whether the database answers and has the schema of this server. */
  static readonly layer = <R>(isSchemaCurrent: Effect.Effect<boolean, unknown, R>) =>
    Layer.effect(
      Readiness,
      Effect.gen(function* () {
        const context = yield* Effect.context<R>()
        const isStopping = yield* Ref.make(false)
        return Readiness.of({
          stop: Ref.set(isStopping, true),
          isReady: Effect.gen(function* () {
            if (yield* Ref.get(isStopping)) return false
            return yield* isSchemaCurrent.pipe(
              Effect.provideContext(context),
              Effect.timeoutOrElse({ duration: "5 seconds", orElse: () => Effect.succeed(false) }),
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
            { code: "SERVICE_UNAVAILABLE", message: "The server is not ready for traffic." },
            { "retry-after": "1" },
          )
        }),
      )
    }),
  ),
)
