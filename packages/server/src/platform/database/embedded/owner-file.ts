// Who runs the embedded Postgres of a data directory: a file that names the process, created by an atomic link and held
// while a scope is open. A file whose process was killed, or whose id another program now has, is recognized by the
// process's start time and replaced.
import { Effect, FileSystem, Option, Path, Schema } from "effect"
import { DatabaseUnavailable } from "../database-error.ts"
import { startOf } from "./process-table.ts"

/** A server stops at once; a command first waits for the commands that joined it. */
export type Role = "server" | "command"

const Owner = Schema.Struct({
  processId: Schema.Int,
  processStart: Schema.String,
  role: Schema.Literals(["server", "command"]),
})
type Owner = typeof Owner.Type

const OwnerJson = Schema.fromJsonString(Owner)

/** Attempts to replace the file of a dead owner; another process may win each time. */
const attemptsMax = 10

/**
 * Makes this process the owner of the data directory until the scope closes.
 *
 * *Errors*: DatabaseUnavailable `InUse` with the id of the running owner.
 */
export const takeOwnership = Effect.fnUntraced(function* (dataDir: string, role: Role) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const file = path.join(dataDir, "owner.json")
  yield* Effect.acquireRelease(claim({ file, dataDir, role }), (content) =>
    fs.readFileString(file).pipe(
      Effect.flatMap((found) => (found === content ? fs.remove(file) : Effect.void)),
      Effect.ignore,
    ),
  )
})

const claim = Effect.fnUntraced(function* (options: {
  readonly file: string
  readonly dataDir: string
  readonly role: Role
}) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const processStart = Option.getOrElse(yield* startOf(process.pid), () => "")
  const content = yield* Effect.orDie(
    Schema.encodeEffect(OwnerJson)({ processId: process.pid, processStart, role: options.role }),
  )
  // The complete file is linked into place, so no process reads a partial one.
  const aside = yield* fs.makeTempDirectoryScoped({ directory: options.dataDir, prefix: "owner-" })
  const written = path.join(aside, "new")
  yield* fs.writeFileString(written, content)
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const isTaken = yield* fs.link(written, options.file).pipe(
      Effect.as(false),
      Effect.catchReason("PlatformError", "AlreadyExists", () => Effect.succeed(true)),
    )
    if (!isTaken) return content
    const found = yield* Effect.option(fs.readFileString(options.file))
    const owner = Option.flatMap(found, decodeOwner)
    if (Option.isSome(owner) && (yield* isAlive(owner.value)))
      return yield* inUse(options.dataDir, owner.value)
    yield* removeIfUnchanged({
      file: options.file,
      found,
      aside: path.join(aside, `old${attempt}`),
    })
  }
  return yield* new DatabaseUnavailable({
    reason: "InUse",
    message: `Several processes are starting on the data directory ${options.dataDir} at once.`,
  })
}, Effect.scoped)

/** The running owner of a data directory, if any. */
export const readOwner = Effect.fnUntraced(function* (dataDir: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const found = yield* Effect.option(fs.readFileString(path.join(dataDir, "owner.json")))
  const owner = Option.flatMap(found, decodeOwner)
  return Option.isSome(owner) && (yield* isAlive(owner.value)) ? owner : Option.none()
})

const decodeOwner = Schema.decodeOption(OwnerJson)

const isAlive = Effect.fnUntraced(function* (owner: Owner) {
  const start = yield* startOf(owner.processId)
  return Option.isSome(start) && start.value === owner.processStart
})

// Moving a dead owner's file away may race with a new owner's link. If the moved file is not the one that was read, a
// new owner came first, and its file is put back.
const removeIfUnchanged = Effect.fnUntraced(function* (options: {
  readonly file: string
  readonly found: Option.Option<string>
  readonly aside: string
}) {
  const fs = yield* FileSystem.FileSystem
  const moved = yield* Effect.option(fs.rename(options.file, options.aside))
  if (Option.isNone(moved)) return
  const content = yield* Effect.option(fs.readFileString(options.aside))
  if (Option.getOrNull(content) !== Option.getOrNull(options.found))
    yield* Effect.ignore(fs.link(options.aside, options.file))
})

const inUse = (dataDir: string, owner: Owner) =>
  new DatabaseUnavailable({
    reason: "InUse",
    processId: owner.processId,
    message:
      `The data directory ${dataDir} is in use by process ${owner.processId}, a running ` +
      `${owner.role === "server" ? "server" : "operator command"}. Stop it, or set another DATA_DIR.`,
  })
