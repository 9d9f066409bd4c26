// Moves old events to ClickHouse and keeps them there as long as in Postgres (spec 18.3). An event is written to
// ClickHouse, read back and compared before it is deleted from Postgres, so it is always in one of them. A batch that
// is interrupted is written again later, which changes nothing, because an event never changes.
import { randomUUID } from "node:crypto"
import { Clock, Context, DateTime, Effect, Layer, Metric, Schema } from "effect"
import type { DatabaseError } from "../../platform/database/database-error.ts"
import { Partitions } from "../../platform/database/partitions.ts"
import { TurnSize } from "../../platform/database/turn-size.ts"
import { every } from "../../platform/jobs/every.ts"
import {
  answeredWithin,
  OperatorClickHouse,
  unreachable,
} from "../../platform/outbound/clickhouse/clickhouse-store.ts"
import { type ArchivedEvent, archivedEventsStore, rowBytes } from "./archived-events-store.ts"
import type { EventPosition, SessionSpan } from "./session-events.ts"
import { EventArchiveStore, type EventKey, firstKey, type SeenAddress } from "./store.ts"

/** `EVENT_ARCHIVE_DAYS`: events of days longer ago move. Undefined moves none. */
export const EventArchiveDays = Context.Reference<number | undefined>(
  "@footfall/server/identification/EventArchiveDays",
  { defaultValue: () => undefined },
)

/** Events per batch. Postgres reads or deletes one in well under half a second. */
const batchBounds = { least: 250, first: 1_000, most: 10_000 }

/** How long a request waits for ClickHouse, however many addresses a visitor has. Units: seconds. */
const lookUpSecondsMax = 5

/** Sessions per deletion. */
const sessionsPerDeletionMax = 5_000
/** Organizations per deletion. */
const organizationsPerDeletionMax = 500

/** ClickHouse has other events than it was sent. They stay in Postgres. */
export class ArchiveDiffers extends Schema.TaggedError<ArchiveDiffers>()("ArchiveDiffers", {
  day: Schema.String,
  events: Schema.Int,
}) {
  override get message(): string {
    return `ClickHouse does not have ${this.events} events of ${this.day} as they were sent. They stay in Postgres. If this happens again, compare the clocks of both servers.`
  }
}

/** The first stored event that named an address. */
export interface NamingEvent {
  readonly emailHash: string
  readonly type: string
  readonly pixelId: string
  /** The name of the inbound source; unknown once the event is archived. */
  readonly vendor?: string | null
}

const notSet = unreachable("CLICKHOUSE_URL is not set, but events were archived")

const moved = Metric.counter("footfall_archive_moved_events", {
  description: "Events moved to ClickHouse",
})

const make = Effect.gen(function* () {
  const store = yield* EventArchiveStore
  const partitions = yield* Partitions
  const days = yield* EventArchiveDays
  const clickHouse = yield* OperatorClickHouse
  const archive = clickHouse === undefined ? undefined : archivedEventsStore(clickHouse)
  const mover = randomUUID()
  const size = new TurnSize(batchBounds)

  let hasTable = false
  const prepared = Effect.suspend(() =>
    hasTable || archive === undefined
      ? Effect.void
      : Effect.tap(archive.makeTable, () => Effect.sync(() => (hasTable = true))),
  )

  /** Moves the next events of a day. Returns the last one; undefined at the end, or while another process moves. */
  const moveSome = Effect.fnUntraced(function* (
    { read, write }: NonNullable<typeof archive>,
    day: string,
    after: EventKey,
  ) {
    const endsAt = yield* store.take(mover, day)
    if (endsAt === undefined) return undefined
    const [events, readMs] = yield* timed(store.next(day, after, size.next))
    const last = events.at(-1)
    if (last === undefined) return undefined
    const rows = rowBytes(events)
    yield* write(day, rows, endsAt)
    if (!rows.equals(yield* read(day, events))) {
      return yield* new ArchiveDiffers({ day, events: events.length })
    }
    const [, removeMs] = yield* timed(store.remove(day, events))
    size.took(events.length, Math.max(readMs, removeMs))
    yield* Metric.update(moved, events.length)
    return last
  })

  const moveDay = Effect.fnUntraced(function* (to: NonNullable<typeof archive>, day: string) {
    let after: EventKey | undefined = firstKey
    while (after !== undefined) after = yield* moveSome(to, day, after)
  })

  /**
   * Moves every event that is old enough, oldest days first, unless another process does.
   *
   * *Errors*: ArchiveDiffers, or DatabaseError if a database is unreachable. The batch's events stay in Postgres.
   * *Guarantee*: no event is lost or doubled, wherever it is interrupted; erased people's events are deleted.
   */
  const move = Effect.gen(function* () {
    if (archive === undefined || days === undefined) return
    const bound = DateTime.formatIsoDateUtc(DateTime.subtract(yield* DateTime.now, { days }))
    const old = yield* partitions.daysBefore(bound)
    if (old.length === 0) return
    yield* prepared
    yield* Effect.forEach(old, (day) => moveDay(archive, day), { discard: true }).pipe(
      Effect.ensuring(Effect.ignore(store.giveBack(mover))),
    )
  }).pipe(Effect.withSpan("EventArchive.move"))

  /** Deletes events of erased people from ClickHouse. Safe from several processes, and repeatable. */
  const forget = Effect.gen(function* () {
    if (archive === undefined) return 0
    const sessions = yield* store.gone(sessionsPerDeletionMax)
    if (sessions.length === 0) return 0
    yield* prepared
    yield* archive.deleteSessions(sessions)
    yield* store.deleted(sessions)
    return sessions.length
  }).pipe(
    Effect.repeat({ while: (sessions) => sessions === sessionsPerDeletionMax }),
    Effect.withSpan("EventArchive.forget"),
  )

  /** Deletes events past their organization's retention from ClickHouse. */ // spec 1.8
  const expire = Effect.gen(function* () {
    if (archive === undefined) return
    const all = yield* store.expired
    if (all.length === 0) return
    yield* prepared
    for (let from = 0; from < all.length; from += organizationsPerDeletionMax) {
      const some = all.slice(from, from + organizationsPerDeletionMax)
      const found = yield* archive.withExpired(some)
      const expired = some.filter(({ organizationId }) => found.has(organizationId))
      if (expired.length > 0) yield* archive.deleteExpired(expired)
    }
  }).pipe(Effect.withSpan("EventArchive.expire"))

  /**
   * The archived events that named a visitor's addresses first.
   *
   * *Errors*: DatabaseError if ClickHouse is needed and does not answer within 5 seconds.
   */
  const naming = Effect.fn("EventArchive.naming")(function* (
    visitor: { readonly id: string; readonly organizationId: string },
    addresses: ReadonlyArray<SeenAddress>,
  ): Effect.fn.Return<ReadonlyArray<NamingEvent>, DatabaseError> {
    const { organizationId } = visitor
    const found: Array<NamingEvent> = []
    for (const { sessionIds, ...address } of yield* store.sessionsOf(visitor, addresses)) {
      if (sessionIds.length === 0) continue
      if (archive === undefined) {
        return yield* notSet
      }
      const { emailHash, firstSeenAt } = address
      const [from, until] = [firstSeenAt - 1, firstSeenAt + 1]
      const events = yield* archive.during({ organizationId, sessionIds, from, until })
      const event = events.find((one) => names(one, address))
      if (event !== undefined) {
        found.push({ emailHash, type: event.type, pixelId: event.pixelId })
      }
    }
    return found
  }, answeredWithin(lookUpSecondsMax))

  /**
   * The next events of a session in ClickHouse: what is listed, and what tells how long pages were visible.
   *
   * *Errors*: DatabaseError if ClickHouse does not answer within 5 seconds.
   */
  const ofSession = Effect.fn("EventArchive.ofSession")(function* (
    session: SessionSpan,
    after: EventPosition | undefined,
    limits: { readonly listed: number; readonly moments: number },
  ) {
    if (archive === undefined) return yield* notSet
    return yield* Effect.all({
      listed: archive.listed(session, after, limits.listed),
      moments: archive.moments(session, after, limits.moments),
    })
  }, answeredWithin(lookUpSecondsMax))

  return { move, forget, expire, naming, ofSession }
})

/**
 * writing, and ClickHouse may write even after the process was killed. Therefore an erasure records its sessions in
 * `event_gone`, ClickHouse writes a batch only within its lease, and recorded sessions are deleted twice: within a
 * minute, and again when every lease from before the erasure has ended.
 */
export class EventArchive extends Context.Service<EventArchive, Effect.Success<typeof make>>()(
  "@footfall/server/identification/EventArchive",
) {
  static readonly layer = Layer.effect(EventArchive, make)
}

/** Deletes for erasures once a minute. Deletes expired events and moves old ones once an hour, and at start. */
export const EventArchiveWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    if ((yield* OperatorClickHouse) === undefined) return
    const { expire, forget, move } = yield* EventArchive
    yield* every("1 minute", "events of erased people not deleted from ClickHouse", forget)
    yield* every("1 hour", "expired events not deleted from ClickHouse", expire)
    yield* every("1 hour", "events not moved to ClickHouse", move)
  }),
)

const names = ({ payload }: ArchivedEvent, { email, emailHash }: SeenAddress): boolean => {
  const { e, h } = JSON.parse(payload) as { readonly e?: unknown; readonly h?: unknown }
  return h === emailHash || (email !== null && e === email)
}

/** The effect's result, and how many milliseconds it took. */
const timed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const from = yield* Clock.currentTimeMillis
    const result = yield* effect
    return [result, (yield* Clock.currentTimeMillis) - from] as const
  })
