// Signing with sub-keys of FOOTFALL_SECRET: one key per purpose by HKDF-SHA-256, so that a cursor
// can never pass for a link (spec 1.2, rule 4). The first value signs, every value verifies. What is
// stored is under data keys instead (data-keys/), so that it survives every replacement of the secret.
import { Context, Layer, Redacted } from "effect"
import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from "node:crypto"

/** What is signed and handed out, or never stored. */
export type SigningPurpose =
  | "cursor"
  | "export-link"
  | "link-token"
  | "preview"
  | "session-id"
  | "token"

/** What is stored: sealed, or as a keyed hash. */
export const keptPurposes = [
  "account",
  "account-credentials",
  "address",
  "kept-answer",
  "tombstone",
  "webhook-secret",
] as const

export type KeptPurpose = (typeof keptPurposes)[number]

export interface SecretKeys {
  /** HMAC-SHA-256 under the first value's key for the purpose. */
  sign(purpose: SigningPurpose, text: string): Buffer
  /** Whether any value signed the text; in constant time per value. */
  verify(purpose: SigningPurpose, text: string, signature: Uint8Array): boolean
  /** The key of every value, the first to sign with, where a library signs and verifies. */
  keys(purpose: SigningPurpose): ReadonlyArray<KeyObject>
  /** The key of every value that wraps data keys; the first wraps, every one unwraps. */
  wrappingKeys(): ReadonlyArray<KeyObject>
  /** What values at rest were sealed and hashed under before there were data keys, one of every value. */
  formerKeys(purpose: KeptPurpose): ReadonlyArray<KeyObject>
}

export class Secrets extends Context.Service<Secrets, SecretKeys>()(
  "@footfall/server/secrets/Secrets",
) {
  static readonly layer = (values: ReadonlyArray<Redacted.Redacted>): Layer.Layer<Secrets> =>
    Layer.sync(Secrets, () => secretKeysOf(values))
}

/** Of the values of FOOTFALL_SECRET. */
export const secretKeysOf = (values: ReadonlyArray<Redacted.Redacted>): SecretKeys => {
  const derived = new Map<string, ReadonlyArray<KeyObject>>()
  const keysOf = (purpose: string): ReadonlyArray<KeyObject> => {
    const known = derived.get(purpose)
    if (known !== undefined) return known
    const keys = values.map((value) => derive(Redacted.value(value), purpose))
    derived.set(purpose, keys)
    return keys
  }
  const hmac = (key: KeyObject, text: string) => createHmac("sha256", key).update(text).digest()
  return {
    keys: keysOf,
    wrappingKeys: () => keysOf("data-key"),
    formerKeys: keysOf,
    sign: (purpose, text) => hmac(keysOf(purpose)[0]!, text),
    verify: (purpose, text, signature) =>
      signature.length === 32 &&
      keysOf(purpose).some((key) => timingSafeEqual(hmac(key, text), signature)),
  }
}

/** As a key object: made once, where a buffer would be made into one for every signature. */
const derive = (value: string, purpose: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync("sha256", value, "", `footfall/${purpose}/v1`, 32)))
