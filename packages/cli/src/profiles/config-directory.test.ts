// The configuration directory on every platform, and the variables that override it.

import { expect, test } from "vitest"
import { configDirectory } from "./config-file.ts"

test.each([
  ["linux", {}, "/home/jane/.config/footfall"],
  ["linux", { XDG_CONFIG_HOME: "/xdg" }, "/xdg/footfall"],
  ["linux", { XDG_CONFIG_HOME: "relative" }, "/home/jane/.config/footfall"],
  ["linux", { XDG_CONFIG_HOME: "/xdg", FOOTFALL_CONFIG_DIR: "/here" }, "/here"],
  ["linux", { FOOTFALL_CONFIG_DIR: "" }, "/home/jane/.config/footfall"],
  ["darwin", { XDG_CONFIG_HOME: "/xdg" }, "/home/jane/Library/Application Support/footfall"],
  ["win32", { APPDATA: "/roaming" }, "/roaming/footfall"],
  ["win32", {}, "/home/jane/AppData/Roaming/footfall"],
] as const)("on %s with %j it is %s", (platform, environment, path) => {
  expect(configDirectory({ platform, homeDirectory: "/home/jane", environment })).toBe(path)
})
