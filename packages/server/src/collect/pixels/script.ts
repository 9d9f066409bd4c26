// The script a site loads: the built pixel with the parts its settings need, and those settings inlined (spec 6.1). The
// same pixel state always gives the same bytes, so the ETag is their digest.
import { type Feature, features, featureSets, variantName } from "@footfall/pixel/features"
import { Context, Effect, FileSystem, Layer } from "effect"
import { createHash } from "node:crypto"
import { mayUse } from "../../access/organization.ts"
import type { HostedPixelRow, PixelRow } from "./store.ts"

/** The build's placeholder for the settings; see packages/pixel. */
const settingsMark = "__FOOTFALL_SETTINGS__"

export interface Script {
  readonly body: string
  readonly etag: string
}

/** A built script, and the settings to inline, as text. */
export interface ScriptParts {
  readonly template: string
  readonly settings: string
}

export interface Composition {
  readonly parts: ScriptParts
  /** The full script, which the smaller one may load; undefined if this is the full one. */
  readonly full: ScriptParts | undefined
}

export class PixelScript extends Context.Service<
  PixelScript,
  {
    /** The pixel's script; a no-op that names the reason if nothing may be collected. */
    render(pixel: HostedPixelRow): Script
    /** The parts of the pixel's script while it collects, whatever its state is now. */
    compose(pixel: PixelRow): Composition
  }
>()("@footfall/server/pixels/PixelScript") {
  /** `directory`: the built scripts of packages/pixel. A missing one is a broken build and stops the start. */
  static readonly layer = (directory: string) =>
    Layer.effect(
      PixelScript,
      Effect.gen(function* () {
        const files = yield* FileSystem.FileSystem
        const names = featureSets.map(variantName)
        const templates = new Map(
          yield* Effect.forEach(
            names,
            (name) =>
              Effect.map(
                Effect.orDie(files.readFileString(`${directory}/${name}.js`)),
                (template) => [name, template] as const,
              ),
            { concurrency: "unbounded" },
          ),
        )
        const withParts = (pixel: PixelRow, chosen: ReadonlyArray<Feature>, more: object = {}) => ({
          // Every set of features has a file; all were read above.
          template: templates.get(variantName(chosen)) ?? "",
          settings: literal({ id: pixel.id, ...embeddedOf(pixel, chosen), ...more }),
        })
        const compose = (pixel: PixelRow): Composition => {
          const full = withParts(pixel, features)
          const chosen = featuresOf(pixel)
          return chosen.length === features.length
            ? { parts: full, full: undefined }
            : { parts: withParts(pixel, chosen, { full: scriptHash(assemble(full)) }), full }
        }

        const scripts = new WeakMap<HostedPixelRow, Script>()
        return PixelScript.of({
          render: (pixel) => {
            const known = scripts.get(pixel)
            if (known !== undefined) return known
            const reason = reasonForNothing(pixel)
            const script = scriptOf(
              reason === undefined ? assemble(compose(pixel).parts) : noOp(reason),
            )
            scripts.set(pixel, script)
            return script
          },
          compose,
        })
      }),
    )
}

const scriptOf = (body: string): Script => {
  const digest = createHash("sha256").update(body).digest("base64url").slice(0, 22)
  return { body, etag: `"${digest}"` }
}

/** The bytes of a script. Published scripts are rebuilt with this, so it must never change. */
export const assemble = ({ settings, template }: ScriptParts): string =>
  template.replace(settingsMark, () => settings)

const hashLength = 16

/** The hash in the URL of a pinned script. */ // spec 2.3
export const scriptHash = (body: string): string =>
  createHash("sha256").update(body).digest("hex").slice(0, hashLength)

/** Why a pixel's script does nothing; undefined while it collects. */
export const reasonForNothing = (pixel: HostedPixelRow): string | undefined => {
  if (!mayUse(pixel.organizationStatus)) return "the organization is not active"
  return pixel.status === "paused" ? "the pixel is paused" : undefined
}

/** A script that only logs the reason, which never contains input. */
export const noOp = (reason: string): string => `console.debug("footfall: ${reason}")\n`

/** `<` is escaped, because the script may be pasted into a page. */
const literal = (settings: object): string => JSON.stringify(settings).replaceAll("<", "\\u003c")

// Which parts of the script a pixel needs, by its settings and path lists (spec 6.1). Unneeded parts and their
// settings are left out. If a tag needs more, the script loads the full one instead (packages/pixel, features.ts).

/** The fields that decide which parts are needed. Contains only settings with a value. */
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
