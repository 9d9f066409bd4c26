// The external issuer's signing keys from its JWKS (spec 7): cached for 10 minutes and requested at most every 30
// seconds. While the issuer does not respond, the last good set is used for an hour. A request whose key is cached
// never waits for a newer set.
import { Clock, Context, Effect, Fiber, Layer, Option, Schema, Semaphore } from "effect"
import { createLocalJWKSet, type CryptoKey, errors, type JSONWebKeySet } from "jose"
import { exchange } from "../../platform/outbound/exchange.ts"
import { NameLookup } from "../../platform/outbound/vetted-addresses.ts"
import { AccessConfig } from "../access-config.ts"

/** The algorithms of the external issuer. */ // spec 7
export const externalAlgorithms: ReadonlyArray<string> = ["RS256", "PS256", "ES256", "EdDSA"]

/** No usable set of keys is available. */
export class KeysUnavailable extends Schema.TaggedError<KeysUnavailable>()("KeysUnavailable", {}) {}

/** Why a set was rejected; for the log. */
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
  let current: HeldKeySet | undefined
  let triedAtMs = Number.NEGATIVE_INFINITY

  /** The operator configures the issuer, so it may be at a private address. */
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
      return yield* new KeySetRefused({ reason: "jwks_uri is not a URL" })
    }
    const document = yield* Schema.decodeEffect(KeySetDocument)(yield* read(new URL(jwks_uri)))
    return yield* Effect.try({
      try: () => readKeySet(document),
      catch: (error) => new KeySetRefused({ reason: String(error) }),
    })
  })

  /** One at a time; concurrent callers share the result. */
  const refresh = Effect.gen(function* () {
    const nowMs = yield* Clock.currentTimeMillis
    if (externalIssuer === undefined || nowMs - triedAtMs < pauseMs) return
    triedAtMs = nowMs
    const keySet = yield* readSet(externalIssuer.issuer).pipe(
      Effect.timeout(timeoutMs),
      Effect.tapError((error) =>
        Effect.logWarning("could not read the keys of the token issuer", error),
      ),
      Effect.option,
    )
    if (Option.isSome(keySet)) current = { keySet: keySet.value, readAtMs: nowMs }
  }).pipe(turn.withPermits(1))

  const usable = (nowMs: number) =>
    current !== undefined && nowMs - current.readAtMs < usableMs ? current : undefined

  const keysFor = Effect.fn("ExternalKeys.keysFor")(function* (wanted: WantedKey) {
    const nowMs = yield* Clock.currentTimeMillis
    const known = usable(nowMs)
    const keys = known === undefined ? [] : yield* matching(known, wanted)
    const isFresh = known !== undefined && nowMs - known.readAtMs < freshMs
    if (keys.length > 0) {
      if (!isFresh) yield* Effect.forkIn(refresh, scope)
      return keys
    }
    // Not in the request's own fiber: a client that disconnects must not cancel the only attempt.
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
    /** The issuer's matching keys. Fails with KeysUnavailable if none were ever read, or too long ago. */
    keysFor(wanted: WantedKey): Effect.Effect<ReadonlyArray<CryptoKey>, KeysUnavailable>
  }
>()("@footfall/server/access/ExternalKeys") {
  static readonly layer = Layer.effect(ExternalKeys, make)
}

// A set of public keys as issuers publish it (RFC 7517), and which of them may have signed a token: signing keys for
// its algorithm, with its key id if it names one. Symmetric and private keys never match.
export interface WantedKey {
  readonly algorithm: string
  readonly keyId: string | undefined
}

export interface KeySet {
  matching(wanted: WantedKey): Promise<ReadonlyArray<CryptoKey>>
}

/** Throws if the document is not a key set. */
export const readKeySet = (document: unknown): KeySet => {
  // The library validates its input; the type only states the expectation.
  const resolve = createLocalJWKSet(document as JSONWebKeySet)
  return {
    matching: async ({ algorithm, keyId }) => {
      try {
        return [await resolve({ alg: algorithm, ...(keyId === undefined ? {} : { kid: keyId }) })]
      } catch (error) {
        // Any other error means a missing or unusable key.
        if (!(error instanceof errors.JWKSMultipleMatchingKeys)) return []
        const keys: Array<CryptoKey> = []
        for await (const key of error) keys.push(key)
        return keys
      }
    },
  }
}
