// The script a site loads: the built pixel with the parts its settings ask for and those settings written
// in (spec 6.1). The same pixel in the same state always gives the same bytes, so the ETag is
// their digest.
import { type Feature, features, featureSets, variantName } from "@footfall/pixel/features"
import { Context, Effect, FileSystem, Layer } from "effect"
import { createHash } from "node:crypto"
import { mayUse } from "../access/organization.ts"
import { embeddedOf, featuresOf } from "./features.ts"
import type { HostedPixelRow, PixelRow } from "./store.ts"

/** What the build leaves in place of the settings; see packages/pixel. */
const settingsMark = "__FOOTFALL_SETTINGS__"

export interface Script {
  readonly body: string
  readonly etag: string
}

/** A built script, and the settings that are written into it, as text. */
export interface ScriptParts {
  readonly template: string
  readonly settings: string
}

export interface Composition {
  readonly parts: ScriptParts
  /** The script with every part, which the other one may load; undefined where that is it. */
  readonly full: ScriptParts | undefined
}

export class PixelScript extends Context.Service<
  PixelScript,
  {
    /** The script of a pixel; a no-op that names the reason where nothing may be collected. */
    of(pixel: HostedPixelRow): Script
    /** What the script of a pixel is made of while it collects, whatever its state is now. */
    compose(pixel: PixelRow): Composition
  }
>()("@footfall/server/pixels/PixelScript") {
  /** `directory`: the scripts of packages/pixel. One that is missing is a broken build and ends the start. */
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
          // Every set of features has its file: they were all read above.
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
          of: (pixel) => {
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

/** The bytes of a script. Those that were handed out once are made again by this: it never changes. */
export const assemble = ({ settings, template }: ScriptParts): string =>
  template.replace(settingsMark, () => settings)

const hashLength = 16

/** By which the address of a pinned script names it. */ // spec 2.3
export const scriptHash = (body: string): string =>
  createHash("sha256").update(body).digest("hex").slice(0, hashLength)

/** Why the script of a pixel does nothing; undefined when it collects. */
export const reasonForNothing = (pixel: HostedPixelRow): string | undefined => {
  if (!mayUse(pixel.organizationStatus)) return "the organization is not active"
  return pixel.status === "paused" ? "the pixel is paused" : undefined
}

/** A script that does nothing but name the reason; a plain text of ours. */
export const noOp = (reason: string): string => `console.debug("footfall: ${reason}")\n`

/** `<` is escaped: the script may be pasted into a page. */
const literal = (settings: object): string => JSON.stringify(settings).replaceAll("<", "\\u003c")
