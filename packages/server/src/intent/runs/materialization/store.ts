// SQL for materialization. Everything runs in one transaction, so a run's results appear all at once or not at all. It
// uses the statements of previews, with a run's time limit.
import { Context, Effect, Layer } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { fragmentOf } from "../../../platform/database/sql-text.ts"
import { addressesStatement, type AudienceQuestion } from "../../audiences/matching/compile.ts"
import { advisoryLocks } from "../../../platform/database/advisory-locks.ts"
import type { DatabaseError } from "../../../platform/database/database-error.ts"
import { transaction } from "../../../platform/database/transaction.ts"
import type { ResultsKey } from "../results/store.ts"
import type { Tallies } from "../statistics/statistics.ts"
import { talliesOf } from "../statistics/tallies-store.ts"
import { RunLimits, runStatement } from "./compile.ts"

/** Addresses fetched at a time. */
const addressesMax = 2_000

type Result<A> = Effect.Effect<A, DatabaseError>

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // The same settings as for counting (audiences/store.ts): alone, without parallel workers, sorting only where
  // necessary.
  const begin = Effect.flatMap(
    RunLimits,
    ({ lockTimeoutMs, statementTimeoutMs }) => sql`
    select set_config('statement_timeout', ${String(statementTimeoutMs)}, true),
      set_config('lock_timeout', ${String(lockTimeoutMs)}, true),
      set_config('max_parallel_workers_per_gather', '0', true),
      set_config('work_mem', '64MB', true),
      set_config('enable_sort', 'off', true),
      set_config('jit', 'off', true),
      set_config('cursor_tuple_fraction', '1', true)`,
  )

  const fetched = sql<{ readonly hash: string }>`
    fetch ${sql.literal(String(addressesMax))} from address_walk`.pipe(
    Effect.map((rows) => rows.map(({ hash }) => hash)),
  )

  return {
    /** Runs the effect in one transaction with a run's time and memory. */
    transaction: <A, E, R>(
      effect: Effect.Effect<A, E, R>,
    ): Effect.Effect<A, E | DatabaseError, R> =>
      Effect.provideService(transaction(Effect.andThen(begin, effect)), SqlClient.SqlClient, sql),

    /**
     * Passes the SHA-256 of every address of everyone in the audience to the callback, in batches, each address once.
     * Use it inside `transaction`, where other statements may run in between.
     */
    eachAddresses: <E, R>(
      question: AudienceQuestion,
      use: (hashes: ReadonlyArray<string>) => Effect.Effect<void, E, R>,
    ): Effect.Effect<void, E | DatabaseError, R> =>
      Effect.gen(function* () {
        yield* sql`
          declare address_walk no scroll cursor for ${fragmentOf(addressesStatement(question))}`
          .unprepared
        for (;;) {
          const hashes = yield* fetched
          if (hashes.length === 0) break
          yield* use(hashes)
        }
        yield* sql`close address_walk`
      }),

    /** Stores everyone in the audience if there are at most `resultsMax`. */
    keep: (
      question: AudienceQuestion,
      run: { readonly runId: string; readonly resultsMax: number },
    ): Result<{ readonly candidates: number; readonly found: number }> =>
      sql<{ readonly candidates: number; readonly found: number }>`
        ${fragmentOf(runStatement(question, run))}`.unprepared.pipe(
        Effect.map(([row]) => row!), // always one row
      ),

    /** Counts what was stored. */
    tally: ({
      organizationId,
      runId,
    }: ResultsKey): Result<{ readonly results: number; readonly tallies: Tallies }> =>
      sql<{ readonly results: number; readonly tallies: Tallies }>`
        select count(*)::integer as results, ${talliesOf(sql)} as tallies
        from run_result
        where organization_id = ${organizationId} and run_id = ${runId}`.pipe(
        Effect.map(([row]) => row!), // an aggregate returns one row
      ),

    /** Waits for running erasures and blocks new ones until the transaction ends. */
    lockResults: (organizationId: string): Result<void> =>
      Effect.asVoid(sql`
        select pg_advisory_xact_lock(${advisoryLocks.results}, hashtext(${organizationId}))`),

    /** Increases whenever a person is erased for the first time. */
    tombstones: (organizationId: string): Result<number> =>
      sql<{ readonly count: number }>`
        select count(*)::integer as count from tombstone
        where organization_id = ${organizationId}`.pipe(Effect.map(([row]) => row!.count)),
  }
})

export class MaterializationStore extends Context.Service<
  MaterializationStore,
  Effect.Success<typeof make>
>()("@footfall/server/runs/MaterializationStore") {
  static readonly layer = Layer.effect(MaterializationStore, make)
}

/** Why a statement failed, as shown on the run. */
export const failureOf = ({ reason }: DatabaseError): "timeout" | "storage" | "other" => {
  if (reason._tag === "StatementTimeoutError" || reason._tag === "LockTimeoutError")
    return "timeout"
  const { cause } = reason
  const state = SqlError.isSqlError(cause)
    ? undefined
    : (cause as { readonly code?: unknown })?.code
  // Insufficient resources, exceeded limits, system errors, a read-only database, tables without write permission:
  // https://www.postgresql.org/docs/current/errcodes-appendix.html
  return typeof state === "string" && /^(53|54|58|25006$|42501$)/.test(state) ? "storage" : "other"
}
