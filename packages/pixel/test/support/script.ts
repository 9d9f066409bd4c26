/** The built script as the server serves it, with the settings instead of their placeholder. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { builtFiles } from "./built-files.ts"

/** A file of the build, by name. */
export const builtScript = (name: string): string =>
  readFileSync(join(builtFiles, `${name}.js`), "utf8")

export const PIXEL_ID = "cdd19037-47fb-4e21-a054-2da787925aea"

export const scriptText = (settings: object = {}, name = "footfall"): string =>
  builtScript(name).replace("__FOOTFALL_SETTINGS__", JSON.stringify({ id: PIXEL_ID, ...settings }))
