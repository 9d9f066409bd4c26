/**
 * Plain values out of whatever a page passes: `props`, traits, attribution.
 *
 * Promises at most 20 keys of at most 64 characters, strings of at most 255 (decisions.md 6.3, 6.5),
 * and no secret. Leaves out every value that is not a string, a finite number or a boolean. Which
 * labels and traits count is the server's to say.
 */
import { KEYS_MAX, NAME_LENGTH_MAX } from "./limits.ts"
import { SECRET } from "./secrets.ts"
import { clip } from "./text.ts"

export type Scalar = string | number | boolean
export type Scalars = { [key: string]: Scalar }

/** `asText`: the server takes labels as texts alone. */
export const pickScalars = (given: unknown, asText?: boolean): Scalars => {
  const picked: Scalars = {}
  let room = KEYS_MAX
  // An object of unknown content, or nothing; each value is looked at before it is used.
  const members = given as { readonly [key: string]: Scalar }
  if (typeof given === "object") {
    for (const key in members) {
      const value = members[key] as Scalar
      const isText = typeof value === "string"
      if (room && (isText || value === !!value || Number.isFinite(value))) {
        // Tells the key, never the value.
        if (SECRET.test(key + "=" + value)) console.warn("footfall: secret dropped: " + key)
        else {
          room--
          picked[clip(key, NAME_LENGTH_MAX)] = isText || asText ? clip("" + value) : value
        }
      }
    }
  }
  return picked
}
