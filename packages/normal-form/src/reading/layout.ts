// Finds the rules in a text: which column, which type, and whether there is a header. It uses the first lines and the
// options. It never guesses if a wrong guess would suppress the wrong people or lose a row. A header with known names
// is a header whatever the rows look like, and a row with a value is not a header. Pure.

import { normalizeRule, ruleTypes, type RuleType } from "../suppression-rule.ts"
import { ownColumn, typeNouns } from "./columns.ts"
import {
  listValue,
  lookOf,
  looksLikeValue,
  namesText,
  ReadingError,
  shortened,
} from "./column-kinds.ts"
import type { Delimiter } from "./records.ts"
import {
  firstRows,
  headerBelow,
  isHeaderOfKnownNames,
  isSame,
  isTyped,
  knownOf,
  tableIn,
  type Rows,
} from "./table.ts"

/** How to read a text. */
export interface Layout {
  /** Between columns; null for one value per line. */
  readonly delimiter: Delimiter | null
  readonly hasHeader: boolean
  /** Number of cells in the header; null if there is none. */
  readonly columns: number | null
  /** Zero-based. */
  readonly valueColumn: number
  /** Zero-based; null if every row has the type `type`. */
  readonly typeColumn: number | null
  readonly type: RuleType | null
  /** The detected layout in words. */
  readonly description: string
}

/** Input for detecting the layout of a text. */
export interface LayoutQuestion {
  /** The first lines. */
  readonly head: string
  /** Whether these are all lines. */
  readonly isWhole: boolean
  /** For messages. */
  readonly name: string
  readonly type: RuleType | undefined
  /** Name of a column, or its number, counted from 1. */
  readonly column: string | undefined
  /** Whether the first row names the columns, if the user said so. */
  readonly hasHeader?: boolean | undefined
}

/** Errors: ReadingError, with what the user needs to specify. */
export const layoutOf = (question: LayoutQuestion): Layout => {
  const { head, isWhole, name } = question
  const lastBreak = Math.max(head.lastIndexOf("\n"), head.lastIndexOf("\r"))
  const sample = isWhole || lastBreak < 0 ? head : head.slice(0, lastBreak + 1)
  const lines = firstRows(sample, null)
  if (lines.length === 0 && !isWhole) {
    throw new ReadingError(`${name} starts with ${Math.round(head.length / 1024)} KiB of comments.`)
  }
  const table = tableIn(sample, question)
  refuseTitles(question, table?.rows ?? lines, sample)
  return table === null ? listLayout(question, lines) : tableLayout({ ...question, ...table })
}

/** How many lines above the header are recognized as titles. */
const TITLES_MAX = 20

/** Reports write titles and dates above their header. Errors: ReadingError, with the line of the header. */
const refuseTitles = (question: LayoutQuestion, rows: Rows, sample: string): void => {
  const { name, type, column } = question
  const [first = []] = rows
  // A list of industries may contain any text.
  if (type === "industry" || column !== undefined || isHeaderOfKnownNames(rows)) return
  if (isTyped(rows) || first.some(looksLikeValue)) return
  const header = headerBelow(sample, TITLES_MAX)
  if (header === null) return
  throw new ReadingError(
    `${name} line ${header.line}: this line looks like the header (${namesText(header.names)}), but there are lines above it.`,
    `Delete what is above line ${header.line}.`,
  )
}

const listLayout = (question: LayoutQuestion, lines: Rows): Layout => {
  const { name, type: given, column } = question
  const values = lines.map(([line = ""]) => listValue(line))
  const [first] = values
  const isNamed = column !== undefined && column !== "1"
  if (isNamed && !(isSame(first, column) && !looksLikeValue(first ?? ""))) {
    throw new ReadingError(`${name} has one value per line and no column "${column}".`)
  }
  const known = knownOf(values.slice(0, 1))[0]
  const named = ruleTypes.find((type) => type === known)
  const isMisnamed = given === undefined && named !== undefined && isOfAnother(values, named)
  const type = given ?? named ?? (first === undefined ? "email" : lookOf(values))
  if (isMisnamed) {
    throw new ReadingError(
      `${name} has the name "${shortened(first)}", but no ${typeNouns[named]} below it.`,
      ["type"],
    )
  }
  if (type === null) {
    throw new ReadingError(
      `Can't tell the type of the values in ${name}. The first value is "${shortened(first)}".`,
      ["type"],
    )
  }
  // Any other name may itself be an industry.
  const isKnown = known === "value" || (type === "industry" ? known === type : named !== undefined)
  const hasHeader = question.hasHeader ?? (isNamed || isKnown || isOwnName(values, type))
  const below = hasHeader ? ` below "${shortened(first)}"` : ""
  const list = `a list of ${typeNouns[type]}${below}`
  const isGuessed = given === undefined && named === undefined && first !== undefined
  return {
    delimiter: null,
    hasHeader,
    columns: hasHeader ? 1 : null,
    valueColumn: 0,
    typeColumn: null,
    type,
    description: isGuessed ? `${list}, judging by its first lines` : list,
  }
}

/** Whether the values look like those of another type than their name says. */
const isOfAnother = (values: ReadonlyArray<string>, type: RuleType): boolean => {
  const look = lookOf(values.slice(1))
  return look !== null && look !== (type === "company_domain" ? "domain" : type)
}

interface Table extends LayoutQuestion {
  readonly delimiter: Delimiter
  readonly rows: Rows
}

const tableLayout = (table: Table): Layout => {
  const { name, type: given, column, rows, delimiter } = table
  const [names = []] = rows
  const isKnown = isHeaderOfKnownNames(rows)
  const known = isKnown ? knownOf(names) : []
  if (column === undefined && table.hasHeader !== true && isTyped(rows)) return typedLayout(table)
  if (isKnown && rows.length === 1 && names.length === 2 && names[0]?.trim() === "industry") {
    throw new ReadingError(
      `${name} has one row, which could be a header or a rule (${namesText(names)}).`,
      "Add a header line above it: type,value",
    )
  }
  const valueColumn =
    column === undefined ? ownColumn({ ...table, known }) : columnAsked(table, column)
  const values = rows.map((row) => row[valueColumn] ?? "")
  const typeColumn =
    given === undefined && known[valueColumn] === "value" ? known.indexOf("type") : -1
  const named = ruleTypes.find((type) => type === known[valueColumn])
  const type = typeColumn >= 0 ? null : (given ?? named ?? lookOf(values.slice(1)))
  if (type === null && typeColumn < 0) {
    throw new ReadingError(
      `Can't tell the type of the column "${shortened(names[valueColumn])}" in ${name}.`,
      ["type"],
    )
  }
  const isNamed = column !== undefined && !/^\d+$/.test(column)
  const isOwn = type !== null && !names.some(looksLikeCell) && isOwnName(values, type)
  const hasHeader = table.hasHeader ?? (isKnown || isNamed || isOwn)
  const which = hasHeader ? `"${shortened(names[valueColumn])}"` : `${valueColumn + 1}`
  const holding = type === null ? typeAndValue : typeNouns[type]
  return {
    delimiter,
    hasHeader,
    columns: hasHeader ? names.length : null,
    valueColumn,
    typeColumn: typeColumn < 0 ? null : typeColumn,
    type,
    description: `a table (${delimiterNames[delimiter]}), column ${which}: ${holding}`,
  }
}

/** Rows that start with their type, without a header. */
const typedLayout = ({ type, delimiter }: Table): Layout => ({
  delimiter,
  hasHeader: false,
  columns: null,
  valueColumn: 1,
  typeColumn: type === undefined ? 0 : null,
  type: type ?? null,
  description: `a table (${delimiterNames[delimiter]}) without a header: ${type === undefined ? typeAndValue : typeNouns[type]}`,
})

const columnAsked = ({ name, rows }: Table, column: string): number => {
  const [names = []] = rows
  const isNumber = /^\d+$/.test(column)
  const index = isNumber ? Number(column) - 1 : names.findIndex((each) => isSame(each, column))
  const value = isNumber ? undefined : names.find((each) => /\S@\S/.test(each))
  if (index >= 0 && value !== undefined) {
    throw new ReadingError(
      `${name} line 1 has a value (${shortened(value)}), so it is not a header.`,
      ["column"],
    )
  }
  const width = Math.max(...rows.map((row) => row.length))
  if (index >= 0 && index < (isNumber ? width : names.length)) return index
  throw new ReadingError(`${name} has no column "${column}".`, `Its columns: ${namesText(names)}.`)
}

/** A custom column name: the first value can't be a rule, but one below it is. */
const isOwnName = ([first, ...below]: ReadonlyArray<string>, type: RuleType): boolean =>
  first !== undefined &&
  !looksLikeCell(first) &&
  typeof normalizeRule({ type, value: first }) === "string" &&
  typeof normalizeRule({ type, value: below.find((value) => value.trim() !== "") }) !== "string"

/** What no header contains: a value or a number. */
const looksLikeCell = (text: string): boolean =>
  looksLikeValue(text) || /^(?:[.,:/+ -]*\d)+[.,:/ -]*$/.test(text.trim())

const typeAndValue = "type and value in each row"

const delimiterNames: Readonly<Record<Delimiter, string>> = {
  ",": "commas",
  ";": "semicolons",
  "\t": "tabs",
  "|": "bars",
}
