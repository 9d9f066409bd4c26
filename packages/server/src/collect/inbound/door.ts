// The way of one request to `POST /in/{token}`: token, limit, signature, body, and then Postgres or the spool (spec
// 15.3.2 to 15.3.5). It answers within a second, whatever Postgres does.
import { Cache, Clock, Context, Duration, Effect, Exit, Fiber, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { apiKeyDigest, isApiKey } from "../../access/api-key.ts"
import type { Refusal } from "../../platform/http/errors.ts"
import { RateLimitsEnabled } from "../../platform/http/rate-limit.ts"
import { RateLimitStore } from "../../platform/http/store.ts"
import { DataKeys } from "../../platform/secrets/data-keys.ts"
import { bodyForm, readBody } from "./body.ts"
import { InboundConfig } from "./inbound-config.ts"
import { bodyBytesMax, recordsMax } from "./inbound-source.ts"
import { hasSignature } from "./signatures.ts"
import { openSigningSecrets } from "./signing-secrets.ts"
import { type CheckedSource, KnownSources } from "./spool/known-sources.ts"
import { Spool } from "./spool/spool.ts"
import { InboundStore } from "./store.ts"
import { type InboundRequest, recordsOf, Taking } from "./taking.ts"

export interface VendorRequest {
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Undefined if it has more than `bodyBytesMax`. */
  readonly body: Uint8Array | undefined
}

export type DoorAnswer =
  | { readonly accepted: number }
  | { readonly refusal: Refusal; readonly retryAfter?: number }

/** How long a source that was found is used without another look. */
const rememberedMs = 900
const rememberedMax = 10_000
/** Of the second that an answer may take: for the source and its limit, and for the records. */
const lookUpMax = "250 millis"
const takeMax = "500 millis"
const windowMs = 60_000
/** Requests of an organization that wait for Postgres. More would hold the connections of others. */
const takesMax = 5

const unknownToken: DoorAnswer = {
  refusal: { code: "NOT_FOUND", message: "No inbound source has this URL." },
}
const tooLarge: DoorAnswer = {
  refusal: {
    code: "PAYLOAD_TOO_LARGE",
    message: `The body is larger than ${bodyBytesMax} bytes.`,
    details: { limitBytes: bodyBytesMax },
  },
}
const unsigned: DoorAnswer = {
  refusal: {
    code: "AUTHENTICATION_ERROR",
    message: "Missing or wrong signature. Enter the signing secret of this source at the vendor.",
  },
}

const make = Effect.gen(function* () {
  const store = yield* InboundStore
  const known = yield* KnownSources
  const spool = yield* Spool
  const taking = yield* Taking
  const dataKeys = yield* DataKeys
  const limits = yield* RateLimitStore
  const { perMinute } = yield* InboundConfig
  const isLimited = yield* RateLimitsEnabled
  const random = yield* SecureRandom.SecureRandom
  /** Requests of a source in this process while Postgres is away. */
  const counted = new Map<string, { readonly endsAt: number; used: number }>()
  /** Requests that Postgres is taking, by organization. */
  const begun = new Map<string, number>()

  const take = (request: InboundRequest) => {
    const { organizationId } = request.source
    begun.set(organizationId, (begun.get(organizationId) ?? 0) + 1)
    return Effect.ensuring(
      taking.take(request),
      Effect.sync(() => {
        const left = begun.get(organizationId)! - 1 // counted above
        if (left === 0) begun.delete(organizationId)
        else begun.set(organizationId, left)
      }),
    )
  }

  const look = Effect.fnUntraced(function* (digest: string) {
    const holder = yield* store.findHolder(Buffer.from(digest, "hex"))
    if (holder === undefined) return undefined
    const { formerSecret: _former, secret: _secret, ...source } = holder
    return {
      source,
      isSigned: holder.secret !== null,
      secrets: yield* openSigningSecrets(dataKeys, holder),
    } satisfies CheckedSource
  })
  const found = yield* Cache.makeWith(look, {
    capacity: rememberedMax,
    timeToLive: (exit) =>
      Exit.isSuccess(exit) && exit.value !== undefined
        ? Duration.millis(rememberedMs)
        : Duration.zero,
  })

  /** What Postgres says, or what `otherwise` says if it doesn't answer in time. */
  const orAway = <A, E>(
    asked: Effect.Effect<A, E>,
    duration: Duration.Input,
    otherwise: () => A,
  ): Effect.Effect<A> =>
    Effect.suspend(() => {
      if (spool.isAway()) return Effect.sync(otherwise)
      return Effect.flatMap(inTime(asked, duration), (exit) =>
        Effect.sync(() => {
          if (exit !== undefined && Exit.isSuccess(exit)) return exit.value
          spool.noteAway()
          return otherwise()
        }),
      )
    })

  const find = Effect.fnUntraced(function* (token: string) {
    if (!isApiKey(token, "in_")) return undefined
    const digest = Buffer.from(apiKeyDigest(Redacted.make(token))).toString("hex")
    const now = yield* Clock.currentTimeMillis
    return yield* orAway(Cache.get(found, digest), lookUpMax, () => known.find(digest, now))
  })

  /** The seconds until the next request may come; undefined if this one may. */
  const count = Effect.fnUntraced(function* (sourceId: string) {
    if (!isLimited) return undefined
    const now = yield* Clock.currentTimeMillis
    const { resetSeconds, used } = yield* orAway(
      limits.consume(`inbound:${sourceId}`, perMinute),
      lookUpMax,
      () => countHere(sourceId, now),
    )
    return used > perMinute ? resetSeconds : undefined
  })

  const countHere = (sourceId: string, now: number) => {
    const present = counted.get(sourceId)
    const window =
      present === undefined || present.endsAt <= now ? { endsAt: now + windowMs, used: 0 } : present
    window.used++
    counted.set(sourceId, window)
    if (counted.size > rememberedMax) {
      for (const [id, { endsAt }] of counted) if (endsAt <= now) counted.delete(id)
    }
    return { used: window.used, resetSeconds: Math.ceil((window.endsAt - now) / 1_000) }
  }

  /** The source of a token that may send now. Before the body is read, because it may be large. */
  const admit = Effect.fn("Inbound.admit")(function* (token: string) {
    const checked = yield* find(token)
    if (checked === undefined) return unknownToken
    const retryAfter = yield* count(checked.source.id)
    return retryAfter === undefined ? checked : tooMany(perMinute, retryAfter)
  })

  const receive = Effect.fn("Inbound.receive")(function* (
    { isSigned, secrets, source }: CheckedSource,
    { body, headers }: VendorRequest,
  ): Effect.fn.Return<DoorAnswer> {
    if (body === undefined) return tooLarge
    const receivedAt = yield* Clock.currentTimeMillis
    const isTrusted =
      !isSigned || hasSignature(source.preset, secrets, { headers, body, receivedAt })
    if (!isTrusted) return unsigned
    const form = bodyForm(headers["content-type"])
    const isEncoded =
      (headers["content-encoding"] ?? "identity").trim().toLowerCase() !== "identity"
    if (form === undefined || isEncoded) return unsupported
    const read = readBody(form, body)
    if ("expected" in read) return unreadable(read.expected)
    const records = recordsOf(read.value, source)
    if (records.length > recordsMax) return tooManyRecords
    const accepted = { accepted: records.length }
    if (source.status === "paused" || records.length === 0) return accepted

    const requestId = yield* random.uuidV4()
    const { id: sourceId, organizationId } = source
    if (!spool.isAway() && (begun.get(organizationId) ?? 0) < takesMax) {
      const taken = yield* inTime(take({ source, requestId, receivedAt, records }), takeMax)
      if (taken !== undefined && Exit.isSuccess(taken)) return accepted
      if (taken !== undefined) yield* Effect.logWarning("records not stored at once", taken.cause)
    }
    const isKept = yield* spool.keep({
      organizationId,
      sourceId,
      requestId,
      receivedAt,
      form,
      body,
    })
    return isKept ? accepted : spoolFull
  })

  return {
    admit,
    receive,
    /** Whether the token works, for vendors that probe. */
    isKnown: (token: string) => Effect.map(find(token), (source) => source !== undefined),
  }
})

export class Door extends Context.Service<Door, Effect.Success<typeof make>>()(
  "@footfall/server/inbound/Door",
) {
  static readonly layer = Layer.effect(Door, make)
}

/** Undefined if it takes longer; it then goes on alone, because a request is taken once. */
const inTime = <A, E>(
  effect: Effect.Effect<A, E>,
  duration: Duration.Input,
): Effect.Effect<Exit.Exit<A, E> | undefined> =>
  Effect.flatMap(Effect.forkDetach(Effect.exit(effect)), (fiber) =>
    Effect.raceFirst(Fiber.join(fiber), Effect.as(Effect.sleep(duration), undefined)),
  )

const unreadable = (message: string): DoorAnswer => ({
  refusal: {
    code: "VALIDATION_ERROR",
    message: "The request body could not be read.",
    details: { issues: [{ path: "/body", code: "invalid_json", message }] },
  },
})

const unsupported: DoorAnswer = {
  refusal: {
    code: "UNSUPPORTED_MEDIA_TYPE",
    message: "Expected application/json or application/x-www-form-urlencoded, not compressed.",
  },
}

const tooManyRecords: DoorAnswer = {
  refusal: {
    code: "PAYLOAD_TOO_LARGE",
    message: `Expected at most ${recordsMax} records.`,
    details: { limitRecords: recordsMax },
  },
}

const spoolFull: DoorAnswer = {
  refusal: {
    code: "SERVICE_UNAVAILABLE",
    message: "The database is away, and there is no more room to keep requests until it is back.",
  },
  retryAfter: 5,
}

const tooMany = (limit: number, retryAfter: number): DoorAnswer => ({
  refusal: {
    code: "RATE_LIMITED",
    message: `Too many requests: more than ${limit} in 60 seconds. Try again in ${retryAfter} seconds.`,
    details: { retryAfterSeconds: retryAfter },
  },
  retryAfter,
})
