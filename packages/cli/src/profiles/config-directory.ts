// Where the configuration lives: FOOTFALL_CONFIG_DIR, else the platform's own place.

import { isAbsolute, join } from "node:path"

/** What the place depends on. */
export interface Machine {
  readonly platform: NodeJS.Platform
  readonly homeDirectory: string
  readonly environment: NodeJS.ProcessEnv
}

/** The directory, which may not exist yet. Source: spec 1.1, FOOTFALL_CONFIG_DIR. */
export const configDirectory = ({ platform, homeDirectory, environment }: Machine): string => {
  const chosen = environment["FOOTFALL_CONFIG_DIR"]
  if (chosen !== undefined && chosen !== "") return chosen
  if (platform === "darwin")
    return join(homeDirectory, "Library", "Application Support", "footfall")
  if (platform === "win32") {
    return join(environment["APPDATA"] ?? join(homeDirectory, "AppData", "Roaming"), "footfall")
  }
  // The XDG base directory specification says to ignore a path that is not absolute.
  const shared = environment["XDG_CONFIG_HOME"] ?? ""
  return join(isAbsolute(shared) ? shared : join(homeDirectory, ".config"), "footfall")
}
