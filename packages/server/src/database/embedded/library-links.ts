// Makes the library links that npm cannot pack and that the package's install script makes. Where
// install scripts are skipped they are missing and Postgres does not load, so they are made here.
// Nothing is touched when they are all there; an existing file is never replaced.
import { Effect, FileSystem, Path, Schema } from "effect"
import { DatabaseUnavailable } from "../database-error.ts"

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
            `The packaged Postgres in ${root} lacks its library links, because install scripts ` +
            `were skipped, and they cannot be made (${error.message.split("\n")[0]}). ` +
            `Run "npm rebuild" there, or set DATABASE_URL.`,
        }),
    ),
)
