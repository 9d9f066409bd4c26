// Makes a short text safe to store: no NUL, no lone surrogates, trimmed, cut to a number of code points. Values
// decoded from a URL need this, because `%00` is a legal way to write NUL.

/** The cleaned text; undefined when it is empty. Length in code points. */
export const cleanText = (
  value: string | null | undefined,
  lengthMax: number,
): string | undefined => {
  if (value === null || value === undefined || value === "") return undefined
  const clean = value.toWellFormed().replaceAll("\0", "").trim()
  if (clean === "") return undefined
  return clean.length <= lengthMax ? clean : [...clean].slice(0, lengthMax).join("").trim()
}

/** Whether the text has at most this many code points. */
export const isAtMost = (value: string, lengthMax: number): boolean =>
  value.length <= lengthMax || [...value].length <= lengthMax
