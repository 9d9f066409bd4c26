/**
 * Picks plain values from whatever a page passes: `props`, traits, attribution.
 *
 * Returns at most 20 keys of at most 64 characters, strings of at most 255 (spec 6.3, 6.5), and no secret. Drops every
 * value that isn't a string, a finite number or a boolean. The server decides which labels and traits count.
 */
import { KEYS_MAX, NAME_LENGTH_MAX } from "./limits.ts"
import { clip } from "./text.ts"

/**
 * Values that must never leave a page, because pages and script URLs are public (spec 6.5): API keys of this service,
 * JSON web tokens, and any value whose key suggests a secret. Matches text of the form `key=value`.
 */
const SECRET = /^((api_?)?key|token|secret|password|auth)=|=\s*(sk_|eyJ)/i

export type Scalar = string | number | boolean
export type Scalars = { [key: string]: Scalar }

export const pickScalars = (given: unknown): Scalars => {
  const picked: Scalars = {}
  // An object with unknown content, or nothing. Each value is checked before use.
  const members = given as { readonly [key: string]: Scalar }
  if (typeof given === "object") {
    for (const key in members) {
      const value = members[key] as Scalar // own keys: one the object has.
      const isText = typeof value === "string"
      // Of the other values, only finite numbers and booleans give 0 when subtracted from themselves.
      const isPlain = isText || (typeof value !== "object" && +value - +value === 0)
      if (isPlain && !Object.keys(picked)[KEYS_MAX - 1]) {
        // Log the key, never the value.
        if (SECRET.test(key + "=" + value)) console.warn("footfall: secret:", key)
        // own keys: a plain value set as `__proto__` is dropped by the language.
        else picked[clip(key, NAME_LENGTH_MAX)] = isText ? clip(value) : value
      }
    }
  }
  return picked
}
