// A pixel's write keys: created, listed, revoked, and looked up for events (spec 15.1). A revoked or expired key is
// rejected within a second everywhere, which limits how long a lookup may be cached.
import { Cache, Context, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { apiKeyDigest, isApiKey, makeApiKey } from "../../../access/api-key.ts"
import { Audit } from "../../../access/audit/audit.ts"
import type { Author } from "../../../access/audit/store.ts"
import { PixelNotFound } from "../pixels.ts"
import { type PixelKey, PixelStore } from "../store.ts"
import { type WriteKey, type WriteKeyHolder, WriteKeyStore } from "./store.ts"

export class WriteKeyNotFound extends Schema.TaggedError<WriteKeyNotFound>()(
  "WriteKeyNotFound",
  {},
) {}
export class WriteKeyRefused extends Schema.TaggedError<WriteKeyRefused>()("WriteKeyRefused", {}) {}
export class WriteKeyLimitReached extends Schema.TaggedError<WriteKeyLimitReached>()(
  "WriteKeyLimitReached",
  { limit: Schema.Int },
) {}

/** Maximum working keys per pixel. */ // spec 10.3
export const writeKeysMax = 20

/** How long a key that was found may be used without another lookup. */ // spec 15.1.2
const rememberedMs = 900
const rememberedMax = 10_000

const make = Effect.gen(function* () {
  const store = yield* WriteKeyStore
  const pixels = yield* PixelStore
  const audit = yield* Audit
  const random = yield* SecureRandom.SecureRandom

  const find = Effect.fnUntraced(function* (digestHex: string) {
    const holder = Option.getOrUndefined(yield* store.findHolder(Buffer.from(digestHex, "hex")))
    if (holder === undefined) return yield* new WriteKeyRefused()
    yield* store.touch(holder)
    return holder
  })

  const holders = yield* Cache.makeWith(find, {
    capacity: rememberedMax,
    timeToLive: (exit) =>
      exit._tag === "Success"
        ? Duration.millis(Math.min(rememberedMs, exit.value.usableMs ?? rememberedMs))
        : Duration.zero,
  })

  /** Returns the pixel of a working key. Fails with WriteKeyRefused, whatever the reason. */
  const authenticate = Effect.fnUntraced(function* (
    key: string,
  ): Effect.fn.Return<WriteKeyHolder, WriteKeyRefused> {
    if (!isApiKey(key, "wk_")) return yield* new WriteKeyRefused()
    const digest = Buffer.from(apiKeyDigest(Redacted.make(key))).toString("hex")
    return yield* Cache.get(holders, digest)
  })

  const requirePixel = Effect.fnUntraced(function* (key: PixelKey) {
    const { pixelId } = key
    if (Option.isNone(yield* pixels.find(key))) return yield* new PixelNotFound({ pixelId })
    return key
  })

  /** Working keys first, then newest first, at most 100. Fails with PixelNotFound. */
  const list = Effect.fn("WriteKeys.list")(function* (key: PixelKey) {
    return yield* store.list(yield* requirePixel(key))
  })

  /**
   * A new key; its secret is only in this response.
   *
   * *Errors*: PixelNotFound; WriteKeyLimitReached.
   */
  const create = Effect.fn("WriteKeys.create")(function* (
    author: Author,
    { kind, name, pixelId }: Pick<WriteKey, "kind" | "name" | "pixelId">,
  ) {
    const { organizationId } = author
    const secret = makeApiKey("wk_")
    const id = yield* random.uuidV4()
    return yield* store.transaction(
      Effect.gen(function* () {
        // Keeps the limit exact when two keys are created at once.
        const found = yield* pixels.findForChange({ organizationId, pixelId })
        if (Option.isNone(found)) return yield* new PixelNotFound({ pixelId })
        if ((yield* store.countWorking({ organizationId, pixelId })) >= writeKeysMax) {
          return yield* new WriteKeyLimitReached({ limit: writeKeysMax })
        }
        const key = yield* store.insert({
          organizationId,
          pixelId,
          id,
          name,
          kind,
          last4: Redacted.value(secret).slice(-4),
          digest: apiKeyDigest(secret),
        })
        yield* audit.record(author, "write_key.created", id)
        return { key, secret }
      }),
    )
  })

  /** Fails with PixelNotFound, and with WriteKeyNotFound for a key that no longer works. */
  const revoke = Effect.fn("WriteKeys.revoke")(function* (
    author: Author,
    {
      graceHours,
      keyId,
      pixelId,
    }: { readonly pixelId: string; readonly keyId: string; readonly graceHours: number },
  ) {
    const { organizationId } = author
    const pixel = yield* requirePixel({ organizationId, pixelId })
    yield* store.transaction(
      Effect.gen(function* () {
        if (!(yield* store.revoke(pixel, keyId, graceHours))) return yield* new WriteKeyNotFound()
        yield* audit.record(author, "write_key.revoked", keyId)
      }),
    )
  })

  return { authenticate, list, create, revoke }
})

export class WriteKeys extends Context.Service<WriteKeys, Effect.Success<typeof make>>()(
  "@footfall/server/pixels/WriteKeys",
) {
  static readonly layer = Layer.effect(WriteKeys, make)
}
