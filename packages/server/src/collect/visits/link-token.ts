// The token of a mail link: whoever follows the link is the person it was created for. It contains the address's
// SHA-256, the organization and the expiry, encrypted and authenticated with AES-256-GCM under a sub-key of
// FOOTFALL_SECRET, so it reveals nothing and can't be forged or changed. An invalid token identifies no one (spec 1.2,
// 5.1, 6.7).
import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from "node:crypto"

export interface LinkedPerson {
  readonly organizationId: string
  readonly emailHash: string
  /** Epoch seconds. */
  readonly expiresAt: number
}

const algorithm = "aes-256-gcm"
export const nonceBytes = 12
const tagBytes = 16
const organizationBytes = 16
const hashBytes = 32
const contentBytes = organizationBytes + hashBytes + 4
const tokenBytes = nonceBytes + contentBytes + tagBytes
const tokenLength = Math.ceil((tokenBytes * 4) / 3)

/** `nonce`: must not be used for another person's token. */
export const makeLinkToken = (
  person: LinkedPerson,
  key: KeyObject,
  nonce: Buffer = randomBytes(nonceBytes),
): string => {
  const content = Buffer.alloc(contentBytes)
  content.write(person.organizationId.replaceAll("-", ""), 0, "hex")
  content.write(person.emailHash, organizationBytes, "hex")
  content.writeUInt32BE(person.expiresAt, organizationBytes + hashBytes)
  const cipher = createCipheriv(algorithm, key, nonce)
  return Buffer.concat([
    nonce,
    cipher.update(content),
    cipher.final(),
    cipher.getAuthTag(),
  ]).toString("base64url")
}

/**
 * The SHA-256 of the address in a token; undefined for an invalid or expired token, or another organization's. `now`:
 * epoch milliseconds. `keys`: one per value of FOOTFALL_SECRET.
 */
export const readLinkToken = (
  token: string,
  expected: { readonly organizationId: string; readonly now: number },
  keys: ReadonlyArray<KeyObject>,
): string | undefined => {
  if (token.length !== tokenLength) return undefined
  const bytes = Buffer.from(token, "base64url")
  if (bytes.length !== tokenBytes) return undefined
  for (const key of keys) {
    const content = decrypt(bytes, key)
    if (content === undefined) continue
    const organizationId = content.toString("hex", 0, organizationBytes)
    const expiresAt = content.readUInt32BE(organizationBytes + hashBytes)
    return organizationId === expected.organizationId.replaceAll("-", "") &&
      expected.now < expiresAt * 1_000
      ? content.toString("hex", organizationBytes, organizationBytes + hashBytes)
      : undefined
  }
  return undefined
}

const decrypt = (bytes: Buffer, key: KeyObject): Buffer | undefined => {
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
  decipher.setAuthTag(bytes.subarray(-tagBytes))
  const content = decipher.update(bytes.subarray(nonceBytes, -tagBytes))
  try {
    decipher.final()
    return content
  } catch {
    return undefined
  }
}
