// The script a site loads: the built pixel with the settings of its pixel written in (decisions.md
// 6.1). The same pixel in the same state always gives the same bytes, so the ETag is their digest.
import { Context, Effect, FileSystem, Layer } from "effect"
import { createHash } from "node:crypto"
import { mayUse } from "../access/organization.ts"
import { unsetSettings } from "./settings.ts"
import type { HostedPixelRow, PixelRow } from "./store.ts"

/** What the build leaves in place of the settings; see packages/pixel. */
const settingsMark = "__FOOTFALL_SETTINGS__"

export interface Script {
  readonly body: string
  readonly etag: string
}

/** The built script, and the settings that are written into it, as text. */
export interface ScriptParts {
  readonly template: string
  readonly settings: string
}

export class PixelScript extends Context.Service<
  PixelScript,
  {
    /** The script of a pixel; a no-op that names the reason where nothing may be collected. */
    of(pixel: HostedPixelRow): Script
    /** What the script of a pixel is made of while it collects, whatever its state is now. */
    parts(pixel: PixelRow): ScriptParts
  }
>()("@footfall/server/pixels/PixelScript") {
  /** `path`: the built script of packages/pixel. A missing file is a broken build and ends the start. */
  static readonly layer = (path: string) =>
    Layer.effect(
      PixelScript,
      Effect.gen(function* () {
        const files = yield* FileSystem.FileSystem
        const template = yield* Effect.orDie(files.readFileString(path))
        const scripts = new WeakMap<HostedPixelRow, Script>()
        return PixelScript.of({
          of: (pixel) => {
            const known = scripts.get(pixel)
            if (known !== undefined) return known
            const script = scriptOf(pixel, template)
            scripts.set(pixel, script)
            return script
          },
          parts: (pixel) => ({ template, settings: settingsLiteral(pixel) }),
        })
      }),
    )
}

const scriptOf = (pixel: HostedPixelRow, template: string): Script => {
  const reason = reasonForNothing(pixel)
  const body =
    reason === undefined ? assemble({ template, settings: settingsLiteral(pixel) }) : noOp(reason)
  const digest = createHash("sha256").update(body).digest("base64url").slice(0, 22)
  return { body, etag: `"${digest}"` }
}

/** The bytes of a script. Those that were handed out once are made again by this: it never changes. */
export const assemble = ({ settings, template }: ScriptParts): string =>
  template.replace(settingsMark, () => settings)

const reasonForNothing = (pixel: HostedPixelRow): string | undefined => {
  if (!mayUse(pixel.organizationStatus)) return "the organization is not active"
  return pixel.status === "paused" ? "the pixel is paused" : undefined
}

/** A script that does nothing but name the reason; a plain text of ours. */
export const noOp = (reason: string): string => `console.debug("footfall: ${reason}")\n`

/** Settings that are set, and the id. `<` is escaped: the script may be pasted into a page. */
const settingsLiteral = (pixel: PixelRow): string => {
  const { topicRules: _, ...settings } = { ...unsetSettings, ...pixel.settings }
  const { excludedPaths, id, includedPaths } = pixel
  const isSet = ([, value]: readonly [string, unknown]) => value !== null
  const set = Object.entries({ ...settings, excludedPaths, includedPaths }).filter(isSet)
  return JSON.stringify({ id, ...Object.fromEntries(set) }).replaceAll("<", "\\u003c")
}
