// Prints a list in any of its forms. Tables, NDJSON and CSV come page by page in constant memory; a
// JSON document is printed whole or not at all.

import { screenColumns, writeOut, type Terminal } from "../terminal/terminal.ts"
import { csvHeader, csvRow } from "./csv.ts"
import { jsonLine, jsonListDocument, jsonRows } from "./json.ts"
import type { ListPage } from "./limited-pages.ts"
import type { OutputFormat } from "./output-format.ts"

/** What is particular to one list. */
export interface ListForm<Row, Meta> {
  /** Columns of the CSV, as paths into a row. */
  readonly csvColumns: ReadonlyArray<string>
  /** The page on a screen of that many columns. It loads React and Ink, so it comes late. */
  readonly drawn: (page: ListPage<Row, Meta>, columns: number) => Promise<string>
}

/** Pages in their order; an empty list has one page without rows. */
export const printList = <Row extends object, Meta extends object>(
  terminal: Terminal,
  format: OutputFormat,
  pages: AsyncIterable<ListPage<Row, Meta>>,
  form: ListForm<Row, Meta>,
): Promise<void> => printers[format](terminal, pages, form)

type Printer = <Row extends object, Meta extends object>(
  terminal: Terminal,
  pages: AsyncIterable<ListPage<Row, Meta>>,
  form: ListForm<Row, Meta>,
) => Promise<void>

const printTable: Printer = async (terminal, pages, { drawn }) => {
  let separator = ""
  for await (const page of pages) {
    await writeOut(terminal, separator + (await drawn(page, screenColumns(terminal))))
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
  await writeOut(terminal, csvHeader(csvColumns))
  for await (const { data } of pages) {
    await writeOut(terminal, data.map((row) => csvRow(csvColumns, row)).join(""))
  }
}

const printers: Record<OutputFormat, Printer> = {
  table: printTable,
  json: printJson,
  ndjson: printNdjson,
  csv: printCsv,
}
