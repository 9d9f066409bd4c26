// Detects whether a text is a table, its delimiter, and whether its first row is a header.

import { normalizeRule, ruleTypes, type RuleType } from "../suppression-rule.ts"
import { knownColumn, type KnownColumn } from "./known-names.ts"
import { looksLikeDomain, ReadingError } from "./column-kinds.ts"
import { type Delimiter, RecordReader, separatorOf, type TextRecord } from "./records.ts"

/** Cells of the first rows. */
export type Rows = ReadonlyArray<ReadonlyArray<string>>

/** How many rows to inspect. */
const ROWS_MAX = 1_000

/** Without a known header, at least this share of the rows must have as many cells as the first. */
const SHARE_MIN = 0.8

const delimiters = [",", ";", "\t", "|"] as const

/** What the user specified. */
interface LayoutOptions {
  readonly type: RuleType | undefined
  readonly column: string | undefined
}

/** Null for a list. A known header decides; otherwise the shape of the rows. */
export const tableIn = (
  sample: string,
  { type, column }: LayoutOptions,
): { readonly delimiter: Delimiter; readonly rows: Rows } | null => {
  const separator = separatorOf(sample)
  const tables = delimiters
    .filter((delimiter) => separator === null || delimiter === separator)
    .map((delimiter) => ({ delimiter, rows: firstRows(sample, delimiter) }))
    .filter(({ rows }) => rows.some((row) => row.length > 1))
  const best = (score: (rows: Rows) => number) =>
    tables
      .map((table) => ({ table, score: score(table.rows) }))
      .filter(({ score }) => score > 0)
      // The sort is stable, so the first delimiter wins a tie.
      .toSorted((one, other) => other.score - one.score)[0]?.table ?? null
  const isNumber = column !== undefined && /^\d+$/.test(column)
  const named =
    column === undefined || isNumber
      ? null
      : best(([names = []]) =>
          names.length > 1 && names.some((each) => isSame(each, column)) ? names.length : 0,
        )
  const known = named ?? best(knownScore)
  if (known !== null) return known
  if (column === undefined) {
    const typed = best((rows) => (isTyped(rows) ? 1 : 0))
    // An industry may contain any delimiter, so a list of them is recognized by its missing header.
    if (typed !== null || type === "industry") return typed
  }
  const even = best(evenScore)
  const wanted = isNumber ? Number(column) : 0
  if (wanted < 2) return even
  return best((rows) => rows.filter((row) => row.length >= wanted).length) ?? even
}

/** The first rows, without comments and blank lines. */
export const firstRows = (sample: string, delimiter: Delimiter | null): Rows =>
  firstRecords(sample, delimiter, ROWS_MAX).map(({ cells }) => cells)

const firstRecords = (
  sample: string,
  delimiter: Delimiter | null,
  max: number,
): ReadonlyArray<TextRecord> => {
  const records: Array<TextRecord> = []
  try {
    for (const record of recordsOf(sample, delimiter)) {
      if (records.push(record) === max) break
    }
  } catch (error) {
    if (!(error instanceof ReadingError)) throw error
    // The quote closes after the sample or never. Reading the whole file reports that.
  }
  return records
}

/** A header with known names below narrower lines; null if there is none in the first rows. */
export const headerBelow = (
  sample: string,
  rowsMax: number,
): { readonly line: number; readonly names: ReadonlyArray<string> } | null => {
  for (const delimiter of delimiters) {
    const records = firstRecords(sample, delimiter, rowsMax + 1)
    const [title, ...below] = records
    for (const [index, { line, cells }] of below.entries()) {
      if (cells.length < 2 || !cells.some((cell) => knownColumn(cell) !== null)) continue
      const rows = below.slice(index).map((record) => record.cells)
      const isWider = cells.filter(isFilled).length > (title?.cells.filter(isFilled).length ?? 0)
      if (isWider && isHeaderOfKnownNames(rows)) return { line, names: cells }
    }
  }
  return null
}

const isFilled = (cell: string): boolean => cell.trim() !== ""

function* recordsOf(sample: string, delimiter: Delimiter | null) {
  const reader = new RecordReader(delimiter, "")
  yield* reader.read(sample)
  yield* reader.end()
}

/** Whether two column names are the same. */
export const isSame = (one: string | undefined, other: string): boolean =>
  one?.trim().toLowerCase() === other.trim().toLowerCase()

/** What each column contains, by its header name. */
export const knownOf = (names: ReadonlyArray<string>): ReadonlyArray<KnownColumn | null> =>
  names.map(knownColumn)

/** Whether the first row is a header with known names. */
export const isHeaderOfKnownNames = (rows: Rows): boolean => {
  const [names = [], ...below] = rows
  return (
    names.some((name) => knownColumn(name) !== null) &&
    !names.some((name, column) =>
      isValue(
        name,
        below.map((row) => row[column] ?? ""),
      ),
    ) &&
    !isTyped(rows)
  )
}

/** A header with dots isn't a value if no row below is one. */
const isValue = (text: string, below: ReadonlyArray<string>): boolean => {
  if (/\S@|@\S|:\/\//.test(text)) return true
  if (!looksLikeDomain(text)) return false
  const filled = below.filter((each) => each.trim() !== "")
  return filled.length === 0 || filled.some(looksLikeDomain)
}

/** Whether the rows are types and values without a header: `email,jane@acme.example`. */
export const isTyped = ([first = [], second = []]: Rows): boolean => {
  const [type, value] = first
  if (!isType(type) || value === undefined) return false
  if (isType(second[0]) && second.length > 1) return true
  const isRule = typeof normalizeRule({ type: type.trim(), value }) !== "string"
  return isRule && type.trim() !== "industry" && knownColumn(value) === null
}

const isType = (cell: string | undefined): cell is string =>
  ruleTypes.some((type) => type === cell?.trim())

/** More known names score higher, then more cells. */
const knownScore = (rows: Rows): number => {
  const [names = []] = rows
  if (names.length < 2 || !isHeaderOfKnownNames(rows)) return 0
  return knownOf(names).filter((each) => each !== null).length * 1_000_000 + names.length
}

/** Number of cells in the first row, if nearly all rows have as many. */
const evenScore = (rows: Rows): number => {
  const [{ length: cells } = []] = rows
  const same = rows.filter((row) => row.length === cells).length
  return cells > 1 && same >= rows.length * SHARE_MIN ? cells : 0
}
