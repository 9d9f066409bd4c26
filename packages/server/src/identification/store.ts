// The statements by which a pass takes its turn and its events, reads what it must know of them, and
// moves them on; what it writes besides is in changes/ and ownership/. Each works on a whole batch, of all
// organizations at once, which travels as one JSON text. Only one pass runs at a time in a database,
// so what is read here does not change before it is written, except by an import of people.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { advisoryLocks } from "../database/advisory-locks.ts"
import { transaction } from "../database/transaction.ts"
import type { EventPayload } from "../visits/collected-event.ts"
import type { EventType } from "../visits/batch.ts"
import type { BrowserRow, Changes, WaitingEvent } from "./batch-work.ts"
import type { Identifications } from "./ownership.ts"
import { sessionOf, type SessionRow } from "./rows.ts"
import { inactivityMs, type Session } from "./session.ts"

/** How long a pass waits for its turn before it gives up. */
const turnWait = "2s"

/** A browser of the batch and the time its events span; epoch milliseconds. */
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

type Result<A> = Effect.Effect<A, SqlError.SqlError>

export class IdentificationStore extends Context.Service<
  IdentificationStore,
  {
    /** Runs the effect in one transaction, again when Postgres itself asks for it. */
    transaction<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R>
    /** Days of receipt among the next events, `YYYY-MM-DD`; none when nothing waits. */
    waitingDays(limit: number): Result<ReadonlyArray<string>>
    /**
     * Takes the turn until the transaction ends; false when another pass, or whoever else writes what
     * identification knows, keeps it for two seconds.
     */
    readonly takeTurn: Result<boolean>
    /** The next events in order of arrival. A duplicate was stored within a day of its receipt. */
    waiting(limit: number): Result<ReadonlyArray<WaitingEvent>>
    /** Strikes out whom the waiting events name and what they say of them. */
    forget(sequences: ReadonlyArray<bigint>): Result<void>
    browsers(spans: ReadonlyArray<BrowserSpan>): Result<ReadonlyArray<BrowserRow>>
    /** Sessions an event of the span could join. */
    sessions(spans: ReadonlyArray<BrowserSpan>): Result<ReadonlyArray<Session>>
    /** Moves the events from the inbox to `event` and forgets the duplicates. */
    move(changes: Pick<Changes, "moves" | "duplicates">): Result<void>
  }
>()("@footfall/server/identification/IdentificationStore") {
  static readonly layer = Layer.effect(
    IdentificationStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const waitingDays = (limit: number) =>
        sql<{ day: string }>`
          select distinct to_char(received_at at time zone 'utc', 'YYYY-MM-DD') as day
          from (select received_at from event_inbox order by sequence limit ${limit}) as next
          order by day`.pipe(Effect.map((rows) => rows.map(({ day }) => day)))

      // A plan kept from when the tables were small would read them whole for every batch. Planning
      // anew costs little beside a statement that does a whole batch.
      const settings = sql`
        select
          set_config('plan_cache_mode', 'force_custom_plan', true),
          set_config('lock_timeout', ${turnWait}, true)`

      // Waits, in order of asking: an import takes one turn after another, and is let by. Within a
      // savepoint, so that a wait in vain leaves the transaction usable.
      const takeTurn = sql
        .withTransaction(
          Effect.andThen(
            settings,
            sql`select pg_advisory_xact_lock(${advisoryLocks.identification})`,
          ),
        )
        .pipe(
          Effect.as(true),
          Effect.catchReason("SqlError", "LockTimeoutError", () => Effect.succeed(false)),
        )

      const waiting = (limit: number) =>
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
            from event_inbox
            order by sequence
            limit ${limit}
          ) as i
          order by i.sequence`.pipe(Effect.map((rows) => rows.map(waitingOf)))

      const forget = (sequences: ReadonlyArray<bigint>) =>
        sql`
          update event_inbox set payload = (payload - '{e,h,p}'::text[]) || '{"x":1}'
          where sequence in (
            select value::bigint
            from jsonb_array_elements_text(${JSON.stringify(sequences.map(String))}::text::jsonb)
          )`.pipe(Effect.asVoid)

      const browsers = (spans: ReadonlyArray<BrowserSpan>) =>
        sql<{ organization_id: string; anonymous_id: string; identifications: Identifications }>`
          select b.organization_id, b.anonymous_id, b.identifications
          from jsonb_to_recordset(${spansJson(spans)}::text::jsonb) as k (o uuid, a uuid)
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
          from jsonb_to_recordset(${spansJson(spans)}::text::jsonb)
            as k (o uuid, a uuid, f float8, u float8)
          join session s
            on s.organization_id = k.o
            and s.anonymous_id = k.a
            and s.ended_at > to_timestamp((k.f - ${inactivityMs}) / 1000)
            and s.started_at < to_timestamp((k.u + ${inactivityMs}) / 1000)
          order by s.organization_id, s.id`.pipe(Effect.map((rows) => rows.map(sessionOf)))

      const move = Effect.fnUntraced(function* ({
        moves,
        duplicates,
      }: Pick<Changes, "moves" | "duplicates">) {
        const json = JSON.stringify(
          moves.map(({ sequence, sessionId }) => ({ q: sequence.toString(), s: sessionId })),
        )
        yield* sql`
          with moved as (
            delete from event_inbox i
            using jsonb_to_recordset(${json}::text::jsonb) as m (q bigint, s uuid)
            where i.sequence = m.q
            returning i.*, m.s as session_id
          )
          insert into event (
            organization_id, received_on, pixel_id, id, received_at, anonymous_id, session_id, type,
            occurred_at, url, payload
          )
          select
            organization_id, (received_at at time zone 'utc')::date, pixel_id, id, received_at,
            anonymous_id, session_id, type, occurred_at, url, payload
          from moved`
        if (duplicates.length > 0) {
          yield* sql`
            delete from event_inbox
            where sequence in (
              select value::bigint
              from jsonb_array_elements_text(${JSON.stringify(duplicates.map(String))}::text::jsonb)
            )`
        }
      })

      return IdentificationStore.of({
        transaction: (effect) =>
          Effect.provideService(transaction(effect), SqlClient.SqlClient, sql),
        waitingDays,
        takeTurn,
        waiting,
        forget,
        browsers,
        sessions,
        move,
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
  readonly url: string
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
  url: row.url,
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
