// Which addresses belong to one person, according to imports: an identity link or a person's record leads from one
// address to another, and all connected addresses are one person. The organization's imports win over shared ones
// (spec 2.1, 2.19; docs/adr/0014).
import { sharedOrganizationId } from "../../../access/organization.ts"
import type { AddressKey } from "../../person/tombstones/tombstones.ts"
import { emailHashOf, otherHashOf } from "../../../collect/visits/email-address.ts"
import type { Person } from "../profile.ts"

/** An address's hash, and the one it leads to. */
export interface Alias {
  /** The organization's, or `sharedOrganizationId`. */
  readonly organizationId: string
  readonly emailHash: string
  readonly personHash: string
}

/** The other spelling of an international address leads to it; nothing leads to an address without one. */
export const spellingOf = (organizationId: string, email: string | null): ReadonlyArray<Alias> => {
  const other = email === null ? undefined : otherHashOf(email)
  return other === undefined || email === null
    ? []
    : [{ organizationId, emailHash: other, personHash: emailHashOf(email) }]
}

/** What was loaded about some addresses; all methods answer from that alone. */
export class AliasGraph {
  readonly #leads = new Map<string, string>()
  /** Reverse direction: what leads to an address. */
  readonly #followers = new Map<string, Array<string>>()
  readonly #people = new Map<string, Person>()
  readonly #erased: ReadonlySet<string>
  readonly isExcludedDomain: (domain: string) => boolean

  constructor(found: {
    readonly aliases: ReadonlyArray<Alias>
    readonly people: ReadonlyArray<Person>
    /** Addresses of people an organization has erased; there, nothing leads to or from them. */
    readonly erased: ReadonlyArray<AddressKey>
    /** Whether the operator excludes a domain from companies; absent means none. */
    readonly isExcludedDomain?: (domain: string) => boolean
  }) {
    this.isExcludedDomain = found.isExcludedDomain ?? (() => false)
    this.#erased = new Set(
      found.erased.map(({ emailHash, organizationId }) => keyOf(organizationId, emailHash)),
    )
    for (const { emailHash, organizationId, personHash } of found.aliases) {
      this.#leads.set(keyOf(organizationId, emailHash), personHash)
      const key = keyOf(organizationId, personHash)
      this.#followers.set(key, [...(this.#followers.get(key) ?? []), emailHash])
    }
    for (const person of found.people) {
      this.#people.set(keyOf(person.organizationId, person.emailHash), person)
    }
  }

  /** Returns the address that represents the person: the one that the others lead to, or the smallest in a cycle. */
  rootOf(organizationId: string, emailHash: string): string {
    const way = [emailHash]
    for (;;) {
      const next = this.#leadOf(organizationId, way.at(-1)!)
      if (next === undefined) return way.at(-1)!
      const place = way.indexOf(next)
      if (place !== -1)
        return way.slice(place).reduce((least, hash) => (hash < least ? hash : least))
      way.push(next)
    }
  }

  /** Returns all addresses of the person in a fixed order, the representative first. */
  membersOf(organizationId: string, emailHash: string): ReadonlyArray<string> {
    const members = new Set([this.rootOf(organizationId, emailHash)])
    for (const member of members) {
      const followers = [organizationId, sharedOrganizationId]
        .flatMap((owner) => this.#followers.get(keyOf(owner, member)) ?? [])
        .filter((hash) => this.#leadOf(organizationId, hash) === member)
      for (const hash of followers.toSorted()) members.add(hash)
    }
    return [...members]
  }

  /** Returns the person's records, the most important first. */
  recordsOf(organizationId: string, emailHash: string): ReadonlyArray<Person> {
    const members = this.membersOf(organizationId, emailHash)
    return [organizationId, sharedOrganizationId].flatMap((owner) =>
      members.flatMap((hash) => this.#people.get(keyOf(owner, hash)) ?? []),
    )
  }

  #leadOf(organizationId: string, emailHash: string): string | undefined {
    const lead =
      this.#leads.get(keyOf(organizationId, emailHash)) ??
      this.#leads.get(keyOf(sharedOrganizationId, emailHash))
    const isErased = [emailHash, lead ?? emailHash].some((hash) =>
      this.#erased.has(keyOf(organizationId, hash)),
    )
    return isErased ? undefined : lead
  }
}

/** Every address that the records contain in full, by hash. */
export const spelledOut = (records: ReadonlyArray<Person>): ReadonlyMap<string, string> =>
  new Map(
    records.flatMap((record) =>
      [record.email, ...record.emails, record.businessEmail, record.personalEmail].flatMap(
        (email) => (email === null ? [] : [[emailHashOf(email), email] as const]),
      ),
    ),
  )

const keyOf = (organizationId: string, emailHash: string): string =>
  `${organizationId} ${emailHash}`
