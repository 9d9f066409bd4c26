// How the delivery worker writes. Each write is one transaction that names the claim, so a worker that was presumed
// lost writes nothing. Each write is retried while the database is unreachable (T7). A write that committed just before
// the connection broke is not applied twice.
import { Effect, Schedule } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { isOutOfOrder, sqlState } from "../../../platform/database/database-error.ts"
import { transaction } from "../../../platform/database/transaction.ts"
import { ClaimLost } from "../../../platform/jobs/queue.ts"

export type Written<A> = Effect.Effect<A, ClaimLost>

export type Persistence = ReturnType<typeof persistence>

const retryInterval = "250 millis"

export const persistence = (sql: SqlClient.SqlClient) => {
  const again = <A, E, R>(
    effect: Effect.Effect<A, E | SqlError.SqlError, R>,
    isAgain: (error: unknown) => boolean,
  ) =>
    effect.pipe(
      Effect.catchDefect((defect) =>
        SqlError.isSqlError(defect) ? Effect.fail(defect) : Effect.die(defect),
      ),
      Effect.retry({ while: isAgain, schedule: Schedule.spaced(retryInterval) }),
      Effect.catchIf(SqlError.isSqlError, Effect.die),
    ) as Effect.Effect<A, Exclude<E, SqlError.SqlError>, R>

  /** Retries until the database responds; an error response is a defect. */
  const persistently = <A, E, R>(effect: Effect.Effect<A, E | SqlError.SqlError, R>) =>
    again(effect, isTransient)

  const asTransaction = <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.provideService(transaction(effect), SqlClient.SqlClient, sql)

  const inTransaction = <A, E>(effect: Effect.Effect<A, E>) => persistently(asTransaction(effect))

  /** Like `persistently`, for work that takes minutes and has its own time limit; exceeding it is a defect. */
  const inLongTransaction = <A, E>(effect: Effect.Effect<A, E>) =>
    again(asTransaction(effect), (error) => isTransient(error) && !isTimedOut(error))

  const orLost = <A>(
    rows: Effect.Effect<ReadonlyArray<A>, SqlError.SqlError>,
  ): Effect.Effect<A, SqlError.SqlError | ClaimLost> =>
    Effect.flatMap(rows, ([row]) => (row === undefined ? new ClaimLost() : Effect.succeed(row)))

  return { persistently, inTransaction, inLongTransaction, orLost }
}

const transientReasons: ReadonlySet<string> = new Set([
  "ConnectionError",
  "DeadlockError",
  "LockTimeoutError",
  "SerializationError",
  "StatementTimeoutError",
])

const isTimedOut = (error: unknown): boolean =>
  SqlError.isSqlError(error) && error.reason._tag === "StatementTimeoutError"

/**
 * Whether a retry may succeed: an invalid statement stays invalid, but a server that is stopping or full may recover.
 */
const isTransient = (error: unknown): boolean => {
  if (!SqlError.isSqlError(error)) return false
  const { _tag } = error.reason
  if (_tag !== "UnknownError") return transientReasons.has(_tag)
  return sqlState(error) === "" || isOutOfOrder(error)
}
