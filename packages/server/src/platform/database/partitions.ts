// The daily partitions of `event`, named event_YYYYMMDD by the UTC day of receipt. A day's partition is created before
// its first row is written. After that the check is free, because the process remembers the day.
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { advisoryLocks } from "./advisory-locks.ts"

/** A calendar day in UTC, `YYYY-MM-DD`. */
const Day = Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/))

/** Days to remember. Beyond this the memory is cleared, and a day costs one more look-up. */
const rememberedDaysMax = 4_000

/** How long to wait for statements that use the table before skipping a partition. Writers wait meanwhile. */
const dropWaitMs = 1_000

export class Partitions extends Context.Service<
  Partitions,
  {
    /**
     * Creates missing partitions for these UTC days (`YYYY-MM-DD`).
     *
     * *Guarantee*: idempotent; safe from several processes at once; does not block writers of other days. A day that is
     * not a calendar day is a defect.
     */
    ensure(days: Iterable<string>): Effect.Effect<void, SqlError.SqlError>
    /** The days before this one that have a partition, oldest first. */
    daysBefore(day: string): Effect.Effect<ReadonlyArray<string>, SqlError.SqlError>
    /**
     * Drops empty partitions of days before this one (`YYYY-MM-DD`, UTC). One that is in use is left for later, and so is
     * the rest while statements on events run for more than a second.
     *
     * *Guarantee*: this process creates the day again when needed; the caller ensures that no other process still
     * writes days this old.
     */
    dropEmpty(before: string): Effect.Effect<void, SqlError.SqlError>
  }
>()("@footfall/server/database/Partitions") {
  static readonly layer = Layer.effect(
    Partitions,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const ready = new Set<string>()

      const exists = (name: string) =>
        Effect.map(
          sql<{ exists: boolean }>`select to_regclass(${name}) is not null as "exists"`,
          ([found]) => found?.exists === true,
        )

      const make = Effect.fnUntraced(function* (day: string) {
        const name = nameOf(day)
        if (yield* exists(name)) return
        // Attaching takes a weaker lock on `event` than creating the partition in place, so other days stay writable.
        // DDL takes no parameters, so the bounds are literals.
        yield* sql`create table ${sql(name)} (like event including all)`
        yield* sql`
          alter table event attach partition ${sql(name)}
          for values from (${sql.literal(`'${day}'`)}) to (${sql.literal(`'${dayAfter(day)}'`)})`
      })

      const ensure = Effect.fn("Partitions.ensure")(function* (days: Iterable<string>) {
        const missing = [...new Set(days)].filter((day) => !ready.has(day)).toSorted()
        if (missing.length === 0) return
        yield* Effect.orDie(Schema.decodeUnknownEffect(Schema.Array(Day))(missing))
        yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`select pg_advisory_xact_lock(${advisoryLocks.partition})`
            yield* Effect.forEach(missing, make, { discard: true })
          }),
        )
        // Inside the caller's transaction the partitions are not committed yet and may be rolled back.
        if (Option.isSome(yield* Effect.serviceOption(sql.transactionService))) return
        if (ready.size > rememberedDaysMax) ready.clear()
        missing.forEach((day) => ready.add(day))
      })

      const namesBefore = (day: string) =>
        sql<{ name: string }>`
          select child.relname as name
          from pg_inherits
          join pg_class child on child.oid = inhrelid
          where inhparent = 'event'::regclass
            and child.relname ~ '^event_[0-9]{8}$'
            and child.relname < ${nameOf(day)}
          order by child.relname`

      const daysBefore = (day: string) =>
        Effect.map(namesBefore(day), (names) => names.map(({ name }) => dayOf(name)))

      const isEmpty = (name: string) =>
        Effect.map(
          sql<{ isEmpty: boolean }>`select not exists (select from ${sql(name)}) as "isEmpty"`,
          ([found]) => found?.isEmpty === true,
        )

      const dropIfEmpty = (name: string) =>
        Effect.gen(function* () {
          yield* sql`select set_config('lock_timeout', ${`${dropWaitMs}ms`}, true)`
          yield* sql`select pg_advisory_xact_lock(${advisoryLocks.partition})`
          if (!(yield* exists(name)) || !(yield* isEmpty(name))) return
          // In the order of readers and writers, which would otherwise deadlock with this. They all wait for the first
          // lock, so the second waits for no one.
          yield* sql`lock table only event in access exclusive mode`
          yield* sql`lock table ${sql(name)} in access exclusive mode nowait`
          if (yield* isEmpty(name)) yield* sql`drop table ${sql(name)}`
        }).pipe(
          sql.withTransaction,
          Effect.catchReason("SqlError", "LockTimeoutError", () => Effect.void),
        )

      const dropEmpty = Effect.fn("Partitions.dropEmpty")(function* (before: string) {
        const old = yield* namesBefore(before)
        if (old.length === 0) return
        yield* Effect.forEach(old, ({ name }) => dropIfEmpty(name), { discard: true })
        ready.clear()
      })

      return Partitions.of({ ensure, daysBefore, dropEmpty })
    }),
  )
}

const nameOf = (day: string): string => `event_${day.replaceAll("-", "")}`

const dayOf = (name: string): string => name.replace(/^event_(\d{4})(\d{2})(\d{2})$/, "$1-$2-$3")

const dayAfter = (day: string): string =>
  DateTime.formatIsoDateUtc(DateTime.add(DateTime.makeUnsafe(day), { days: 1 }))
