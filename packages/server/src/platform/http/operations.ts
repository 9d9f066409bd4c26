// Endpoints for an operator's tools: is the process alive, and may it receive traffic (spec 5.15).
import { Clock, Context, Deferred, Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Secrets } from "../secrets/secrets.ts"
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

const nonceForm = /[?&]nonce=([\w-]{16,64})(?:&|$)/

const nonceOf = (url: string): string | undefined => nonceForm.exec(url)?.[1]

/**
 * Shows whoever knows the secret that this installation answered, so that the doctor can tell its own server from another.
 * Nothing else is signed for this purpose, so anyone may ask for it.
 */ // spec 5.15.1
export const installationProof = (secrets: Secrets["Service"], nonce: string): string =>
  secrets.sign("installation", nonce).toString("base64url")

export const operationsRoutes = [
  { method: "GET", path: "/healthz" },
  { method: "GET", path: "/readyz" },
] as const

export const OperationsRoutes = Layer.mergeAll(
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const secrets = yield* Secrets
      yield* router.add(
        "GET",
        "/healthz",
        Effect.gen(function* () {
          const { url } = yield* HttpServerRequest.HttpServerRequest
          const nonce = nonceOf(url)
          const proof = nonce === undefined ? {} : { proof: installationProof(secrets, nonce) }
          return HttpServerResponse.jsonUnsafe(yield* success({ status: "ok", ...proof }))
        }),
      )
    }),
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
