// Conditions on the owner and the tags of a person, or of a person's company (spec 3.3): look-ups by index.
import { SqlText, sqlText } from "../../../platform/database/sql-text.ts"
import { normalTag } from "../tag.ts"
import { type Condition, lookUp } from "./condition.ts"
import type { FieldOf, PredicateOf } from "./predicate.ts"
import { type RuleScope, visitorId } from "./rule-scope.ts"
import { contains, equals, is, isOneOf, isPresent, not, startsWith } from "./tests.ts"

type TagsField = Extract<FieldOf<"texts">, `${string}.tags`>

export const isTags = (field: FieldOf<"texts">): field is TagsField =>
  field === "contact.tags" || field === "company.tags"

export const tagsCondition = (predicate: PredicateOf<"texts">, scope: RuleScope): Condition => {
  const has = (test: SqlText): SqlText => isMarked("tag", predicate.field, scope, test)
  switch (predicate.op) {
    case "any_eq":
      return lookUp(has(equals(key, normalTag(predicate.value))))
    case "any_contains":
      return lookUp(has(contains(key, normalTag(predicate.value))))
    case "any_starts_with":
      return lookUp(has(startsWith(key, normalTag(predicate.value))))
    case "any_in":
      return lookUp(has(isOneOf(key, predicate.value.map(normalTag))))
    case "none_contains":
      return lookUp(not(has(contains(key, normalTag(predicate.value)))))
    case "none_in":
      return lookUp(not(has(isOneOf(key, predicate.value.map(normalTag)))))
    case "exists":
      return lookUp(is(has(isPresent(key)), predicate.value))
  }
}

const key = SqlText.of("mark.key")

export const ownerCondition = (predicate: PredicateOf<"member">, scope: RuleScope): Condition => {
  const has = (test: SqlText): SqlText => isMarked("owner", predicate.field, scope, test)
  switch (predicate.op) {
    case "eq":
      return lookUp(has(isAmong([predicate.value])))
    case "neq":
      return lookUp(not(has(isAmong([predicate.value]))))
    case "in":
      return lookUp(has(isAmong(predicate.value)))
    case "not_in":
      return lookUp(not(has(isAmong(predicate.value))))
    case "exists":
      return lookUp(is(has(SqlText.of("true")), predicate.value))
  }
}

/** An id that no member has finds no one. */
const isAmong = (ids: ReadonlyArray<string>): SqlText =>
  sqlText`mark.user_id = any (${ids}::text[]::uuid[])`

/** Whether the subject, or the company of the person, has such a row. */
const isMarked = (
  mark: "owner" | "tag",
  field: `${string}.${string}`,
  scope: RuleScope,
  test: SqlText,
): SqlText => {
  const ofCompany = field.startsWith("company.")
  const table = SqlText.of(`${ofCompany ? "company" : "visitor"}_${mark}`)
  const company = SqlText.of(scope.subject === "companies" ? "c.domain" : "visitor.company_key")
  const isTheirs = ofCompany
    ? sqlText`mark.domain = ${company}`
    : sqlText`mark.visitor_id = ${visitorId(scope)}`
  return sqlText`exists (
      select from ${table} as mark
      where mark.organization_id = ${scope.organizationId}::uuid and ${isTheirs} and ${test})`
}
