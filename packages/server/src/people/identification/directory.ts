// Who an address belongs to while a batch is processed: the known visitors and imported people involved, and new
// visitors. Each organization has one visitor per person: an address leads to the visitor that has it, otherwise to the
// visitor that imports say is the same person, otherwise it creates one. Existing visitors are never merged here; an
// import does that (merging/).
import type { AddressKey } from "../person/tombstones/tombstones.ts"
import type { Traits } from "../../collect/visits/traits.ts"
import { type Alias, AliasGraph } from "./merging/alias-graph.ts"
import { firstOf, type Person, profileOfTraits, profileOfVendor } from "./profile.ts"
import { withVendor } from "./vendor-values.ts"
import { type KnownVisitor, type Visitor, withAddress, withImports } from "./visitor.ts"

/** One identification. */
export interface Introduction {
  readonly organizationId: string
  readonly emailHash: string
  readonly email: string | null
  readonly traits: Traits
  /** The vendor whose traits they are: the inbound source, by its id and name. */
  readonly vendor?: readonly [id: string, name: string] | undefined
  /** Epoch milliseconds. */
  readonly at: number
}

export class Directory {
  readonly #graph: AliasGraph
  readonly #visitors = new Map<string, Visitor>()
  readonly #owners = new Map<string, string>()
  /** By the address that represents a person. */
  readonly #people = new Map<string, string>()
  readonly #changed = new Map<string, KnownVisitor>()
  readonly #newId: () => string

  constructor(
    known: {
      readonly visitors: ReadonlyArray<Visitor>
      readonly people: ReadonlyArray<Person>
      readonly aliases: ReadonlyArray<Alias>
      readonly erased: ReadonlyArray<AddressKey>
      readonly isExcludedDomain?: (domain: string) => boolean
    },
    newId: () => string,
  ) {
    this.#graph = new AliasGraph(known)
    this.#newId = newId
    const bySeen = known.visitors.toSorted(
      (a, b) => a.firstSeenAt - b.firstSeenAt || (a.emailHash < b.emailHash ? -1 : 1),
    )
    for (const visitor of bySeen) this.#put(visitor)
  }

  /** Returns the visitor's id. Creates a visitor if no one has the address. */
  introduce(introduction: Introduction): string {
    const { organizationId, emailHash, email, traits, vendor, at } = introduction
    const visitor = this.#find(introduction) ?? this.#new(introduction)
    const address = { emailHash, email, kind: null, firstSeenAt: at }
    const known = withImports(
      {
        ...visitor,
        addresses: withAddress(visitor.addresses, address),
        ...(vendor === undefined
          ? { traits: firstOf([visitor.traits, profileOfTraits(traits)]) }
          : { vendor: withVendor(visitor.vendor, vendor, profileOfVendor(traits), at) }),
      },
      this.#graph,
      (hash) => !this.#owners.has(key(organizationId, hash)),
    )
    this.#put(known)
    this.#changed.set(known.id, known)
    return known.id
  }

  /** The visitors that were introduced. */
  get changed(): ReadonlyArray<KnownVisitor> {
    return [...this.#changed.values()]
  }

  #find({ organizationId, emailHash }: Introduction): Visitor | undefined {
    const owner =
      this.#owners.get(key(organizationId, emailHash)) ??
      this.#people.get(key(organizationId, this.#graph.rootOf(organizationId, emailHash)))
    return owner === undefined ? undefined : this.#visitors.get(owner)
  }

  #new({ at, emailHash, organizationId }: Introduction): Visitor {
    const id = this.#newId()
    return {
      organizationId,
      id,
      emailHash,
      firstSeenAt: at,
      addresses: [],
      traits: {},
      vendor: {},
      resolved: {},
    }
  }

  #put(visitor: Visitor): void {
    const { addresses, emailHash, id, organizationId } = visitor
    this.#visitors.set(id, visitor)
    for (const address of addresses) {
      this.#owners.set(key(organizationId, address.emailHash), id)
    }
    const person = key(organizationId, this.#graph.rootOf(organizationId, emailHash))
    if (!this.#people.has(person)) this.#people.set(person, id)
  }
}

const key = (organizationId: string, emailHash: string): string => `${organizationId} ${emailHash}`
