// Prints a list that the server sent as a whole.

import { screenColumns, type Terminal, writeSafe } from "../terminal/terminal.ts"
import { csvHeader, csvRow } from "@footfall/normal-form/csv"
import type { Fields } from "./fields.ts"
import { jsonDocument, jsonLine } from "./json.ts"
import { type OutputFormat, outputOf, type OutputOptions } from "./output-format.ts"
import type { PeopleText } from "./print-result.ts"

/** A response, its rows, and its text for people. */
export interface RowsForm {
  /** The `data` of the JSON document. */
  readonly data: unknown
  /** The `meta` of the JSON document, if any. */
  readonly meta?: object
  /** For NDJSON and CSV. */
  readonly rows: ReadonlyArray<object>
  /** Columns of the CSV, as paths into a row. */
  readonly csvColumns: ReadonlyArray<string>
  readonly drawn: PeopleText
}

/** Errors: usage, for options that can't be combined and for a field that no row has. */
export const printRows = async (
  terminal: Terminal,
  options: OutputOptions,
  form: RowsForm,
): Promise<void> => {
  const { format, fields } = outputOf(options, terminal)
  const { csvColumns, data, drawn, meta, rows } =
    fields === null ? form : await chosen(form, fields)
  const texts: Record<OutputFormat, () => string | Promise<string>> = {
    table: () => drawn(screenColumns(terminal)),
    json: () => jsonDocument(meta === undefined ? { data } : { data, meta }),
    ndjson: () => rows.map(jsonLine).join(""),
    csv: () => csvHeader(csvColumns) + rows.map((row) => csvRow(csvColumns, row)).join(""),
  }
  const text = await texts[format]()
  await (format === "table" ? terminal.pager.write(text) : writeSafe(terminal, text))
}

const chosen = async (form: RowsForm, fields: Fields): Promise<RowsForm> => {
  const { requireFields, withFields } = await import("./chosen-fields.ts")
  requireFields(fields, form.rows, form.csvColumns)
  const rows = form.rows.map((row) => withFields(row, fields))
  const drawn: PeopleText = async (columns) =>
    (await import("./drawn-fields.tsx")).drawnRows(rows, fields, columns)
  return { ...form, data: rows, rows, csvColumns: fields, drawn }
}
