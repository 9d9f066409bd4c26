// CSV as in spec 2.13: RFC 4180, UTF-8 without byte order mark, column names that are paths (`emailHashes.md5`), array
// elements joined with `|`. A cell that a spreadsheet would take for a formula gets an apostrophe in front.

/** Some spreadsheets read semicolons only. */
export type CsvSeparator = "," | ";"

/** The header row. */
export const csvHeader = (columns: ReadonlyArray<string>, separator: CsvSeparator = ","): string =>
  csvLine(columns, separator)

/** One record as a row. Column names select its values. Null is empty; a map is written as JSON. */
export const csvRow = (
  columns: ReadonlyArray<string>,
  record: object,
  separator: CsvSeparator = ",",
): string =>
  csvLine(
    columns.map((column) => cellText(valueAt(record, column))),
    separator,
  )

const csvLine = (cells: ReadonlyArray<string>, separator: CsvSeparator): string =>
  `${cells.map((cell) => quoted(defused(cell), separator)).join(separator)}\r\n`

const quoted = (cell: string, separator: CsvSeparator): string =>
  cell.includes(separator) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell

const defused = (cell: string): string => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)

/** A value as one cell. A list is joined with `|`, a map is JSON. */
export const cellText = (value: unknown): string => {
  if (value === null || value === undefined) return ""
  if (Array.isArray(value)) return value.map(cellText).join("|")
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}

/** The value at a path; null if there is none. */
export const valueAt = (record: object, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (value, name) =>
        typeof value === "object" && value !== null && Object.hasOwn(value, name)
          ? Reflect.get(value, name)
          : null,
      record,
    )
