// `--set key=value`: settings of a pixel on the command line. Which keys and values there are is for
// the server to say.

import type { PixelSettingsChanges } from "@footfall/sdk"
import { InvalidArgumentError, Option } from "commander"

/** The option; it can be given several times. */
export const settingOption = (): Option =>
  new Option(
    "--set <key=value>",
    "a setting, for example consent=required; null unsets it; may be repeated",
  ).argParser((text: string, before: PixelSettingsChanges = {}) => ({
    ...before,
    ...setting(text),
  }))

const setting = (text: string): PixelSettingsChanges => {
  const [, key, value] = /^([A-Za-z]+)=([^]*)$/.exec(text) ?? []
  if (key === undefined || value === undefined) {
    throw new InvalidArgumentError("Expected key=value, for example spa=hash.")
  }
  return { [key]: settingValue(value) }
}

/** `true`, `null`, lists and objects are JSON; everything else is a text. */
const settingValue = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
