// Gathers what a batch has to know before it is worked off: the browsers of its events, the sessions
// they could join, and the visitors and imported people its identifications could mean. Addresses
// lead to people and people to further addresses, so the search goes round until nothing new turns up.
import { Context, Effect, Layer } from "effect"
import type { DatabaseError } from "../database/database-error.ts"
import { introducedHash, type Known, type WaitingEvent } from "./batch-work.ts"
import { type AddressKey, type BrowserSpan, IdentificationStore } from "./store.ts"
import { addressesOf, type Person, type Visitor } from "./visitor.ts"

/** Address, imported person, their other address, its visitor, that one's other addresses. */
const roundsMax = 4

export class KnownRows extends Context.Service<
  KnownRows,
  { of(events: ReadonlyArray<WaitingEvent>): Effect.Effect<Known, DatabaseError> }
>()("@footfall/server/identification/KnownRows") {
  static readonly layer = Layer.effect(
    KnownRows,
    Effect.gen(function* () {
      const store = yield* IdentificationStore

      const involved = Effect.fnUntraced(function* (events: ReadonlyArray<WaitingEvent>) {
        const visitors = new Map<string, Visitor>()
        const people = new Map<string, Person>()
        const asked = new Set<string>()
        let keys = unasked(events.flatMap(introducedBy), asked)
        for (let round = 0; round < roundsMax && keys.length > 0; round++) {
          const foundVisitors = yield* store.visitors(keys)
          const foundPeople = yield* store.people(keys)
          foundVisitors.forEach((visitor) => visitors.set(visitor.id, visitor))
          foundPeople.forEach((person) =>
            people.set(`${person.organizationId} ${person.emailHash}`, person),
          )
          const further = [
            ...foundVisitors.map((visitor) => ({ ...visitor })),
            ...foundPeople.map((person) => ({ ...person, addresses: addressesOf(person) })),
          ].flatMap(({ organizationId, addresses }) =>
            addresses.map(({ emailHash }) => ({ organizationId, emailHash })),
          )
          keys = unasked(further, asked)
        }
        return { visitors: [...visitors.values()], people: [...people.values()] }
      })

      const of = Effect.fnUntraced(function* (events: ReadonlyArray<WaitingEvent>) {
        const counted = events.filter(({ isDuplicate }) => !isDuplicate)
        const spans = spansOf(counted)
        const { visitors, people } = yield* involved(counted)
        return {
          browsers: yield* store.browsers(spans),
          sessions: yield* store.sessions(spans),
          visitors,
          people,
        }
      })

      return KnownRows.of({ of })
    }),
  )
}

const introducedBy = (event: WaitingEvent): ReadonlyArray<AddressKey> => {
  const emailHash = introducedHash(event)
  return emailHash === undefined ? [] : [{ organizationId: event.organizationId, emailHash }]
}

/** The keys not asked for before, each once. */
const unasked = (keys: ReadonlyArray<AddressKey>, asked: Set<string>): ReadonlyArray<AddressKey> =>
  keys.filter(({ organizationId, emailHash }) => {
    const key = `${organizationId} ${emailHash}`
    if (asked.has(key)) return false
    asked.add(key)
    return true
  })

const spansOf = (events: ReadonlyArray<WaitingEvent>): ReadonlyArray<BrowserSpan> => {
  const spans = new Map<string, BrowserSpan>()
  for (const { organizationId, anonymousId, occurredAt } of events) {
    if (anonymousId === null) continue
    const key = `${organizationId} ${anonymousId}`
    const known = spans.get(key)
    spans.set(key, {
      organizationId,
      anonymousId,
      from: Math.min(known?.from ?? occurredAt, occurredAt),
      until: Math.max(known?.until ?? occurredAt, occurredAt),
    })
  }
  return [...spans.values()]
}
