// Where the command line keeps its configuration: FOOTFALL_CONFIG_DIR, else the platform's own place
// (spec 1.1). The same rule as in packages/cli, which this package does not depend on.
import { Config, Effect, Option, Path } from "effect"

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
