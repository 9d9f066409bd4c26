/**
 * Plain values out of whatever a page passes: `props`, traits, attribution.
 *
 * Promises at most 20 keys of at most 64 characters, strings of at most 255 (decisions.md 6.3, 6.5).
 * Leaves out every value that is not a string, a finite number or a boolean.
 */
import { clip, NAME_LENGTH_MAX } from "./text.ts"

export type Scalar = string | number | boolean
export type Scalars = { [key: string]: Scalar }

const KEYS_MAX = 20

/** With `accepts`, only what it takes, as text: this is how attribution travels. */
export const pickScalars = (
  given: unknown,
  accepts?: (key: string, value: Scalar) => boolean,
): Scalars => {
  const picked: Scalars = {}
  let count = 0
  if (typeof given !== "object") return picked
  for (const key in given) {
    // An object of unknown content; the value is looked at before it is used.
    const value = (given as { [key: string]: unknown })[key] as Scalar
    const isText = typeof value === "string"
    if (
      (isText || value === !!value || Number.isFinite(value)) &&
      count < KEYS_MAX &&
      (!accepts || accepts(key, value))
    ) {
      picked[clip(key, NAME_LENGTH_MAX)] = isText || accepts ? clip("" + value) : value
      count++
    }
  }
  return picked
}
