// Prints what a command that is no list has to tell: a document for programs, a screen or a sentence
// for people.

import { screenColumns, writeOut, type Terminal } from "../terminal/terminal.ts"
import { jsonDocument } from "./json.ts"
import { requireFields, withFields } from "./fields.ts"
import { outputOf, type OutputOptions } from "./output-format.ts"

/** The text for people; a screen loads React and Ink, so it comes late. */
export type PeopleText = (screenColumns: number) => string | Promise<string>

/**
 * `{"data": data}` or the text, as the options and the terminal ask for.
 * Errors: usage, for a field that there is not.
 */
export const printResult = async (
  terminal: Terminal,
  options: OutputOptions,
  data: object,
  text: PeopleText,
): Promise<void> => {
  const { format, fields } = outputOf(options, terminal)
  if (fields !== null) requireFields(fields, [data], [])
  if (format === "json") {
    const chosen = fields === null ? data : withFields(data, fields)
    return writeOut(terminal, jsonDocument({ data: chosen }))
  }
  const columns = screenColumns(terminal)
  if (fields === null) return terminal.pager.write(await text(columns))
  const { drawnRecord } = await import("./drawn-fields.ts")
  return terminal.pager.write(drawnRecord(data, fields, columns))
}
