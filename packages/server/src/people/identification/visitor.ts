// A person of an organization as identification sees them: addresses, including the primary one, and the profile.
// Data from visits and data from imports are stored separately and combined whenever either changes (spec 1.5; 2.1,
// primary address of an imported person).
import { registrableDomain } from "@footfall/normal-form"
import {
  type EmailKind,
  emailKind,
  hashEmail,
  otherHashOf,
  ruleDomainOf,
} from "../../collect/visits/email-address.ts"
import { type AliasGraph, spelledOut } from "./merging/alias-graph.ts"
import { firstOf, type Person, type Profile } from "./profile.ts"
import { profileOfVendors, type VendorValues } from "./vendor-values.ts"

/** A person's address; the email is null while only its hash is known. */
export interface Address {
  readonly emailHash: string
  readonly email: string | null
  readonly kind: EmailKind | null
  /** Epoch milliseconds of the first event that reported it; null if only an import did. */
  readonly firstSeenAt: number | null
}

/** What visits and resolvers reported about a person. */
export interface Visitor {
  readonly organizationId: string
  readonly id: string
  /** The hash of the primary address. */
  readonly emailHash: string
  /** Epoch milliseconds. */
  readonly firstSeenAt: number
  readonly addresses: ReadonlyArray<Address>
  readonly traits: Profile
  /** Reported by vendors; fills what neither imports nor traits fill. */
  readonly vendor: VendorValues
  /** Reported by a resolver; fills only fields that nothing else fills. */
  readonly resolved: Profile
}

export interface Primary {
  readonly email: string | null
  readonly emailHash: string
  readonly sha1: string | null
  readonly md5: string | null
}

/** A visitor with everything known about them. */
export interface KnownVisitor extends Visitor {
  readonly addresses: readonly [Address, ...ReadonlyArray<Address>]
  readonly primary: Primary
  readonly profile: Profile
}

/** What is stored in the visitor's row, to detect changes. */
export type StoredVisitor = Visitor & Pick<KnownVisitor, "profile">

/**
 * Combines data from visits with imported data. `isFree` returns whether an address that only an import names is
 * available to this visitor, because another visitor may have it.
 */
export const withImports = (
  visitor: Visitor & { readonly addresses: readonly [Address, ...ReadonlyArray<Address>] },
  graph: AliasGraph,
  isFree: (emailHash: string) => boolean,
): KnownVisitor => {
  const { emailHash, organizationId, resolved, traits, vendor } = visitor
  const records = graph.recordsOf(organizationId, emailHash)
  const emails = spelledOut(records)
  const settled = (address: Address): Address => {
    const email = address.email ?? emails.get(address.emailHash) ?? null
    return { ...address, email, kind: email === null ? null : kindOf(email, records) }
  }
  const known = new Set(visitor.addresses.map(({ emailHash }) => emailHash))
  const imported = graph
    .membersOf(organizationId, emailHash)
    .filter((hash) => !known.has(hash) && isFree(hash))
    .map((hash) => ({ emailHash: hash, email: null, kind: null, firstSeenAt: null }))
  const [first, ...others] = visitor.addresses
  const spelled = [settled(first), ...[...others, ...imported].map(settled)] as const
  const addresses = [...spelled, ...otherSpellings(spelled, isFree)] as const
  const primary = primaryOf(addresses, records)
  const mail = { company_domain: companyOfMail(addresses, primary, graph) }
  const profile = firstOf([
    ...records.map((record) => record.profile),
    traits,
    profileOfVendors(vendor),
    resolved,
    mail,
  ])
  return { ...visitor, emailHash: primary.emailHash, addresses, primary, profile }
}

/** Sites hash an international address in either spelling, so its owner is known by both hashes. */ // spec 1.5.9
const otherSpellings = (
  addresses: ReadonlyArray<Address>,
  isFree: (emailHash: string) => boolean,
): ReadonlyArray<Address> =>
  addresses
    .flatMap(({ email }) => (email === null ? [] : (otherHashOf(email) ?? [])))
    .filter((hash) => !addresses.some(({ emailHash }) => emailHash === hash) && isFree(hash))
    .map((hash) => ({ emailHash: hash, email: null, kind: null, firstSeenAt: null }))

/** The domain of a business address, the primary one first; fills an empty company domain. */ // spec 13.1.2
const companyOfMail = (
  addresses: ReadonlyArray<Address>,
  primary: Primary,
  graph: AliasGraph,
): string | null => {
  const business = addresses.flatMap(({ email, kind }) =>
    email !== null && kind === "business" ? [email] : [],
  )
  const email = business.find((one) => one === primary.email) ?? business[0]
  const domain = email === undefined ? undefined : registrableDomain(ruleDomainOf(email))
  return domain === undefined || graph.isExcludedDomain(domain) ? null : domain
}

/**
 * Returns the primary address: the imported record's email, or the business address it names if it has none;
 * otherwise a business address before a personal one, otherwise the one seen first. For a person known only by
 * hash, it is the hash seen first.
 */
export const primaryOf = (
  addresses: readonly [Address, ...ReadonlyArray<Address>],
  records: ReadonlyArray<Person>,
): Primary => {
  const named = [
    ...records.map(({ email }) => email),
    ...records.map(({ businessEmail }) => businessEmail),
  ].filter((email) => email !== null)
  const rank = ({ email, kind }: Address): number => {
    if (email === null) return named.length + 2
    const place = named.indexOf(email)
    return place !== -1 ? place : named.length + (kind === "business" ? 0 : 1)
  }
  const isBefore = (one: Address, other: Address): boolean => {
    const ranks = rank(one) - rank(other)
    if (ranks !== 0) return ranks < 0
    const [at, otherAt] = [one.firstSeenAt ?? Infinity, other.firstSeenAt ?? Infinity]
    return at === otherAt ? one.emailHash < other.emailHash : at < otherAt
  }
  const first = addresses.reduce((best, address) => (isBefore(address, best) ? address : best))
  if (first.email === null) {
    return { email: null, emailHash: first.emailHash, sha1: null, md5: null }
  }
  const { sha256, sha1, md5 } = hashEmail(first.email)
  return { email: first.email, emailHash: sha256, sha1, md5 }
}

/** A kind that an import names takes precedence over the free-mail list. */
const kindOf = (email: string, records: ReadonlyArray<Person>): EmailKind => {
  const naming = records.find(
    ({ businessEmail, personalEmail }) => email === businessEmail || email === personalEmail,
  )
  if (naming === undefined) return emailKind(email)
  return email === naming.businessEmail ? "business" : "personal"
}

/** An address known by hash gains its email; its first-seen time stays the earliest. */
export const withAddress = (
  all: ReadonlyArray<Address>,
  added: Address,
): readonly [Address, ...ReadonlyArray<Address>] => {
  const [first, ...others] = all
  if (first === undefined) return [added]
  const merge = (address: Address): Address =>
    address.emailHash === added.emailHash
      ? {
          emailHash: address.emailHash,
          email: address.email ?? added.email,
          kind: added.kind ?? address.kind,
          firstSeenAt: earlier(address.firstSeenAt, added.firstSeenAt),
        }
      : address
  const isKnown = all.some(({ emailHash }) => emailHash === added.emailHash)
  return [merge(first), ...others.map(merge), ...(isKnown ? [] : [added])]
}

const earlier = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other)
