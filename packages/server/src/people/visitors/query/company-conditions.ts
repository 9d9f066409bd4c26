// Conditions on a company's own fields, for rules that select companies: what is stored of it, and when it was seen over
// the whole history within the pixel scope (spec 3.3.4).
import { DateTime } from "effect"
import { SqlText, sqlText } from "../../../platform/database/sql-text.ts"
import { type Condition, lookUp, row } from "./condition.ts"
import { type FieldOf, isPredicateOf, type Predicate } from "./predicate.ts"
import { lastSeen, type RuleScope } from "./rule-scope.ts"
import { isScore, type ScoreField, shownScore } from "./score-fields.ts"
import { always, datetimeTest, is, never, numberTest, textTest } from "./tests.ts"

/** The rule was parsed for companies, so it has no field of people. */
export const companyCondition = (predicate: Predicate, scope: RuleScope): Condition => {
  if (isPredicateOf(predicate, "text")) {
    return predicate.field === "company.zip_code"
      ? lookUp(textTest(zipCode(scope), predicate))
      : row(textTest(textOf(predicate.field, scope), predicate))
  }
  if (isPredicateOf(predicate, "datetime")) {
    return row(datetimeTest(seenAt(predicate.field, scope), predicate, scope.asOf))
  }
  if (isPredicateOf(predicate, "list")) {
    const isMember = sqlText`exists (
      select from list_member as member
      where member.list_id = ${predicate.value}::uuid
        and member.organization_id = ${scope.organizationId}::uuid and member.key = c.domain)`
    return lookUp(is(isMember, predicate.op === "in_list"))
  }
  if (isPredicateOf(predicate, "boolean")) {
    if (predicate.op === "exists") return row(predicate.value ? always : never)
    const counted = scope.sessions === "anonymous" ? "c.anonymous_sessions" : "c.sessions"
    return row(is(SqlText.of(`${counted} > 1`), predicate.value))
  }
  if (!isPredicateOf(predicate, "number")) return row(never)
  const { field } = predicate
  return isScore(field)
    ? lookUp(numberTest(scoreOfCompany(field, scope), predicate))
    : row(numberTest(numberOf(field, scope), predicate))
}

const seenAt = (field: FieldOf<"datetime">, scope: RuleScope): SqlText => {
  switch (field) {
    case "company.last_seen":
      return SqlText.of("c.last_seen_at")
    case "timing.first_seen_at":
      return SqlText.of("c.first_seen_at")
    case "timing.last_seen_at":
      return lastSeen(scope)
  }
}

/** The alias of the company's record. */
const record = ({ pixelId }: RuleScope): string => (pixelId === undefined ? "c" : "company")

const textOf = (field: string, scope: RuleScope): SqlText =>
  field === "company.domain"
    ? SqlText.of("fold_case(c.domain)")
    : SqlText.of(`fold_case(${record(scope)}.${columns.get(field)})`)

const columns: ReadonlyMap<string, string> = new Map([
  ["company.name", "name"],
  ["company.industry", "industry"],
  ["company.revenue_range", "total_revenue"],
])

/** Of the person seen last who has one, because a company has none of its own. */
const zipCode = ({ organizationId }: RuleScope): SqlText => sqlText`(
      select visitor.company_zip_code_folded from visitor
      where visitor.organization_id = ${organizationId}::uuid and visitor.company_key = c.domain
        and not visitor.held_back and visitor.company_zip_code_folded <> ''
      order by visitor.last_seen_at desc, visitor.id
      limit 1)`

const scoreOfCompany = (field: ScoreField, scope: RuleScope): SqlText => sqlText`(
      select ${shownScore(field)} from company_score as score
      where score.organization_id = ${scope.organizationId}::uuid and score.domain = c.domain
        and not ${SqlText.of(record(scope))}.suppressed)`

const numberOf = (field: string, scope: RuleScope): SqlText => {
  switch (field) {
    case "company.employee_count":
      return SqlText.of(`${record(scope)}.employee_count`)
    case "company.anonymous_sessions":
      return SqlText.of("c.anonymous_sessions")
    case "company.sessions":
      return SqlText.of("c.sessions")
    default: {
      // timing.days_since_last_seen: whole days, never negative, even if clocks disagree.
      const asOf = sqlText`${DateTime.toDateUtc(scope.asOf)}::timestamptz`
      return sqlText`greatest(floor(extract(epoch from ${asOf} - ${lastSeen(scope)}) / 86400), 0)`
    }
  }
}
