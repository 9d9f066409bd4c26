// Whether the database responds. If a statement got no response although Postgres should have ended it earlier, the
// database is silent: it is stopped, or the network drops packets. Until it responds on a new connection, callers fail
// at once. Connection errors say whether a change may have been made.
import { PgConnection } from "@effect/sql-pg"
import { Effect, Schedule, type Scope } from "effect"
import { SqlError } from "effect/sql"
import { awaited } from "./awaited.ts"

/** How often to check. A database that responds again is detected within this plus the time of one query. */
const checkInterval = "500 millis"
const checkTimeoutMs = 2_000

/** The operation in a ConnectionError after which a change may have been made anyway. */
export const outcomeUnknown = "outcome unknown"

export const connectionError = (message: string, operation: string): SqlError.SqlError =>
  new SqlError.SqlError({
    reason: new SqlError.ConnectionError({ cause: new Error(message), message, operation }),
  })

export interface DatabaseSilence {
  /** Undefined while the database responds, as far as is known. */
  readonly error: () => SqlError.SqlError | undefined
  /** Called when a statement got no response. */
  readonly begin: () => void
}

/** `answered`: runs when the database responds again, before any caller may use it. */
export const makeSilence = Effect.fnUntraced(function* (
  config: PgConnection.Config,
  answered: Effect.Effect<void>,
  name = "database",
) {
  const runFork = Effect.runForkWith(yield* Effect.context<Scope.Scope>())
  let isSilent = false

  const question = awaited<unknown, SqlError.SqlError>((deadline) => {
    deadline.set(checkTimeoutMs, () => connectionError(`the ${name} is not responding`, "query"))
    return Effect.scoped(
      Effect.flatMap(
        PgConnection.make({ ...config, connectTimeout: checkTimeoutMs }),
        (connection) => connection.query("select 1"),
      ),
    )
  })

  const waitForResponse = Effect.logError(`the ${name} is not responding`).pipe(
    Effect.andThen(Effect.retry(question, Schedule.spaced(checkInterval))),
    Effect.andThen(answered),
    Effect.andThen(Effect.logInfo(`the ${name} is responding again`)),
    Effect.ensuring(
      Effect.sync(() => {
        isSilent = false
      }),
    ),
  )

  const silence: DatabaseSilence = {
    error: () =>
      isSilent ? connectionError(`the ${name} is not responding`, "connect") : undefined,
    begin: () => {
      if (isSilent) return
      isSilent = true
      runFork(Effect.forkScoped(waitForResponse))
    },
  }
  return silence
})
