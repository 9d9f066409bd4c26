/**
 * The script tag that brought this load of the script, and the pixel it is for (spec 6.1).
 * Plain and immutable form of the address are both fine.
 *
 * Refuses, by throwing, to run from an address that does not name the pixel, as it would not know
 * where to send, and where the pixel is on the page already.
 */
import { settingsOf } from "./module-options.ts"

/** What is there of this pixel: its commands, or the tag for which the full script is to come. */
declare const window: { [loaded: string]: object | undefined }

export const embedded = IS_MODULE ? settingsOf() : __FOOTFALL_SETTINGS__
export const { full, id } = embedded

/** Begins the names of what this pixel keeps beside the id. */
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

/** `…/p/<pixel id>`, and the query of the script: attribution, never options. */
const { 0: before, 1: after } = tag.src.split(id)
export const address = before + id
export const query = (after as string).split("?")[1]
