// Statements that a caller may lose to a time limit: rules, searches, and lists of periods that have ended.
import { Effect, Schema } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

/** A statement exceeded its time limit and was canceled. */
export class StatementTimedOut extends Schema.TaggedError<StatementTimedOut>()(
  "StatementTimedOut",
  {},
) {}

/** Fails with StatementTimedOut if the database canceled the statement. Any other error is a defect. */
export const withinLimit = <A>(
  statement: Effect.Effect<A, SqlError.SqlError>,
): Effect.Effect<A, StatementTimedOut> =>
  Effect.catchReason(
    statement,
    "SqlError",
    "StatementTimeoutError",
    () => new StatementTimedOut(),
    (_, error) => Effect.die(error),
  )

/**
 * Runs the statement in a transaction of its own. Returns null if it takes longer than `limitMs`. Inside another
 * transaction, its limit would hold for the rest of that one.
 */
export const nullAfter = <A>(
  sql: SqlClient.SqlClient,
  limitMs: number,
  statement: Effect.Effect<A, SqlError.SqlError>,
): Effect.Effect<A | null> =>
  sql`select set_config('statement_timeout', ${String(limitMs)}, true)`.pipe(
    Effect.andThen(statement),
    sql.withTransaction,
    withinLimit,
    Effect.catchTag("StatementTimedOut", () => Effect.succeed(null)),
  )

/**
 * Runs the statement in the caller's transaction and leaves that intact on failure: StatementTimedOut after `limitMs`.
 */
export const withinTransaction = <A>(
  sql: SqlClient.SqlClient,
  limitMs: number,
  statement: Effect.Effect<A, SqlError.SqlError>,
): Effect.Effect<A, StatementTimedOut | SqlError.SqlError> =>
  Effect.gen(function* () {
    const [limit] = yield* sql<{ readonly former: string }>`
      select current_setting('statement_timeout') as former`
    yield* sql`select set_config('statement_timeout', ${String(limitMs)}, true)`
    const result = yield* statement
    // Rolling back to the savepoint would only reset it after a failure.
    yield* sql`select set_config('statement_timeout', ${limit!.former}, true)`
    return result
  }).pipe(
    sql.withTransaction,
    Effect.catchReason("SqlError", "StatementTimeoutError", () => new StatementTimedOut()),
  )
