// What resolvers answered, put to use in the transaction of a batch. A person identifies a browser in
// which no one was identified yet and whose events name no one; a company fills empty fields of whoever
// is identified in the browser. No one erased comes back. Source: spec 6.7; ADR 14.
import { Context, Effect, Layer } from "effect"
import type { DatabaseError } from "../../database/database-error.ts"
import { Tombstones } from "../../people/tombstones/tombstones.ts"
import { type Changes, introducedHash, type WaitingEvent } from "../batch-work.ts"
import { Merging } from "../merging/merging.ts"
import type { VisitorKey } from "../ownership/store.ts"
import type { ReadPerson } from "./answer.ts"
import { type Answers, browserKey } from "./resolution.ts"
import { ResolvedStore } from "./store.ts"

export class ResolvedEvents extends Context.Service<
  ResolvedEvents,
  {
    /** The events, the first of a browser that no one knows with whom a resolver says it is of. */
    of(
      events: ReadonlyArray<WaitingEvent>,
      answers: Answers,
    ): Effect.Effect<ReadonlyArray<WaitingEvent>, DatabaseError>
    /** Fills the companies of the visitors whose sessions were written; gives those it changes. */
    fill(
      sessions: Changes["sessions"],
      answers: Answers,
    ): Effect.Effect<ReadonlyArray<VisitorKey>, DatabaseError>
  }
>()("@footfall/server/identification/ResolvedEvents") {
  static readonly layer = Layer.effect(
    ResolvedEvents,
    Effect.gen(function* () {
      const store = yield* ResolvedStore
      const tombstones = yield* Tombstones
      const merging = yield* Merging

      const of = Effect.fnUntraced(function* (
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
          return { ...event, payload: { ...event.payload, ...said(person) } }
        })
      })

      const fill = Effect.fnUntraced(function* (sessions: Changes["sessions"], answers: Answers) {
        const companies = sessions.flatMap((session) => {
          const { organizationId, visitorId } = session
          const { company } = answers.get(browserKey(session)) ?? {}
          return visitorId === null || company === undefined || Object.keys(company).length === 0
            ? []
            : [{ organizationId, visitorId, company }]
        })
        return companies.length > 0 ? yield* merging.settle(yield* store.fill(companies)) : []
      })

      return ResolvedEvents.of({ of, fill })
    }),
  )
}

const said = ({ email, emailHash, traits }: ReadPerson) => ({
  ...(email === null ? { h: emailHash } : { e: email }),
  p: traits,
})

/** Of browsers whose events name no one themselves. */
const peopleOf = (events: ReadonlyArray<WaitingEvent>, answers: Answers) => {
  const told = new Set(
    events
      .filter((event) => introducedHash(event) !== undefined || event.payload.x === 1)
      .map(browserKey),
  )
  const browsers = new Map(events.map((event) => [browserKey(event), event]))
  return [...browsers].flatMap(([key, { anonymousId, organizationId }]) => {
    const person = answers.get(key)?.person
    return person === undefined || anonymousId === null || told.has(key)
      ? []
      : [{ organizationId, anonymousId, emailHash: person.emailHash, person }]
  })
}
