// The command line's profile for the demo, so that `footfall visitors list` works at once. The file belongs to the
// command line (packages/cli, profiles): this adds or updates one profile and leaves the rest alone, also the profile of
// another demo server. It only becomes the current one if there is no other.
import { Config, Effect, FileSystem, Option, Path, Schema } from "effect"

/** The name of the first demo server's profile. Others have their port in theirs, or their host. */
const firstName = "demo"

/** Anything else in a profile, such as sign-ins, belongs to the command line and is not read. */
const Profiles = Schema.Struct({
  current: Schema.NullOr(Schema.String),
  profiles: Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.Json)),
})

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Profiles))
const none: typeof Profiles.Type = { current: null, profiles: {} }

export interface WrittenProfile {
  /** The name of the demo's profile. */
  readonly name: string
  /** The name of the profile that commands use by default. */
  readonly current: string
}

/**
 * Writes the profile to `config.json` in the directory, mode 0600. A file that is unreadable or not a profile file does
 * not change.
 */
export const writeDemoProfile = Effect.fn("demo.writeProfile")(function* (options: {
  readonly directory: string
  readonly baseUrl: string
  readonly apiKey: string
}) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const { apiKey, baseUrl, directory } = options
  yield* files.makeDirectory(directory, { recursive: true, mode: 0o700 })
  const file = path.join(directory, "config.json")
  const existing = (yield* files.exists(file))
    ? yield* decode(yield* files.readFileString(file))
    : none
  const profiles = new Map(Object.entries(existing.profiles))
  const former = profiles.get(firstName)
  // The same server after a restart: with other data at the same address, or with the same data at another address.
  const isFirst =
    former === undefined || former["baseUrl"] === baseUrl || former["apiKey"] === apiKey
  const { hostname, port } = new URL(baseUrl)
  // Only characters and a length that the command line accepts.
  const place = (port || hostname).replaceAll(/[^\w.-]/g, "").slice(0, 40)
  const name = isFirst ? firstName : `${firstName}-${place}`
  const current = existing.current ?? name
  profiles.set(name, { ...profiles.get(name), baseUrl, apiKey })
  const temporary = yield* files.makeTempFileScoped({ directory })
  yield* files.chmod(temporary, 0o600)
  yield* files.writeFileString(
    temporary,
    `${JSON.stringify({ current, profiles: Object.fromEntries(profiles) }, undefined, 2)}\n`,
  )
  yield* files.rename(temporary, file)
  return { name, current }
}, Effect.scoped)

// Where the command line keeps its configuration: FOOTFALL_CONFIG_DIR, otherwise the platform's usual place (spec 1.1).
// The same rule as in packages/cli, which this package does not depend on.
export const configDirectory = (options: {
  readonly platform: string
  readonly homeDirectory: string
}) =>
  Effect.gen(function* () {
    const path = yield* Path.Path
    const read = (name: string) =>
      Effect.map(Config.option(Config.String(name)), Option.getOrUndefined)
    const chosen = yield* read("FOOTFALL_CONFIG_DIR")
    if (chosen) return chosen
    const { homeDirectory, platform } = options
    if (platform === "darwin") {
      return path.join(homeDirectory, "Library", "Application Support", "footfall")
    }
    if (platform === "win32") {
      const roaming = yield* read("APPDATA")
      return path.join(roaming ?? path.join(homeDirectory, "AppData", "Roaming"), "footfall")
    }
    const shared = yield* read("XDG_CONFIG_HOME")
    const isUsable = shared !== undefined && path.isAbsolute(shared)
    return path.join(isUsable ? shared : path.join(homeDirectory, ".config"), "footfall")
  })
