// Prints one result: a JSON document for programs, a screen or a sentence for people.

import type { ComponentType } from "react"
import { csvHeader, csvRow } from "@footfall/normal-form/csv"
import { screenColumns, type Terminal, writeSafe } from "../terminal/terminal.ts"
import type { Fact } from "../ui/facts.tsx"
import { type Fields, type OutputFormat, outputOf, type OutputOptions } from "./output-format.ts"
import { jsonDocument, jsonLine } from "./json.ts"

/** The text for people. It is created late, because a screen loads React and Ink. */
export type PeopleText = (screenColumns: number) => string | Promise<string>

/**
 * Prints `{"data": data}` or the text, depending on the options and the terminal. Errors: usage, for an unknown field.
 */
export const printResult = async (
  terminal: Terminal,
  options: OutputOptions,
  data: object,
  text: PeopleText,
): Promise<void> => {
  const { format, fields } = outputOf(options, terminal)
  const { record, paths } =
    fields === null && format !== "csv"
      ? { record: data, paths: [] }
      : (await import("./chosen-fields.ts")).chosenRecord(data, fields)
  if (format !== "table") return writeSafe(terminal, programTexts[format](record, paths))
  const columns = screenColumns(terminal)
  if (fields === null) return terminal.pager.write(await text(columns))
  const { drawnRecord } = await import("./drawn-fields.tsx")
  return terminal.pager.write(drawnRecord(data, fields, columns))
}

const programTexts: Record<
  Exclude<OutputFormat, "table">,
  (data: object, columns: Fields) => string
> = {
  json: (data) => jsonDocument({ data }),
  ndjson: jsonLine,
  csv: (data, columns) => csvHeader(columns) + csvRow(columns, data),
}

/** The facts in order. A null fact is left out. */
export const factsText =
  (facts: ReadonlyArray<Fact>): PeopleText =>
  async (columns) => {
    const [{ drawn }, { Facts }] = await Promise.all([
      import("../ui/drawn.ts"),
      import("../ui/facts.tsx"),
    ])
    return drawn(Facts, { facts }, columns)
  }

/** Renders a component that takes the screen's width as `screenColumns`. */
export const view =
  <Props extends object>(
    load: () => Promise<ComponentType<Props>>,
    props: Omit<NoInfer<Props>, "screenColumns">,
  ): PeopleText =>
  async (columns) => {
    const [{ drawn }, component] = await Promise.all([import("../ui/drawn.ts"), load()])
    return drawn(component, { ...props, screenColumns: columns } as Props, columns)
  }

// Prints a list that the server sent as a whole.

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
