// The format of an API key: `sk_`, 37 random characters and a 6-character checksum, all of `0-9A-Za-z` (spec 7). The
// checksum lets the server reject garbage without a query, and lets secret scanners verify a match offline. Only a
// key's SHA-256 is stored. Write keys have the same format with `wk_` (spec 15.1.1), and tokens of inbound sources with
// `in_` (spec 15.3.1).
import { Redacted } from "effect"
import { createHash, randomFillSync } from "node:crypto"
import { crc32 } from "node:zlib"
import type { KeyRights } from "./key-rights.ts"

export type KeyPrefix = "sk_" | "wk_" | "in_"

const body = /^[0-9A-Za-z]{43}$/
const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const randomLength = 37
const checksumLength = 6

/** Generates a key with 220 random bits. */
export const makeApiKey = (prefix: KeyPrefix = "sk_"): Redacted.Redacted => {
  const random = randomText()
  return Redacted.make(`${prefix}${random}${checksum(random)}`)
}

/** Whether a text has the format and checksum of a key. Needs no database. */
export const isApiKey = (text: string, prefix: KeyPrefix = "sk_"): boolean =>
  text.startsWith(prefix) &&
  body.test(text.slice(3)) &&
  checksum(text.slice(3, 40)) === text.slice(40)

/** The digest that is stored and compared. */
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

/** 248 is the largest multiple of 62 in a byte; larger bytes would make some digits more likely. */
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
export interface ApiKey extends KeyRights {
  readonly organizationId: string
  readonly id: string
  readonly name: string
  /** `sk_` and the next 4 characters. */
  readonly prefix: string
  readonly last4: string
  /** ISO 8601, as in responses. */
  readonly createdAt: string
  readonly lastUsedAt: string | null
  /** The address of that use, as far as STORE_IP allows. */
  readonly lastUsedFrom: string | null
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  /** `createdAt` in microseconds: the sort key. */
  readonly createdText: string
}
