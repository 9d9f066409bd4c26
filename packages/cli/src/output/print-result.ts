// Prints what a command that is no list has to tell: a document for programs, a screen or a sentence
// for people.

import { screenColumns, writeOut, type Terminal } from "../terminal/terminal.ts"
import { jsonDocument } from "./json.ts"
import { outputFormat, type OutputOptions } from "./output-format.ts"

/** The text for people; a screen loads React and Ink, so it comes late. */
export type PeopleText = (screenColumns: number) => string | Promise<string>

/** `{"data": data}` or the text, as the options and the terminal ask for. */
export const printResult = async (
  terminal: Terminal,
  options: OutputOptions,
  data: object,
  text: PeopleText,
): Promise<void> => {
  if (outputFormat(options, terminal) === "json") return writeOut(terminal, jsonDocument({ data }))
  return writeOut(terminal, await text(screenColumns(terminal)))
}
