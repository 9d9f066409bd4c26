// What a process killed with -9 leaves behind: a Postgres without parent, or its lock files. The
// orphan is stopped, not adopted: then every Postgres in use is a child of its owner, runs with its
// owner's settings, writes its owner's log and ends with it. A fast shutdown takes a fraction of a
// second.
import { tmpdir } from "node:os"
import { Effect, FileSystem, Option, Path, Schedule } from "effect"
import { DatabaseUnavailable } from "../database-error.ts"
import { socketDirectoryPrefix, socketPort } from "./address.ts"
import { postmasterFilePath, readPostmasterFile } from "./postmaster-file.ts"
import { isPostmaster } from "./process-table.ts"

// A fast shutdown first; then one without a last checkpoint, which the next start makes up for.
const signals = [
  { signal: "SIGINT", waitMs: 20_000 },
  { signal: "SIGQUIT", waitMs: 5_000 },
  { signal: "SIGKILL", waitMs: 5_000 },
] as const

/**
 * Makes sure no earlier Postgres runs on a cluster. Only its owner may call this.
 *
 * *Errors*: DatabaseUnavailable `StartFailed` when an orphan does not end.
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
  // Postgres believes its lock files whenever the id in them is taken, by whatever program.
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
      // It may end between the look and the signal.
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
