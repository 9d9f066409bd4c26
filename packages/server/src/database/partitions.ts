// The day partitions of `event`, named event_YYYYMMDD by the UTC day of receipt. A day is made
// ready before its first row is written; afterwards asking costs nothing, because the process
// remembers it.
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql"
import { advisoryLocks } from "./advisory-locks.ts"

/** A calendar day in UTC, `YYYY-MM-DD`. */
const Day = Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/))

/** Days remembered; beyond them the memory starts again, and a day costs one look-up more. */
const rememberedDaysMax = 4_000

export class Partitions extends Context.Service<
  Partitions,
  {
    /**
     * Makes the partitions of the given UTC days (`YYYY-MM-DD`), where they are missing.
     *
     * *Guarantee*: idempotent; safe from several processes at once; does not block writers of other
     * days. A day that is not a calendar day is a defect.
     */
    ensure(days: Iterable<string>): Effect.Effect<void, SqlError.SqlError>
  }
>()("@footfall/server/database/Partitions") {
  static readonly layer = Layer.effect(
    Partitions,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const ready = new Set<string>()

      const make = Effect.fnUntraced(function* (day: string) {
        const name = `event_${day.replaceAll("-", "")}`
        const [found] = yield* sql<{ exists: boolean }>`
          select to_regclass(${name}) is not null as "exists"`
        if (found?.exists === true) return
        // Attaching takes a weaker lock on `event` than making the partition in place would: other
        // days stay writable meanwhile. DDL takes no parameters, so the bounds are literals.
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
        // Inside a transaction of the caller the days are not committed yet and may be rolled back.
        if (Option.isSome(yield* Effect.serviceOption(sql.transactionService))) return
        if (ready.size > rememberedDaysMax) ready.clear()
        missing.forEach((day) => ready.add(day))
      })

      return Partitions.of({ ensure })
    }),
  )
}

const dayAfter = (day: string): string =>
  DateTime.formatIsoDateUtc(DateTime.add(DateTime.makeUnsafe(day), { days: 1 }))
