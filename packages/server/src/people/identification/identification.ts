// The identification pass: turns collected events into sessions and visitors, in order of arrival per organization, one
// transaction per batch. A crash repeats nothing and loses nothing. Each lane of organizations has one pass at a time.
// What can't be processed with the others is processed apart, where bisection finds a failing event.
import { Cause, Clock, Context, Effect, Exit, Layer, Option, Random } from "effect"
import { randomUUID } from "node:crypto"
import { type DatabaseError, isOutOfOrder } from "../../platform/database/database-error.ts"
import { TurnSize, TurnSizes } from "../../platform/database/turn-size.ts"
import { Partitions } from "../../platform/database/partitions.ts"
import { JobWakes } from "../../platform/jobs/queue.ts"
import { Tombstones } from "../person/tombstones/tombstones.ts"
import { IsolatedOrganizations } from "./isolated-organizations.ts"
import { type Changes, type Known, type WaitingEvent, processBatch } from "./batch-work.ts"
import { ChangesStore } from "./changes/store.ts"
import { CompanyUpkeepStore } from "./companies/store.ts"
import { CreditStore } from "../credits/store.ts"
import { introducedKeys, withoutErased } from "./forgotten.ts"
import { KnownRows } from "./known.ts"
import { LinkedEvents } from "./links/linked-events.ts"
import { knownVisits, liveSessions, occasionsOf } from "./batch-occasions.ts"
import { Occasions } from "../visitors/occasions.ts"
import { OwnershipStore } from "./ownership/store.ts"
import { type Answers, Resolution } from "./resolving/resolution.ts"
import { networksOf, ResolvedEvents } from "./resolving/resolved-events.ts"
import { IdentificationStore, type LaneQueue, type Queue } from "./store.ts"
import { UserIds } from "./user-ids/user-ids.ts"

/** Events per transaction, which holds their organizations' turns. */
export const batchEvents = { least: 50, first: 50, most: 2_000 }
/** For tests that depend on which events share a transaction. */
export const BatchEvents = Context.Reference("@footfall/server/identification/BatchEvents", {
  defaultValue: () => batchEvents,
})
/** The number of lanes that a hash divides organizations into. */ // spec 18.1
export const IdentificationLanes = Context.Reference(
  "@footfall/server/identification/IdentificationLanes",
  { defaultValue: () => 64 },
)
/** One pass takes at most this share of the lanes, so that whatever holds it up leaves the others to other passes. */
const laneShareMax = 1 / 4
/**
 * Organizations per transaction. Each takes a lock, as does each lane. By default Postgres has room for 64 locks per
 * connection, so 640 for the 10 connections of a process: enough for its 4 passes with a quarter of 64 lanes each.
 */
const batchOrganizationsMax = 128
/** Organizations that one process handles apart at the same time, one connection each. */
export const apartMax = 4

/** How long to wait while others hold the turns. */
const turnWait = "50 millis"

/** The result of a pass. */
export interface PassResult {
  readonly events: number
  /** Whether there may be more to do right away. */
  readonly hasMore: boolean
}

export class Identification extends Context.Service<
  Identification,
  {
    /**
     * Processes one batch of events from lanes without another pass: at most 2,000, fewer if that is slow, and none of
     * organizations handled apart. An organization whose turn is taken, or with a failing event, is handled apart from
     * then on.
     *
     * *Errors*: DatabaseError if the database failed; nothing was done then. *Guarantee*: atomic; each event counts
     * once.
     */
    readonly pass: Effect.Effect<PassResult, DatabaseError>
    /** The organizations currently handled apart. */
    readonly apart: Effect.Effect<ReadonlyArray<string>>
    /** Processes one batch of an organization handled apart, waiting for its turn. */
    passApart(organizationId: string): Effect.Effect<PassResult, DatabaseError>
    /** Runs passes until nothing waits. Returns the number of events. */
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
      const occasions = yield* Occasions
      const userIds = yield* UserIds
      const wakes = yield* JobWakes

      const apart = new IsolatedOrganizations()
      const bounds = yield* BatchEvents
      /** For batches of several organizations, and for each one handled apart. */
      const size = new TurnSize(bounds)
      const sizesApart = new TurnSizes(bounds)
      const lanes = yield* IdentificationLanes
      const lanesOfOne = Math.ceil(lanes * laneShareMax)
      /** Each process starts at a random lane and goes around, so every lane gets its turn. */
      let lastLane = yield* Random.nextIntBetween(0, lanes)

      /** The next events, without data about erased people. */
      const eventsOf = Effect.fnUntraced(function* (queues: ReadonlyArray<Queue>) {
        const events = yield* store.waiting(queues)
        const erased = yield* tombstones.among(events.flatMap(introducedKeys))
        if (erased.length === 0) return events
        const { forgotten, events: kept } = withoutErased(events, erased)
        yield* store.forget(forgotten)
        return kept
      })

      /** Requires the organizations' turns. Returns how many webhook events were queued. */
      const processEvents = Effect.fnUntraced(function* (
        waiting: ReadonlyArray<WaitingEvent>,
        answers: Answers,
      ) {
        const spoken = yield* userIds.apply(waiting)
        const linked = yield* linkedEvents.apply(spoken.events)
        const events = yield* resolvedEvents.apply(linked.events, answers)
        const before = yield* known.load(events)
        const changes = processBatch(events, before, newId)
        yield* write(before, changes)
        yield* userIds.correct(spoken.corrections)
        yield* linkedEvents.note(linked.used)
        const filled = yield* resolvedEvents.fill(changes.sessions, events, answers)
        const organizationIds = [...new Set(events.map(({ organizationId }) => organizationId))]
        yield* companies.settle(organizationIds, networksOf(events))
        const enriched = [...linked.enriched, ...filled]
        return yield* occasions.announce(
          occasionsOf(before, changes, enriched),
          liveSessions(changes.sessions),
          knownVisits(changes.sessions),
        )
      })

      const write = Effect.fnUntraced(function* (before: Known, changes: Changes) {
        yield* changesStore.visitors(changes.visitors)
        // Uses these people's current marks; everything that decides a batch's marks comes before.
        yield* creditStore.charge(
          changes.visitors.map(({ organizationId, id }) => ({ organizationId, visitorId: id })),
        )
        yield* changesStore.visits(changes)
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
      })

      const setAside = Effect.fnUntraced(function* (
        { organizationId, pixelId, id, sequence }: WaitingEvent,
        cause: Cause.Cause<DatabaseError>,
      ) {
        if (!(yield* store.takeTurn(organizationId))) return false
        yield* changesStore.setAside(sequence)
        yield* Effect.logError("event set aside", { organizationId, pixelId, id }, cause)
        return true
      })

      const answersOf = Effect.fnUntraced(function* (queues: ReadonlyArray<Queue>) {
        yield* partitions.ensure(queues.flatMap(({ days }) => days))
        // Outside the transaction: only the events themselves wait for a resolver.
        return resolution.isEnabled
          ? yield* resolution.answers(yield* store.waiting(queues))
          : noAnswers
      })

      const together = Effect.fnUntraced(function* (
        requested: ReadonlyArray<LaneQueue>,
        answers: Answers,
      ) {
        const own = new Map(
          (yield* store.takeFree(requested)).map((one) => [one.organizationId, one.isFree]),
        )
        const taken = requested.filter(({ organizationId }) => own.get(organizationId) === true)
        const begun = yield* Clock.currentTimeMillis
        const events = yield* eventsOf(taken)
        const due = events.length > 0 ? yield* processEvents(events, answers) : 0
        const busy = [...own].flatMap(([id, isFree]) => (isFree ? [] : [id]))
        const isOvertaken = own.size < requested.length
        return { busy, events: events.length, isOvertaken, due, begun }
      })

      const failed = (organizationId: string, events: number) =>
        Effect.map(Clock.currentTimeMillis, (now) => apart.failed(organizationId, events, now))

      /** `begun`: when the transaction acquired the turns. */
      const noteTime = (events: number, begun: number) =>
        Effect.map(Clock.currentTimeMillis, (now) => size.took(events, now - begun))

      // Halves the organizations until a failing one is alone. `isOvertaken`: another pass was first in a lane.
      const passOver = (
        queues: ReadonlyArray<LaneQueue>,
        answers: Answers,
      ): Effect.Effect<{ readonly events: number; readonly isOvertaken: boolean }, DatabaseError> =>
        store.transaction(together(queues, answers)).pipe(
          Effect.tap(({ begun, events }) => noteTime(events, begun)),
          Effect.flatMap(({ busy, due, ...done }) => {
            for (const organizationId of busy) apart.markBusy(organizationId)
            return Effect.as(due > 0 ? wakes.wake(occasions.queue) : Effect.void, done)
          }),
          Effect.catchCause((cause) => {
            if (isLockTimeout(cause)) {
              // One of them is blocked, but it is unknown which, so each is handled apart.
              for (const { organizationId } of queues) apart.markBusy(organizationId)
              return Effect.succeed({ events: 0, isOvertaken: false })
            }
            if (!isCausedByEvents(cause) && !isTooSlow(cause)) return Effect.failCause(cause)
            if (queues.length > 1) {
              const half = Math.ceil(queues.length / 2)
              return Effect.zipWith(
                passOver(queues.slice(0, half), answers),
                passOver(queues.slice(half), answers),
                (one, other) => ({
                  events: one.events + other.events,
                  isOvertaken: one.isOvertaken || other.isOvertaken,
                }),
              )
            }
            const [{ events, organizationId }] = queues as readonly [LaneQueue]
            return Effect.as(failed(organizationId, events), { events: 0, isOvertaken: false })
          }),
        )

      const pass = Effect.gen(function* () {
        const limit = size.next
        const queues = yield* store.next({
          events: limit,
          organizations: batchOrganizationsMax,
          except: apart.organizationIds,
          lanes,
          lanesOfOne,
          after: lastLane,
        })
        if (queues.length === 0) return nothing
        lastLane = lastOf(queues, lastLane, lanes)
        const { events, isOvertaken } = yield* passOver(queues, yield* answersOf(queues))
        const isMoreKnown = queues.some(({ othersWait }) => othersWait) || isFull(queues, limit)
        return { events, hasMore: isOvertaken || (events > 0 && isMoreKnown) }
      }).pipe(Effect.withSpan("Identification.pass"))

      /** One batch, or the part of it that is tried to find the failing event. */
      const passOne = Effect.fnUntraced(function* (organizationId: string) {
        const ownSize = sizesApart.of(organizationId)
        const queue = yield* store.nextOf(
          organizationId,
          apart.nextTrial(organizationId) ?? ownSize.next,
        )
        const answers = queue === undefined ? noAnswers : yield* answersOf([queue])
        let tried: ReadonlyArray<WaitingEvent> = []
        let begun = 0
        const turn = Effect.gen(function* () {
          if (queue === undefined) return 0
          tried = []
          if (!(yield* store.takeTurn(organizationId))) return undefined
          begun = yield* Clock.currentTimeMillis
          tried = yield* eventsOf([queue])
          return yield* processEvents(tried, answers)
        })
        const result = yield* Effect.exit(store.transaction(turn))
        const now = yield* Clock.currentTimeMillis
        if (Exit.isSuccess(result)) {
          if (result.value === undefined) return { events: 0, hasMore: true }
          apart.done(organizationId, true, now)
          ownSize.took(tried.length, now - begun)
          if (result.value > 0) yield* wakes.wake(occasions.queue)
          return { events: tried.length, hasMore: tried.length > 0 }
        }
        const [event, ...others] = tried
        if (
          event !== undefined &&
          others.length > 0 &&
          (isCausedByEvents(result.cause) || isTooSlow(result.cause))
        ) {
          apart.failed(organizationId, tried.length, now)
          return { events: 0, hasMore: true }
        }
        if (event === undefined || !isCausedByEvents(result.cause)) {
          return yield* Effect.failCause(result.cause)
        }
        const isSetAside = yield* store.transaction(setAside(event, result.cause))
        if (isSetAside) apart.done(organizationId, false, now)
        return { events: isSetAside ? 1 : 0, hasMore: true }
      })

      const atWork = new Set<string>()
      const passApart = (organizationId: string) =>
        Effect.suspend(() => {
          // Only one trial at a time is remembered.
          if (atWork.has(organizationId)) {
            return Effect.as(Effect.sleep(turnWait), { events: 0, hasMore: true })
          }
          atWork.add(organizationId)
          return Effect.ensuring(
            passOne(organizationId),
            Effect.sync(() => atWork.delete(organizationId)),
          )
        }).pipe(Effect.withSpan("Identification.passApart"))

      const drain = Effect.gen(function* () {
        let events = 0
        while (true) {
          const one = yield* pass
          const others = yield* Effect.forEach(apart.organizationIds, passApart, {
            concurrency: apartMax,
          })
          const done = others.reduce((sum, other) => sum + other.events, one.events)
          events += done
          if (done > 0) continue
          // Others may be working on it.
          if (!(yield* store.anyWaits)) return events
          yield* Effect.sleep(turnWait)
        }
      })

      return Identification.of({
        pass,
        apart: Effect.sync(() => apart.organizationIds),
        passApart,
        drain,
      })
    }),
  )
}

const noAnswers: Answers = new Map()

const nothing: PassResult = { events: 0, hasMore: false }

/** The last of these lanes in the circle starting after `after`. */
const lastOf = (queues: ReadonlyArray<LaneQueue>, after: number, lanes: number): number => {
  const places = queues.map(({ lane }) => (lane + lanes - after - 1) % lanes)
  return (after + 1 + Math.max(...places)) % lanes
}

/** Whether more may wait than these; see `IdentificationStore.next`. */
const isFull = (queues: ReadonlyArray<Queue>, limit: number): boolean => {
  const share = Math.min(limit, Math.ceil((4 * limit) / queues.length))
  const all = queues.reduce((sum, { events }) => sum + events, 0)
  return (
    all >= limit ||
    queues.length >= batchOrganizationsMax ||
    queues.some(({ events }) => events >= share)
  )
}

// True for a bug of ours, or data that Postgres rejects. Temporary problems (a lost connection, a deadlock, a
// timeout, a full disk) and problems of the setup (a missing permission or table) are not blamed on events.
const isCausedByEvents = (cause: Cause.Cause<DatabaseError>): boolean => {
  if (Cause.hasInterrupts(cause)) return false
  const error = Option.getOrUndefined(Cause.findErrorOption(cause))
  if (error === undefined) return true
  const { _tag } = error.reason
  if (_tag === "UnknownError") return !isOutOfOrder(error)
  return _tag === "UniqueViolation" || _tag === "ConstraintError"
}

const isFor =
  (reason: DatabaseError["reason"]["_tag"]) =>
  (cause: Cause.Cause<DatabaseError>): boolean =>
    Option.getOrUndefined(Cause.findErrorOption(cause))?.reason._tag === reason

/** A smaller batch may avoid it; no event is blamed. */
const isTooSlow = isFor("StatementTimeoutError")

/** Someone else holds a row's lock; no event is blamed. */
const isLockTimeout = isFor("LockTimeoutError")

// Ids of new sessions and visitors: random, and only created here, so that a test can replace it by a counter and get
// the same rows from the same events.
export const NewId = Context.Reference<() => string>("@footfall/server/identification/NewId", {
  defaultValue: () => randomUUID,
})
