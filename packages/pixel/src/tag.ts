/**
 * The script tag that loaded this script, and its pixel (spec 6.1). The plain and the immutable form of the URL both
 * work.
 *
 * Throws if the URL doesn't name the pixel, because it wouldn't know where to send, and if the pixel is already on the
 * page.
 */
import type { FootfallOptions } from "./index.ts"

/** The argument of the function that wraps this bundle: see `tsup.config.ts`. */
declare const __FOOTFALL_OPTIONS__: FootfallOptions

/** Converts the options of the npm package to the settings that a server would embed. Throws without a pixel. */
const settingsOf = (): EmbeddedSettings => {
  const options = __FOOTFALL_OPTIONS__
  const { attribution = {}, baseUrl, pixelId } = options
  if (!pixelId) throw "no pixelId"
  const query = new URLSearchParams(attribution)
  return {
    ...options,
    id: pixelId,
    src: `${baseUrl.replace(/\/+$/, "")}/p/${pixelId}.js?${query}`,
  }
}

/** What this pixel has set on the page: its commands, or the tag that waits for the full script. */
declare const window: { [loaded: string]: object | undefined }

export const embedded = IS_MODULE ? settingsOf() : __FOOTFALL_SETTINGS__
export const { full, id } = embedded

/** Prefix for the names of everything this pixel stores besides the id. */
export const namePrefix = "footfall_" + id
const known = window[namePrefix] // own keys: a name of this script's.
if (known && !(HAS_ALL && "src" in known)) throw id

export const tag = (
  IS_MODULE
    ? { src: embedded.src, dataset: embedded.debug ? { debug: "" } : {} }
    : (HAS_ALL && known) ||
      document.currentScript ||
      document.querySelector(`script[src*="/p/${id}"]`)
) as HTMLScriptElement
export const { dataset } = tag
export const isDebug = "debug" in dataset

/** `…/p/<pixel id>`, and the query of the script, which holds attribution, never options. */
const { 0: before, 1: after } = tag.src.split(id)
export const address = before + id
export const query = (after as string).split("?")[1]
