// A person of an organization as identification knows it: the addresses, the primary one among them,
// and the profile. Source: decisions.md 1.5, 2.1 and 13 (primary address of an imported person).
import { type EmailKind, emailKind, hashEmail } from "../visits/email-address.ts"
import type { Profile } from "./profile.ts"

/** An address of a person; the email is null while only its hash was given. */
export interface Address {
  readonly emailHash: string
  readonly email: string | null
  readonly kind: EmailKind | null
  /** Epoch milliseconds of the event that told of it first. */
  readonly firstSeenAt: number
}

export interface Visitor {
  readonly organizationId: string
  readonly id: string
  readonly addresses: ReadonlyArray<Address>
  readonly profile: Profile
}

/** An imported person; the addresses are normalized. */
export interface Person {
  readonly organizationId: string
  /** Key of the record: SHA-256 of its email. */
  readonly emailHash: string
  readonly email: string | null
  readonly emails: ReadonlyArray<string>
  readonly businessEmail: string | null
  readonly personalEmail: string | null
  readonly profile: Profile
}

export interface Primary {
  readonly email: string | null
  readonly emailHash: string
  readonly sha1: string | null
  readonly md5: string | null
}

/**
 * The primary address: the email of the imported record, else a business address before a personal
 * one, else the one seen first. A person known by hash alone has the hash seen first.
 */
export const primaryOf = (
  addresses: readonly [Address, ...ReadonlyArray<Address>],
  person: Person | undefined,
): Primary => {
  const rank = ({ email, kind }: Address): number =>
    email === null ? 3 : email === person?.email ? 0 : kind === "business" ? 1 : 2
  const first = addresses.reduce((best, address) =>
    rank(address) < rank(best) ||
    (rank(address) === rank(best) && address.firstSeenAt < best.firstSeenAt)
      ? address
      : best,
  )
  if (first.email === null) {
    return { email: null, emailHash: first.emailHash, sha1: null, md5: null }
  }
  const { sha256, sha1, md5 } = hashEmail(first.email)
  return { email: first.email, emailHash: sha256, sha1, md5 }
}

/** What an imported record says of its addresses: each once, the record's own first. */
export const addressesOf = (
  person: Person,
): ReadonlyArray<{ readonly emailHash: string; readonly email: string | null }> => {
  const emails = [person.email, ...person.emails, person.businessEmail, person.personalEmail]
  const known = new Set(emails.filter((email) => email !== null))
  const hashed = [...known].map((email) => ({ emailHash: hashEmail(email).sha256, email }))
  return person.email === null && !hashed.some(({ emailHash }) => emailHash === person.emailHash)
    ? [{ emailHash: person.emailHash, email: null }, ...hashed]
    : hashed
}

/** The kind an import names comes before the free-mail list. */
export const kindOf = (email: string, person: Person | undefined): EmailKind =>
  email === person?.businessEmail
    ? "business"
    : email === person?.personalEmail
      ? "personal"
      : emailKind(email)
