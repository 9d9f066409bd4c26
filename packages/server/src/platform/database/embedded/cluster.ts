// The cluster directory: created once by initdb under a temporary name and renamed when it is complete, so a process
// killed halfway leaves nothing that looks like a database. An existing one is not changed.
import { Effect, FileSystem, Option, Path, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { DatabaseUnavailable } from "../database-error.ts"
import { username } from "./address.ts"
import type { Binaries } from "./binaries.ts"
import { failureReason } from "./server-log.ts"
import { commandAsOwner, giveToOwner } from "./unprivileged.ts"

export interface Cluster {
  readonly directory: string
  /** The major version of Postgres that created it. */
  readonly majorVersion: number
}

/**
 * Opens the cluster in `directory`, and creates it if there is none.
 *
 * `passwordFile` is set if Postgres listens on a port. Without it, Postgres listens on a socket in a private directory
 * and needs no password.
 *
 * *Errors*: DatabaseUnavailable `DirectoryUnusable` with initdb's message.
 */
export const openCluster = Effect.fnUntraced(function* (options: {
  readonly binaries: Binaries
  readonly directory: string
  readonly passwordFile: Option.Option<string>
}) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const versionFile = path.join(options.directory, "PG_VERSION")
  if (!(yield* fs.exists(versionFile))) yield* make(options)
  const majorVersion = Number.parseInt(yield* fs.readFileString(versionFile), 10)
  return { directory: options.directory, majorVersion } satisfies Cluster
})

const unfinishedPrefix = "postgres.unfinished-"

const make = Effect.fnUntraced(function* (options: {
  readonly binaries: Binaries
  readonly directory: string
  readonly passwordFile: Option.Option<string>
}) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const parent = path.dirname(options.directory)
  yield* removeUnfinished(parent)
  const unfinished = yield* fs.makeTempDirectoryScoped({
    directory: parent,
    prefix: unfinishedPrefix,
  })
  yield* giveToOwner(unfinished)
  const command = yield* commandAsOwner({
    directory: unfinished,
    program: options.binaries.initdb,
    arguments: [
      `--pgdata=${unfinished}`,
      `--username=${username}`,
      "--encoding=UTF8",
      ...(yield* localeOptions(options.binaries)),
      ...authentication(options.passwordFile),
      "--no-instructions",
    ],
    processOptions: { stdin: "ignore", env: { LC_ALL: "C" }, extendEnv: true },
  })
  const handle = yield* spawner.spawn(command)
  const output = yield* Stream.mkString(Stream.decodeText(handle.all))
  const exitCode = yield* handle.exitCode
  if (exitCode !== 0)
    return yield* new DatabaseUnavailable({
      reason: "DirectoryUnusable",
      message: `Postgres could not create a database in ${options.directory}: ${failureReason(output)}`,
    })
  yield* fs.rename(unfinished, options.directory)
}, Effect.scoped)

// An initdb whose server was killed may still be writing. It fails once its directory is deleted, and the next start
// removes what it leaves behind.
const removeUnfinished = Effect.fnUntraced(function* (parent: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const entries = yield* fs.readDirectory(parent)
  yield* Effect.forEach(
    entries.filter((name) => name.startsWith(unfinishedPrefix)),
    (name) => Effect.ignore(fs.remove(path.join(parent, name), { recursive: true })),
    { discard: true },
  )
})

// With the provider of Postgres 17 and newer, text sorts and folds the same on every platform. Older versions, which
// only tests use, take the system's C locale.
const localeOptions = Effect.fnUntraced(function* (binaries: Binaries) {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const version = yield* spawner.string(ChildProcess.make(binaries.initdb, ["--version"]))
  return Number(/\d+/.exec(version)?.[0]) >= 17
    ? ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    : ["--locale=C.UTF-8"]
})

const authentication = (passwordFile: Option.Option<string>): ReadonlyArray<string> =>
  Option.match(passwordFile, {
    // Only its owner may enter the socket's directory, so file permissions replace a password.
    onNone: () => ["--auth-local=trust", "--auth-host=reject"],
    onSome: (file) => ["--auth=scram-sha-256", `--pwfile=${file}`],
  })
