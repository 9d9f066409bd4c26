// Lets clients safely repeat create requests (spec 1.7). The first response to an Idempotency-Key is stored for 24
// hours, in the transaction that creates the record, and every repeat gets it. A client that lost a response sends the
// same request again and creates nothing twice.
import { Clock, Context, Effect, Layer, Option, Schema } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"
import { randomBytes, timingSafeEqual } from "node:crypto"
import { success } from "../../platform/http/envelope.ts"
import { Conflict, refuse, ServiceUnavailable } from "../../platform/http/errors.ts"
import { lengthAtLeast, lengthAtMost } from "../../platform/http/fields.ts"
import { every } from "../../platform/jobs/every.ts"
import { makePartyTurns } from "../../platform/jobs/fair-turns.ts"
import { DataKeys } from "../../platform/secrets/data-keys.ts"
import { seal, unseal } from "../../platform/secrets/sealing.ts"
import { Caller } from "../caller.ts"
import { type RequestKey, RepeatStore } from "./store.ts"

const keyLengthMax = 120
const printable = /^[ -~]*$/

/** The header of every operation that a client may repeat. */
export const idempotencyHeaders = {
  "idempotency-key": Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(printable, { issueCode: "format", expected: "printable ASCII characters" }),
      lengthAtLeast(1),
      lengthAtMost(keyLengthMax),
    ),
  ),
}

/** Everything besides the request that a response was derived from. */
interface Seed {
  readonly nowMs: number
  /** Hexadecimal. */
  readonly random: string
}

const KeptSeed = Context.Reference<{ seed: Seed | undefined } | undefined>(
  "@footfall/server/access/KeptSeed",
  { defaultValue: () => undefined },
)

/**
 * For an operation that stores nothing and has a large response, which it derives from this seed. Only the seed is
 * stored, and a repeat gets the same response.
 */
export const seedOfAnswer: Effect.Effect<Seed> = Effect.gen(function* () {
  const kept = yield* KeptSeed
  if (kept?.seed !== undefined) return kept.seed
  const seed = {
    nowMs: yield* Clock.currentTimeMillis,
    random: randomBytes(16).toString("hex"),
  }
  if (kept !== undefined) kept.seed = seed
  return seed
})

/** Marks the response to a repeated request. */
const replayed = { "idempotent-replayed": "true" }

/** The response to a repeated request, for operations that detect repeats themselves. */
export const replay = (answer: unknown, status = 200): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(answer, { status, headers: replayed })

/** Annotation: the response holds a secret, so a repeat gets it only with the credentials of the first request. */
export class AnswersSecret extends Context.Service<AnswersSecret, boolean>()(
  "@footfall/server/access/AnswersSecret",
) {}

/** Stores the endpoint's response. This is the innermost check, and the request runs in one transaction. */
export class Repeats extends HttpApiMiddleware.Service<Repeats, { requires: Caller }>()(
  "@footfall/server/access/Repeats",
  { error: [Conflict, ServiceUnavailable] },
) {
  static readonly layer = Layer.effect(
    Repeats,
    Effect.gen(function* () {
      const store = yield* RepeatStore
      const dataKeys = yield* DataKeys
      const turns = yield* makePartyTurns({ ...turnLimits, busy: () => new RepeatsBusy() })

      const answered = Effect.fnUntraced(function* <E, R>(
        request: RequestKey,
        body: string,
        app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
      ) {
        if (!(yield* store.lock(request))) return yield* stillRunning
        const sealing = sealingOf(request)
        const requestHash = dataKeys.sign("kept-answer", body)
        const earlier = yield* store.find(request)
        if (Option.isSome(earlier)) {
          const { answer, status } = earlier.value
          if (!timingSafeEqual(requestHash, earlier.value.requestHash)) return yield* otherRequest
          const text = yield* Effect.orDie(unseal(dataKeys, sealing, answer))
          const { data, seed } = JSON.parse(text) as { data?: unknown; seed?: Seed }
          if (seed === undefined) return replay(yield* success(data), status)
          const again = yield* Effect.provideService(app, KeptSeed, { seed })
          return HttpServerResponse.setHeaders(again, replayed)
        }
        const kept: { seed: Seed | undefined } = { seed: undefined }
        const response = yield* Effect.provideService(app, KeptSeed, kept)
        const { status } = response
        const { seed } = kept
        const text = JSON.stringify(
          seed === undefined ? { data: yield* dataOf(response) } : { seed },
        )
        const answer = seal(dataKeys, sealing, text)
        yield* store.keep(request, { requestHash, status, answer })
        return response
      })

      return Repeats.of((app, { endpoint }) => {
        const isSecret = Context.getOrUndefined(endpoint.annotations, AnswersSecret) === true
        return Effect.gen(function* () {
          const { headers, method, text, url } = yield* HttpServerRequest.HttpServerRequest
          const key = headers["idempotency-key"]
          // A malformed key is rejected with the other headers.
          if (key === undefined || !isIdempotencyKey(key)) return yield* app
          const { actor, key: rights, organizationId } = yield* Caller
          // What a key with sites may get depends on the request's body, so it shares no response with others.
          const isOwn = isSecret || (rights !== undefined && rights.pixelIds !== null)
          const path = `${method} ${url.split("?", 1)[0]!.toLowerCase()}`
          const operation = isOwn ? `${path} ${actor.type} ${actor.id}` : path
          const body = yield* Effect.orDie(text)
          const answer = answered({ organizationId, operation, key }, body, app)
          return yield* turns.run(organizationId, store.transaction(answer)).pipe(
            Effect.catchIf(
              (error) => error instanceof RepeatsBusy,
              () => busy,
            ),
          )
        })
      })
    }),
  )
}

/** A turn holds a connection for the whole request, and some requests access the network. */
const turnLimits = { turns: 4, turnsOfOne: 2, wait: "10 seconds" } as const

class RepeatsBusy extends Schema.TaggedError<RepeatsBusy>()("RepeatsBusy", {}) {}

const isIdempotencyKey = (key: string): boolean =>
  key !== "" && key.length <= keyLengthMax && printable.test(key)

const sealingOf = ({ key, operation, organizationId }: RequestKey) =>
  ({ purpose: "kept-answer", owner: `${organizationId} ${operation} ${key}` }) as const

/** The response without `meta`. */
const dataOf = ({ body }: HttpServerResponse.HttpServerResponse) =>
  body._tag === "Uint8Array"
    ? Effect.succeed((JSON.parse(new TextDecoder().decode(body.body)) as { data: unknown }).data)
    : Effect.die(new Error("A stored response must be JSON."))

const stillRunning = Effect.andThen(
  HttpEffect.appendPreResponseHandler((_request, response) =>
    Effect.succeed(HttpServerResponse.setHeader(response, "retry-after", "1")),
  ),
  refuse({
    code: "CONFLICT",
    message: "A request with this Idempotency-Key is still in progress. Try again in a second.",
  }),
)

const otherRequest = refuse({
  code: "IDEMPOTENCY_MISMATCH",
  message:
    "This Idempotency-Key was used in the last 24 hours for a request with a different body.",
})

const busy = refuse({
  code: "SERVICE_UNAVAILABLE",
  message: "Your organization has too many create requests in progress. Try again in a moment.",
})

/** Deletes old responses once an hour. */
export const RepeatsWorker = Layer.effectDiscard(
  every(
    "1 hour",
    "could not delete old responses",
    Effect.flatMap(RepeatStore, ({ deleteOld }) => deleteOld),
  ),
)
