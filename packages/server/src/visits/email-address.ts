// An email address as Footfall compares it: trimmed and lower case, nothing else changed. Validation
// is linear in the length (no nested quantifiers), and a plausible form is all it promises.
import { hash } from "node:crypto"
import providers from "email-providers/all.json" with { type: "json" }

export type EmailKind = "business" | "personal"

/** Hashes of the normalized address in UTF-8, lower-case hex. Source: decisions.md 1.5. */
export interface EmailHashes {
  readonly sha256: string
  readonly sha1: string
  readonly md5: string
}

const addressLengthMax = 254
const localLengthMax = 64
const localPart = /^[^\s@"(),:;<>[\\\]]+$/u
const domainLabel = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u
const freeMail: ReadonlySet<string> = new Set(providers)

/** The normalized address, or undefined when the text is none. */
export const normalizeEmail = (value: string): string | undefined => {
  const email = value.trim().toLowerCase()
  const at = email.lastIndexOf("@")
  if (at < 1 || at > localLengthMax || email.length > addressLengthMax) return undefined
  const local = email.slice(0, at)
  const labels = email.slice(at + 1).split(".")
  if (!localPart.test(local) || local.startsWith(".") || local.endsWith(".")) return undefined
  return labels.length > 1 && labels.every((label) => domainLabel.test(label)) ? email : undefined
}

/** The normalized SHA-256, or undefined when the text is not 64 hexadecimal digits. */
export const normalizeEmailHash = (value: string): string | undefined => {
  const digest = value.trim().toLowerCase()
  return /^[0-9a-f]{64}$/.test(digest) ? digest : undefined
}

export const hashEmail = (email: string): EmailHashes => ({
  sha256: hash("sha256", email),
  sha1: hash("sha1", email),
  md5: hash("md5", email),
})

/** Personal when the domain is on the shipped free-mail list. Source: decisions.md 1.5. */
export const emailKind = (email: string): EmailKind =>
  freeMail.has(email.slice(email.lastIndexOf("@") + 1)) ? "personal" : "business"
