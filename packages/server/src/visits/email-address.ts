// An email address as Footfall compares it (packages/normal-form), its hashes, its kind and its domain.
import * as normalForm from "@footfall/normal-form"
import { hash } from "node:crypto"
import providers from "email-providers/all.json" with { type: "json" }
import { spellingsOf } from "./host.ts"

export type EmailKind = "business" | "personal"

/** Hashes of the normalized address in UTF-8, lower-case hex. */ // spec 1.5
export interface EmailHashes {
  readonly sha256: string
  readonly sha1: string
  readonly md5: string
}

const addressLengthMax = 254
const freeMail: ReadonlySet<string> = new Set(providers)

/** The normalized address, or undefined if the text is not an address. */
export const normalizeEmail = (value: string): string | undefined => {
  const email = normalForm.normalizeEmail(value, addressLengthMax)
  return email === undefined ? undefined : inOneSpelling(email)
}

/** A domain of another script can be written in several ways: one of them is kept. */
const inOneSpelling = (email: string): string => {
  const domain = domainOf(email)
  const { ascii, unicode } = spellingsOf(domain)
  return domain === ascii || domain === unicode ? email : email.slice(0, -domain.length) + unicode
}

/** The normalized SHA-256, or undefined when the text is not 64 hexadecimal digits. */
export const normalizeEmailHash = (value: string): string | undefined => {
  const digest = value.trim().toLowerCase()
  return /^[0-9a-f]{64}$/.test(digest) ? digest : undefined
}

/** The hash an address is known by, alone. */
export const emailHashOf = (email: string): string => hash("sha256", email)

export const hashEmail = (email: string): EmailHashes => ({
  sha256: emailHashOf(email),
  sha1: hash("sha1", email),
  md5: hash("md5", email),
})

/** Personal when the domain is on the shipped free-mail list. */ // spec 1.5
export const emailKind = (email: string): EmailKind =>
  freeMail.has(domainOf(email)) ? "personal" : "business"

/** What a domain rule is compared with: the domain in its normal form. */ // spec 2.6
export const ruleDomainOf = (email: string): string => {
  const domain = domainOf(email)
  return normalForm.normalizeDomain(domain, addressLengthMax) ?? domain
}

const domainOf = (email: string): string => email.slice(email.lastIndexOf("@") + 1)
