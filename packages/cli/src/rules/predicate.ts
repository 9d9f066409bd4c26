// The short form of a predicate, `behavior.pageviews gte 3`: a field, an operator, a value. Whether
// the server knows them is for the server to say; here a value only gets the type its field and
// operator want.

import type { RuleField } from "@footfall/sdk"
import { usageError } from "../errors/usage-error.ts"

/** A leaf as it is sent; the server checks it. */
export interface WrittenPredicate {
  readonly field: string
  readonly op: string
  readonly value: unknown
}

/** Errors: usage, when a part is missing or the value is not of the type it has to be. */
export const predicate = (text: string): WrittenPredicate => {
  const [, field, op, value] = /^\s*(\S+)\s+(\S+)(?:\s+(.*?))?\s*$/s.exec(text) ?? []
  if (field === undefined || op === undefined) throw notAPredicate(text)
  if (op === "exists") return { field, op, value: booleanOf(value ?? "true", text) }
  if (value === undefined || value === "") throw notAPredicate(text)
  return { field, op, value: valueOf({ field, op, value, text }) }
}

interface Parts {
  readonly field: string
  readonly op: string
  readonly value: string
  readonly text: string
}

const valueOf = ({ field, op, value, text }: Parts): unknown => {
  if (listOperators.has(op)) return items(value).map(unquoted)
  if (op === "between") return items(value).map((item) => numberOf(item, text))
  if (isNumeric(field)) return numberOf(value, text)
  if (isBoolean(field)) return booleanOf(value, text)
  return unquoted(value)
}

/** Their value is a list, written with commas or as JSON. */
const listOperators: ReadonlySet<string> = new Set(["in", "not_in", "any_in"])

/** Source: spec 3.3. */
const numericFields: ReadonlySet<string> = new Set([
  "behavior.pageviews",
  "behavior.sessions",
  "behavior.pricing_page_views",
  "behavior.demo_page_views",
  "behavior.total_duration_seconds",
  "behavior.max_session_pageviews",
  "behavior.active_days",
  "behavior.form_submissions",
  "timing.days_since_last_seen",
  "company.employee_count",
] satisfies ReadonlyArray<RuleField>)

/** Source: spec 3.3. */
const booleanFields: ReadonlySet<string> = new Set([
  "timing.is_returning",
  "contact.has_business_email",
  "contact.has_personal_email",
  "contact.has_phone",
  "contact.has_linkedin",
  "contact.phones_dnc",
] satisfies ReadonlyArray<RuleField>)

const isNumeric = (field: string): boolean => numericFields.has(field)

const isBoolean = (field: string): boolean => booleanFields.has(field)

const items = (value: string): ReadonlyArray<string> => {
  const list = value.startsWith("[") ? jsonOf(value) : undefined
  return Array.isArray(list) ? list.map(String) : value.split(",").map((item) => item.trim())
}

const numberOf = (value: string, text: string): number => {
  const number = Number(value)
  if (value !== "" && Number.isFinite(number)) return number
  throw usageError(`"${text}" compares a number, but "${value}" is none.`)
}

const booleanOf = (value: string, text: string): boolean => {
  if (value === "true" || value === "false") return value === "true"
  throw usageError(`"${text}" compares true or false, but the value is "${value}".`)
}

/** Quotes are not needed, but whoever writes them does not mean them. */
const unquoted = (value: string): string => {
  const quoted = /^"[^]*"$/.test(value) ? jsonOf(value) : undefined
  if (typeof quoted === "string") return quoted
  return /^'[^']*'$/.test(value) ? value.slice(1, -1) : value
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const notAPredicate = (text: string): Error =>
  usageError(
    `"${text}" is not a predicate: expected a field, an operator and a value.`,
    "For example: --where 'behavior.pageviews gte 3'",
  )
