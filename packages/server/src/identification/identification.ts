// The identification pass: the events that were collected become sessions and identified visitors, in
// order of arrival for each organization, one transaction for each batch. A crash at any point repeats
// nothing and loses nothing: what a transaction did not commit is still waiting. A batch has events of
// several organizations, a share of each, and their turns (organization-turns.ts); replicas work at
// different ones. Whatever goes wrong with the events of one organization delays that one alone: what
// cannot be done together with the others is done apart, where an event that fails is found by halving and
// set aside in `event` without a session.
import { Cause, Clock, Context, Effect, Exit, Layer, Option, Semaphore } from "effect"
import { type DatabaseError, isOutOfOrder } from "../database/database-error.ts"
import { TurnSize, TurnSizes } from "../database/turn-size.ts"
import { Partitions } from "../database/partitions.ts"
import { JobWakes } from "../jobs/wakes.ts"
import { Tombstones } from "../people/tombstones/tombstones.ts"
import { webhookQueue } from "../webhooks/sending/queue.ts"
import { Triggers } from "../webhooks/triggers/triggers.ts"
import { Apart } from "./apart.ts"
import { type Changes, type Known, type WaitingEvent, workOff } from "./batch-work.ts"
import { ChangesStore } from "./changes/store.ts"
import { CompanyUpkeepStore } from "./companies/store.ts"
import { CreditStore } from "./credits/store.ts"
import { introducedKey, withoutErased } from "./erasure/forgotten.ts"
import { KnownRows } from "./known.ts"
import { LinkedEvents } from "./links/linked-events.ts"
import { companyVisits, liveSessions, occasionsOf } from "./occasions.ts"
import { OwnershipStore } from "./ownership/store.ts"
import { type Answers, Resolution } from "./resolving/resolution.ts"
import { networksOf, ResolvedEvents } from "./resolving/resolved-events.ts"
import { IdentificationStore, type Queue } from "./store.ts"
import { UserIds } from "./user-ids/user-ids.ts"
import { randomUUID } from "node:crypto"

/** Events of one transaction, which has the turns of their organizations. */
export const batchEvents = { least: 50, first: 50, most: 2_000 }
/** For tests whose expectations depend on which events are in one transaction. */
export const BatchEvents = Context.Reference("@footfall/server/identification/BatchEvents", {
  defaultValue: () => batchEvents,
})
/** Organizations of one transaction. Our bound. */
const batchOrganizationsMax = 500
/** Organizations that are worked at apart at a time. Our bound. */
const apartMax = 4

/** Wait of `drain` while others have the turns. */
const turnWait = "50 millis"

/** What a pass did. */
export interface PassResult {
  readonly events: number
  /** Whether there may be more to do at once. */
  readonly hasMore: boolean
}

export class Identification extends Context.Service<
  Identification,
  {
    /**
     * Works off one batch of events, at most 2,000 and fewer where that takes long, but none of an organization that is worked at apart. An
     * organization whose turn is taken or of which an event fails is from then on.
     *
     * *Errors*: DatabaseError when the database failed; nothing was done then.
     * *Guarantee*: atomic; each event counts once.
     */
    readonly pass: Effect.Effect<PassResult, DatabaseError>
    /** Works off one batch of each organization that is worked at apart, and waits for its turn. */
    readonly passApart: Effect.Effect<PassResult, DatabaseError>
    /** Passes until nothing waits. Returns the number of events. */
    readonly drain: Effect.Effect<number, DatabaseError>
  }
>()("@footfall/server/identification/Identification") {
  static readonly layer = Layer.effect(
    Identification,
    Effect.gen(function* () {
      const store = yield* IdentificationStore
      const changesStore = yield* ChangesStore
      const companies = yield* CompanyUpkeepStore
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
      const userIds = yield* UserIds
      const wakes = yield* JobWakes

      const apart = new Apart()
      const bounds = yield* BatchEvents
      /** Of batches of several organizations, and of each one that is worked at apart. */
      const size = new TurnSize(bounds)
      const sizesApart = new TurnSizes(bounds)
      const apartTurn = yield* Semaphore.make(1)

      /** The next events, without what they say of erased people. */
      const eventsOf = Effect.fnUntraced(function* (queues: ReadonlyArray<Queue>) {
        const events = yield* store.waiting(queues)
        const erased = yield* tombstones.among(events.flatMap(introducedKey))
        if (erased.length === 0) return events
        const { forgotten, events: kept } = withoutErased(events, erased)
        yield* store.forget(forgotten)
        return kept
      })

      /** Of organizations whose turns the transaction has. Gives how many webhook events were queued. */
      const workOffThese = Effect.fnUntraced(function* (
        waiting: ReadonlyArray<WaitingEvent>,
        answers: Answers,
      ) {
        const linked = yield* linkedEvents.of(yield* userIds.of(waiting))
        const events = yield* resolvedEvents.of(linked.events, answers)
        const before = yield* known.of(events)
        const changes = workOff(events, before, newId)
        yield* write(before, changes)
        yield* linkedEvents.note(linked.used)
        const filled = yield* resolvedEvents.fill(changes.sessions, events, answers)
        const organizationIds = [...new Set(events.map(({ organizationId }) => organizationId))]
        yield* companies.settle(organizationIds, networksOf(events))
        const enriched = [...linked.enriched, ...filled]
        return yield* triggers.pull(
          occasionsOf(before, changes, enriched),
          liveSessions(changes.sessions),
          companyVisits(changes.sessions),
        )
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

      const setAside = Effect.fnUntraced(function* (
        { organizationId, pixelId, id, sequence }: WaitingEvent,
        cause: Cause.Cause<DatabaseError>,
      ) {
        if (!(yield* store.takeTurn(organizationId))) return false
        yield* store.move({ moves: [{ sequence, sessionId: null }], duplicates: [] })
        yield* Effect.logError("event set aside", { organizationId, pixelId, id }, cause)
        return true
      })

      const answersOf = Effect.fnUntraced(function* (queues: ReadonlyArray<Queue>) {
        yield* partitions.ensure(yield* store.waitingDays(queues))
        // Outside the transaction: no one waits for a resolver but the events themselves.
        return resolution.isOn ? yield* resolution.answers(yield* store.waiting(queues)) : noneAsked
      })

      const together = Effect.fnUntraced(function* (
        queues: ReadonlyArray<Queue>,
        answers: Answers,
      ) {
        const ids = queues.map(({ organizationId }) => organizationId)
        const free = new Set(yield* store.takeFree(ids))
        const taken = queues.filter(({ organizationId }) => free.has(organizationId))
        const begun = yield* Clock.currentTimeMillis
        const events = yield* eventsOf(taken)
        const told = events.length > 0 ? yield* workOffThese(events, answers) : 0
        return { busy: ids.filter((id) => !free.has(id)), events: events.length, told, begun }
      })

      const failed = (organizationId: string, events: number) =>
        Effect.map(Clock.currentTimeMillis, (now) => apart.failed(organizationId, events, now))

      /** `begun`: when the transaction had the turns. */
      const noteTime = (events: number, begun: number) =>
        Effect.map(Clock.currentTimeMillis, (now) => size.took(events, now - begun))

      // The organizations are halved until one that fails is alone.
      const passOver = (
        queues: ReadonlyArray<Queue>,
        answers: Answers,
      ): Effect.Effect<number, DatabaseError> =>
        store.transaction(together(queues, answers)).pipe(
          Effect.tap(({ begun, events }) => noteTime(events, begun)),
          Effect.flatMap(({ busy, events, told }) => {
            for (const organizationId of busy) apart.isBusy(organizationId)
            return Effect.as(told > 0 ? wakes.wake(webhookQueue) : Effect.void, events)
          }),
          Effect.catchCause((cause) => {
            if (!isOfTheEvents(cause) && !isTooSlow(cause)) return Effect.failCause(cause)
            if (queues.length > 1) {
              const half = Math.ceil(queues.length / 2)
              return Effect.zipWith(
                passOver(queues.slice(0, half), answers),
                passOver(queues.slice(half), answers),
                (one, other) => one + other,
              )
            }
            const [{ events, organizationId }] = queues as readonly [Queue]
            return Effect.as(failed(organizationId, events), 0)
          }),
        )

      const pass = Effect.gen(function* () {
        const limit = size.next
        const queues = yield* store.next({
          events: limit,
          organizations: batchOrganizationsMax,
          except: apart.organizationIds,
        })
        if (queues.length === 0) return nothing
        const events = yield* passOver(queues, yield* answersOf(queues))
        return { events, hasMore: events > 0 && isFull(queues, limit) }
      }).pipe(Effect.withSpan("Identification.pass"))

      /** One batch, or what of it is tried to find the event that fails. */
      const passOf = Effect.fnUntraced(function* (organizationId: string) {
        const ownSize = sizesApart.of(organizationId)
        const queue = yield* store.nextOf(
          organizationId,
          apart.triedNext(organizationId) ?? ownSize.next,
        )
        const answers = queue === undefined ? noneAsked : yield* answersOf([queue])
        let tried: ReadonlyArray<WaitingEvent> = []
        let begun = 0
        const turn = Effect.gen(function* () {
          if (queue === undefined) return 0
          tried = []
          if (!(yield* store.takeTurn(organizationId))) return undefined
          begun = yield* Clock.currentTimeMillis
          tried = yield* eventsOf([queue])
          return yield* workOffThese(tried, answers)
        })
        const told = yield* Effect.exit(store.transaction(turn))
        const now = yield* Clock.currentTimeMillis
        if (Exit.isSuccess(told)) {
          if (told.value === undefined) return { events: 0, hasMore: true }
          apart.done(organizationId, true, now)
          ownSize.took(tried.length, now - begun)
          if (told.value > 0) yield* wakes.wake(webhookQueue)
          return { events: tried.length, hasMore: tried.length > 0 }
        }
        const [event, ...others] = tried
        if (
          event !== undefined &&
          others.length > 0 &&
          (isOfTheEvents(told.cause) || isTooSlow(told.cause))
        ) {
          apart.failed(organizationId, tried.length, now)
          return { events: 0, hasMore: true }
        }
        if (event === undefined || !isOfTheEvents(told.cause)) {
          return yield* Effect.failCause(told.cause)
        }
        const isSetAside = yield* store.transaction(setAside(event, told.cause))
        if (isSetAside) apart.done(organizationId, false, now)
        return { events: isSetAside ? 1 : 0, hasMore: true }
      })

      const passApart = Effect.gen(function* () {
        const exits = yield* Effect.forEach(
          apart.organizationIds,
          (organizationId) => Effect.exit(passOf(organizationId)),
          { concurrency: apartMax },
        )
        // One that fails keeps none of the others from its pass.
        const results = yield* Effect.forEach(exits, (exit) => exit)
        return {
          events: results.reduce((sum, { events }) => sum + events, 0),
          hasMore: results.some(({ hasMore }) => hasMore),
        }
      }).pipe(apartTurn.withPermit, Effect.withSpan("Identification.passApart"))

      const drain = Effect.gen(function* () {
        let events = 0
        while (true) {
          const one = yield* pass
          const other = yield* passApart
          events += one.events + other.events
          if (one.events + other.events > 0) continue
          // Between the two, an organization may have left those that are worked at apart, and others may be at work.
          const waiting = yield* store.next({ events: 1, organizations: 1, except: [] })
          if (!other.hasMore && waiting.length === 0) return events
          yield* Effect.sleep(turnWait)
        }
      })

      return Identification.of({ pass, passApart, drain })
    }),
  )
}

const noneAsked: Answers = new Map()

const nothing: PassResult = { events: 0, hasMore: false }

/** Whether more may wait than these: see `IdentificationStore.next`. */
const isFull = (queues: ReadonlyArray<Queue>, limit: number): boolean => {
  const share = Math.min(limit, Math.ceil((4 * limit) / queues.length))
  const all = queues.reduce((sum, { events }) => sum + events, 0)
  return (
    all >= limit ||
    queues.length >= batchOrganizationsMax ||
    queues.some(({ events }) => events >= share)
  )
}

// A defect of ours, or data that Postgres refuses. What may go away by itself (a lost connection, a
// deadlock, a timeout, a full disk) or is no one's data (a missing right or table) blames no event.
const isOfTheEvents = (cause: Cause.Cause<DatabaseError>): boolean => {
  if (Cause.hasInterrupts(cause)) return false
  const error = Option.getOrUndefined(Cause.findErrorOption(cause))
  if (error === undefined) return true
  const { _tag } = error.reason
  if (_tag === "UnknownError") return !isOutOfOrder(error)
  return _tag === "UniqueViolation" || _tag === "ConstraintError"
}

/** What a smaller batch may be spared; it blames no event. */
const isTooSlow = (cause: Cause.Cause<DatabaseError>): boolean =>
  Option.getOrUndefined(Cause.findErrorOption(cause))?.reason._tag === "StatementTimeoutError"

// Where the ids of new sessions and visitors come from: random, in this one place, so that a test can
// put a counter there and get the same rows from the same events.
export const NewId = Context.Reference<() => string>("@footfall/server/identification/NewId", {
  defaultValue: () => randomUUID,
})
