// Finds everyone connected with some addresses: visitors and imported people with one, and the addresses linked to
// them. Addresses lead to people and people to more addresses, so the search repeats until it finds nothing new.
// Also returns which addresses were erased.
import { Context, Effect, Layer } from "effect"
import { sharedOrganizationId } from "../../../access/organization.ts"
import type { DatabaseError } from "../../../platform/database/database-error.ts"
import { Tombstones } from "../../person/tombstones/tombstones.ts"
import type { Person } from "../profile.ts"
import { NetworkCompanies } from "../../../collect/visits/network-companies.ts"
import type { AddressKey } from "../store.ts"
import type { StoredVisitor } from "../visitor.ts"
import { type Alias, spelledOut, spellingOf } from "./alias-graph.ts"
import { MergingStore } from "./store.ts"

/** Maximum steps from address to address. Anything further is found when it is looked up itself. */
const roundsMax = 6

export interface Acquainted {
  readonly visitors: ReadonlyArray<StoredVisitor>
  readonly people: ReadonlyArray<Person>
  readonly aliases: ReadonlyArray<Alias>
  /** Addresses of erased people among these. */
  readonly erased: ReadonlyArray<AddressKey>
  /** Whether the operator excludes a domain from companies. */
  readonly isExcludedDomain: (domain: string) => boolean
}

export class PeopleLookup extends Context.Service<
  PeopleLookup,
  {
    /** `spellings`: the other spellings of these addresses, as far as they are known. */
    of(
      keys: ReadonlyArray<AddressKey>,
      spellings?: ReadonlyArray<Alias>,
    ): Effect.Effect<Acquainted, DatabaseError>
  }
>()("@footfall/server/identification/PeopleLookup") {
  static readonly layer = Layer.effect(
    PeopleLookup,
    Effect.gen(function* () {
      const store = yield* MergingStore
      const tombstones = yield* Tombstones
      const { isExcluded } = yield* NetworkCompanies

      const of = Effect.fnUntraced(function* (
        keys: ReadonlyArray<AddressKey>,
        spellings: ReadonlyArray<Alias> = [],
      ) {
        const visitors = new Map<string, StoredVisitor>()
        const people = new Map<string, Person>()
        // An imported link takes precedence over a spelling.
        const aliases = new Map(spellings.map((alias) => [keyOf(alias), alias]))
        const asked = new Set<string>()
        let next = unseen([...keys, ...spellings], asked)
        const involved = [...next]
        for (let round = 0; round < roundsMax && next.length > 0; round++) {
          const foundVisitors = yield* store.visitors(next)
          const foundPeople = yield* store.people(next)
          const foundAliases = yield* store.aliases(next)
          for (const visitor of foundVisitors) visitors.set(visitor.id, visitor)
          for (const person of foundPeople) people.set(keyOf(person), person)
          const foundSpellings = [
            ...foundVisitors.flatMap(spellingsOfVisitor),
            ...foundPeople.flatMap(spellingsOfPerson),
          ]
          for (const alias of foundSpellings) {
            if (!aliases.has(keyOf(alias))) aliases.set(keyOf(alias), alias)
          }
          for (const { alias } of foundAliases) aliases.set(keyOf(alias), alias)
          next = unseen(
            [
              ...foundVisitors.flatMap(addressesOf),
              ...foundSpellings.filter(
                ({ organizationId }) => organizationId !== sharedOrganizationId,
              ),
              ...foundAliases.flatMap(endsOf),
            ],
            asked,
          )
          involved.push(...next)
        }
        return {
          visitors: [...visitors.values()],
          people: [...people.values()],
          aliases: [...aliases.values()],
          erased: yield* tombstones.among(involved),
          isExcludedDomain: isExcluded,
        }
      })

      return PeopleLookup.of({ of })
    }),
  )
}

const addressesOf = ({ addresses, organizationId }: StoredVisitor): ReadonlyArray<AddressKey> =>
  addresses.map(({ emailHash }) => ({ organizationId, emailHash }))

const spellingsOfVisitor = ({ addresses, organizationId }: StoredVisitor): ReadonlyArray<Alias> =>
  addresses.flatMap(({ email }) => spellingOf(organizationId, email))

const spellingsOfPerson = (person: Person): ReadonlyArray<Alias> =>
  [...spelledOut([person]).values()].flatMap((email) => spellingOf(person.organizationId, email))

/** Returns keys for the organization of the request, even if the alias is shared. */
const endsOf = (found: {
  readonly organizationId: string
  readonly alias: Alias
}): ReadonlyArray<AddressKey> =>
  [found.alias.emailHash, found.alias.personHash].map((emailHash) => ({
    organizationId: found.organizationId,
    emailHash,
  }))

const keyOf = ({ emailHash, organizationId }: AddressKey): string =>
  `${organizationId} ${emailHash}`

/** The keys not requested before, without repeats. */
const unseen = (keys: ReadonlyArray<AddressKey>, asked: Set<string>): ReadonlyArray<AddressKey> =>
  keys.filter((address) => {
    const key = keyOf(address)
    if (asked.has(key)) return false
    asked.add(key)
    return true
  })
