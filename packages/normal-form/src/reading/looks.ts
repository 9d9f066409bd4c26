// How files write values, what kind of value a text looks like, and the known column names.

import type { RuleType } from "../suppression-rule.ts"

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

/** What a column contains, by its name. `type` and `value` are those of a rule. */
export type KnownColumn = RuleType | "type" | "value"

/** Null if the name is unknown. A text with a dot isn't a name, because it may be a domain. */
export const knownColumn = (name: string): KnownColumn | null =>
  knownColumns.get(
    name
      .trim()
      .toLowerCase()
      .replaceAll(/[\s_-]+/g, ""),
  ) ?? null

const names = {
  type: ["type", "ruletype"],
  value: ["value", "rule", "rulevalue"],
  email: ["email", "emails", "mail", "emailaddress", "mailaddress", "businessemail", "workemail"],
  domain: ["domain", "domains", "emaildomain", "maildomain", "domainname"],
  company_domain: ["companydomain", "website", "companywebsite", "companyurl", "accountdomain"],
  industry: ["industry", "industries", "companyindustry"],
} satisfies Record<KnownColumn, ReadonlyArray<string>>

const knownColumns = new Map(
  // The keys of an object literal have its key type.
  (Object.keys(names) as ReadonlyArray<keyof typeof names>).flatMap((known) =>
    names[known].map((name) => [name, known] as const),
  ),
)

/** What the file doesn't say and the user has to specify. */
export type Missing = "column" | "type"

/** The message names the file, and the line if there is one. */
export class ReadingError extends Error {
  override readonly name = "ReadingError"
  /** What the user can do, as a sentence; undefined if the message or `missing` already says it. */
  readonly nextStep: string | undefined
  readonly missing: ReadonlyArray<Missing>

  constructor(message: string, help?: string | ReadonlyArray<Missing>) {
    super(message)
    this.nextStep = typeof help === "string" ? help : undefined
    this.missing = typeof help === "object" ? help : []
  }
}

const looks = [
  ["email", /^[^\s@,;|]+@[^\s@,;|]+\.[^\s@,;|]+$/],
  ["domain", /^[^\s@,;|]+\.[^\s@,;|]+$/],
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
