// Prints a list in any format. Tables, NDJSON and CSV are printed page by page in constant memory; a JSON document
// is printed whole or not at all.

import { csvHeader, csvRow } from "@footfall/normal-form/csv"
import { screenColumns, type Terminal, writeOut, writeSafe } from "../terminal/terminal.ts"
import type { ListScreenMeta, ListTable } from "../ui/list-screen.tsx"
import type { Fields, Output, OutputFormat } from "./output-format.ts"
import { jsonLine, jsonListDocument, jsonRows } from "./json.ts"
import type { ListPage } from "./limited-pages.ts"

/** The parts that differ between lists. */
export interface ListForm<Row, Meta> {
  /** Columns of the CSV, as paths into a row. */
  readonly csvColumns: ReadonlyArray<string>
  /** The hint in `meta` for an empty list, if the server sends none. */
  readonly hint?: string
  /** Draws the page for a screen of this width; loads React and Ink. */
  readonly drawn: (page: ListPage<Row, Meta>, columns: number, now: Date) => Promise<string>
}

/** A list drawn as a table with the number of rows. */
interface TableForm<Row, Meta> extends ListForm<Row, Meta> {
  readonly table: ListTable<Row>
}

export const listForm = <Row, Meta extends ListScreenMeta = ListScreenMeta>({
  csvColumns,
  ...table
}: ListTable<Row> & Pick<ListForm<Row, Meta>, "csvColumns">): TableForm<Row, Meta> => ({
  csvColumns,
  table,
  hint: [table.empty.message, table.empty.next].filter((text) => text !== undefined).join(" "),
  drawn: async ({ data, meta }, columns, now) => {
    const [{ drawn }, { ListScreen }] = await Promise.all([
      import("../ui/drawn.ts"),
      import("../ui/list-screen.tsx"),
    ])
    return drawn(ListScreen<Row>, { table, rows: data, meta, now, screenColumns: columns }, columns)
  },
})

/** Prints pages in order; an empty list has one page without rows. Errors: usage, for a field that no row has. */
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
          (await import("./drawn-fields.tsx")).drawnRows(data, fields, columns),
      })

/** The pages, with only these fields in their rows. */
async function* chosenPages<Meta>(
  pages: AsyncIterable<ListPage<object, Meta>>,
  fields: Fields,
  columns: ReadonlyArray<string>,
): AsyncGenerator<ListPage<object, Meta>, void, undefined> {
  const { requireFields, withFields } = await import("./chosen-fields.ts")
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
    await terminal.pager.writePart(
      separator + (await drawn(page, screenColumns(terminal), terminal.now)),
    )
    separator = "\n"
  }
}

const printJson: Printer = async (terminal, pages) => {
  const rows: Array<string> = []
  let meta: object = {}
  for await (const page of pages) {
    if (page.data.length > 0) rows.push(jsonRows(page.data))
    // The last page says whether more rows follow; the first page says where they begin.
    meta = { ...page.meta, ...beginning(meta) }
  }
  for (const text of jsonListDocument(rows, meta)) await writeOut(terminal, text)
}

/** The members that describe where a list begins. */
const beginning = (meta: object): object =>
  Object.fromEntries(Object.entries(meta).filter(([name]) => name === "page" || name === "offset"))

const printNdjson: Printer = async (terminal, pages) => {
  for await (const { data } of pages) await writeOut(terminal, data.map(jsonLine).join(""))
}

const printCsv: Printer = async (terminal, pages, { csvColumns }) => {
  // Printed with the first page, so that a failed request prints nothing to standard output.
  let header = csvHeader(csvColumns)
  for await (const { data } of pages) {
    await writeSafe(terminal, header + data.map((row) => csvRow(csvColumns, row)).join(""))
    header = ""
  }
}

const printers: Record<OutputFormat, Printer> = {
  table: printTable,
  json: printJson,
  ndjson: printNdjson,
  csv: printCsv,
}
