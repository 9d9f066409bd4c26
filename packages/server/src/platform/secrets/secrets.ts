// Signs with sub-keys of FOOTFALL_SECRET: one key per purpose by HKDF-SHA-256, so a cursor can never pass as a link
// (spec 1.2, rule 4). The first value signs; every value verifies. Stored values use data keys instead (data-keys/), so
// they survive replacing the secret.
import { Context, Layer, Redacted } from "effect"
import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from "node:crypto"

/** Purposes of values that are signed and handed out, or never stored. */
export type SigningPurpose =
  | "cursor"
  | "export-link"
  | "inbound-spool"
  | "installation"
  | "link-token"
  | "preview"
  | "refresh-token"
  | "session-id"
  | "token"
  | "unsubscribe"

/** Purposes of values that are stored, sealed or as a keyed hash. */
export const keptPurposes = [
  "account",
  "account-credentials",
  "address",
  "kept-answer",
  "pending-erasure",
  "tombstone",
  "webhook-secret",
] as const

export type KeptPurpose = (typeof keptPurposes)[number]

export interface SecretKeys {
  /** HMAC-SHA-256 with the first value's key for the purpose. */
  sign(purpose: SigningPurpose, text: string): Buffer
  /** Whether any value signed the text. Constant time per value. */
  verify(purpose: SigningPurpose, text: string, signature: Uint8Array): boolean
  /** One key per value, the signing one first, for libraries that sign and verify themselves. */
  keys(purpose: SigningPurpose): ReadonlyArray<KeyObject>
  /** One key per value for wrapping data keys: the first wraps, all of them unwrap. */
  wrappingKeys(): ReadonlyArray<KeyObject>
  /** The keys that protected stored values before data keys existed, one per value. */
  formerKeys(purpose: KeptPurpose): ReadonlyArray<KeyObject>
}

export class Secrets extends Context.Service<Secrets, SecretKeys>()(
  "@footfall/server/secrets/Secrets",
) {
  static readonly layer = (values: ReadonlyArray<Redacted.Redacted>): Layer.Layer<Secrets> =>
    Layer.sync(Secrets, () => secretKeysOf(values))
}

/** From the values of FOOTFALL_SECRET. */
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

/** Creates a key object once; a buffer would be converted for every signature. */
const derive = (value: string, purpose: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync("sha256", value, "", `footfall/${purpose}/v1`, 32)))
