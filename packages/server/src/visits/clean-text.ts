// Makes a short text fit to store: no NUL, no lone surrogate, trimmed, cut to a number of code points.
// Needed where a value was decoded from a URL, in which `%00` is a legal way to write NUL.

/** The cleaned text; undefined when nothing is left. Length is counted in code points. */
export const cleanText = (
  value: string | null | undefined,
  lengthMax: number,
): string | undefined => {
  if (value === null || value === undefined || value === "") return undefined
  const clean = value.toWellFormed().replaceAll("\0", "").trim()
  if (clean === "") return undefined
  return clean.length <= lengthMax ? clean : [...clean].slice(0, lengthMax).join("").trim()
}

/** True when the text has at most that many code points. */
export const isAtMost = (value: string, lengthMax: number): boolean =>
  value.length <= lengthMax || [...value].length <= lengthMax
