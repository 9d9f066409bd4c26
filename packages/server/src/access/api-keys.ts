// API keys: created, found, revoked. A key of the wrong form or checksum is refused without a
// query; a revoked or expired key, and a key of an inactive organization, is refused within five
// seconds everywhere (decisions.md 5.13), which bounds how long a look-up may be remembered.
import { Cache, Context, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { timingSafeEqual } from "node:crypto"
import { type ApiKey, apiKeyDigest, isApiKey, makeApiKey } from "./api-key.ts"
import type { Caller } from "./caller.ts"
import { AccessStore } from "./store.ts"

export class KeyRefused extends Schema.TaggedError<KeyRefused>()("KeyRefused", {}) {}
export class KeyNotFound extends Schema.TaggedError<KeyNotFound>()("KeyNotFound", {
  apiKeyId: Schema.String,
}) {
  override get message(): string {
    return `There is no API key ${this.apiKeyId}. List them: footfall-server keys list`
  }
}

/** How long a found key may be used without asking again. decisions.md 5.13 allows 5 seconds. */
const rememberedSeconds = 4
const rememberedMax = 10_000

export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /** The caller a key stands for. Fails with KeyRefused for every reason alike. */
    authenticate(key: Redacted.Redacted): Effect.Effect<Caller, KeyRefused>
    /** A new key; its secret is in the answer and nowhere else. */
    create(options: {
      readonly organizationId: string
      readonly name: string
    }): Effect.Effect<{ readonly id: string; readonly secret: Redacted.Redacted }>
    list(organizationId: string): Effect.Effect<ReadonlyArray<ApiKey>>
    /** Revoking twice is not an error. Fails with KeyNotFound for an id never issued. */
    revoke(apiKeyId: string): Effect.Effect<void, KeyNotFound>
  }
>()("@footfall/server/access/ApiKeys") {
  static readonly layer = Layer.effect(
    ApiKeys,
    Effect.gen(function* () {
      const store = yield* AccessStore
      const random = yield* SecureRandom.SecureRandom

      const find = Effect.fnUntraced(function* (digestHex: string) {
        const digest = Buffer.from(digestHex, "hex")
        const holder = Option.getOrUndefined(yield* store.findHolder(digest))
        if (holder === undefined || !holder.isUsable) return yield* new KeyRefused()
        if (!timingSafeEqual(holder.digest, digest)) return yield* new KeyRefused()
        yield* store.touchKey(holder.organizationId, holder.apiKeyId)
        const { apiKeyId, organizationId, organizationStatus } = holder
        const actor = { type: "api_key", id: apiKeyId } as const
        return { organizationId, organizationStatus, role: "member", actor } satisfies Caller
      })

      const holders = yield* Cache.makeWith(find, {
        capacity: rememberedMax,
        timeToLive: (exit) =>
          exit._tag === "Success" ? Duration.seconds(rememberedSeconds) : Duration.zero,
      })

      const authenticate = Effect.fnUntraced(function* (key: Redacted.Redacted) {
        if (!isApiKey(Redacted.value(key))) return yield* new KeyRefused()
        return yield* Cache.get(holders, Buffer.from(apiKeyDigest(key)).toString("hex"))
      })

      const create = Effect.fn("ApiKeys.create")(function* (options: {
        readonly organizationId: string
        readonly name: string
      }) {
        const secret = makeApiKey()
        const text = Redacted.value(secret)
        const id = yield* random.uuidV4()
        yield* store.insertKey({
          ...options,
          id,
          prefix: text.slice(0, 7),
          last4: text.slice(-4),
          digest: apiKeyDigest(secret),
        })
        return { id, secret }
      })

      const revoke = Effect.fn("ApiKeys.revoke")(function* (apiKeyId: string) {
        if (!(yield* store.revokeKey(apiKeyId))) return yield* new KeyNotFound({ apiKeyId })
      })

      return ApiKeys.of({ authenticate, create, list: store.listKeys, revoke })
    }),
  )
}
