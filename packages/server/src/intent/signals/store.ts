// SQL for signals. The people of one organization, date, topic, score and origin are stored in one row, ascending, as
// numbers that `signal_person` maps to hashes. A date is written in one transaction under its organization's lock.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { sharedOrganizationId } from "../../access/organization.ts"
import { advisoryLocks } from "../../platform/database/advisory-locks.ts"
import { transaction } from "../../platform/database/transaction.ts"

// An organization's data date in SQL (spec 2.11): a single expression, so that queries for one organization and for
// all organizations always agree.

/** Pixels' signals take precedence over older imported ones. */
const importedDaysMax = 30

/** Null without signals. `organizationId`: a value or a column. */
export const dataDateOf = (sql: SqlClient.SqlClient, organizationId: Statement.Fragment) => sql`(
  select coalesce(
    max(day.date) filter (
      where day.origin = 'import' and day.date >= current_date - ${importedDaysMax}::int
    ),
    max(day.date) filter (where day.origin = 'pixel')
  )
  from signal_date as day
  where day.organization_id in (${organizationId}, ${sharedOrganizationId}::uuid)
)`

type Result<A> = Effect.Effect<A, SqlError.SqlError>

/** A person's number is never reused, but the day of its last mention is only stored approximately. */
export const mentionDaysMax = 100

export class SignalStore extends Context.Service<
  SignalStore,
  {
    /** Runs the effect in one transaction. */
    transaction<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R>
    /** Waits for other writers of the organization's signals, and blocks new ones until the transaction ends. */
    lock(organizationId: string): Result<void>
    /** Assigns a number to each hash without one, and records that the organization names them. */
    register(organizationId: string, emailHashes: ReadonlyArray<string>): Result<void>
    /** Replaces the day's signals. Their people must be registered. */
    replaceDay(day: SignalDay, signals: ReadonlyArray<Signal>): Result<void>
    /** Returns the date of the scores; null without signals. */ // spec 2.11
    dataDate(
      organizationId: string,
    ): Result<{ readonly date: string | null; readonly today: string }>
  }
>()("@footfall/server/topics/SignalStore") {
  static readonly layer = Layer.effect(
    SignalStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const lock = (organizationId: string) =>
        sql`
          select pg_advisory_xact_lock(${advisoryLocks.signals}, hashtext(${organizationId}))`.pipe(
          Effect.asVoid,
        )

      const register = Effect.fnUntraced(function* (
        organizationId: string,
        emailHashes: ReadonlyArray<string>,
      ) {
        const hashes = sql`
          select distinct decode(value, 'hex') as email_hash
          from jsonb_array_elements_text(${JSON.stringify(emailHashes)}::text::jsonb)`
        yield* sql`select pg_advisory_xact_lock(${advisoryLocks.signalPeople})`
        yield* sql`
          insert into signal_person (email_hash, organization_ids)
          select h.email_hash, array[${organizationId}::uuid]
          from (${hashes}) as h
          where not exists (select from signal_person p where p.email_hash = h.email_hash)
          order by h.email_hash`
        yield* sql`
          update signal_person p set
            organization_ids = case
              when ${organizationId}::uuid = any (p.organization_ids) then p.organization_ids
              else p.organization_ids || ${organizationId}::uuid
            end,
            named_on = current_date
          where p.id in (
            select p.id
            from (${hashes}) as h
            join signal_person p on p.email_hash = h.email_hash
            where ${organizationId}::uuid <> all (p.organization_ids)
              or p.named_on < current_date - ${mentionDaysMax}::int
            order by p.id
            for update of p
          )`
      })

      const replaceDay = Effect.fnUntraced(function* (
        { date, organizationId, origin }: SignalDay,
        signals: ReadonlyArray<Signal>,
      ) {
        const onDay = sql`
          organization_id = ${organizationId} and origin = ${origin} and date = ${date}::date`
        yield* sql`delete from signal where ${onDay}`
        yield* sql`delete from signal_date where ${onDay}`
        yield* sql`
          with scores as (
            select k."topicId" as topic_id, p.id as person, max(k.score) as score
            from jsonb_to_recordset(${JSON.stringify(signals)}::text::jsonb)
              as k ("topicId" integer, "emailHash" text, score smallint)
            join signal_person p on p.email_hash = decode(k."emailHash", 'hex')
            group by k."topicId", p.id
          ), written as (
            insert into signal (organization_id, origin, date, topic_id, score, people)
            select
              ${organizationId}::uuid, ${origin}, ${date}::date, topic_id, score,
              array_agg(person order by person)
            from scores
            group by topic_id, score
          )
          insert into signal_date (organization_id, origin, date, signals)
          select ${organizationId}::uuid, ${origin}, ${date}::date, count(*)
          from scores
          having count(*) > 0`
      })

      const dataDate = (organizationId: string) =>
        sql<{ readonly date: string | null; readonly today: string }>`
          select ${dataDateOf(sql, sql`${organizationId}::uuid`)} as date, current_date as today`.pipe(
          Effect.map(([row]) => row!), // always one row
        )

      return SignalStore.of({
        transaction: (effect) =>
          Effect.provideService(transaction(effect), SqlClient.SqlClient, sql),
        lock,
        register,
        replaceDay,
        dataDate,
      })
    }),
  )
}

// A signal: on one date, a person, identified by the SHA-256 of an address, has a score for a topic (spec 2.18).
export interface Signal {
  readonly topicId: number
  /** Lowercase hex. */
  readonly emailHash: string
  /** From 1 to 100. */
  readonly score: number
}

/** Signals become visible, and are replaced, by day. */
export interface SignalDay {
  readonly organizationId: string
  /** From imports, or from topic rules of pixels. */
  readonly origin: "import" | "pixel"
  /** `YYYY-MM-DD`, UTC. */
  readonly date: string
}
