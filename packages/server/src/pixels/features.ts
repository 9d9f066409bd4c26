// Which parts of the script a pixel needs, by its settings and its path lists (spec 6.1): what is
// off is neither in its script nor in the settings written into it. A tag may still ask for more; then
// the script loads the whole one in its place (packages/pixel, features.ts).
import { type Feature, features } from "@footfall/pixel/features"
import type { PixelRow } from "./store.ts"

/** What decides it. Settings are those that are set. */
export type Choosing = Pick<PixelRow, "excludedPaths" | "includedPaths" | "settings">

interface Part {
  /** The keys that are written into a script with this part. */
  readonly keys: ReadonlyArray<string>
  readonly isOn: (pixel: Choosing) => boolean
}

const parts: Readonly<Record<Feature, Part>> = {
  capture: {
    keys: ["emailCapture"],
    isOn: ({ settings: { emailCapture } }) => emailCapture === "forms" || emailCapture === "all",
  },
  // Consent is `auto` where it is not set, and that needs the part.
  consent: { keys: ["consent"], isOn: ({ settings }) => settings["consent"] !== "granted" },
  hash: { keys: ["spa"], isOn: ({ settings }) => settings["spa"] === "hash" },
  // The values that are not the default.
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

/** In the order of their names. */
export const featuresOf = (pixel: Choosing): ReadonlyArray<Feature> =>
  features.filter((feature) => parts[feature].isOn(pixel))

/** What is written into a script with these parts: the keys that are set and that it reads. */
export const embeddedOf = (
  { excludedPaths, includedPaths, settings }: Choosing,
  chosen: ReadonlyArray<Feature>,
): Readonly<Record<string, unknown>> => {
  const all: Readonly<Record<string, unknown>> = { ...settings, excludedPaths, includedPaths }
  const keys = new Set(chosen.flatMap((feature) => parts[feature].keys))
  return Object.fromEntries(
    [...keys]
      .map((key) => [key, all[key]] as const) // own keys: those that the parts name.
      .filter(([, value]) => value !== null && value !== undefined),
  )
}
