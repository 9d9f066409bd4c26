// Wraps data keys for storage: AES-256-GCM with a sub-key of FOOTFALL_SECRET, bound to purpose and number, so it can't
// be opened in another key's row. Pure.
import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from "node:crypto"
import type { KeptPurpose } from "./secrets.ts"

const algorithm = "aes-256-gcm"
/** Units: bytes. */
const nonceLength = 12
const tagLength = 16
const keyLength = 32
const wrappedLength = nonceLength + tagLength + keyLength

export interface DataKeyName {
  readonly purpose: KeptPurpose
  /** 0 is the current key; the others only open and find older values. */
  readonly number: number
}

const boundTo = ({ number, purpose }: DataKeyName): Buffer =>
  Buffer.from(`footfall/data-key/v1 ${purpose} ${number}`)

export const newDataKey = (): KeyObject => createSecretKey(randomBytes(keyLength))

/** Returns nonce, tag and the encrypted key. */
export const wrap = (wrappingKey: KeyObject, name: DataKeyName, key: KeyObject): Uint8Array => {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv(algorithm, wrappingKey, nonce)
  cipher.setAAD(boundTo(name))
  const wrapped = Buffer.concat([cipher.update(key.export()), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), wrapped])
}

/** Undefined if it was wrapped by another secret, for another purpose or number, or changed since. */
export const unwrap = (
  wrappingKey: KeyObject,
  name: DataKeyName,
  wrapped: Uint8Array,
): KeyObject | undefined => {
  if (wrapped.length !== wrappedLength) return undefined
  const bytes = Buffer.from(wrapped)
  const decipher = createDecipheriv(algorithm, wrappingKey, bytes.subarray(0, nonceLength))
  decipher.setAAD(boundTo(name))
  decipher.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength))
  try {
    return createSecretKey(
      Buffer.concat([decipher.update(bytes.subarray(nonceLength + tagLength)), decipher.final()]),
    )
  } catch {
    return undefined
  }
}
