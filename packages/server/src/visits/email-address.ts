// An email address in the form Footfall compares (packages/normal-form), with its hashes, kind and domain.
import * as normalForm from "@footfall/normal-form"
import { hash } from "node:crypto"
import providers from "email-providers/all.json" with { type: "json" }
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
const freeMail: ReadonlySet<string> = new Set(providers)

/** The normalized address, or undefined if it is not an address. */
export const normalizeEmail = (value: string): string | undefined => {
  const email = normalForm.normalizeEmail(value, addressLengthMax)
  return email === undefined ? undefined : inOneSpelling(email)
}

/** An internationalized domain has several spellings; one of them is stored. */
const inOneSpelling = (email: string): string => {
  const domain = domainOf(email)
  const { ascii, unicode } = spellingsOf(domain)
  return domain === ascii || domain === unicode ? email : email.slice(0, -domain.length) + unicode
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
  freeMail.has(domainOf(email)) ? "personal" : "business"

/** The normalized domain that domain rules are compared with. */ // spec 2.6
export const ruleDomainOf = (email: string): string => {
  const domain = domainOf(email)
  return normalForm.normalizeDomain(domain, addressLengthMax) ?? domain
}

const domainOf = (email: string): string => email.slice(email.lastIndexOf("@") + 1)
