// SQL that finds a session and its events (spec 5.1.10). Events of a session are found by the index that erasures use, in
// the partitions of the days on which they can have been received.
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { isoTime } from "../../platform/database/iso-time.ts"
import type { EventPosition, ListedEvent, Moment, SessionSpan } from "../archive/session-events.ts"
import { laterDays } from "../archive/store.ts"
import type { SessionKey } from "../visitors/sessions/store.ts"

/** Whose sessions: a person's, by any of their addresses, or a company's. */
export type SessionOwner = { readonly emailHash: string } | { readonly companyDomain: string }

/** What is needed to read a session's events. */
export interface FoundSession extends SessionSpan {
  readonly pixelId: string
  /** Whether ClickHouse may have events of it. */
  readonly isArchived: boolean
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const nothing = sql.literal("")

  /**
   * No one who is suppressed is shown. Whoever is held back is shown as an anonymous visit of the company. An erased
   * person has no sessions.
   */
  const owned = (organizationId: string, owner: SessionOwner) =>
    "emailHash" in owner
      ? sql`organization_id = ${organizationId} and visitor_id = (
          select visitor.id
          from visitor_address as address
          join visitor on visitor.organization_id = address.organization_id
            and visitor.id = address.visitor_id
          where address.organization_id = ${organizationId}
            and address.email_hash = ${owner.emailHash}
            and not visitor.held_back and not visitor.suppressed
        )`
      : sql`organization_id = ${organizationId} and (
          (visitor_id is null and network_domain = ${owner.companyDomain})
          or visitor_id = any (array(
            select id from visitor
            where organization_id = ${organizationId} and company_key = ${owner.companyDomain}
              and not suppressed
          ))
        )`

  /** Its events were received on these days. An import may bring an event long after it happened. */
  const ofSession = ({ organizationId, receivedFrom, sessionId }: SessionSpan) => sql`
    organization_id = ${organizationId} and session_id = ${sessionId}
      and received_on >= ${sql.literal(`'${receivedFrom}'`)}`

  const behind = (after: EventPosition | undefined) =>
    after === undefined
      ? nothing
      : sql`and (occurred_at, id) > (${after.at}::timestamptz, ${after.id}::uuid)`

  return {
    /** The owner's sessions, newest first. */
    candidates: (
      organizationId: string,
      owner: SessionOwner,
      after: SessionKey | undefined,
      limit: number,
    ): Effect.Effect<ReadonlyArray<SessionKey>> =>
      sql<SessionKey>`
        select id, pixel_id as "pixelId",
          to_char(started_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "startTime"
        from session
        where ${owned(organizationId, owner)}
          ${
            after === undefined
              ? nothing
              : sql`and (started_at, pixel_id, id)
                  < (${after.startTime}::timestamptz, ${after.pixelId}::uuid, ${after.id}::uuid)`
          }
        order by started_at desc, pixel_id desc, id desc
        limit ${sql.literal(String(limit))}`.pipe(Effect.orDie),

    /** The session with an id, if it is the owner's. */
    find: (
      organizationId: string,
      owner: SessionOwner,
      id: string,
    ): Effect.Effect<FoundSession | undefined> =>
      sql<FoundSession>`
        select organization_id as "organizationId", id as "sessionId", pixel_id as "pixelId",
          to_char((started_at at time zone 'utc')::date - 1, 'YYYY-MM-DD') as "receivedFrom",
          exists (
            select from event_archive where session.started_at < until + ${laterDays}::int
          ) as "isArchived"
        from session
        where ${owned(organizationId, owner)} and id = ${id}`.pipe(
        Effect.map(([session]) => session),
        Effect.orDie,
      ),

    /** The next page views and custom events, oldest first. */
    listed: (
      session: SessionSpan,
      after: EventPosition | undefined,
      limit: number,
    ): Effect.Effect<ReadonlyArray<ListedEvent>> =>
      sql<ListedEvent>`
        select id::text, type, ${sql.literal(isoTime("occurred_at"))} as at, url, payload
        from event
        where ${ofSession(session)} and type in ('page', 'track') ${behind(after)}
        order by occurred_at, id
        limit ${sql.literal(String(limit))}`.pipe(Effect.orDie),

    /** The next page views and heartbeats, oldest first. */
    moments: (
      session: SessionSpan,
      after: EventPosition | undefined,
      limit: number,
    ): Effect.Effect<ReadonlyArray<Moment>> =>
      sql<Moment>`
        select id::text, round(extract(epoch from occurred_at) * 1000)::float8 as at,
          coalesce(url, '') as url,
          case when type = 'heartbeat' then coalesce((payload ->> 's')::float8, 0) end as seconds
        from event
        where ${ofSession(session)} and type in ('page', 'heartbeat') ${behind(after)}
        order by occurred_at, id
        limit ${sql.literal(String(limit))}`.pipe(Effect.orDie),
  }
})

export class SessionEventStore extends Context.Service<
  SessionEventStore,
  Effect.Success<typeof make>
>()("@footfall/server/events/SessionEventStore") {
  static readonly layer = Layer.effect(SessionEventStore, make)
}
