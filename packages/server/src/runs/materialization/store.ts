// The statements of a materialization. They run in one transaction, in which the results of a run appear
// whole or not at all; what they take is what previews take, with the time a run has.
import { Context, Effect, Layer } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { fragmentOf } from "../../database/sql-text.ts"
import { addressesStatement, type AudienceQuestion } from "../../audiences/matching/compile.ts"
import { advisoryLocks } from "../../database/advisory-locks.ts"
import type { DatabaseError } from "../../database/database-error.ts"
import { transaction } from "../../database/transaction.ts"
import type { ResultsKey } from "../results/store.ts"
import type { Tallies } from "../statistics/statistics.ts"
import { talliesOf } from "../statistics/tallies-store.ts"
import { RunLimits, runStatement } from "./compile.ts"

/** Addresses fetched at a time. */
const addressesMax = 2_000

type Result<A> = Effect.Effect<A, DatabaseError>

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // As counting does (audiences/store.ts): alone, without parallel workers, sorting only where it must.
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
    /** Runs the effect in one transaction with the time and memory of a run. */
    transaction: <A, E, R>(
      effect: Effect.Effect<A, E, R>,
    ): Effect.Effect<A, E | DatabaseError, R> =>
      Effect.provideService(transaction(Effect.andThen(begin, effect)), SqlClient.SqlClient, sql),

    /**
     * Gives the SHA-256 of every address of everyone in the audience, some at a time, each once, and
     * holds no more of them. Inside `transaction`, which other statements may use meanwhile.
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

    /** Keeps everyone in the audience, where they are at most `resultsMax`. */
    keep: (
      question: AudienceQuestion,
      run: { readonly runId: string; readonly resultsMax: number },
    ): Result<{ readonly candidates: number; readonly found: number }> =>
      sql<{ readonly candidates: number; readonly found: number }>`
        ${fragmentOf(runStatement(question, run))}`.unprepared.pipe(
        Effect.map(([row]) => row!), // One row always.
      ),

    /** Counts what is kept. */
    tally: ({
      organizationId,
      runId,
    }: ResultsKey): Result<{ readonly results: number; readonly tallies: Tallies }> =>
      sql<{ readonly results: number; readonly tallies: Tallies }>`
        select count(*)::integer as results, ${talliesOf(sql)} as tallies
        from run_result
        where organization_id = ${organizationId} and run_id = ${runId}`.pipe(
        Effect.map(([row]) => row!), // An aggregate answers one row.
      ),

    /** Waits for erasures under way, and lets none begin until the transaction ends. */
    lockResults: (organizationId: string): Result<void> =>
      Effect.asVoid(sql`
        select pg_advisory_xact_lock(${advisoryLocks.results}, hashtext(${organizationId}))`),

    /** Grows with every erasure of someone who was not erased before. */
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

/** Why a statement failed, as far as a run tells it. */
export const failureOf = ({ reason }: DatabaseError): "timeout" | "storage" | "other" => {
  if (reason._tag === "StatementTimeoutError" || reason._tag === "LockTimeoutError")
    return "timeout"
  const { cause } = reason
  const state = SqlError.isSqlError(cause)
    ? undefined
    : (cause as { readonly code?: unknown })?.code
  // Insufficient resources, limits exceeded, system errors; a database that is read only, tables that may not be
  // written: https://www.postgresql.org/docs/current/errcodes-appendix.html
  return typeof state === "string" && /^(53|54|58|25006$|42501$)/.test(state) ? "storage" : "other"
}
