// SQL that deletes signals past their retention (spec 1.8).
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { advisoryLocks } from "../../../platform/database/advisory-locks.ts"
import { transaction } from "../../../platform/database/transaction.ts"
import { sharedOrganizationId } from "../../../access/organization.ts"
import { signalDaysMax } from "../import/signal-row.ts"
import { mentionDaysMax } from "../store.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

export interface ExpiredDate {
  readonly organizationId: string
  readonly date: string
}

/** How long signals of an interrupted import are kept. */
const stagedHoursMax = 24

/** A large date takes longer than a request may. */
const statementTimeout = "5min"

const make = Effect.map(SqlClient.SqlClient, (sql) => ({
  /** Runs the effect in one transaction. */
  transaction: <A, E, R>(
    effect: Effect.Effect<A, E, R>,
  ): Effect.Effect<A, E | SqlError.SqlError, R> =>
    Effect.provideService(transaction(effect), SqlClient.SqlClient, sql),

  /** Dates more than 400 days back, oldest first. */
  expiredDates: sql<ExpiredDate>`
      select distinct organization_id as "organizationId", date
      from signal_date
      where date < current_date - ${signalDaysMax}::int
      order by date, "organizationId"`,
  deleteDate: Effect.fnUntraced(function* ({ date, organizationId }: ExpiredDate) {
    yield* sql`select set_config('statement_timeout', ${statementTimeout}, true)`
    yield* sql`
        select pg_advisory_xact_lock(${advisoryLocks.signals}, hashtext(${organizationId}))`
    for (const table of ["signal", "signal_date"]) {
      yield* sql`
          delete from ${sql(table)}
          where organization_id = ${organizationId} and date = ${date}::date`
    }
    if (organizationId === sharedOrganizationId) {
      yield* sql`delete from topic_day where date = ${date}::date`
    }
  }),

  /** Staged signals of interrupted imports. */
  deleteStaged: Effect.asVoid(sql`
      delete from signal_staged
      where staged_at < now() - make_interval(hours => ${stagedHoursMax})`),

  /** Deletes at most `limit` people that no signal can reference anymore. Returns how many. */
  deletePeople: (limit: number): Result<number> =>
    sql<{ readonly people: number }>`
        with gone as (
          delete from signal_person
          where id in (
            select id from signal_person
            where named_on < current_date - ${signalDaysMax + mentionDaysMax}::int - 1
            limit ${limit}
          )
            and named_on < current_date - ${signalDaysMax + mentionDaysMax}::int - 1
          returning 1
        )
        select count(*)::int as people from gone`.pipe(Effect.map(([row]) => row!.people)),
}))

export class SignalRetentionStore extends Context.Service<
  SignalRetentionStore,
  Effect.Success<typeof make>
>()("@footfall/server/topics/SignalRetentionStore") {
  static readonly layer = Layer.effect(SignalRetentionStore, make)
}
