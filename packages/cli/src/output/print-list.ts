// Prints a list in any of its forms. Tables, NDJSON and CSV come page by page in constant memory; a
// JSON document is printed whole or not at all.

import { screenColumns, writeOut, type Terminal } from "../terminal/terminal.ts"
import { csvHeader, csvRow } from "./csv.ts"
import { jsonLine, jsonListDocument, jsonRows } from "./json.ts"
import type { ListPage } from "./limited-pages.ts"
import type { OutputFormat, Output } from "./output-format.ts"
import { requireFields, withFields, type Fields } from "./fields.ts"

/** What is particular to one list. */
export interface ListForm<Row, Meta> {
  /** Columns of the CSV, as paths into a row. */
  readonly csvColumns: ReadonlyArray<string>
  /** The page on a screen of that many columns. It loads React and Ink, so it comes late. */
  readonly drawn: (page: ListPage<Row, Meta>, columns: number) => Promise<string>
}

/**
 * Pages in their order; an empty list has one page without rows.
 * Errors: usage, for a field that no row has.
 */
export const printList = <Row extends object, Meta extends object>(
  terminal: Terminal,
  { format, fields }: Output,
  pages: AsyncIterable<ListPage<Row, Meta>>,
  form: ListForm<Row, Meta>,
): Promise<void> =>
  fields === null
    ? printers[format](terminal, pages, form)
    : printers[format](terminal, chosenPages(pages, fields, form.csvColumns), {
        csvColumns: fields,
        drawn: async ({ data }, columns) =>
          (await import("./drawn-fields.ts")).drawnRows(data, fields, columns),
      })

/** The pages, their rows with these fields alone. */
async function* chosenPages<Meta>(
  pages: AsyncIterable<ListPage<object, Meta>>,
  fields: Fields,
  columns: ReadonlyArray<string>,
): AsyncGenerator<ListPage<object, Meta>, void, undefined> {
  for await (const { data, meta } of pages) {
    requireFields(fields, data, columns)
    yield { data: data.map((row) => withFields(row, fields)), meta }
  }
}

type Printer = <Row extends object, Meta extends object>(
  terminal: Terminal,
  pages: AsyncIterable<ListPage<Row, Meta>>,
  form: ListForm<Row, Meta>,
) => Promise<void>

const printTable: Printer = async (terminal, pages, { drawn }) => {
  let separator = ""
  for await (const page of pages) {
    await terminal.pager.writePart(separator + (await drawn(page, screenColumns(terminal))))
    separator = "\n"
  }
}

const printJson: Printer = async (terminal, pages) => {
  const rows: Array<string> = []
  let meta: object = {}
  for await (const page of pages) {
    if (page.data.length > 0) rows.push(jsonRows(page.data))
    // What lies behind the rows is said by the last page, where they begin by the first.
    meta = { ...page.meta, ...beginning(meta) }
  }
  for (const text of jsonListDocument(rows, meta)) await writeOut(terminal, text)
}

/** The members that say where a list begins. */
const beginning = (meta: object): object =>
  Object.fromEntries(Object.entries(meta).filter(([name]) => name === "page" || name === "offset"))

const printNdjson: Printer = async (terminal, pages) => {
  for await (const { data } of pages) await writeOut(terminal, data.map(jsonLine).join(""))
}

const printCsv: Printer = async (terminal, pages, { csvColumns }) => {
  // With the first page, so that a refusal leaves nothing on standard output.
  let header = csvHeader(csvColumns)
  for await (const { data } of pages) {
    await writeOut(terminal, header + data.map((row) => csvRow(csvColumns, row)).join(""))
    header = ""
  }
}

const printers: Record<OutputFormat, Printer> = {
  table: printTable,
  json: printJson,
  ndjson: printNdjson,
  csv: printCsv,
}
