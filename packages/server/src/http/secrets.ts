// Signing with sub-keys of FOOTFALL_SECRET: one key per purpose by HKDF-SHA-256, so that a cursor
// can never pass for a link (decisions.md 1.2, rule 4). The first value signs, every value verifies.
import { Context, Layer, Redacted } from "effect"
import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from "node:crypto"

export type Purpose =
  | "account"
  | "account-credentials"
  | "address"
  | "cursor"
  | "export-link"
  | "link-token"
  | "preview"
  | "session-id"
  | "token"
  | "tombstone"
  | "webhook-secret"

export class Secrets extends Context.Service<
  Secrets,
  {
    /** HMAC-SHA-256 under the first value's key for the purpose. */
    sign(purpose: Purpose, text: string): Buffer
    /** Whether any value signed the text; in constant time per value. */
    verify(purpose: Purpose, text: string, signature: Uint8Array): boolean
    /** The first value's key for the purpose, where a room does its own keyed hashing. */
    key(purpose: Purpose): Redacted.Redacted<Uint8Array>
    /** The key of every value, the first to sign with, where a library signs and verifies. */
    keys(purpose: Purpose): ReadonlyArray<KeyObject>
  }
>()("@footfall/server/http/Secrets") {
  static readonly layer = (values: ReadonlyArray<Redacted.Redacted>): Layer.Layer<Secrets> => {
    const keys = new Map<Purpose, ReadonlyArray<KeyObject>>()
    const keysOf = (purpose: Purpose): ReadonlyArray<KeyObject> => {
      const known = keys.get(purpose)
      if (known !== undefined) return known
      const derived = values.map((value) => derive(Redacted.value(value), purpose))
      keys.set(purpose, derived)
      return derived
    }
    const hmac = (key: KeyObject, text: string) => createHmac("sha256", key).update(text).digest()
    return Layer.succeed(Secrets, {
      keys: keysOf,
      key: (purpose) => Redacted.make(keysOf(purpose)[0]!.export()),
      sign: (purpose, text) => hmac(keysOf(purpose)[0]!, text),
      verify: (purpose, text, signature) =>
        signature.length === 32 &&
        keysOf(purpose).some((key) => timingSafeEqual(hmac(key, text), signature)),
    })
  }
}

/** As a key object: made once, where a buffer would be made into one for every signature. */
const derive = (value: string, purpose: Purpose): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync("sha256", value, "", `footfall/${purpose}/v1`, 32)))
