// CSV in the form of spec 2.13: RFC 4180, UTF-8 without byte order mark, column names that
// are paths (`emailHashes.md5`), array elements joined with `|`. A cell a spreadsheet would take for
// a formula is defused with an apostrophe.

/** The header row. */
export const csvHeader = (columns: ReadonlyArray<string>): string => csvLine(columns)

/** One record, its values found by the column names. Null is empty; a map is written as JSON. */
export const csvRow = (columns: ReadonlyArray<string>, record: object): string =>
  csvLine(columns.map((column) => cellText(valueAt(record, column))))

const csvLine = (cells: ReadonlyArray<string>): string =>
  `${cells.map((cell) => quoted(defused(cell))).join(",")}\r\n`

const quoted = (cell: string): string =>
  /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell

const defused = (cell: string): string => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)

/** A value as one cell; a list is joined with `|`, a map is JSON. */
export const cellText = (value: unknown): string => {
  if (value === null || value === undefined) return ""
  if (Array.isArray(value)) return value.map(cellText).join("|")
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}

/** What lies at a path; null where there is nothing. */
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
