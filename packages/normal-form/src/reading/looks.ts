// Values as files write them, what kind of values they look like, and which column names are known.

import type { RuleType } from "../suppression-rule.ts"

/** A line of a list, without the quotes that may be around the whole of it. */
export const listValue = (line: string): string =>
  line.trim().replace(/^"(.*)"$/, (_whole, inner: string) => inner.replaceAll('""', '"'))

/** What begins like a formula, with any number of apostrophes before it. */
const formula = /^'*[=+\-@\t\r]/

/**
 * A value as a cell that no spreadsheet takes for a formula. An apostrophe that is a part of the value
 * gets another one, so that `unescaped` gives every value back as it was.
 */
export const defused = (value: string): string => (formula.test(value) ? `'${value}` : value)

/** The value of a cell that was defused. */
export const unescaped = (cell: string): string =>
  cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell

/** What a column holds by its name: `type` and `value` are those of a rule. */
export type KnownColumn = RuleType | "type" | "value"

/** Null if the name does not say it. A text with a dot is not a name: it may be a domain. */
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
  // The keys of an object literal are of its own type.
  (Object.keys(names) as ReadonlyArray<keyof typeof names>).flatMap((known) =>
    names[known].map((name) => [name, known] as const),
  ),
)

/** What a file does not say, so that the user has to. */
export type Missing = "column" | "type"

/** Its message names the file, and the line where there is one. */
export class ReadingError extends Error {
  override readonly name = "ReadingError"
  /** What the user can do, as a sentence; undefined when the message or `missing` says it. */
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

/** Of the values whose type is not said, so many have to look like one. The others are rejected. */
const SHARE_MIN = 0.8

/** What the values look like; the first may be a header. Null when they do not say it, or are mixed. */
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

/** Whether a text holds what may be an address or a host name, right or wrong. */
export const looksLikeValue = (text: string): boolean =>
  /\S@|@\S|:\/\//.test(text) || looksLikeDomain(text)

/** Also an address of the Internet, and a name with dots. */
export const looksLikeDomain = (text: string): boolean =>
  /^[^\s@]*[^\s@.]\.[^\s@]+$/.test(text.trim())
