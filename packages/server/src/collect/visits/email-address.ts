// An email address in the form Footfall compares (packages/normal-form), with its hashes, kind and domain.
import * as normalForm from "@footfall/normal-form"
import { hash } from "node:crypto"
import { isFreeMail } from "./free-mail.ts"
import { spellingsOf } from "./host.ts"
import { emailHashesOfNothing } from "./placeholder.ts"

export type EmailKind = "business" | "personal"

/** Hashes of the normalized UTF-8 address, in lower-case hex. */ // spec 1.5
export interface EmailHashes {
  readonly sha256: string
  readonly sha1: string
  readonly md5: string
}

const addressLengthMax = 254

/** The normalized address, or undefined if it is not an address. */
export const normalizeEmail = (value: string): string | undefined =>
  normalForm.normalizeEmail(value, addressLengthMax)

/**
 * The hash of an international address with its domain in Unicode, as sites may hash it; undefined for any other.
 * `email`: normalized.
 */
export const otherHashOf = (email: string): string | undefined => {
  if (!email.includes("xn--")) return undefined
  const domain = domainOf(email)
  const { ascii, unicode } = spellingsOf(domain)
  return ascii === unicode ? undefined : emailHashOf(email.slice(0, -domain.length) + unicode)
}

/** The normalized SHA-256, or undefined unless it is 64 hexadecimal digits, and not those of a text without a person. */
export const normalizeEmailHash = (value: string): string | undefined => {
  const digest = value.trim().toLowerCase()
  return /^[0-9a-f]{64}$/.test(digest) && !emailHashesOfNothing.has(digest) ? digest : undefined
}

/** Only the hash that identifies an address. */
export const emailHashOf = (email: string): string => hash("sha256", email)

export const hashEmail = (email: string): EmailHashes => ({
  sha256: emailHashOf(email),
  sha1: hash("sha1", email),
  md5: hash("md5", email),
})

/** Personal if the domain is on the shipped free-mail list. */ // spec 1.5
export const emailKind = (email: string): EmailKind =>
  isFreeMail(domainOf(email)) ? "personal" : "business"

/** The normalized domain that domain rules are compared with. */ // spec 2.6
export const ruleDomainOf = (email: string): string => {
  const domain = domainOf(email)
  return normalForm.normalizeDomain(domain, addressLengthMax) ?? domain
}

const domainOf = (email: string): string => email.slice(email.lastIndexOf("@") + 1)
