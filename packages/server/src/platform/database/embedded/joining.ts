// How an operator command uses another process's Postgres. It keeps one session open until it ends, so that an owner
// that is itself a command sees it and keeps Postgres running. A server does not wait: when it stops, commands that
// joined it lose their database.
import { PgConnection } from "@effect/sql-pg"
import { Effect, FileSystem, Option, Path, Schedule } from "effect"
import { tmpdir } from "node:os"
import { DatabaseUnavailable } from "../database-error.ts"
import { type Address, socketDirectoryPrefix, socketPort, url } from "./address.ts"
import { addressOf } from "./listening.ts"
import { readOwner } from "./owner-file.ts"
import { postmasterFilePath, readPostmasterFile } from "./postmaster-file.ts"
import { isPostmaster } from "./process-table.ts"

const joinedName = "footfall joined"

/** How long an owner may take to start, including crash recovery. */
const readyTimeout = "2 minutes"

/** How long a command that started Postgres waits for commands that joined it. */
const joinedTimeout = "1 hour"

/**
 * The address of the running Postgres, with a session held open in the scope.
 *
 * *Errors*: DatabaseUnavailable `InUse` if the owner ended meanwhile or does not become ready.
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

/** Delays the end of the scope until no joined command is left. */
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
      // An unresponsive Postgres, or a command that never ends, does not keep this one alive.
    }).pipe(Effect.scoped, Effect.timeout(joinedTimeout), Effect.ignore),
  )

const notReady = (options: { readonly dataDir: string }) =>
  new DatabaseUnavailable({
    reason: "InUse",
    message: `The database in ${options.dataDir} is being started or stopped by another process.`,
  })

// Cleans up after a process killed with -9: an orphaned Postgres, or its lock files. The orphan is stopped, not
// adopted, so every Postgres in use is a child of its owner, with its owner's settings and log, and ends with it. A
// fast shutdown takes a fraction of a second.

// A fast shutdown first, then one without a final checkpoint, which the next start recovers from.
const signals = [
  { signal: "SIGINT", waitMs: 20_000 },
  { signal: "SIGQUIT", waitMs: 5_000 },
  { signal: "SIGKILL", waitMs: 5_000 },
] as const

/**
 * Ensures that no earlier Postgres runs on a cluster. Only its owner may call this.
 *
 * *Errors*: DatabaseUnavailable `StartFailed` if an orphan does not end.
 */
export const clearLeftover = Effect.fnUntraced(function* (directory: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const found = yield* readPostmasterFile(directory)
  if (Option.isSome(found)) {
    const { processId } = found.value
    const runs = isPostmaster({ processId, directory })
    if (yield* runs) yield* stopOrphan(processId, runs, directory)
  }
  // Postgres trusts its lock files if any process has the id in them.
  yield* fs.remove(path.join(directory, `.s.PGSQL.${socketPort}.lock`), { force: true })
  yield* fs.remove(postmasterFilePath(path, directory), { force: true })
  if (Option.isNone(found)) return
  const { socketDirectory } = found.value
  if (
    path.dirname(socketDirectory) === tmpdir() &&
    path.basename(socketDirectory).startsWith(socketDirectoryPrefix)
  )
    yield* fs.remove(socketDirectory, { recursive: true, force: true })
})

const stopOrphan = <E, R>(
  processId: number,
  runs: Effect.Effect<boolean, E, R>,
  directory: string,
) =>
  Effect.gen(function* () {
    yield* Effect.logWarning(
      `Stopping Postgres process ${processId}, left on ${directory} by a server that was killed`,
    )
    for (const { signal, waitMs } of signals) {
      // It may end between the check and the signal.
      yield* Effect.ignore(Effect.try(() => process.kill(processId, signal)))
      const isGone = yield* runs.pipe(
        Effect.repeat({ while: (isRunning) => isRunning, schedule: Schedule.spaced("10 millis") }),
        Effect.as(true),
        Effect.timeoutOrElse({ duration: waitMs, orElse: () => Effect.succeed(false) }),
      )
      if (isGone) return
    }
    return yield* new DatabaseUnavailable({
      reason: "StartFailed",
      message:
        `Postgres process ${processId} of an earlier server holds ${directory} ` +
        `and cannot be stopped.`,
      processId,
    })
  })
