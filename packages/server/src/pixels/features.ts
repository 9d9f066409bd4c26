// Which parts of the script a pixel needs, by its settings and path lists (spec 6.1). Unneeded parts and their settings
// are left out of the script. If a tag asks for more, the script loads the full one instead (packages/pixel,
// features.ts).
import { type Feature, features } from "@footfall/pixel/features"
import type { PixelRow } from "./store.ts"

/** The fields that decide it. Includes only settings with a value. */
export type Choosing = Pick<PixelRow, "excludedPaths" | "includedPaths" | "settings">

interface Part {
  /** The settings written into a script with this part. */
  readonly keys: ReadonlyArray<string>
  readonly isOn: (pixel: Choosing) => boolean
}

const parts: Readonly<Record<Feature, Part>> = {
  capture: {
    keys: ["emailCapture"],
    isOn: ({ settings: { emailCapture } }) => emailCapture === "forms" || emailCapture === "all",
  },
  // Unset consent means `auto`, which needs the part.
  consent: { keys: ["consent"], isOn: ({ settings }) => settings["consent"] !== "granted" },
  hash: { keys: ["spa"], isOn: ({ settings }) => settings["spa"] === "hash" },
  // The values other than the default.
  options: {
    keys: ["spa", "cookies", "cookieDomain", "respectDnt"],
    isOn: ({ settings: { cookieDomain, cookies, respectDnt, spa } }) =>
      Boolean(cookieDomain) || cookies === "none" || respectDnt === true || spa === "off",
  },
  paths: {
    keys: ["excludedPaths", "includedPaths"],
    isOn: ({ excludedPaths, includedPaths }) => excludedPaths !== null || includedPaths !== null,
  },
}

/** Sorted by name. */
export const featuresOf = (pixel: Choosing): ReadonlyArray<Feature> =>
  features.filter((feature) => parts[feature].isOn(pixel))

/** The settings written into a script with these parts: those that have a value and are used. */
export const embeddedOf = (
  { excludedPaths, includedPaths, settings }: Choosing,
  chosen: ReadonlyArray<Feature>,
): Readonly<Record<string, unknown>> => {
  const all: Readonly<Record<string, unknown>> = { ...settings, excludedPaths, includedPaths }
  const keys = new Set(chosen.flatMap((feature) => parts[feature].keys))
  return Object.fromEntries(
    [...keys]
      .map((key) => [key, all[key]] as const) // own keys: the parts name them
      .filter(([, value]) => value !== null && value !== undefined),
  )
}
