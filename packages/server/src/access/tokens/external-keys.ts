// The signing keys of the external issuer, read from its JWKS (spec 7): good for 10 minutes,
// asked for at most every 30 seconds, and the last good set used for an hour while the issuer does
// not answer. A request that has its key never waits for a newer set.
import { Clock, Context, Effect, Fiber, Layer, Option, Schema, Semaphore } from "effect"
import { createLocalJWKSet, type CryptoKey, errors, type JSONWebKeySet } from "jose"
import { exchange } from "../../outbound/exchange.ts"
import { NameLookup } from "../../outbound/vetted-addresses.ts"
import { AccessConfig } from "../access-config.ts"

/** The algorithms of the external issuer. */ // spec 7
export const externalAlgorithms: ReadonlyArray<string> = ["RS256", "PS256", "ES256", "EdDSA"]

/** No set of keys can be had that may still be used. */
export class KeysUnavailable extends Schema.TaggedError<KeysUnavailable>()("KeysUnavailable", {}) {}

/** Why a set was not read; for the log. */
class KeySetRefused extends Schema.TaggedError<KeySetRefused>()("KeySetRefused", {
  reason: Schema.String,
}) {}

const freshMs = 10 * 60_000
const usableMs = 60 * 60_000
const pauseMs = 30_000
/** For discovery and key set together. */
const timeoutMs = 5000
const bytesMax = 262_144

interface HeldKeySet {
  readonly keySet: KeySet
  readonly readAtMs: number
}

const Discovery = Schema.fromJsonString(
  Schema.Struct({ issuer: Schema.String, jwks_uri: Schema.String }),
)
const KeySetDocument = Schema.fromJsonString(Schema.Json)

const make = Effect.gen(function* () {
  const { externalIssuer } = yield* AccessConfig
  const lookup = yield* NameLookup
  const scope = yield* Effect.scope
  const turn = yield* Semaphore.make(1)
  let present: HeldKeySet | undefined
  let triedAtMs = Number.NEGATIVE_INFINITY

  /** The issuer is the operator's own word, so its address may be a private one. */
  const read = Effect.fnUntraced(function* (url: URL) {
    const answer = yield* Effect.tryPromise({
      try: (signal) => exchange(url, { lookup, isPrivateAllowed: true, bytesMax, signal }),
      catch: (error) => new KeySetRefused({ reason: String(error) }),
    })
    if (answer.status === 200) return Buffer.from(answer.body).toString()
    return yield* new KeySetRefused({ reason: `status ${answer.status}` })
  })

  const readSet = Effect.fnUntraced(function* (issuer: string) {
    const discovered = yield* read(
      new URL(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`),
    )
    const { issuer: named, jwks_uri } = yield* Schema.decodeEffect(Discovery)(discovered)
    if (named !== issuer) return yield* new KeySetRefused({ reason: "another issuer is named" })
    if (!URL.canParse(jwks_uri) || !/^https?:/.test(jwks_uri)) {
      return yield* new KeySetRefused({ reason: "jwks_uri is no address" })
    }
    const document = yield* Schema.decodeEffect(KeySetDocument)(yield* read(new URL(jwks_uri)))
    return yield* Effect.try({
      try: () => readKeySet(document),
      catch: (error) => new KeySetRefused({ reason: String(error) }),
    })
  })

  /** One at a time; callers that arrive meanwhile share the result. */
  const refresh = Effect.gen(function* () {
    const nowMs = yield* Clock.currentTimeMillis
    if (externalIssuer === undefined || nowMs - triedAtMs < pauseMs) return
    triedAtMs = nowMs
    const keySet = yield* readSet(externalIssuer.issuer).pipe(
      Effect.timeout(timeoutMs),
      Effect.tapError((error) => Effect.logWarning("keys of the token issuer not read", error)),
      Effect.option,
    )
    if (Option.isSome(keySet)) present = { keySet: keySet.value, readAtMs: nowMs }
  }).pipe(turn.withPermits(1))

  const usable = (nowMs: number) =>
    present !== undefined && nowMs - present.readAtMs < usableMs ? present : undefined

  const keysFor = Effect.fn("ExternalKeys.keysFor")(function* (wanted: WantedKey) {
    const nowMs = yield* Clock.currentTimeMillis
    const known = usable(nowMs)
    const keys = known === undefined ? [] : yield* matching(known, wanted)
    const isFresh = known !== undefined && nowMs - known.readAtMs < freshMs
    if (keys.length > 0) {
      if (!isFresh) yield* Effect.forkIn(refresh, scope)
      return keys
    }
    // Not in the request's own fiber: a client that goes away must not spoil the one try.
    yield* Fiber.join(yield* Effect.forkIn(refresh, scope))
    const read = usable(nowMs)
    if (read === undefined) return yield* new KeysUnavailable()
    return yield* matching(read, wanted)
  })

  return { keysFor }
})

const matching = ({ keySet }: HeldKeySet, wanted: WantedKey) =>
  Effect.promise(() => keySet.matching(wanted))

export class ExternalKeys extends Context.Service<
  ExternalKeys,
  {
    /** The keys of the issuer that fit. Fails with KeysUnavailable when none were ever read, or too long ago. */
    keysFor(wanted: WantedKey): Effect.Effect<ReadonlyArray<CryptoKey>, KeysUnavailable>
  }
>()("@footfall/server/access/ExternalKeys") {
  static readonly layer = Layer.effect(ExternalKeys, make)
}

// A set of public keys as an issuer publishes it (RFC 7517), and which of them may have signed a
// token: those of its algorithm, for signing, and of its name when it names one. Symmetric and
// private keys are none of them.
export interface WantedKey {
  readonly algorithm: string
  readonly keyId: string | undefined
}

export interface KeySet {
  matching(wanted: WantedKey): Promise<ReadonlyArray<CryptoKey>>
}

/** Throws if the document is not a key set. */
export const readKeySet = (document: unknown): KeySet => {
  // The library checks what it is given; the type only says what it hopes for.
  const resolve = createLocalJWKSet(document as JSONWebKeySet)
  return {
    matching: async ({ algorithm, keyId }) => {
      try {
        return [await resolve({ alg: algorithm, ...(keyId === undefined ? {} : { kid: keyId }) })]
      } catch (error) {
        // Anything else is a key that is not there or cannot be used.
        if (!(error instanceof errors.JWKSMultipleMatchingKeys)) return []
        const keys: Array<CryptoKey> = []
        for await (const key of error) keys.push(key)
        return keys
      }
    },
  }
}
