// Value tests by operator, as SQL. A test of a missing value is null, which counts as false; a negated test is then
// true (spec 3.1). A text is present unless it is empty, so an empty text equals nothing and is a prefix of every
// present text.
import { DateTime } from "effect"
import { foldCase } from "../../../platform/database/case-folding.ts"
import { hoursOf, momentOf } from "./value.ts"
import type { PredicateOf } from "./predicate.ts"
import { SqlText, sqlText } from "../../../platform/database/sql-text.ts"

export const always = SqlText.of("true")
export const never = SqlText.of("false")

export const anyOf = (tests: ReadonlyArray<SqlText>): SqlText => joined(tests, " or ")
export const allOf = (tests: ReadonlyArray<SqlText>): SqlText => joined(tests, " and ")

const joined = (tests: ReadonlyArray<SqlText>, word: string): SqlText =>
  tests.length === 1 ? tests[0]! : sqlText`(${SqlText.join(tests, word)})`

export const not = (test: SqlText): SqlText => sqlText`(${test}) is not true`

/** Compares a boolean that is never missing. */
export const is = (test: SqlText, wanted: boolean): SqlText => (wanted ? test : not(test))

/** `value` is already in lower case. */
export const equals = (value: SqlText, wanted: string): SqlText =>
  wanted === "" ? never : sqlText`${value} = ${foldCase(wanted)}::text`

export const contains = (value: SqlText, wanted: string): SqlText =>
  wanted === "" ? isPresent(value) : isLike(value, `%${escapePattern(foldCase(wanted))}%`)

export const startsWith = (value: SqlText, wanted: string): SqlText =>
  wanted === "" ? isPresent(value) : isLike(value, `${escapePattern(foldCase(wanted))}%`)

export const endsWith = (value: SqlText, wanted: string): SqlText =>
  wanted === "" ? isPresent(value) : isLike(value, `%${escapePattern(foldCase(wanted))}`)

/** The planner has statistics for patterns, but not for search functions. */
export const isLike = (value: SqlText, pattern: string): SqlText =>
  sqlText`${value} like ${pattern}::text`

/** Escapes a text for use in a pattern. */
export const escapePattern = (text: string): string => text.replaceAll(/[\\%_]/g, "\\$&")

export const isOneOf = (value: SqlText, wanted: ReadonlyArray<string>): SqlText => {
  const texts = wanted.filter((text) => text !== "").map(foldCase)
  return texts.length === 0 ? never : sqlText`${value} = any(${texts}::text[])`
}

export const isPresent = (value: SqlText): SqlText => sqlText`${value} <> ''`

/** Tests a profile text. */
export const textTest = (value: SqlText, predicate: PredicateOf<"text">): SqlText => {
  switch (predicate.op) {
    case "eq":
      return equals(value, predicate.value)
    case "neq":
      return not(equals(value, predicate.value))
    case "contains":
      return contains(value, predicate.value)
    case "not_contains":
      return not(contains(value, predicate.value))
    case "starts_with":
      return startsWith(value, predicate.value)
    case "ends_with":
      return endsWith(value, predicate.value)
    case "in":
      return isOneOf(value, predicate.value)
    case "not_in":
      return not(isOneOf(value, predicate.value))
    case "exists":
      return is(isPresent(value), predicate.value)
  }
}

const comparisons = { eq: "=", gt: ">", gte: ">=", lt: "<", lte: "<=" } as const

export const numberTest = (value: SqlText, predicate: PredicateOf<"number">): SqlText => {
  switch (predicate.op) {
    case "neq":
      return not(sqlText`${value} = ${predicate.value}::float8`)
    case "between":
      return sqlText`${value} between ${predicate.value[0]}::float8 and ${predicate.value[1]}::float8`
    case "exists":
      return predicate.value ? sqlText`${value} is not null` : sqlText`${value} is null`
    default:
      return sqlText`${value} ${SqlText.of(comparisons[predicate.op])} ${predicate.value}::float8`
  }
}

/** Tests a moment that is never missing. */
export const datetimeTest = (
  value: SqlText,
  predicate: PredicateOf<"datetime">,
  asOf: DateTime.Utc,
): SqlText => {
  const at = (moment: DateTime.Utc) => sqlText`${DateTime.toDateUtc(moment)}::timestamptz`
  // A parsed predicate's value is a moment or a duration.
  const since = (duration: string) =>
    sqlText`${value} >= ${at(DateTime.subtract(asOf, { hours: hoursOf(duration)! }))}`
  switch (predicate.op) {
    case "before":
      return sqlText`${value} < ${at(momentOf(predicate.value)!)}`
    case "after":
      return sqlText`${value} > ${at(momentOf(predicate.value)!)}`
    case "within":
      return since(predicate.value)
    case "not_within":
      return not(since(predicate.value))
    case "exists":
      return predicate.value ? always : never
  }
}
