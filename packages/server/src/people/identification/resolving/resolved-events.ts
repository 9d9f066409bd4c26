// Applies the resolvers' answers in a batch's transaction. A person identifies a browser in which no one was
// identified yet and whose events name no one. A company fills empty fields of whoever is identified in the
// browser. Erased people are not added again (spec 6.7; ADR 14).
import { Context, Effect, Layer } from "effect"
import type { DatabaseError } from "../../../platform/database/database-error.ts"
import { Tombstones } from "../../person/tombstones/tombstones.ts"
import { type Changes, introducedHash, type WaitingEvent } from "../batch-work.ts"
import { Merging } from "../merging/merging.ts"
import type { VisitorKey } from "../../suppression/cycle/store.ts"
import { type CompanyKey, CompanyUpkeepStore, type NamedCompany } from "../companies/store.ts"
import { networkOf, readCompany, type ReadPerson } from "./answer.ts"
import { type Answers, browserKey } from "./resolution.ts"
import { ResolvedStore } from "./store.ts"

export class ResolvedEvents extends Context.Service<
  ResolvedEvents,
  {
    /**
     * The events, where the first event of an unidentified browser gets the resolver's person, and each one its
     * network's company; a resolver's company wins over the address's. Companies that a suppression rule names are left
     * out, and their events flagged.
     */
    apply(
      events: ReadonlyArray<WaitingEvent>,
      answers: Answers,
    ): Effect.Effect<ReadonlyArray<WaitingEvent>, DatabaseError>
    /** Fills in the companies of visitors whose sessions were written; returns those that changed. */
    fill(
      sessions: Changes["sessions"],
      events: ReadonlyArray<WaitingEvent>,
      answers: Answers,
    ): Effect.Effect<ReadonlyArray<VisitorKey>, DatabaseError>
  }
>()("@footfall/server/identification/ResolvedEvents") {
  static readonly layer = Layer.effect(
    ResolvedEvents,
    Effect.gen(function* () {
      const store = yield* ResolvedStore
      const companyStore = yield* CompanyUpkeepStore
      const tombstones = yield* Tombstones
      const merging = yield* Merging

      const withPeople = Effect.fnUntraced(function* (
        events: ReadonlyArray<WaitingEvent>,
        answers: Answers,
      ) {
        const candidates = peopleOf(events, answers)
        if (candidates.length === 0) return events
        const erased = new Set(yield* tombstones.among(candidates))
        const identified = new Set((yield* store.identified(candidates)).map(browserKey))
        const people = new Map(
          candidates
            .filter((one) => !erased.has(one) && !identified.has(browserKey(one)))
            .map((one) => [browserKey(one), one.person]),
        )
        return events.map((event) => {
          const person = event.isDuplicate ? undefined : people.get(browserKey(event))
          if (person === undefined) return event
          people.delete(browserKey(event))
          return { ...event, payload: { ...event.payload, ...payloadOf(person) } }
        })
      })

      const withCompanies = Effect.fnUntraced(function* (
        events: ReadonlyArray<WaitingEvent>,
        answers: Answers,
      ) {
        const all = answers.size === 0 ? events : events.map((event) => withCompany(event, answers))
        const named = networksOf(all)
        if (named.length === 0) return all
        const suppressed = new Set((yield* companyStore.suppressed(named)).map(companyKey))
        if (suppressed.size === 0) return all
        return all.map((event) => {
          const { co: company, ...payload } = event.payload
          const domain = company?.domain
          return domain === undefined || !suppressed.has(companyKey({ ...event, domain }))
            ? event
            : { ...event, payload, isNetworkSuppressed: true }
        })
      })

      const apply = (events: ReadonlyArray<WaitingEvent>, answers: Answers) =>
        Effect.flatMap(withPeople(events, answers), (all) => withCompanies(all, answers))

      const fill = Effect.fnUntraced(function* (
        sessions: Changes["sessions"],
        events: ReadonlyArray<WaitingEvent>,
        answers: Answers,
      ) {
        const ofNetworks = new Map(
          events.flatMap((event) =>
            event.payload.co === undefined ? [] : [[browserKey(event), event.payload.co] as const],
          ),
        )
        const companies = sessions.flatMap((session) => {
          const { organizationId, visitorId } = session
          if (visitorId === null) return []
          const network = ofNetworks.get(browserKey(session))
          const answer = answers.get(browserKey(session))?.company ?? {}
          const isAnswered = Object.keys(answer).length > 0
          const company = isAnswered || network === undefined ? answer : readCompany({ ...network })
          return Object.keys(company).length === 0 ? [] : [{ organizationId, visitorId, company }]
        })
        return companies.length > 0 ? yield* merging.settle(yield* store.fill(companies)) : []
      })

      return ResolvedEvents.of({ apply, fill })
    }),
  )
}

/** The companies that the events' networks name, without repeats. */
export const networksOf = (events: ReadonlyArray<WaitingEvent>): ReadonlyArray<NamedCompany> => {
  const named = new Map<string, NamedCompany>()
  for (const { organizationId, payload } of events) {
    const domain = payload.co?.domain
    if (domain === undefined) continue
    const company = { organizationId, domain, network: payload.co! }
    named.set(companyKey(company), company)
  }
  return [...named.values()]
}

const companyKey = ({ domain, organizationId }: CompanyKey): string => `${organizationId} ${domain}`

/** Adds the company that a resolver found for the browser. */
const withCompany = (event: WaitingEvent, answers: Answers): WaitingEvent => {
  const company = event.anonymousId === null ? undefined : answers.get(browserKey(event))?.company
  const network = company === undefined ? undefined : networkOf(company)
  return network === undefined ? event : { ...event, payload: { ...event.payload, co: network } }
}

const payloadOf = ({ email, emailHash, traits }: ReadPerson) => ({
  ...(email === null ? { h: emailHash } : { e: email }),
  p: traits,
})

/** The people found for browsers whose events name no one. */
const peopleOf = (events: ReadonlyArray<WaitingEvent>, answers: Answers) => {
  const named = new Set(
    events
      .filter((event) => introducedHash(event) !== undefined || event.payload.x === 1)
      .map(browserKey),
  )
  const browsers = new Map(events.map((event) => [browserKey(event), event]))
  return [...browsers].flatMap(([key, { anonymousId, organizationId }]) => {
    const person = answers.get(key)?.person
    return person === undefined || anonymousId === null || named.has(key)
      ? []
      : [{ organizationId, anonymousId, emailHash: person.emailHash, person }]
  })
}
