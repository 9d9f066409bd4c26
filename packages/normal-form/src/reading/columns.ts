// Chooses the column of a table that holds the values. A known name wins only if its values fit it, and only if no other
// column holds addresses or host names. In every other case, the user has to name the column. Pure.

import { ruleTypes, type RuleType } from "../suppression-rule.ts"
import { type KnownColumn, soundsLikeEmail } from "./known-names.ts"
import {
  type ColumnChoice,
  type Look,
  lookOfCell,
  looksLikeValue,
  namesText,
  ReadingError,
  shortened,
} from "./column-kinds.ts"
import type { Rows } from "./table.ts"
import { isHash } from "./wrapping.ts"

/** A table whose column isn't given. */
export interface ColumnQuestion {
  /** For messages. */
  readonly name: string
  readonly type: RuleType | undefined
  readonly rows: Rows
  /** What each column contains, by its name. */
  readonly known: ReadonlyArray<KnownColumn | null>
  /** Whether these are all rows. */
  readonly isWhole: boolean
}

/** Zero-based. Errors: ReadingError, with the columns that could be meant. */
export const ownColumn = (question: ColumnQuestion): number => {
  const columns = columnsOf(question)
  const pair = question.type === undefined ? pairIn(question, columns) : undefined
  if (pair !== undefined) return pair
  const named = namedIn(question, columns)
  const rivals = rivalsIn(question, columns).filter((column) => !named.includes(column))
  const [only, ...others] = named
  if (only === undefined) throw noColumn(question, columns, rivals)
  const isAlone = others.length === 0 && rivals.length === 0
  // Any text can be an industry, so its name alone isn't enough beside others.
  const isIndustry = question.type === undefined && only.known === "industry"
  if (isAlone && !(isIndustry && columns.length > 1)) return only.index
  throw manyColumns(question, isAlone ? [only] : [...named, ...rivals])
}

interface Column {
  readonly index: number
  readonly name: string
  readonly known: KnownColumn | null
  /** Number of cells by look, without empty ones. */
  readonly counts: Readonly<Record<Look, number>>
  readonly filled: number
  readonly isOfHashes: boolean
}

const columnsOf = ({ rows, known }: ColumnQuestion): ReadonlyArray<Column> => {
  const [names = [], ...below] = rows
  return names.map((name, index) => {
    const counts = { email: 0, domain: 0, word: 0, other: 0 }
    let hashes = 0
    for (const row of below) {
      const cell = row[index] ?? ""
      if (cell.trim() === "") continue
      counts[lookOfCell(cell)] += 1
      if (isHash(cell.trim())) hashes += 1
    }
    const filled = counts.email + counts.domain + counts.word + counts.other
    const isOfHashes = hashes > 0 && hashes * 2 >= filled
    return { index, name, known: known[index] ?? null, counts, filled, isOfHashes }
  })
}

/** At least this share of the filled cells must look like a type. CRM fields also hold `n/a` and `unknown`. */
const SHARE_MIN = 0.2

const looks = {
  email: "email",
  domain: "domain",
  company_domain: "domain",
  industry: "word",
} satisfies Record<RuleType, Look>

const holds = ({ counts, filled }: Column, type: RuleType): boolean => {
  const count = counts[looks[type]]
  const share = type === "industry" ? 0.5 : SHARE_MIN
  return count > 0 && count >= filled * share
}

/** `type,value`, as in Footfall's own files. */
const pairIn = ({ rows }: ColumnQuestion, columns: ReadonlyArray<Column>): number | undefined => {
  const type = columns.find(({ known }) => known === "type")
  const value = columns.find(({ known }) => known === "value")
  if (type === undefined || value === undefined) return undefined
  const types = rows
    .slice(1)
    .filter((row) => ruleTypes.some((each) => each === row[type.index]?.trim()))
  // Other tools have columns of these names too.
  const isOurs = types.length * 2 >= type.filled
  const isOnly = columns.every(
    (column) => column === value || (typeOf(column) === undefined && !isRuleType(column.known)),
  )
  return isOurs || isOnly ? value.index : undefined
}

const isRuleType = (known: KnownColumn | null): known is RuleType =>
  known !== null && known !== "type" && known !== "value"

/** Whether a known name can be believed: its values fit, or there are none yet. */
const isBelieved = (column: Column, type: RuleType, { rows, isWhole }: ColumnQuestion): boolean =>
  column.filled === 0 ? rows.length < 2 || !isWhole : holds(column, type)

/** Columns whose name is known for the wanted type. */
const namedIn = (
  question: ColumnQuestion,
  columns: ReadonlyArray<Column>,
): ReadonlyArray<Column> => {
  const { type } = question
  const named = columns.filter(
    (column) =>
      isRuleType(column.known) &&
      (type === undefined || column.known === type) &&
      isBelieved(column, column.known, question),
  )
  if (named.length > 0) return named
  return columns.filter(
    (column) =>
      column.known === "value" &&
      (type === undefined
        ? column.filled === 0 || typeOf(column) !== undefined
        : isBelieved(column, type, question)),
  )
}

/** Other columns that hold what is wanted. */
const rivalsIn = (
  question: ColumnQuestion,
  columns: ReadonlyArray<Column>,
): ReadonlyArray<Column> => {
  const { type } = question
  if (type === "industry") return []
  return columns.filter((column) => {
    // With a type, a column of another type that fits it is something else.
    if (type !== undefined && isRuleType(column.known) && column.known !== type) {
      return holds(column, type) && !isBelieved(column, column.known, question)
    }
    if (column.filled === 0) {
      // Values may follow after the first rows.
      return !question.isWhole && type !== "domain" && soundsLikeEmail(column.name)
    }
    return type === undefined ? typeOf(column) !== undefined : holds(column, type)
  })
}

/** The type to suggest for the values of a column; undefined if they look like neither addresses nor host names. */
const typeOf = (column: Column): RuleType | undefined => {
  if (holds(column, "email")) return "email"
  if (!holds(column, "domain")) return undefined
  return column.known === "domain" ? "domain" : "company_domain"
}

const choicesOf = (
  { type, rows: [names = []] }: ColumnQuestion,
  columns: ReadonlyArray<Column>,
): ReadonlyArray<ColumnChoice> => {
  const isHeader = !names.some(looksLikeValue)
  return columns.map((column) => {
    const isUnique = names.filter((name) => name === column.name).length === 1
    const isNamed = isHeader && isUnique && column.name.trim() !== "" && !/^\d+$/.test(column.name)
    const known = isRuleType(column.known) && column.filled === 0 ? column.known : undefined
    const own = column.known === "industry" ? "industry" : (typeOf(column) ?? known ?? "email")
    return {
      column: isNamed ? column.name.trim() : String(column.index + 1),
      index: column.index,
      type: type ?? own,
    }
  })
}

const noColumn = (
  question: ColumnQuestion,
  columns: ReadonlyArray<Column>,
  rivals: ReadonlyArray<Column>,
): ReadingError => {
  const { name, type, rows, known } = question
  const [names = []] = rows
  const line = `${name} line 1:`
  const wanted = type === undefined ? ruleTypes : [type]
  const unfit = columns.find((column) => isRuleType(column.known) && wanted.includes(column.known))
  const choices = choicesOf(question, rivals)
  const missing = type === undefined ? (["column", "type"] as const) : (["column"] as const)
  if (unfit !== undefined && isRuleType(unfit.known)) {
    const holding =
      unfit.filled === 0 ? "is empty" : `holds no ${typeNouns[unfit.known]}${hashHint(unfit)}`
    return new ReadingError(
      `${line} the column "${shortened(unfit.name)}" ${holding} (${namesText(names)}).`,
      missing,
      choices,
    )
  }
  if (known.length === 0) {
    return new ReadingError(
      `${line} no column has a known name (${namesText(names)}).`,
      missing,
      choices,
    )
  }
  return new ReadingError(
    `${line} no column for ${wanted.join(", ")} (${namesText(names)}).`,
    ["column"],
    choices,
  )
}

const hashHint = ({ isOfHashes }: Column): string =>
  isOfHashes ? ", but hashes. Rules need the addresses themselves" : ""

const manyColumns = (question: ColumnQuestion, columns: ReadonlyArray<Column>): ReadingError => {
  const [names = []] = question.rows
  const what =
    columns.length > 1
      ? `more than one column fits (${namesText(names)})`
      : `is "${shortened(columns[0]?.name)}" what you mean? Any text can be an industry (${namesText(names)})`
  return new ReadingError(
    `${question.name} line 1: ${what}.`,
    ["column"],
    choicesOf(question, columns),
  )
}

/** The values of each type, in words. */
export const typeNouns: Readonly<Record<RuleType, string>> = {
  email: "email addresses",
  domain: "email domains",
  company_domain: "company domains",
  industry: "industries",
}
