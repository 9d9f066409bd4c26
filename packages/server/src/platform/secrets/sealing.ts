// Encrypts stored values that must be read again: webhook secrets, credentials of connected accounts, and responses to
// repeatable requests (spec 1.2, rule 5). AES-256-GCM with the purpose's data key: the current key seals, all of them
// open. A sealed value is bound to its owner, so it can't be opened in another owner's row.
import { Effect, Schema } from "effect"
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import type { DataKeys } from "./data-keys.ts"
import type { KeptPurpose } from "./secrets.ts"

const algorithm = "aes-256-gcm"
/** Units: bytes. */
const nonceLength = 12
const tagLength = 16

/** Sealed with another key or for another owner, or changed since. */
export class SealBroken extends Schema.TaggedError<SealBroken>()("SealBroken", {}) {}

export interface Sealing {
  readonly purpose: Extract<
    KeptPurpose,
    "account-credentials" | "kept-answer" | "pending-erasure" | "webhook-secret"
  >
  /** The owner, for example `<organization>.<destination>`. */
  readonly owner: string
}

/** Returns nonce, tag and ciphertext, as stored. */
export const seal = (
  dataKeys: DataKeys["Service"],
  { owner, purpose }: Sealing,
  text: string,
): Uint8Array => {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv(algorithm, dataKeys.keys(purpose)[0]!, nonce)
  cipher.setAAD(Buffer.from(owner))
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

export const unseal = (
  dataKeys: DataKeys["Service"],
  { owner, purpose }: Sealing,
  sealed: Uint8Array,
): Effect.Effect<string, SealBroken> => {
  const bytes = Buffer.from(sealed)
  const nonce = bytes.subarray(0, nonceLength)
  const tag = bytes.subarray(nonceLength, nonceLength + tagLength)
  const text = bytes.subarray(nonceLength + tagLength)
  const opened = dataKeys.keys(purpose).flatMap((key) => {
    try {
      const decipher = createDecipheriv(algorithm, key, nonce)
      decipher.setAAD(Buffer.from(owner))
      decipher.setAuthTag(tag)
      return [Buffer.concat([decipher.update(text), decipher.final()]).toString("utf8")]
    } catch {
      return []
    }
  })
  return opened[0] === undefined ? Effect.fail(new SealBroken()) : Effect.succeed(opened[0])
}
