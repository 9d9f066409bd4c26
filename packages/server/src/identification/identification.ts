// The identification pass: the events that were collected become sessions and identified visitors, in
// order of arrival, one transaction for each batch. A crash at any point repeats nothing and loses
// nothing: what a transaction did not commit is still waiting. One pass runs at a time in a database;
// replicas take turns. An event that makes its batch fail is found by halving and set aside in `event`
// without a session, so it can block nobody. Source: architecture.md, "How data flows".
import { Cause, Context, Effect, Layer, Option } from "effect"
import type { DatabaseError } from "../database/database-error.ts"
import { Partitions } from "../database/partitions.ts"
import { JobWakes } from "../jobs/wakes.ts"
import { Tombstones } from "../people/tombstones/tombstones.ts"
import { webhookQueue } from "../webhooks/sending/queue.ts"
import { Triggers } from "../webhooks/triggers/triggers.ts"
import { type Changes, type Known, type WaitingEvent, workOff } from "./batch-work.ts"
import { ChangesStore } from "./changes/store.ts"
import { CreditStore } from "./credits/store.ts"
import { introducedKey, withoutErased } from "./erasure/forgotten.ts"
import { KnownRows } from "./known.ts"
import { LinkedEvents } from "./links/linked-events.ts"
import { NewId } from "./new-id.ts"
import { liveSessions, occasionsOf } from "./occasions.ts"
import { OwnershipStore } from "./ownership/store.ts"
import { type Answers, Resolution } from "./resolving/resolution.ts"
import { ResolvedEvents } from "./resolving/resolved-events.ts"
import { IdentificationStore } from "./store.ts"

/** Events of one transaction. */
export const batchEventsMax = 2_000

/** Wait of `drain` while another pass has the turn. */
const turnWait = "50 millis"

/** What a pass did. `busy`: another one had the turn and nothing was done. */
export type PassResult =
  | { readonly outcome: "done"; readonly events: number }
  | { readonly outcome: "busy" }

export class Identification extends Context.Service<
  Identification,
  {
    /**
     * Works off one batch of at most 2,000 events; fewer when one of them had to be isolated.
     *
     * *Errors*: DatabaseError when the database failed; nothing was done then.
     * *Guarantee*: atomic; each event counts once.
     */
    readonly pass: Effect.Effect<PassResult, DatabaseError>
    /** Passes until nothing waits, and waits for its turn. Returns the number of events. */
    readonly drain: Effect.Effect<number, DatabaseError>
  }
>()("@footfall/server/identification/Identification") {
  static readonly layer = Layer.effect(
    Identification,
    Effect.gen(function* () {
      const store = yield* IdentificationStore
      const changesStore = yield* ChangesStore
      const creditStore = yield* CreditStore
      const ownershipStore = yield* OwnershipStore
      const known = yield* KnownRows
      const linkedEvents = yield* LinkedEvents
      const resolution = yield* Resolution
      const resolvedEvents = yield* ResolvedEvents
      const partitions = yield* Partitions
      const tombstones = yield* Tombstones
      const newId = yield* NewId
      const triggers = yield* Triggers
      const wakes = yield* JobWakes

      /** Whether webhooks have something new to be told. Only one pass of a process runs at a time. */
      let hasTold = false

      /** The next events, without what they say of erased people. */
      const nextEvents = Effect.fnUntraced(function* (limit: number) {
        const events = yield* store.waiting(limit)
        const erased = yield* tombstones.among(events.flatMap(introducedKey))
        if (erased.length === 0) return events
        const { forgotten, events: kept } = withoutErased(events, erased)
        yield* store.forget(forgotten)
        return kept
      })

      const workOffNext = Effect.fnUntraced(function* (limit: number, answers: Answers) {
        if (!(yield* store.takeTurn)) return { outcome: "busy" } as const
        const linked = yield* linkedEvents.of(yield* nextEvents(limit))
        const events = yield* resolvedEvents.of(linked.events, answers)
        const before = yield* known.of(events)
        const changes = workOff(events, before, newId)
        yield* write(before, changes)
        yield* linkedEvents.note(linked.used)
        const filled = yield* resolvedEvents.fill(changes.sessions, answers)
        const toldAnew = [...linked.toldAnew, ...filled]
        const told = yield* triggers.pull(
          occasionsOf(before, changes, toldAnew),
          liveSessions(changes.sessions),
        )
        if (told > 0) hasTold = true
        return { outcome: "done", events: events.length } as const
      })

      const write = Effect.fnUntraced(function* (before: Known, changes: Changes) {
        yield* changesStore.visitors(changes.visitors)
        // By the marks these people have now: whatever decides the marks of a batch comes before.
        yield* creditStore.charge(
          changes.visitors.map(({ organizationId, id }) => ({ organizationId, visitorId: id })),
        )
        yield* changesStore.sessions(changes.sessions)
        yield* changesStore.browsers(changes.browsers)
        const handedOver = yield* ownershipStore.handOver(changes.tenures)
        const owners = new Map(before.sessions.map(({ id, visitorId }) => [id, visitorId]))
        const touched = changes.sessions.map(({ organizationId, id, visitorId }) => ({
          organizationId,
          sessionId: id,
          visitorId,
          loserId: owners.get(id) ?? null,
        }))
        const losers = [...touched.filter((s) => s.loserId !== s.visitorId), ...handedOver]
        yield* ownershipStore.seen(
          [...touched, ...handedOver],
          losers.flatMap(({ organizationId, loserId }) =>
            loserId === null ? [] : [{ organizationId, visitorId: loserId }],
          ),
        )
        yield* changesStore.pixels(changes.pixels)
        yield* store.move(changes)
      })

      const setAside = Effect.fnUntraced(function* (cause: Cause.Cause<DatabaseError>) {
        if (!(yield* store.takeTurn)) return { outcome: "busy" } as const
        const events = yield* nextEvents(1)
        yield* store.move({
          moves: events.map(({ sequence }) => ({ sequence, sessionId: null })),
          duplicates: [],
        })
        yield* Effect.logError("event set aside", { ids: events.map(idOf) }, cause)
        return { outcome: "done", events: events.length } as const
      })

      // The half that fails again gets smaller until one event is left; the half before it is done.
      const passUpTo = (
        limit: number,
        answers: Answers,
      ): Effect.Effect<PassResult, DatabaseError> =>
        store.transaction(workOffNext(limit, answers)).pipe(
          Effect.catchCause((cause) => {
            if (!isOfTheEvents(cause)) return Effect.failCause(cause)
            return limit > 1
              ? passUpTo(Math.ceil(limit / 2), answers)
              : store.transaction(setAside(cause))
          }),
        )

      const pass = Effect.gen(function* () {
        const days = yield* store.waitingDays(batchEventsMax)
        if (days.length === 0) return { outcome: "done", events: 0 } as const
        yield* partitions.ensure(days)
        // Outside the transaction: nobody waits for a resolver but the events themselves.
        const answers = resolution.isOn
          ? yield* resolution.answers(yield* store.waiting(batchEventsMax))
          : nobodyAsked
        const result = yield* passUpTo(batchEventsMax, answers)
        if (hasTold) yield* wakes.wake(webhookQueue)
        hasTold = false
        return result
      }).pipe(Effect.withSpan("Identification.pass"))

      const drain = Effect.gen(function* () {
        let events = 0
        while (true) {
          const result = yield* pass
          if (result.outcome === "busy") yield* Effect.sleep(turnWait)
          else if (result.events === 0) return events
          else events += result.events
        }
      })

      return Identification.of({ pass, drain })
    }),
  )
}

const nobodyAsked: Answers = new Map()

const idOf = ({ pixelId, id }: WaitingEvent) => `${pixelId} ${id}`

// A defect of ours, or data that Postgres refuses. What may go away by itself (a lost connection, a
// deadlock, a timeout) or is nobody's data (a missing right or table) blames no event.
const isOfTheEvents = (cause: Cause.Cause<DatabaseError>): boolean => {
  if (Cause.hasInterrupts(cause)) return false
  const error = Option.getOrUndefined(Cause.findErrorOption(cause))
  if (error === undefined) return true
  const { _tag } = error.reason
  return _tag === "UniqueViolation" || _tag === "ConstraintError" || _tag === "UnknownError"
}
