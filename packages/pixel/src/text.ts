/**
 * Texts cut to a length in UTF-16 units, so never longer in the code points the server counts.
 *
 * Promises neither NUL nor half of a surrogate pair: for one of those the server refuses the whole
 * batch (spec 1.4).
 */
import { TEXT_LENGTH_MAX } from "./limits.ts"

export const clip = (text: unknown, lengthMax = TEXT_LENGTH_MAX): string =>
  ("" + text).slice(0, lengthMax).replace(/[\0\ud800-\udfff]/gu, "")
