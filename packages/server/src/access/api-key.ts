// The form of an API key: `sk_`, 37 random characters and a 6-character checksum, all of
// `0-9A-Za-z` (spec 7). The checksum lets the server refuse garbage without a database
// query and lets a secret scanner verify a find offline. Only the SHA-256 of a key is ever stored.
// Write keys of pixels have the same form with `wk_` (spec 15.1.1).
import { Redacted, Schema } from "effect"
import { createHash, randomFillSync } from "node:crypto"
import { crc32 } from "node:zlib"

export type KeyPrefix = "sk_" | "wk_"

const body = /^[0-9A-Za-z]{43}$/
const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const randomLength = 37
const checksumLength = 6

/** A new key of 220 random bits. */
export const makeApiKey = (prefix: KeyPrefix = "sk_"): Redacted.Redacted => {
  const random = randomText()
  return Redacted.make(`${prefix}${random}${checksum(random)}`)
}

/** Whether a text has the form and the checksum of a key. No database is asked. */
export const isApiKey = (text: string, prefix: KeyPrefix = "sk_"): boolean =>
  text.startsWith(prefix) &&
  body.test(text.slice(3)) &&
  checksum(text.slice(3, 40)) === text.slice(40)

/** What is stored of a key and compared with. */
export const apiKeyDigest = (key: Redacted.Redacted): Uint8Array =>
  createHash("sha256").update(Redacted.value(key)).digest()

/** CRC-32 (ISO-HDLC) in base 62, most significant digit first. */
const checksum = (random: string): string => {
  let rest = crc32(random)
  let text = ""
  for (let place = 0; place < checksumLength; place++) {
    text = digits[rest % 62]! + text
    rest = Math.floor(rest / 62)
  }
  return text
}

/** 248 is the largest multiple of 62 in a byte: bytes from there on would favour some digits. */
const randomText = (): string => {
  let text = ""
  const bytes = new Uint8Array(64)
  while (text.length < randomLength) {
    for (const byte of randomFillSync(bytes)) {
      if (byte < 248 && text.length < randomLength) text += digits[byte % 62]!
    }
  }
  return text
}

/** A stored key, without its secret. */ // spec 2.21
export class ApiKey extends Schema.Opaque<ApiKey>()(
  Schema.Struct({
    organizationId: Schema.String,
    id: Schema.String,
    name: Schema.String,
    /** `sk_` and the next 4 characters. */
    prefix: Schema.String,
    last4: Schema.String,
    createdAt: Schema.DateTimeUtcFromDate,
    lastUsedAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
    expiresAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
    revokedAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
    /** `createdAt` as the database writes it, to the microsecond. */
    createdText: Schema.String,
  }),
) {}
