// Which addresses are one person, as far as imports tell: an address leads to another one, where an
// identity link says so or the record of a person names it, and all that lead to one another are one
// person. What the organization imported comes before what is shared. Source: spec 2.1, 2.19;
// docs/adr/0014.
import { sharedOrganizationId } from "../../access/organization.ts"
import type { AddressKey } from "../../people/tombstones/tombstones.ts"
import { emailHashOf } from "../../visits/email-address.ts"
import type { Person } from "../person.ts"

/** An address, by hash, and the one it leads to. */
export interface Alias {
  /** The organization's, or `sharedOrganizationId`. */
  readonly organizationId: string
  readonly emailHash: string
  readonly personHash: string
}

/** What was found of the addresses in question; all methods answer from that alone. */
export class Kin {
  readonly #leads = new Map<string, string>()
  /** Against the direction: what leads to an address. */
  readonly #followers = new Map<string, Array<string>>()
  readonly #people = new Map<string, Person>()
  readonly #erased: ReadonlySet<string>
  readonly isNoCompany: (domain: string) => boolean

  constructor(found: {
    readonly aliases: ReadonlyArray<Alias>
    readonly people: ReadonlyArray<Person>
    /** Addresses of people an organization has erased: nothing leads to or from them there. */
    readonly erased: ReadonlyArray<AddressKey>
    /** Whether the operator excludes a domain from companies; absent: none. */
    readonly isNoCompany?: (domain: string) => boolean
  }) {
    this.isNoCompany = found.isNoCompany ?? (() => false)
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

  /** The address that represents the person: where the others lead; of a circle, the least. */
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

  /** Every address of the person, in a fixed order, the representative first. */
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

  /** The records of the person, the one that counts first at the beginning. */
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

/** Every address the records spell out, by its hash. */
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
