// Who an address belongs to, while a batch is worked off: the known visitors and imported people that
// have to do with it, and the visitors it makes. One person per organization: an address finds the
// visitor that has it, else the visitor that has another address of the same imported person, else it
// makes a visitor. Addresses of two existing visitors are never joined here; an import does that.
import type { Traits } from "../visits/traits.ts"
import { firstOf, profileOfTraits } from "./profile.ts"
import {
  type Address,
  addressesOf,
  kindOf,
  type Person,
  type Primary,
  primaryOf,
  type Visitor,
} from "./visitor.ts"

/** One identification. */
export interface Introduction {
  readonly organizationId: string
  readonly emailHash: string
  readonly email: string | null
  readonly traits: Traits
  /** Epoch milliseconds. */
  readonly at: number
}

export interface KnownVisitor extends Visitor {
  readonly addresses: readonly [Address, ...ReadonlyArray<Address>]
  readonly primary: Primary
}

export class Directory {
  readonly #visitors = new Map<string, Visitor>()
  readonly #owners = new Map<string, string>()
  readonly #people = new Map<string, Person>()
  readonly #changed = new Set<string>()
  readonly #newId: () => string

  constructor(
    known: { readonly visitors: ReadonlyArray<Visitor>; readonly people: ReadonlyArray<Person> },
    newId: () => string,
  ) {
    this.#newId = newId
    for (const visitor of known.visitors) this.#put(visitor)
    for (const person of known.people) {
      this.#people.set(key(person.organizationId, person.emailHash), person)
      for (const { emailHash } of addressesOf(person)) {
        this.#people.set(key(person.organizationId, emailHash), person)
      }
    }
  }

  /** The id of the visitor that is meant, made if nobody has the address. */
  introduce(introduction: Introduction): string {
    const { organizationId, emailHash, email, traits, at } = introduction
    const visitor = this.#find(introduction)
    const person = this.#personOf(visitor, emailHash)
    const given = { emailHash, email }
    const told = person === undefined ? [given] : [given, ...addressesOf(person)]
    const addresses = told
      .filter((address) => this.#isFree(organizationId, address.emailHash, visitor.id))
      .reduce(
        (all, address) =>
          withAddress(all, {
            ...address,
            kind: address.email === null ? null : kindOf(address.email, person),
            firstSeenAt: at,
          }),
        visitor.addresses,
      )
    const imported = person === undefined ? [] : [person.profile]
    const profile = firstOf([...imported, visitor.profile, profileOfTraits(traits)])
    this.#put({ ...visitor, addresses, profile })
    this.#changed.add(visitor.id)
    return visitor.id
  }

  /** The visitors that were introduced, each with its primary address. */
  get changed(): ReadonlyArray<KnownVisitor> {
    return [...this.#changed].flatMap((id) => {
      const visitor = this.#visitors.get(id)
      const [first, ...others] = visitor?.addresses ?? []
      if (visitor === undefined || first === undefined) return []
      const addresses = [first, ...others] as const
      const person = this.#personOf(visitor, first.emailHash)
      return [{ ...visitor, addresses, primary: primaryOf(addresses, person) }]
    })
  }

  #find({ organizationId, emailHash }: Introduction): Visitor {
    const person = this.#people.get(key(organizationId, emailHash))
    const hashes = [emailHash, ...(person === undefined ? [] : addressesOf(person).map(hashOf))]
    const owner = hashes
      .map((hash) => this.#owners.get(key(organizationId, hash)))
      .find((id) => id !== undefined)
    const visitor = owner === undefined ? undefined : this.#visitors.get(owner)
    return visitor ?? { organizationId, id: this.#newId(), addresses: [], profile: {} }
  }

  #personOf({ organizationId, addresses }: Visitor, emailHash: string): Person | undefined {
    return [emailHash, ...addresses.map(hashOf)]
      .map((hash) => this.#people.get(key(organizationId, hash)))
      .find((person) => person !== undefined)
  }

  #isFree(organizationId: string, emailHash: string, visitorId: string): boolean {
    const owner = this.#owners.get(key(organizationId, emailHash))
    return owner === undefined || owner === visitorId
  }

  #put(visitor: Visitor): void {
    this.#visitors.set(visitor.id, visitor)
    for (const { emailHash } of visitor.addresses) {
      this.#owners.set(key(visitor.organizationId, emailHash), visitor.id)
    }
  }
}

const key = (organizationId: string, emailHash: string): string => `${organizationId} ${emailHash}`

const hashOf = ({ emailHash }: { readonly emailHash: string }): string => emailHash

// An address known by hash gains its email; when it was seen first stays the earliest moment.
const withAddress = (all: ReadonlyArray<Address>, told: Address): ReadonlyArray<Address> => {
  const known = all.find(({ emailHash }) => emailHash === told.emailHash)
  if (known === undefined) return [...all, told]
  const merged = {
    emailHash: known.emailHash,
    email: known.email ?? told.email,
    kind: told.kind ?? known.kind,
    firstSeenAt: Math.min(known.firstSeenAt, told.firstSeenAt),
  }
  return all.map((address) => (address === known ? merged : address))
}
