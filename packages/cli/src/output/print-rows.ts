// Prints a list that comes whole: its rows in any form, and as a JSON document whatever the answer was.

import { screenColumns, writeOut, type Terminal } from "../terminal/terminal.ts"
import { csvHeader, csvRow } from "./csv.ts"
import { jsonDocument, jsonLine } from "./json.ts"
import { outputFormat, type OutputFormat, type OutputOptions } from "./output-format.ts"
import type { PeopleText } from "./print-result.ts"

/** An answer, its rows, and the same for people. */
export interface RowsForm {
  /** The `data` of the JSON document. */
  readonly data: unknown
  /** For NDJSON and CSV. */
  readonly rows: ReadonlyArray<object>
  /** Columns of the CSV, as paths into a row. */
  readonly csvColumns: ReadonlyArray<string>
  readonly drawn: PeopleText
}

/** Errors: usage, for options that exclude each other. */
export const printRows = async (
  terminal: Terminal,
  options: OutputOptions,
  { data, rows, csvColumns, drawn }: RowsForm,
): Promise<void> => {
  const texts: Record<OutputFormat, () => string | Promise<string>> = {
    table: () => drawn(screenColumns(terminal)),
    json: () => jsonDocument({ data }),
    ndjson: () => rows.map(jsonLine).join(""),
    csv: () => csvHeader(csvColumns) + rows.map((row) => csvRow(csvColumns, row)).join(""),
  }
  await writeOut(terminal, await texts[outputFormat(options, terminal)]())
}
