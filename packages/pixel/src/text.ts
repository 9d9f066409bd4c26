/**
 * Cuts texts to a length in UTF-16 units, so they're never longer in the code points that the server counts.
 *
 * Removes NUL and half surrogate pairs, because the server rejects the whole batch for one of those (spec 1.4).
 */
import { TEXT_LENGTH_MAX } from "./limits.ts"

export const clip = (text: unknown, lengthMax = TEXT_LENGTH_MAX): string =>
  ("" + text).slice(0, lengthMax).replace(/[\0\ud800-\udfff]/gu, "")
