// Where the rules of a file are: which column, which type, whether there is a header. Told by the first
// lines and the options, and never guessed where a wrong guess would suppress the wrong people.

import { normalizeRule } from "@footfall/normal-form"
import type { SuppressionRuleType } from "@footfall/sdk"
import { parse } from "csv-parse/sync"
import { usageError } from "../errors/usage-error.ts"
import { knownColumn } from "./column-names.ts"
import { ruleTypes } from "./rule-types.ts"

/** How a file is read. */
export interface Layout {
  /** Between columns; null for one value a line. */
  readonly delimiter: Delimiter | null
  readonly hasHeader: boolean
  /** From 0. */
  readonly valueColumn: number
  /** From 0; null where every row has the type `type`. */
  readonly typeColumn: number | null
  readonly type: SuppressionRuleType | null
  /** For people: what it was taken for. */
  readonly description: string
}

/** What may stand between columns. */
export type Delimiter = "," | ";" | "\t" | "|"

/** What a file is told apart by. */
export interface LayoutQuestion {
  /** The first lines. */
  readonly head: string
  /** Whether these are all. */
  readonly isWhole: boolean
  /** For messages. */
  readonly name: string
  readonly type: SuppressionRuleType | undefined
  /** Name of a column, or its number from 1. */
  readonly column: string | undefined
}

/** Rows that are looked at. */
const SAMPLE_ROWS = 1_000

/** Errors: usage, naming the option that is missing. Pure. */
export const layoutOf = (question: LayoutQuestion): Layout => {
  const { head, isWhole, type, column } = question
  const lastBreak = Math.max(head.lastIndexOf("\n"), head.lastIndexOf("\r"))
  const sample = isWhole || lastBreak < 0 ? head : head.slice(0, lastBreak + 1)
  const delimiter = delimiterOf(sample)
  const rows = sampleRows(sample, delimiter)
  const known = (rows[0] ?? []).map(knownColumn)
  const hasNames = known.some((name) => name !== null)
  // An industry may hold any delimiter, so a list of them is told by its missing header.
  if (delimiter !== null && !(type === "industry" && column === undefined && !hasNames)) {
    return tableLayout({ ...question, delimiter, rows, known, hasNames })
  }
  return listLayout({ ...question, rows: sampleRows(sample, null), known, hasNames })
}

interface Sampled extends LayoutQuestion {
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
  readonly known: ReadonlyArray<ReturnType<typeof knownColumn>>
  readonly hasNames: boolean
}

const listLayout = (sampled: Sampled): Layout => {
  const { name, type: given, column, rows, known, hasNames } = sampled
  if (column !== undefined && column !== "1" && !isSame(rows[0]?.[0], column)) {
    throw usageError(`${name} has one value a line, and no column "${column}".`)
  }
  const values = rows.map(([value = ""]) => value)
  const named = ruleTypes.find((type) => type === known[0])
  const type = given ?? named ?? (values.length === 0 ? "email" : lookOf(values))
  if (type === null) {
    throw usageError(
      `It is not clear what the values of ${name} are: line 1 is "${shortened(values[0])}".`,
      "Add --type email, domain, company_domain or industry.",
    )
  }
  const isGuessed = given === undefined && named === undefined
  const hasHeader = hasNames || isHeader(values, type) || (column !== undefined && column !== "1")
  const below = hasHeader ? ` below "${shortened(values[0])}"` : ""
  const list = `a list of ${typeNouns[type]}${below}`
  return {
    delimiter: null,
    hasHeader,
    valueColumn: 0,
    typeColumn: null,
    type,
    description: isGuessed && values.length > 0 ? `${list}, by the look of its first lines` : list,
  }
}

const tableLayout = (sampled: Sampled & { readonly delimiter: Delimiter }): Layout => {
  const { name, type: given, column, rows, known, delimiter, hasNames } = sampled
  const names = rows[0] ?? []
  const valueColumn = column === undefined ? ownColumn(sampled) : columnAsked(sampled, column)
  const values = rows.map((row) => row[valueColumn] ?? "")
  const knownName = known[valueColumn]
  const typeColumn = given === undefined && knownName === "value" ? known.indexOf("type") : -1
  const type = typeColumn >= 0 ? null : (given ?? ruleTypes.find((each) => each === knownName))
  const told = type === undefined ? lookOf(values.slice(1)) : type
  if (told === null && typeColumn < 0) {
    throw usageError(
      `It is not clear what the column "${shortened(names[valueColumn])}" of ${name} holds.`,
      "Add --type email, domain, company_domain or industry.",
    )
  }
  const isNamed = column !== undefined && !/^\d+$/.test(column)
  const hasHeader = hasNames || isNamed || (told !== null && isHeader(values, told))
  const which = hasHeader ? `"${shortened(names[valueColumn])}"` : `${valueColumn + 1}`
  const holding = told === null ? "type and value in each row" : typeNouns[told]
  return {
    delimiter,
    hasHeader,
    valueColumn,
    typeColumn: typeColumn < 0 ? null : typeColumn,
    type: told,
    description: `a table (${delimiterNames[delimiter]}), column ${which}: ${holding}`,
  }
}

/** The one column that can be meant. */
const ownColumn = ({ name, type, rows, known, hasNames }: Sampled): number => {
  const names = (rows[0] ?? []).map(shortened).join(", ")
  if (!hasNames) {
    throw usageError(
      `${name} line 1: no column has a name that says what it holds (${names}).`,
      "Add --column with a name or a number, and --type.",
    )
  }
  const wanted: ReadonlyArray<string> = type === undefined ? ruleTypes : [type]
  const value = known.indexOf("value")
  if (value >= 0 && (type !== undefined || known.includes("type"))) return value
  const found = known.flatMap((each, index) =>
    each !== null && wanted.includes(each) ? [index] : [],
  )
  const [only, ...others] = found.length === 0 && value >= 0 ? [value] : found
  if (only !== undefined && others.length === 0) return only
  throw usageError(
    only === undefined
      ? `${name} line 1: there is no column for ${wanted.join(", ")} (${names}).`
      : `${name} line 1: more than one column can be meant (${names}).`,
    "Add --column with a name or a number.",
  )
}

const columnAsked = ({ name, rows }: Sampled, column: string): number => {
  const names = rows[0] ?? []
  const index = /^\d+$/.test(column)
    ? Number(column) - 1
    : names.findIndex((each) => isSame(each, column))
  if (index >= 0 && index < names.length) return index
  throw usageError(
    `${name} has no column "${column}".`,
    `Its columns: ${names.map(shortened).join(", ")}.`,
  )
}

const isSame = (one: string | undefined, other: string): boolean =>
  one?.trim().toLowerCase() === other.trim().toLowerCase()

/**
 * A first value that is no rule, above one that is: somebody's own name for the column. What looks like
 * a value is none, so that no row is ever lost for a header.
 */
const isHeader = ([first, second]: ReadonlyArray<string>, type: SuppressionRuleType): boolean =>
  first !== undefined &&
  second !== undefined &&
  !looksLikeValue(first) &&
  typeof normalizeRule({ type, value: first }) === "string" &&
  typeof normalizeRule({ type, value: second }) !== "string"

/** What all the values look like; the first may be a header. */
const lookOf = (values: ReadonlyArray<string>): "email" | "domain" | null => {
  const filled = values.filter((value) => value.trim() !== "")
  for (const [type, look] of looks) {
    if (filled.length > 0 && filled.every((value) => look.test(value.trim()))) return type
    if (looksLikeValue(filled[0] ?? "")) continue
    if (filled.length > 1 && filled.slice(1).every((value) => look.test(value.trim()))) return type
  }
  return null
}

const looks = [
  ["email", /^[^\s@]+@[^\s@]+\.[^\s@]+$/],
  ["domain", /^[^\s@]+\.[^\s@]+$/],
] as const

const looksLikeValue = (text: string): boolean => looks.some(([, look]) => look.test(text.trim()))

/** The one that gives most lines the same number of columns, more than one. */
const delimiterOf = (sample: string): Delimiter | null => {
  let best: { readonly delimiter: Delimiter; readonly columns: number } | null = null
  for (const delimiter of delimiters) {
    const counts = sampleRows(sample, delimiter).map((row) => row.length)
    const [columns = 0] = counts
    const same = counts.filter((count) => count === columns).length
    if (columns < 2 || same < counts.length * 0.8) continue
    if (best === null || columns > best.columns) best = { delimiter, columns }
  }
  return best?.delimiter ?? null
}

const delimiters = [",", ";", "\t", "|"] as const

const delimiterNames: Readonly<Record<Delimiter, string>> = {
  ",": "commas",
  ";": "semicolons",
  "\t": "tabs",
  "|": "bars",
}

const typeNouns: Readonly<Record<SuppressionRuleType, string>> = {
  email: "email addresses",
  domain: "email domains",
  company_domain: "company domains",
  industry: "industries",
}

const sampleRows = (
  sample: string,
  delimiter: Delimiter | null,
): ReadonlyArray<ReadonlyArray<string>> => {
  if (delimiter === null) {
    const values = sample.split(/\r\n|\n|\r/).filter((line) => line.trim() !== "")
    return values
      .filter((line) => !isComment(line))
      .slice(0, SAMPLE_ROWS)
      .map((line) => [listValue(line)])
  }
  try {
    return parse(sample, { ...tableOptions(delimiter), to: SAMPLE_ROWS })
  } catch {
    // A quote that is closed behind the sample, or never: this is told when the file is read.
    return parse(sample, { ...tableOptions(delimiter), to: SAMPLE_ROWS, quote: false })
  }
}

/** What every reading of a table has in common. Line breaks may differ from line to line. */
export const tableOptions = (delimiter: Delimiter) => ({
  delimiter,
  record_delimiter: ["\r\n", "\n", "\r"],
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
})

/** A line of a list, without the quotes that may be around the whole of it. */
export const listValue = (line: string): string =>
  line.trim().replace(/^"(.*)"$/, (_whole, inner: string) => inner.replaceAll('""', '"'))

/** A line of a list that is for people: `#` alone or before a space. An address may begin with `#`. */
export const isComment = (line: string): boolean => /^\s*#+(\s|$)/.test(line)

const shortened = (text = ""): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text)
