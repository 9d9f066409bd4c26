// Conditions on a visitor's own fields: company, contact, custom attribution, and when they were seen over the
// whole history within the pixel scope (spec 3.1, 3.3).
import { DateTime } from "effect"
import { type Condition, lookUp, row } from "./condition.ts"
import {
  type CustomField,
  customKeyOf,
  type FieldOf,
  isCustomField,
  isPredicateOf,
  type Predicate,
  type PredicateOf,
} from "./predicate.ts"
import { allSessions, lastSeen, type RuleScope, visitorId } from "./rule-scope.ts"
import { ofPlaces, onSites, placesOfCompanies } from "../sites-store.ts"
import { isScore, type ScoreField, shownScore } from "./score-fields.ts"
import { SqlText, sqlText } from "../../../platform/database/sql-text.ts"
import { always, datetimeTest, is, isPresent, never, numberTest, textTest } from "./tests.ts"

/** A condition on anything but sessions. */
export const visitorCondition = (predicate: Predicate, scope: RuleScope): Condition => {
  if (isPredicateOf(predicate, "text")) return textCondition(predicate, scope)
  if (isPredicateOf(predicate, "boolean")) return booleanCondition(predicate, scope)
  if (isPredicateOf(predicate, "datetime")) return datetimeCondition(predicate, scope)
  if (isPredicateOf(predicate, "list")) return listCondition(predicate, scope)
  if (!isPredicateOf(predicate, "number")) return row(never)
  if (isScore(predicate.field)) {
    return lookUp(numberTest(scoreOfPerson(predicate.field, scope), predicate))
  }
  switch (predicate.field) {
    case "company.employee_count":
      return employeesCondition(predicate)
    case "company.anonymous_sessions":
    case "company.sessions":
      return companyNumberCondition(predicate, scope)
    default:
      return daysSinceSeenCondition(predicate, scope)
  }
}

const textCondition = (predicate: PredicateOf<"text">, scope: RuleScope): Condition => {
  const { field } = predicate
  if (field === "contact.name") return nameCondition(predicate)
  if (!isCustomField(field)) return row(textTest(texts[field], predicate))
  const test = textTest(customText(field, scope), predicate)
  return scope.pixelId === undefined ? lookUp(test) : row(test)
}

const folded = (value: SqlText): SqlText => sqlText`fold_case(${value})`
const column = (name: string): SqlText => SqlText.of(`visitor.${name}_folded`)

const texts: Readonly<Record<Exclude<FieldOf<"text">, CustomField | "contact.name">, SqlText>> = {
  "company.name": column("company_name"),
  "company.domain": column("company_domain"),
  "company.industry": column("industry"),
  "company.zip_code": column("company_zip_code"),
  "company.revenue_range": column("company_total_revenue"),
  "company.job_title": column("job_title"),
  "company.seniority": column("seniority"),
  "company.department": column("department"),
  "contact.email_domain": column("email_domain"),
  "contact.city": column("city"),
  "contact.state": column("state"),
  "contact.country": column("country"),
}

/** First and last name with one space, exactly as in the index `visitor_full_name`. */
const fullName = SqlText.of(
  "fold_case(trim(coalesce(visitor.first_name, '') || ' ' || coalesce(visitor.last_name, '')))",
)

/** A name that is never null hides from Postgres that the left join of a pixel's visitors always finds one. */
const nameCondition = (predicate: PredicateOf<"text">): Condition =>
  row(sqlText`(visitor.id is not null and ${textTest(fullName, predicate)})`)

/** The latest value across the pixels in scope; within one millisecond the greater text, as in lists. */
const customText = (field: CustomField, scope: RuleScope): SqlText => {
  const key = customKeyOf(field)
  if (typeof scope.pixelId === "string") {
    return folded(sqlText`visitor_pixel.custom_attribution -> ${key}::text ->> 0`)
  }
  return folded(sqlText`(
      select attribution.value ->> 0
      from visitor_pixel as place
      cross join lateral (select place.custom_attribution -> ${key}::text as value) as attribution
      where place.organization_id = ${scope.organizationId}::uuid
        and place.visitor_id = ${visitorId(scope)} ${onSites("place.pixel_id", scope.pixelId)}
        and attribution.value is not null
      order by (attribution.value ->> 1)::numeric desc, (attribution.value ->> 0) collate "C" desc
      limit 1)`)
}

const employeesCondition = (predicate: PredicateOf<"number">): Condition =>
  row(numberTest(SqlText.of("visitor.company_employee_count"), predicate))

const booleanCondition = (predicate: PredicateOf<"boolean">, scope: RuleScope): Condition => {
  const { field, op, value } = predicate
  if (field === "contact.phones_dnc") return doNotCallCondition(predicate)
  // The other values are never missing.
  if (op === "exists") return row(value ? always : never)
  switch (field) {
    case "contact.has_phone":
      return row(is(SqlText.of("cardinality(visitor.phones) > 0"), value))
    case "contact.has_linkedin":
      return row(is(isPresent(SqlText.of("visitor.linkedin_url")), value))
    case "contact.has_business_email":
      return lookUp(is(hasAddress("business", scope), value))
    case "contact.has_personal_email":
      return lookUp(is(hasAddress("personal", scope), value))
    case "timing.is_returning":
      return lookUp(is(isReturning(scope), value))
  }
}

/**
 * True if at least one phone is on the do-not-call list, false if all are known not to be on it, missing otherwise.
 */
const doNotCallCondition = ({ op, value }: PredicateOf<"boolean">): Condition => {
  const isKnown = SqlText.of("cardinality(visitor.phones_dnc) > 0")
  if (op === "exists") return row(is(isKnown, value))
  const isListed = SqlText.of("array_position(visitor.phones_dnc, true) is not null")
  return row(sqlText`(${isKnown} and ${value ? isListed : sqlText`not (${isListed})`})`)
}

const hasAddress = (kind: "business" | "personal", scope: RuleScope): SqlText => sqlText`exists (
      select from visitor_address as address
      where address.organization_id = ${scope.organizationId}::uuid
        and address.visitor_id = ${visitorId(scope)}
        and address.kind = ${kind}::text and address.email is not null)`

/** A second session at any time. */
const isReturning = (scope: RuleScope): SqlText => sqlText`exists (
      select from session where ${allSessions(scope)} offset 1)`

const datetimeCondition = (predicate: PredicateOf<"datetime">, scope: RuleScope): Condition =>
  predicate.field === "company.last_seen"
    ? lookUp(datetimeTest(ofCompany("last_seen_at", scope), predicate, scope.asOf))
    : row(datetimeTest(seenAt(predicate.field, scope), predicate, scope.asOf))

/** Over the whole history within the pixel scope; missing for a person without a company. */ // spec 3.3
const companyNumberCondition = (predicate: PredicateOf<"number">, scope: RuleScope): Condition => {
  const isAnonymous = predicate.field === "company.anonymous_sessions"
  return lookUp(
    numberTest(ofCompany(isAnonymous ? "anonymous_sessions" : "sessions", scope), predicate),
  )
}

const ofCompany = (
  name: "anonymous_sessions" | "last_seen_at" | "sessions",
  { organizationId, pixelId }: RuleScope,
): SqlText => {
  const from =
    pixelId === undefined
      ? SqlText.of("company as place")
      : placesOfCompanies(organizationId, pixelId, "place")
  return sqlText`(select ${SqlText.of(`place.${name}`)} from ${from}
      where place.organization_id = ${organizationId}::uuid and place.domain = visitor.company_key
        ${ofPlaces("place.pixel_id", pixelId)})`
}

const scoreOfPerson = (field: ScoreField, scope: RuleScope): SqlText => sqlText`(
      select ${shownScore(field)} from visitor_score as score
      where score.organization_id = ${scope.organizationId}::uuid
        and score.visitor_id = ${visitorId(scope)} and not visitor.suppressed)`

/** A person is in a list with any of their addresses. A person without a company is in no list of companies. */ // spec 3.3
const listCondition = ({ field, op, value }: PredicateOf<"list">, scope: RuleScope): Condition => {
  const { organizationId } = scope
  const member = sqlText`member.list_id = ${value}::uuid
        and member.organization_id = ${organizationId}::uuid`
  const isMember =
    field === "company.list"
      ? sqlText`exists (
      select from list_member as member where ${member} and member.key = visitor.company_key)`
      : sqlText`exists (
      select from visitor_address as address
      join list_member as member on ${member} and member.key = address.email_hash
      where address.organization_id = ${organizationId}::uuid
        and address.visitor_id = ${visitorId(scope)})`
  return lookUp(is(isMember, op === "in_list"))
}

/** Whole days, never negative, even if clocks disagree. */
const daysSinceSeenCondition = (predicate: PredicateOf<"number">, scope: RuleScope): Condition => {
  const asOf = sqlText`${DateTime.toDateUtc(scope.asOf)}::timestamptz`
  const days = sqlText`greatest(floor(extract(epoch from ${asOf} - ${lastSeen(scope)}) / 86400), 0)`
  return row(numberTest(days, predicate))
}

const seenAt = (
  field: Exclude<FieldOf<"datetime">, "company.last_seen">,
  scope: RuleScope,
): SqlText =>
  field === "timing.last_seen_at"
    ? lastSeen(scope)
    : SqlText.of(`${scope.pixelId === undefined ? "visitor" : "visitor_pixel"}.first_seen_at`)
