// SQL with which a pass takes its turns and events, and reads the rows it needs; changes/ and ownership/ write. Each
// statement handles a whole batch of several organizations, sent as one JSON text. A lane is a hash-based share of the
// organizations. Turns, not lanes, keep the order, so processes may have different numbers of lanes.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { advisoryLocks } from "../../platform/database/advisory-locks.ts"
import { organizationTurns } from "../../platform/database/organization-turns.ts"
import { transaction } from "../../platform/database/transaction.ts"
import { type EventPayload, inactivityMs } from "../../collect/visits/collected-event.ts"
import type { EventType } from "../../collect/visits/batch.ts"
import type { BrowserRow, WaitingEvent } from "./batch-work.ts"
import type { Identifications } from "./ownership.ts"
import { sessionOf, type SessionRow } from "./rows.ts"
import type { Session } from "./session.ts"

/** How long a pass waits for its turn before it gives up. */
const turnWait = "2s"
/** How long a batch of several organizations waits for a locked row. */
const rowWait = "500ms"

/** A browser of the batch and the time its events span, in epoch milliseconds. */
export interface BrowserSpan {
  readonly organizationId: string
  readonly anonymousId: string
  readonly from: number
  readonly until: number
}

export interface AddressKey {
  readonly organizationId: string
  readonly emailHash: string
}

/** An organization's waiting events, up to and including one. */
export interface Queue {
  readonly organizationId: string
  /** Sequence number of the last one, in decimal digits. */
  readonly through: string
  readonly events: number
  /** The days on which they were received, `YYYY-MM-DD`. */
  readonly days: ReadonlyArray<string>
}

/** Events of an organization in a free lane. */
export interface LaneQueue extends Queue {
  readonly lane: number
  /** Whether events of other lanes wait too. */
  readonly othersWait: boolean
}

/** An organization in a lane that was taken. */
export interface TakenOrganization {
  readonly organizationId: string
  /** Whether its turn was taken too. */
  readonly isFree: boolean
}

type Result<A> = Effect.Effect<A, SqlError.SqlError>

export class IdentificationStore extends Context.Service<
  IdentificationStore,
  {
    /** Runs the effect in one transaction, retried if Postgres asks for it. */
    transaction<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R>
    /**
     * The next events in the first free lane after `after`, in a circle, and in up to `lanesOfOne` lanes if it has
     * fewer than `events`: the first ones of each organization, for at most `organizations`, longest wait first,
     * excluding `except`. Each organization gets its share, plus up to three times as much of what others leave unused.
     */
    next(limits: {
      readonly events: number
      readonly organizations: number
      readonly except: ReadonlyArray<string>
      /** The number of lanes. */
      readonly lanes: number
      readonly lanesOfOne: number
      readonly after: number
    }): Result<ReadonlyArray<LaneQueue>>
    /** Whether any event waits. */
    readonly anyWaits: Result<boolean>
    /** One organization's next events; undefined without any. */
    nextOf(organizationId: string, events: number): Result<Queue | undefined>
    /**
     * Takes the lanes without another pass, and in these the turns of free organizations, until the transaction ends.
     * Returns the organizations of these lanes. LockTimeoutError if another writer keeps all turns for two seconds.
     */
    takeFree(queues: ReadonlyArray<LaneQueue>): Result<ReadonlyArray<TakenOrganization>>
    /** Takes an organization's turn until the transaction ends. False if another writer keeps it for two seconds. */
    takeTurn(organizationId: string): Result<boolean>
    /** These events in order of arrival. A duplicate was stored within a day of its receipt. */
    waiting(queues: ReadonlyArray<Queue>): Result<ReadonlyArray<WaitingEvent>>
    /** Removes the people that the waiting events name, and their data in these events. */
    forget(sequences: ReadonlyArray<bigint>): Result<void>
    browsers(spans: ReadonlyArray<BrowserSpan>): Result<ReadonlyArray<BrowserRow>>
    /** Sessions that an event of the span could join. */
    sessions(spans: ReadonlyArray<BrowserSpan>): Result<ReadonlyArray<Session>>
  }
>()("@footfall/server/identification/IdentificationStore") {
  static readonly layer = Layer.effect(
    IdentificationStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const turns = organizationTurns(sql)

      const isFree = sql`pg_try_advisory_xact_lock(${advisoryLocks.identificationLane}, lane)`
      const days = sql`
        array_agg(distinct to_char(received_at at time zone 'utc', 'YYYY-MM-DD')) as days`

      // Checks whether a lane is free by taking it until the statement ends.
      const next: IdentificationStore["Service"]["next"] = ({
        after,
        events,
        except,
        lanes,
        lanesOfOne,
        organizations,
      }) =>
        sql<LaneQueue>`
          with recursive waiting as (
            (select organization_id from event_inbox order by organization_id limit 1)
            union all
            select (
              select i.organization_id from event_inbox i
              where i.organization_id > waiting.organization_id
              order by i.organization_id
              limit 1
            )
            from waiting
            where waiting.organization_id is not null
          ), firsts as materialized (
            select
              w.organization_id, first.sequence,
              (hashtext(w.organization_id::text) & 2147483647) % ${lanes}::int as lane
            from waiting w
            cross join lateral (
              select sequence from event_inbox i
              where i.organization_id = w.organization_id
              order by sequence
              limit 1
            ) as first
            where not exists (
              select from jsonb_array_elements_text(${JSON.stringify(except)}::text::jsonb) as e
              where e::uuid = w.organization_id
            )
          ), free as materialized (
            select lane
            from (
              select distinct lane, (lane + ${lanes}::int - ${after}::int - 1) % ${lanes}::int as place
              from firsts
              order by place
            ) as lanes
            where ${isFree}
            limit ${lanesOfOne}
          ), asked as materialized (
            select organization_id, lane
            from firsts
            join free using (lane)
            order by sequence
            limit ${organizations}
          ), share as materialized (
            select least(${events}::bigint, ceil(4.0 * ${events}::int / greatest(count(*), 1))) as events
            from asked
          ), offered as materialized (
            select a.organization_id, a.lane, i.sequence, i.received_at, i.place
            from asked a
            cross join lateral (
              select sequence, received_at, row_number() over (order by sequence) as place
              from (
                select sequence, received_at from event_inbox i
                where i.organization_id = a.organization_id
                order by sequence
                limit (select events from share)
              ) as i
            ) as i
          ), taken as materialized (
            select lane
            from (
              select lane, sum(count(*)) over (
                order by (lane + ${lanes}::int - ${after}::int - 1) % ${lanes}::int
              ) - count(*) as before
              from offered
              group by lane
            ) as lanes
            where before < ${events}
          ), chosen as (
            select organization_id, lane, sequence, received_at
            from offered
            join taken using (lane)
            order by place, sequence
            limit ${events}
          )
          select
            organization_id as "organizationId", lane, max(sequence)::text as through,
            count(*)::int as events, ${days},
            (select count(distinct lane) from firsts) > (select count(*) from taken) as "othersWait"
          from chosen
          group by organization_id, lane
          order by min(sequence)`

      const nextOf = (organizationId: string, events: number) =>
        sql<Queue>`
          select organization_id as "organizationId", max(sequence)::text as through,
            count(*)::int as events, ${days}
          from (
            select organization_id, sequence, received_at from event_inbox
            where organization_id = ${organizationId}
            order by sequence
            limit ${events}
          ) as next
          group by organization_id`.pipe(Effect.map(([queue]) => queue))

      const inQueues = (queues: ReadonlyArray<Queue>) => sql`
        select i.*
        from json_to_recordset(${JSON.stringify(queues)}::text::json)
          as q ("organizationId" uuid, through bigint)
        cross join lateral (
          select * from event_inbox i
          where i.organization_id = q."organizationId" and i.sequence <= q.through
          offset 0
        ) as i`

      // Runs in a savepoint, so that the transaction stays usable after a timeout.
      const takeTurn = (organizationId: string) =>
        sql`select set_config('lock_timeout', ${turnWait}, true)`.pipe(
          Effect.andThen(turns.wait(organizationId)),
          Effect.as(true),
          sql.withTransaction,
          Effect.catchReason("SqlError", "LockTimeoutError", () => Effect.succeed(false)),
        )

      // One statement, because each takes a round trip while the turns are held.
      const takeFree = (queues: ReadonlyArray<LaneQueue>) =>
        sql<TakenOrganization>`
          with asked as materialized (
            select "organizationId", lane
            from json_to_recordset(${JSON.stringify(queues)}::text::json)
              as q ("organizationId" uuid, lane int)
          ), own as materialized (
            select lane from (select distinct lane from asked offset 0) as lanes where ${isFree}
          ), taken as materialized (
            ${turns.takeFree(sql`select "organizationId" from asked join own using (lane)`, turnWait)}
          )
          select "organizationId", "isFree", set_config('lock_timeout', ${rowWait}, true)
          from taken`

      const waiting = (queues: ReadonlyArray<Queue>) =>
        sql<WaitingRow>`
          select
            i.sequence, i.organization_id, i.pixel_id, i.id, i.received_at, i.anonymous_id, i.type,
            i.occurred_at, i.url, i.payload, exists (
              select 1 from event e
              where e.organization_id = i.organization_id
                and e.received_on between i.day - 1 and i.day + 1
                and e.pixel_id = i.pixel_id
                and e.id = i.id
            ) as is_duplicate
          from (
            select *, (received_at at time zone 'utc')::date as day
            from (${inQueues(queues)}) as next
          ) as i
          order by i.sequence`.pipe(Effect.map((rows) => rows.map(waitingOf)))

      const forget = (sequences: ReadonlyArray<bigint>) =>
        sql`
          update event_inbox set payload = (payload - '{e,h,p,yt}'::text[]) || '{"x":1}'
          where sequence in (
            select value::bigint
            from jsonb_array_elements_text(${JSON.stringify(sequences.map(String))}::text::jsonb)
          )`.pipe(Effect.asVoid)

      const browsers = (spans: ReadonlyArray<BrowserSpan>) =>
        sql<{ organization_id: string; anonymous_id: string; identifications: Identifications }>`
          select b.organization_id, b.anonymous_id, b.identifications
          from json_to_recordset(${spansJson(spans)}::text::json) as k (o uuid, a uuid)
          join browser b on b.organization_id = k.o and b.anonymous_id = k.a`.pipe(
          Effect.map((rows) =>
            rows.map((row) => ({
              organizationId: row.organization_id,
              anonymousId: row.anonymous_id,
              identifications: row.identifications,
            })),
          ),
        )

      const sessions = (spans: ReadonlyArray<BrowserSpan>) =>
        sql<SessionRow>`
          select s.*
          from json_to_recordset(${spansJson(spans)}::text::json)
            as k (o uuid, a uuid, f float8, u float8)
          join session s
            on s.organization_id = k.o
            and s.anonymous_id = k.a
            and s.ended_at > to_timestamp((k.f - ${inactivityMs}) / 1000)
            and s.started_at < to_timestamp((k.u + ${inactivityMs}) / 1000)
          order by s.organization_id, s.id`.pipe(Effect.map((rows) => rows.map(sessionOf)))

      return IdentificationStore.of({
        transaction: (effect) =>
          Effect.provideService(transaction(effect), SqlClient.SqlClient, sql),
        next,
        nextOf,
        anyWaits: Effect.map(
          sql<{ any: boolean }>`select exists (select from event_inbox) as any`,
          ([found]) => found!.any,
        ),
        takeFree,
        takeTurn,
        waiting,
        forget,
        browsers,
        sessions,
      })
    }),
  )
}

interface WaitingRow {
  readonly sequence: bigint
  readonly organization_id: string
  readonly pixel_id: string
  readonly id: string
  readonly received_at: Date
  readonly anonymous_id: string | null
  readonly type: EventType
  readonly occurred_at: Date
  readonly url: string | null
  readonly payload: EventPayload
  readonly is_duplicate: boolean
}

const waitingOf = (row: WaitingRow): WaitingEvent => ({
  sequence: row.sequence,
  organizationId: row.organization_id,
  pixelId: row.pixel_id,
  id: row.id,
  receivedAt: row.received_at.getTime(),
  anonymousId: row.anonymous_id,
  type: row.type,
  occurredAt: row.occurred_at.getTime(),
  url: row.url ?? "",
  payload: row.payload,
  isDuplicate: row.is_duplicate,
})

const spansJson = (spans: ReadonlyArray<BrowserSpan>): string =>
  JSON.stringify(
    spans.map(({ organizationId, anonymousId, from, until }) => ({
      o: organizationId,
      a: anonymousId,
      f: from,
      u: until,
    })),
  )
