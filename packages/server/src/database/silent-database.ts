// Whether the database answers. A statement that got no answer, although Postgres was to end it earlier, means
// that the database is silent: stopped, or behind a network that swallows bytes. Until it answers a question on a
// new connection, callers fail at once. Errors of the connection say whether what was sent may have been done.
import { PgConnection } from "@effect/sql-pg"
import { Effect, Schedule, type Scope } from "effect"
import { SqlError } from "effect/sql"
import { awaited } from "./awaited.ts"

/** A database that answers again is found within this and the time of one question. */
const askedAgainAfter = "500 millis"
const questionMs = 2_000

/** The operation of a ConnectionError after which a change may still have been made. */
export const outcomeUnknown = "outcome unknown"

export const connectionError = (message: string, operation: string): SqlError.SqlError =>
  new SqlError.SqlError({
    reason: new SqlError.ConnectionError({ cause: new Error(message), message, operation }),
  })

export interface DatabaseSilence {
  /** Undefined: it answers, as far as is known. */
  readonly error: () => SqlError.SqlError | undefined
  /** A statement got no answer. */
  readonly begin: () => void
}

/** `answered`: run when the database answers again, before anything else is let through. */
export const makeSilence = Effect.fnUntraced(function* (
  config: PgConnection.Config,
  answered: Effect.Effect<void>,
) {
  const runFork = Effect.runForkWith(yield* Effect.context<Scope.Scope>())
  let isSilent = false

  const question = awaited<unknown, SqlError.SqlError>((deadline) => {
    deadline.set(questionMs, () => connectionError("no answer to a question", "query"))
    return Effect.scoped(
      Effect.flatMap(PgConnection.make({ ...config, connectTimeout: questionMs }), (connection) =>
        connection.query("select 1"),
      ),
    )
  })

  const untilAnswered = Effect.logError("the database is not responding").pipe(
    Effect.andThen(Effect.retry(question, Schedule.spaced(askedAgainAfter))),
    Effect.andThen(answered),
    Effect.andThen(Effect.logInfo("the database is responding again")),
    Effect.ensuring(
      Effect.sync(() => {
        isSilent = false
      }),
    ),
  )

  const silence: DatabaseSilence = {
    error: () =>
      isSilent ? connectionError("the database is not responding", "connect") : undefined,
    begin: () => {
      if (isSilent) return
      isSilent = true
      runFork(Effect.forkScoped(untilAnswered))
    },
  }
  return silence
})
