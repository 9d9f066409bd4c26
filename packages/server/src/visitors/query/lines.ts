// Several short texts in one column, each on a line of its own with a line break before the first and
// after the last, without case: so one search of a text answers what a walk through an array would.
// A control character counts as a space, in the list and in what is looked for.
import { foldCase } from "../../database/case-folding.ts"

/** Empty for none. A text that is there twice stands there once. */
export const linesOf = (texts: ReadonlyArray<string>): string => {
  const lines = [...new Set(texts.map(lineOf))].filter((line) => line !== "")
  return lines.length === 0 ? "" : `\n${lines.join("\n")}\n`
}

export const textsOfLines = (lines: string): ReadonlyArray<string> =>
  lines === "" ? [] : lines.slice(1, -1).split("\n")

/** One text as it stands on its line, without the line breaks. */
export const lineOf = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  foldCase(text).replaceAll(/[\u0000-\u001f\u007f]/g, " ")
