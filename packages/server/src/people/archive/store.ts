// SQL on Postgres for archived events: which events are next to move, which sessions of erased people ClickHouse has to
// delete, and whether ClickHouse has events at all. An event without a session but with a browser, which a pass set
// aside, is never moved: an erasure recognizes it by more than a session.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import {
  type EventRow,
  type ExpiredEvents,
  noSession,
  type SessionKey,
} from "./archived-events-store.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

/** How long a process may take for one batch of events. */
const lease = "5 minutes"

/**
 * After a lease has ended, whatever it allowed to write is written (ClickHouse begins no later), with time to spare for
 * clocks that differ.
 */
const lastDeletion = "30 minutes"

/** An event that was received on a day happened before this many days later, even if clocks differ. */
export const laterDays = 2

/** A person's address and when it was first seen, in epoch milliseconds. */
export interface SeenAddress {
  readonly emailHash: string
  readonly email: string | null
  readonly firstSeenAt: number
}

export type EventKey = Pick<EventRow, "organizationId" | "pixelId" | "id">

/** Before every event of a day. */
export const firstKey: EventKey = { organizationId: noSession, pixelId: noSession, id: noSession }

export interface GoneSession extends SessionKey {
  /** Whether no move can write its events anymore. */
  readonly isLast: boolean
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  /** Only its partition is read and locked, because the day is a literal. It must be checked. */
  const isOn = (day: string) => sql`received_on = ${sql.literal(`'${day}'`)}`

  const keysOf = (events: ReadonlyArray<EventKey>) =>
    JSON.stringify(
      events.map(({ id, organizationId, pixelId }) => ({ o: organizationId, p: pixelId, i: id })),
    )

  return {
    /**
     * Takes or extends the right to move events of a day and all days before. Returns when it ends, in seconds of Unix
     * time; undefined while another process has it.
     */
    take: (mover: string, day: string): Result<number | undefined> =>
      sql<{ readonly endsAt: number }>`
        insert into event_archive as archive (until, mover, lease_ends_at)
        values (${day}::date, ${mover}::uuid, now() + ${lease}::interval)
        on conflict (is_only) do update set
          until = greatest(archive.until, excluded.until),
          mover = excluded.mover,
          lease_ends_at = excluded.lease_ends_at
        where archive.mover = excluded.mover or archive.lease_ends_at < now()
        returning floor(extract(epoch from lease_ends_at))::float8 as "endsAt"`.pipe(
        Effect.map(([row]) => row?.endsAt),
      ),

    giveBack: (mover: string): Result<void> =>
      Effect.asVoid(sql`
        update event_archive set lease_ends_at = now() where mover = ${mover}::uuid`),

    /**
     * At most `limit` events of a day after one of them. The lock skips those that an erasure is deleting: if it ends
     * after this, it began after the day was recorded in `event_archive` and so records what it deletes.
     */
    next: (day: string, after: EventKey, limit: number): Result<ReadonlyArray<EventRow>> =>
      sql<EventRow>`
        select
          organization_id::text as "organizationId", pixel_id::text as "pixelId", id::text,
          coalesce(session_id::text, ${noSession}) as "sessionId",
          anonymous_id::text as "anonymousId",
          (extract(epoch from received_at) * 1000000)::bigint::text as "receivedAt",
          (extract(epoch from occurred_at) * 1000000)::bigint::text as "occurredAt",
          type, url, payload::text
        from event
        where ${isOn(day)}
          and not payload ? 'c'
          and (session_id is not null or anonymous_id is null)
          and (organization_id, received_on, pixel_id, id) > (
            ${after.organizationId}::uuid, ${sql.literal(`'${day}'`)}::date, ${after.pixelId}::uuid,
            ${after.id}::uuid
          )
        order by organization_id, received_on, pixel_id, id
        limit ${limit}
        for share skip locked`.unprepared,

    /** Those that are still there. */
    remove: (day: string, events: ReadonlyArray<EventRow>): Result<void> =>
      Effect.asVoid(
        sql`
          delete from event e
          using json_to_recordset(${keysOf(events)}::text::json) as k (o uuid, p uuid, i uuid)
          where ${isOn(day)}
            and e.organization_id = k.o and e.pixel_id = k.p and e.id = k.i`.unprepared,
      ),

    /** Sessions whose events ClickHouse has to delete now: soon after the erasure, and once more when no move runs. */
    gone: (limit: number): Result<ReadonlyArray<GoneSession>> =>
      sql<GoneSession>`
        select organization_id as "organizationId", session_id as "sessionId",
          erased_at < now() - ${lastDeletion}::interval as "isLast"
        from event_gone
        where not is_deleted_once or erased_at < now() - ${lastDeletion}::interval
        limit ${limit}`,

    /** Their events have been deleted. */
    deleted: (sessions: ReadonlyArray<GoneSession>): Result<void> =>
      Effect.asVoid(sql`
        with said as materialized (
          select * from json_to_recordset(${JSON.stringify(sessions)}::text::json)
            as said ("organizationId" uuid, "sessionId" uuid, "isLast" boolean)
        ), forgotten as (
          delete from event_gone g using said
          where said."isLast"
            and (g.organization_id, g.session_id) = (said."organizationId", said."sessionId")
        )
        update event_gone g set is_deleted_once = true
        from said
        where not said."isLast"
          and (g.organization_id, g.session_id) = (said."organizationId", said."sessionId")`),

    /** By the organizations' retention. */
    expired: sql<ExpiredEvents>`
      select id as "organizationId",
        to_char((now() at time zone 'utc')::date - retention_days, 'YYYY-MM-DD') as before
      from organization
      where retention_days is not null and exists (select from event_archive)
      order by id`,

    /** Addresses so old that ClickHouse may have the events that named them, with the person's sessions of that time. */
    sessionsOf: (
      { id, organizationId }: { readonly id: string; readonly organizationId: string },
      addresses: ReadonlyArray<SeenAddress>,
    ): Result<ReadonlyArray<SeenAddress & { readonly sessionIds: ReadonlyArray<string> }>> =>
      sql<SeenAddress & { readonly sessionIds: ReadonlyArray<string> }>`
        select address.*, array(
          select session.id from session
          where session.organization_id = ${organizationId} and session.visitor_id = ${id}
            and session.started_at <= moment.at + interval '1 millisecond'
            and session.ended_at >= moment.at - interval '1 millisecond'
        ) as "sessionIds"
        from jsonb_to_recordset(${JSON.stringify(addresses)}::text::jsonb)
          as address ("emailHash" text, email text, "firstSeenAt" float8)
        cross join lateral (select to_timestamp(address."firstSeenAt" / 1000) as at) as moment
        join event_archive on moment.at < event_archive.until + ${laterDays}::int`,
  }
})

export class EventArchiveStore extends Context.Service<
  EventArchiveStore,
  Effect.Success<typeof make>
>()("@footfall/server/identification/EventArchiveStore") {
  static readonly layer = Layer.effect(EventArchiveStore, make)
}

/** Whether an event was ever moved to ClickHouse. */
export const hasArchive = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.gen(function* () {
    // Works on an older schema too, which a start without migrations reports elsewhere.
    const [table] = yield* sql<{ readonly exists: boolean }>`
      select to_regclass('event_archive') is not null as "exists"`
    if (table?.exists !== true) return false
    return (yield* sql`select from event_archive`).length > 0
  }),
)
