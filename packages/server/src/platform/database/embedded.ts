// The embedded database: a real Postgres that this process runs in its data directory. It starts and stops with a
// scope, and is restarted if it ends unexpectedly. Each directory has one owner: a second server is refused; an
// operator command joins the owner's Postgres, or owns the directory while it runs. Postgres ends with this process,
// however that happens. Commits are durable: killing any or all processes loses nothing that was acknowledged.
import {
  Deferred,
  Effect,
  FileSystem,
  Option,
  Path,
  type PlatformError,
  Schedule,
  Scope,
  Stream,
} from "effect"
import { DatabaseUnavailable } from "./database-error.ts"
import type { Address } from "./embedded/address.ts"
import { findBinaries } from "./embedded/binaries.ts"
import { openCluster } from "./embedded/cluster.ts"
import { clearLeftover, joinPostgres, waitForJoined } from "./embedded/joining.ts"
import { chooseAddress, ensurePasswordFile } from "./embedded/listening.ts"
import { readOwner, type Role, takeOwnership } from "./embedded/owner-file.ts"
import { isTemporary, startPostmaster } from "./embedded/postmaster.ts"
import { openServerLog } from "./embedded/server-log.ts"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { postmasterFilePath } from "./embedded/postmaster-file.ts"

/**
 * Starts a data directory's Postgres for this server and returns its address.
 *
 * *Errors*: DatabaseUnavailable; `InUse` if another running process owns the directory. *Guarantee*: once the scope
 * closes, even halfway through, Postgres has ended.
 */
export const startEmbedded = Effect.fn("Database.startEmbedded")(function* (dataDir: string) {
  return yield* own(dataDir, "server")
}, unusable)

/**
 * Returns the address of a data directory's Postgres for an operator command: the running one, or one that it starts.
 *
 * A command that started Postgres keeps it up until the commands that joined it are done.
 *
 * *Errors*: DatabaseUnavailable.
 */
export const joinEmbedded = Effect.fn("Database.joinEmbedded")(function* (dataDir: string) {
  const directory = yield* clusterDirectory(dataDir)
  // The owner may end between the check and joining; the next attempt then finds another owner, or none.
  const attempt = Effect.gen(function* () {
    if (Option.isSome(yield* readOwner(dataDir))) return yield* joinPostgres({ dataDir, directory })
    return yield* Effect.tap(own(dataDir, "command"), waitForJoined)
  })
  return yield* Effect.retry(attempt, {
    while: (error) => error._tag === "DatabaseUnavailable" && error.reason === "InUse",
    times: 20,
    schedule: Schedule.spaced("100 millis"),
  })
}, unusable)

const own = Effect.fnUntraced(function* (dataDir: string, role: Role) {
  const path = yield* Path.Path
  const scope = yield* Effect.scope
  const binaries = yield* findBinaries
  const directory = yield* clusterDirectory(dataDir)
  yield* takeOwnership(dataDir, role)
  yield* clearLeftover(directory)
  const passwordFile = yield* ensurePasswordFile(dataDir)
  const cluster = yield* openCluster({ binaries, directory, passwordFile })
  const log = yield* openServerLog(path.join(dataDir, "postgres.log"))
  const ready = yield* Deferred.make<Address, DatabaseUnavailable | PlatformError.PlatformError>()
  // Each run has its own scope inside the fiber, and the outer scope interrupts the fiber.
  const run = (address: Address) =>
    Effect.gen(function* () {
      const postmaster = yield* startPostmaster({ binaries, cluster, address, log })
      yield* watchOver({ processId: postmaster.processId, directory })
      yield* Deferred.succeed(ready, address)
      yield* postmaster.ended
      return address
    }).pipe(Effect.scoped)
  // Retries for 15 seconds: a killed Postgres ends only after its last statement (at most 10 s, database.ts) and its
  // last write to a slow disk.
  const firstRun = chooseAddress({ directory, passwordFile }).pipe(
    Effect.provideService(Scope.Scope, scope),
    Effect.flatMap(run),
    Effect.retry({ while: isTemporary, schedule: Schedule.spaced("300 millis"), times: 50 }),
  )
  // The delay between attempts resets whenever a Postgres has run; only failures make it grow.
  const runAgain = (address: Address) =>
    Effect.logError("The embedded Postgres stopped unexpectedly and is restarting").pipe(
      Effect.andThen(
        run(address).pipe(
          Effect.tapError((error) => Effect.logError(error.message)),
          Effect.retry(startAgain),
        ),
      ),
      Effect.repeat(Schedule.spaced("200 millis")),
    )
  yield* firstRun.pipe(
    Effect.flatMap(runAgain),
    Effect.catch((error) => Deferred.fail(ready, error)),
    Effect.forkScoped,
  )
  return yield* Deferred.await(ready)
})

/** The cluster directory's real path, as Postgres writes it to its pid file. */
const clusterDirectory = Effect.fnUntraced(function* (dataDir: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  yield* fs.makeDirectory(dataDir, { recursive: true, mode: 0o700 })
  return path.join(yield* fs.realPath(dataDir), "postgres")
})

// Quick at first, but no busy loop if Postgres can't start, for example on a full disk.
const startAgain = Schedule.min([Schedule.exponential("200 millis"), Schedule.spaced("10 seconds")])

function unusable<A, R>(
  effect: Effect.Effect<A, DatabaseUnavailable | PlatformError.PlatformError, R>,
  dataDir: string,
) {
  return Effect.catchTag(effect, "PlatformError", (error) =>
    Effect.fail(
      error.reason.module === "ChildProcess" ? cannotRun(error) : cannotUse(dataDir, error),
    ),
  )
}

const cannotRun = (error: PlatformError.PlatformError) =>
  new DatabaseUnavailable({
    reason: "NoBinary",
    message:
      `The embedded database cannot run here: ${cause(error)}. As root it needs setpriv ` +
      `(util-linux). Run as an ordinary user, or set DATABASE_URL to a Postgres 15 or newer.`,
  })

const cannotUse = (dataDir: string, error: PlatformError.PlatformError) =>
  new DatabaseUnavailable({
    reason: "DirectoryUnusable",
    message: `The data directory ${dataDir} cannot be used: ${cause(error)}`,
  })

// The system's own message ("no space left on device") says more than the name of the operation.
const cause = ({ message, reason }: PlatformError.PlatformError) =>
  (reason.cause instanceof Error ? reason.cause.message : message).split("\n", 1)[0]

// Ends Postgres when this process ends, however that happens: `process.exit`, an uncaught error, or a kill. A shell in
// its own session reads a pipe that this process holds open and never writes to; when the pipe closes, this process has
// ended. The shell then sends Postgres the same fast shutdown as a regular exit, so the next start has nothing to
// recover. Windows has no such signal, so there the next start recovers.

// The file names the process until it ends, so a process that later gets its id is not killed.
const program = `trap "" HUP INT TERM
read -r _
read -r id < "$2" && [ "$id" = "$1" ] && kill -INT "$id"`

/** Watches a cluster's Postgres until the scope closes. Without a shell it does nothing. */
const watchOver = Effect.fnUntraced(function* (options: {
  readonly processId: number
  readonly directory: string
}) {
  if (process.platform === "win32") return
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const file = postmasterFilePath(yield* Path.Path, options.directory)
  const command = ChildProcess.make(
    "sh",
    ["-c", program, "footfall-watchman", String(options.processId), file],
    { stdin: Stream.never, stdout: "ignore", stderr: "ignore", killSignal: "SIGKILL" },
  )
  yield* Effect.ignore(spawner.spawn(command))
})
