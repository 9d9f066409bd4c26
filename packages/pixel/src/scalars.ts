/**
 * Plain values out of whatever a page passes: `props`, traits, attribution.
 *
 * Promises at most 20 keys of at most 64 characters, strings of at most 255 (decisions.md 6.3, 6.5),
 * and no secret. Leaves out every value that is not a string, a finite number or a boolean.
 */
import { KEYS_MAX, NAME_LENGTH_MAX } from "./limits.ts"
import { isSecret } from "./secrets.ts"
import { clip } from "./text.ts"

export type Scalar = string | number | boolean
export type Scalars = { [key: string]: Scalar }

/** With `keys`, only those whose name is of that form, and values as text: attribution. */
export const pickScalars = (given: unknown, keys?: RegExp): Scalars => {
  const picked: Scalars = {}
  let count = 0
  if (typeof given !== "object" || !given) return picked
  const names = Object.keys(given)
  for (let index = 0; index < names.length && count < KEYS_MAX; index++) {
    const key = names[index] as string
    // An object of unknown content; the value is looked at before it is used.
    const value = (given as { [key: string]: unknown })[key] as Scalar
    const isText = typeof value === "string"
    if (
      (isText || value === !!value || Number.isFinite(value)) &&
      (!keys || keys.test(key)) &&
      !isSecret(key, value)
    ) {
      picked[clip(key, NAME_LENGTH_MAX)] = isText || keys ? clip("" + value) : value
      count++
    }
  }
  return picked
}
