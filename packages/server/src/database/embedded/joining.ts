// How an operator command uses the Postgres of another process. It keeps one session open from
// joining to its end, so an owner that is itself a command can see it and stays up until it is
// done. A server does not wait: when it stops, the commands that joined it lose their database.
import { PgConnection } from "@effect/sql-pg"
import { Effect, Option, Schedule } from "effect"
import { DatabaseUnavailable } from "../database-error.ts"
import { type Address, url } from "./address.ts"
import { addressOf } from "./listening.ts"
import { readOwner } from "./owner-file.ts"
import { readPostmasterFile } from "./postmaster-file.ts"

const joinedName = "footfall joined"

/** How long an owner may take to start, crash recovery included. */
const readyTimeout = "2 minutes"

/** How long a command that started Postgres waits for those that joined it. */
const joinedTimeout = "1 hour"

/**
 * The address of the running Postgres, with a session held open in the scope.
 *
 * *Errors*: DatabaseUnavailable `InUse` when the owner ended meanwhile or does not become ready.
 */
export const joinPostgres = Effect.fnUntraced(function* (options: {
  readonly dataDir: string
  readonly directory: string
}) {
  const look = Effect.gen(function* () {
    const file = yield* readPostmasterFile(options.directory)
    const ready = Option.filter(file, ({ isReady }) => isReady)
    const isOver = Option.isSome(ready) || Option.isNone(yield* readOwner(options.dataDir))
    return { ready, isOver }
  })
  const { ready } = yield* look.pipe(
    Effect.repeat({ until: ({ isOver }) => isOver, schedule: Schedule.spaced("50 millis") }),
    Effect.timeoutOrElse({ duration: readyTimeout, orElse: () => Effect.fail(notReady(options)) }),
  )
  if (Option.isNone(ready)) return yield* notReady(options)
  const address = yield* addressOf(options.dataDir, ready.value)
  yield* PgConnection.make({ url: url(address), applicationName: joinedName }).pipe(
    Effect.mapError(() => notReady(options)),
  )
  return address
})

/** Delays the end of the scope until no command that joined is left. */
export const waitForJoined = (address: Address) =>
  Effect.addFinalizer(() =>
    Effect.gen(function* () {
      const connection = yield* PgConnection.make({ url: url(address) })
      const joined = connection.query(
        "select 1 from pg_stat_activity where application_name = $1 limit 1",
        [joinedName],
      )
      yield* joined.pipe(
        Effect.repeat({
          while: ({ rows }) => rows.length > 0,
          schedule: Schedule.spaced("200 millis"),
        }),
      )
      // A Postgres that cannot be asked, or a command that never ends, does not keep this one
      // alive.
    }).pipe(Effect.scoped, Effect.timeout(joinedTimeout), Effect.ignore),
  )

const notReady = (options: { readonly dataDir: string }) =>
  new DatabaseUnavailable({
    reason: "InUse",
    message: `The database in ${options.dataDir} is being started or stopped by another process.`,
  })
