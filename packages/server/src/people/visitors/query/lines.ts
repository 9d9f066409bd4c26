// Stores several short texts in one column in lower case, each on its own line, with a line break before the first
// and after the last. So one text search replaces the scan of an array. Control characters count as spaces, in the
// column and in the search.
import { foldCase } from "../../../platform/database/case-folding.ts"

/** Returns an empty text for an empty list. Repeated texts are stored once. */
export const linesOf = (texts: ReadonlyArray<string>): string => {
  const lines = [...new Set(texts.map(lineOf))].filter((line) => line !== "")
  return lines.length === 0 ? "" : `\n${lines.join("\n")}\n`
}

export const textsOfLines = (lines: string): ReadonlyArray<string> =>
  lines === "" ? [] : lines.slice(1, -1).split("\n")

/** One text as stored on its line, without the line breaks. */
export const lineOf = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- matches exactly these
  foldCase(text).replaceAll(/[\u0000-\u001f\u007f]/g, " ")
