// How files write values, and what kind of value a text looks like.

import type { RuleType } from "../suppression-rule.ts"
import { ruleAsWritten } from "./wrapping.ts"

/** The value of a list line, without quotes around the whole line. */
export const listValue = (line: string): string =>
  line.trim().replace(/^"(.*)"$/, (_whole, inner: string) => inner.replaceAll('""', '"'))

/** Starts like a formula, after any number of apostrophes. */
const formula = /^'*[=+\-@\t\r]/

/**
 * Escapes a value so that no spreadsheet takes its cell for a formula. An apostrophe that is part of the value gets
 * another one, so that `unescaped` restores every value exactly.
 */
export const defused = (value: string): string => (formula.test(value) ? `'${value}` : value)

/** The original value of a `defused` cell. */
export const unescaped = (cell: string): string =>
  cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell

/** What the file doesn't say and the user has to specify. */
export type Missing = "column" | "type"

/** A column that the user can specify, and the type of its values. */
export interface ColumnChoice {
  /** Its name in the file, or its number from 1. */
  readonly column: string
  /** Zero-based. */
  readonly index: number
  readonly type: RuleType
}

/** The message names the file, and the line if there is one. */
export class ReadingError extends Error {
  override readonly name = "ReadingError"
  /** What the user can do, as a sentence; undefined if the message or `missing` already says it. */
  readonly nextStep: string | undefined
  readonly missing: ReadonlyArray<Missing>
  /** The columns that could be meant, best first. */
  readonly choices: ReadonlyArray<ColumnChoice>

  constructor(
    message: string,
    help?: string | ReadonlyArray<Missing>,
    choices: ReadonlyArray<ColumnChoice> = [],
  ) {
    super(message)
    this.nextStep = typeof help === "string" ? help : undefined
    this.missing = typeof help === "object" ? help : []
    this.choices = choices
  }
}

/** What a text can be: an address, a host name, a text with letters, or none of them. */
export type Look = "email" | "domain" | "word" | "other"

/** Decided by what its rule would be, so that a look never promises what the rows don't keep. */
export const lookOfCell = (cell: string): Look => {
  const value = listValue(cell)
  if (typeof ruleAsWritten({ type: "email", value }) !== "string") return "email"
  const host = ruleAsWritten({ type: "domain", value })
  // A last label with digits is a number or a version more often than a host: `1.2M`, `v3.4b2`.
  if (typeof host !== "string" && /\.(?:[a-z]{2,63}|xn--[a-z0-9-]+)$/.test(host.value))
    return "domain"
  return /\p{L}/u.test(value) ? "word" : "other"
}

const looks = [
  [
    "email",
    /^(?:[^\s@,;|]+@[^\s@,;|]+\.[^\s@,;|]+|[^@]*<[^\s@,;|<>]+@[^\s@,;|<>]+\.[^\s@,;|<>]+>)$/,
  ],
  ["domain", /^@?[^\s@,;|]+\.[^\s@,;|]+$/],
] as const

/** If the type isn't given, at least this share of the values must look like one type. The others are rejected. */
const SHARE_MIN = 0.8

/** What kind the values look like. The first may be a header. Null if it's unclear or they're mixed. */
export const lookOf = (values: ReadonlyArray<string>): "email" | "domain" | null => {
  const filled = values.filter((value) => value.trim() !== "")
  const [first = "", ...below] = filled
  const deciding = looksLikeValue(first) || below.length === 0 ? filled : below
  const of = ([, look]: (typeof looks)[number]): number =>
    deciding.filter((value) => look.test(value.trim())).length
  const [emails, domains] = [of(looks[0]), of(looks[1])]
  if (emails > 0 && domains > 0) return null
  if (deciding.length === 0 || emails + domains < deciding.length * SHARE_MIN) return null
  return emails > 0 ? "email" : "domain"
}

/** Whether a text contains a possible email address or host name, valid or not. */
export const looksLikeValue = (text: string): boolean =>
  /\S@|@\S|:\/\//.test(text) || looksLikeDomain(text)

/** Also matches an IP address and any name with dots. */
export const looksLikeDomain = (text: string): boolean =>
  /^[^\s@]*[^\s@.]\.[^\s@]+$/.test(text.trim())

/** A text of the file, as shown in messages. */
export const shortened = (text = ""): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text)

/** How many column names a message has. */
const NAMES_SHOWN = 12

/** The names of columns, as shown in messages. */
export const namesText = (names: ReadonlyArray<string>): string => {
  const shown = names.slice(0, NAMES_SHOWN).map(shortened).join(", ")
  const more = names.length - NAMES_SHOWN
  return more > 0 ? `${shown}, and ${more} more` : shown
}
