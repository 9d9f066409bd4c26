// SQL on ClickHouse for archived events. A row is written again if it is unknown whether it arrived, because rows with
// the same key become one. Rows are compared as the bytes that were sent. Texts from outside are only in rows, never in
// a statement.
import { DateTime, Effect } from "effect"
import type { SqlError } from "effect/sql"
import {
  answeredWithin,
  literals,
  type ProvidedClickHouse,
} from "../../platform/outbound/clickhouse/clickhouse-store.ts"
import { RowBinary, RowWriter } from "../../platform/outbound/clickhouse/row-binary.ts"
import { clickHouseTables, type Table } from "../../platform/outbound/clickhouse/tables-store.ts"
import type { EventPosition, ListedEvent, Moment, SessionSpan } from "./session-events.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

/** An event as texts. Times are microseconds of Unix time. */
export interface EventRow {
  readonly organizationId: string
  readonly pixelId: string
  readonly id: string
  /** `noSession` for an anonymous event. */
  readonly sessionId: string
  readonly anonymousId: string | null
  readonly receivedAt: string
  readonly occurredAt: string
  readonly type: string
  readonly url: string | null
  readonly payload: string
}

/** Part of the table's key, which can't be null. */
export const noSession = "00000000-0000-0000-0000-000000000000"

/** A session and its organization. */
export interface SessionKey {
  readonly organizationId: string
  readonly sessionId: string
}

/** Events of an organization that were received before this day (`YYYY-MM-DD`). */
export interface ExpiredEvents {
  readonly organizationId: string
  readonly before: string
}

/** Where and when events happened: at `from` or later, and not after `until`, in epoch milliseconds. */
export interface EventSpan {
  readonly organizationId: string
  readonly sessionIds: ReadonlyArray<string>
  readonly from: number
  readonly until: number
}

export interface ArchivedEvent {
  readonly type: string
  readonly pixelId: string
  /** JSON. */
  readonly payload: string
}

const dayMs = 86_400_000

/** The UTC day of a time in epoch milliseconds. */
const dayOf = (at: number): string => DateTime.formatIsoDateUtc(DateTime.makeUnsafe(at))

/** How long ClickHouse may take for a batch. Units: seconds. */
const batchSecondsMax = 60

const name = "footfall_event"

/**
 * The key starts as in Postgres. Sessions stay together, because look-ups and erasures ask for them. An event is always
 * in the same shard, so that it replaces itself there.
 */
const table: Table = {
  name,
  columns: `organization_id UUID, received_on Date, session_id UUID, pixel_id UUID, id UUID,
    anonymous_id Nullable(UUID), received_at DateTime64(6, 'UTC'), occurred_at DateTime64(6, 'UTC'),
    type LowCardinality(String), url Nullable(String) codec(ZSTD(3)), payload String codec(ZSTD(3))`,
  engine: "ReplacingMergeTree",
  order: `partition by toYYYYMM(received_on)
    order by (organization_id, received_on, session_id, pixel_id, id)
    settings fsync_after_insert = 1, fsync_part_directory = 1`,
  shardingKey: "cityHash64(id)",
}

/** In the order of the key in Postgres, which is that of the ids as texts. */
export const rowBytes = (events: ReadonlyArray<EventRow>): Buffer => {
  const rows = new RowWriter()
  for (const event of events) {
    rows.text(event.organizationId)
    rows.text(event.pixelId)
    rows.text(event.id)
    rows.text(event.sessionId)
    rows.nullableText(event.anonymousId)
    rows.text(event.receivedAt)
    rows.text(event.occurredAt)
    rows.text(event.type)
    rows.nullableText(event.url)
    rows.text(event.payload)
  }
  return rows.bytes
}

const isExpired = (expired: ReadonlyArray<ExpiredEvents>): string =>
  expired
    .map(
      ({ before, organizationId }) =>
        `(organization_id = ${literals.uuid(organizationId)}
          and received_on < ${literals.date(before)})`,
    )
    .join(" or ")

const ofSession = ({ organizationId, receivedFrom, sessionId }: SessionSpan): string =>
  `organization_id = ${literals.uuid(organizationId)}
    and received_on >= ${literals.date(receivedFrom)} and session_id = ${literals.uuid(sessionId)}`

/** Ids are compared as texts, which is their order in Postgres. */
const behind = (after: EventPosition | undefined): string =>
  after === undefined
    ? ""
    : `and (toUnixTimestamp64Micro(occurred_at), toString(id)) > (
        ${literals.integer(1_000 * DateTime.makeUnsafe(after.at).epochMilliseconds)}, ${literals.uuid(after.id)})`

export const archivedEventsStore = (clickHouse: ProvidedClickHouse) => {
  const { deleteFrom, insertInto, make, select } = clickHouseTables(
    clickHouse,
    clickHouse.cluster,
    [table],
  )

  return {
    makeTable: make,

    /** Nothing is written if ClickHouse begins later than `endsAt`, in seconds of Unix time. */
    write: (day: string, rows: Uint8Array, endsAt: number): Result<void> =>
      insertInto(
        name,
        `organization_id, received_on, session_id, pixel_id, id, anonymous_id, received_at,
        occurred_at, type, url, payload`,
        { max_execution_time: batchSecondsMax },
      ).pipe(
        Effect.flatMap((insert) =>
          clickHouse.insert(
            `${insert}
      select
        toUUID(organization), toDate(${literals.date(day)}), toUUID(session), toUUID(pixel),
        toUUID(event), toUUID(browser), fromUnixTimestamp64Micro(toInt64(received), 'UTC'),
        fromUnixTimestamp64Micro(toInt64(occurred), 'UTC'), kind, page, rest
      from input('organization String, pixel String, event String, session String,
        browser Nullable(String), received String, occurred String, kind String,
        page Nullable(String), rest String')
      where toUnixTimestamp(now()) < ${literals.integer(endsAt)}
      format RowBinary`,
            [rows],
          ),
        ),
        answeredWithin(batchSecondsMax),
      ),

    /**
     * As they were written. After a cluster has grown, a row that was written twice may be in two shards. `prewhere`
     * reads other columns only of these events, which is safe before `final` because the condition names only the key.
     */
    read: (day: string, events: ReadonlyArray<EventRow>): Result<Buffer> =>
      select(`
      select distinct toString(organization_id) as organization, toString(pixel_id) as pixel,
        toString(id) as event, toString(session_id), toString(anonymous_id),
        toString(toUnixTimestamp64Micro(received_at)),
        toString(toUnixTimestamp64Micro(occurred_at)), cast(type as String), url, payload
      from ${name} final
      prewhere received_on = ${literals.date(day)} and (organization_id, pixel_id, id) in
        ${literals.uuidTable(events.map(({ id, organizationId, pixelId }) => [organizationId, pixelId, id]))}
      order by organization, pixel, event`).pipe(answeredWithin(batchSecondsMax)),

    deleteSessions: (sessions: ReadonlyArray<SessionKey>): Result<void> =>
      deleteFrom(
        name,
        `(organization_id, session_id) in
        ${literals.uuids(sessions.map(({ organizationId, sessionId }) => [organizationId, sessionId]))}`,
      ),

    /** Which of these organizations have such events. */
    withExpired: (expired: ReadonlyArray<ExpiredEvents>): Result<ReadonlySet<string>> =>
      select(`
      select distinct toString(organization_id) from ${name}
      where ${isExpired(expired)}`).pipe(
        Effect.map((bytes) => {
          const found = new Set<string>()
          for (const rows = new RowBinary(bytes); rows.hasMore;) found.add(rows.text())
          return found
        }),
      ),

    deleteExpired: (expired: ReadonlyArray<ExpiredEvents>): Result<void> =>
      deleteFrom(name, isExpired(expired)),

    /** A session's next page views and custom events, oldest first. */
    listed: (session: SessionSpan, after: EventPosition | undefined, limit: number) =>
      select(`
      select distinct toUnixTimestamp64Micro(occurred_at) as at, toString(id) as event,
        cast(type as String), url, payload
      from ${name}
      where ${ofSession(session)} and type in ('page', 'track') ${behind(after)}
      order by at, event
      limit ${literals.integer(limit)}`).pipe(
        Effect.map((bytes) => {
          const found: Array<ListedEvent> = []
          for (const rows = new RowBinary(bytes); rows.hasMore;) {
            found.push({
              at: DateTime.formatIso(DateTime.makeUnsafe(rows.count() / 1_000)),
              id: rows.text(),
              type: rows.text() === "page" ? "page" : "track",
              url: rows.byte() === 1 ? null : rows.utf8(),
              payload: JSON.parse(rows.utf8()),
            })
          }
          return found
        }),
      ),

    /** A session's next page views and heartbeats, oldest first. */
    moments: (session: SessionSpan, after: EventPosition | undefined, limit: number) =>
      select(`
      select distinct toUnixTimestamp64Micro(occurred_at) as at, toString(id) as event,
        ifNull(url, ''), type = 'page', toUInt64(JSONExtractUInt(payload, 's'))
      from ${name}
      where ${ofSession(session)} and type in ('page', 'heartbeat') ${behind(after)}
      order by at, event
      limit ${literals.integer(limit)}`).pipe(
        Effect.map((bytes) => {
          const found: Array<Moment> = []
          for (const rows = new RowBinary(bytes); rows.hasMore;) {
            const [at, id, url] = [rows.count() / 1_000, rows.text(), rows.utf8()]
            const isPage = rows.byte() === 1
            const seconds = rows.count()
            found.push({ id, at, url, seconds: isPage ? null : seconds })
          }
          return found
        }),
      ),

    /** In the order of time. An event may be there twice. */
    during: ({ from, organizationId, sessionIds, until }: EventSpan) =>
      select(`
      select cast(type as String), toString(pixel_id), payload
      from ${name}
      where organization_id = ${literals.uuid(organizationId)}
        and received_on >= ${literals.date(dayOf(from - dayMs))}
        and session_id in (${sessionIds.map(literals.uuid).join(",")})
        and toUnixTimestamp64Micro(occurred_at)
          between ${literals.integer(1_000 * from)} and ${literals.integer(1_000 * until)}
      order by occurred_at, id`).pipe(
        Effect.map((bytes) => {
          const found: Array<ArchivedEvent> = []
          for (const rows = new RowBinary(bytes); rows.hasMore;) {
            found.push({ type: rows.text(), pixelId: rows.text(), payload: rows.utf8() })
          }
          return found
        }),
      ),
  }
}
