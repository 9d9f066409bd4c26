// A transaction that is retried after a serialization failure (40001) or a deadlock (40P01): nothing was committed, and
// the same work may succeed. At most three retries. Inside another transaction it never retries, because only the
// outermost one can start over.
import { Context, Effect, Option, Schedule } from "effect"
import { SqlClient, SqlError } from "effect/sql"

/** Retries after the first run. */
export const repeatsMax = 3

/**
 * Runs the effect in a transaction.
 *
 * *Errors*: those of the effect; SqlError, also if every retry failed the same way. *Guarantee*: atomic. The effect may
 * run up to four times, so it must only use SQL.
 */
export const transaction = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const isNested = Option.isSome(yield* Effect.serviceOption(sql.transactionService))
    if (isNested) return yield* sql.withTransaction(effect)
    const attempt = Effect.suspend(() => {
      const waiting: Array<Effect.Effect<void>> = []
      return sql.withTransaction(effect).pipe(
        Effect.provideService(AfterCommit, waiting),
        Effect.tap(() => Effect.all(waiting, { discard: true })),
      )
    })
    return yield* Effect.retry(attempt, {
      while: mayPassOnRepeat,
      times: repeatsMax,
      schedule: Schedule.jittered(Schedule.exponential("10 millis")),
    })
  })

/** Effects that wait for the current transaction's commit; undefined outside of one. */
const AfterCommit = Context.Reference<Array<Effect.Effect<void>> | undefined>(
  "@footfall/server/database/AfterCommit",
  { defaultValue: () => undefined },
)

/** Runs the effect after the current transaction has committed, or at once outside of one. */
export const afterCommit = (effect: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.flatMap(AfterCommit, (waiting) =>
    waiting === undefined ? effect : Effect.sync(() => void waiting.push(effect)),
  )

/** For services that use a store's client: a database failure is a defect. */
export const transactionOf =
  (sql: SqlClient.SqlClient) =>
  <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
    transaction(effect).pipe(
      Effect.provideService(SqlClient.SqlClient, sql),
      Effect.catchIf(SqlError.isSqlError, Effect.die),
    )

const mayPassOnRepeat = (error: unknown): boolean =>
  SqlError.isSqlError(error) &&
  (error.reason._tag === "SerializationError" || error.reason._tag === "DeadlockError")
