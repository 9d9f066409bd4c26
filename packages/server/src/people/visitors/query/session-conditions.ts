// Conditions on fields derived from a visitor's sessions within window and scope (spec 3.1, 3.3). If one session is
// enough, the test searches for such a session; only true totals are summed up.
import { type Condition, none, row, type SessionPart, some, sum } from "./condition.ts"
import { eventCount, pathViews } from "./counted.ts"
import type { FieldOf, PredicateOf } from "./predicate.ts"
import type { RuleScope } from "./rule-scope.ts"
import { type SessionTextsField, textsSource } from "./session-texts.ts"
import { SqlText, sqlText } from "../../../platform/database/sql-text.ts"
import { always, never, numberTest } from "./tests.ts"

/** Some session has a text that passes, or none has. */
export const textsCondition = (
  predicate: PredicateOf<"texts">,
  field: SessionTextsField,
  scope: RuleScope,
): Condition => {
  const source = textsSource(field, scope)
  const { part } = source
  switch (predicate.op) {
    case "any_eq":
      return some(source.equals(predicate.value), part)
    case "any_contains":
      return some(source.contains(predicate.value), part)
    case "any_starts_with":
      return some(source.startsWith(predicate.value), part)
    case "any_in":
      return some(source.isOneOf(predicate.value), part)
    case "none_contains":
      return none(source.contains(predicate.value), part)
    case "none_in":
      return none(source.isOneOf(predicate.value), part)
    case "exists":
      return (predicate.value ? some : none)(source.isPresent, part)
  }
}

type BehaviorField = Extract<FieldOf<"number">, `behavior.${string}`>
export const isBehavior = (field: FieldOf<"number">): field is BehaviorField =>
  field.startsWith("behavior.")

type CountedField = "behavior.event_count" | "behavior.path_views"

/** A number that is the sum or the maximum of a value of the sessions; never missing. */
interface Amount {
  readonly total: SqlText
  /** One session's share. The total is above zero if any share is. */
  readonly share: SqlText | undefined
  /** What is read of a session; by default its index. */
  readonly part?: SessionPart
}

const summed = (share: SqlText, part?: SessionPart): Amount => ({
  total: sqlText`coalesce(sum(${share}), 0)`,
  share,
  ...(part === undefined ? {} : { part }),
})

const summedColumn = (column: string): Amount => summed(SqlText.of(`session.${column}`))

const amountOf = (field: BehaviorField, of: string): Amount => {
  switch (field) {
    case "behavior.event_count":
      return summed(eventCount(of), "row")
    case "behavior.path_views":
      return summed(pathViews(of), "row")
    default:
      return amounts[field]
  }
}

const amounts: Readonly<Record<Exclude<BehaviorField, CountedField>, Amount>> = {
  "behavior.pageviews": summedColumn("pageviews"),
  "behavior.pricing_page_views": summedColumn("pricing_page_views"),
  "behavior.demo_page_views": summedColumn("demo_page_views"),
  "behavior.form_submissions": summedColumn("form_submissions"),
  "behavior.sessions": { total: SqlText.of("count(*)"), share: SqlText.of("1") },
  "behavior.max_session_pageviews": {
    total: SqlText.of("coalesce(max(session.pageviews), 0)"),
    share: SqlText.of("session.pageviews"),
  },
  // Counts the day a session started on; it may cross midnight.
  "behavior.active_days": {
    total: SqlText.of("count(distinct (session.started_at at time zone 'utc')::date)"),
    share: undefined,
  },
  "behavior.total_duration_seconds": {
    total: SqlText.of(`coalesce(sum(floor(coalesce(
        session.active_seconds, extract(epoch from session.ended_at - session.started_at)))), 0)`),
    share: undefined,
  },
}

export const behaviorCondition = (
  field: BehaviorField,
  predicate: PredicateOf<"number">,
): Condition => {
  if (predicate.op === "exists") return row(predicate.value ? always : never)
  const { part = "index", share, total } = amountOf(field, String(predicate.of ?? ""))
  const isSome = share === undefined ? undefined : isAboveNone(predicate)
  if (share === undefined || isSome === undefined) return sum(numberTest(total, predicate), part)
  return (isSome ? some : none)(sqlText`${share} > 0`, part)
}

/**
 * Whether the test means "above 0" (true) or "equals 0" (false) for a number that is never negative; undefined for
 * anything else.
 */
const isAboveNone = (predicate: PredicateOf<"number">): boolean | undefined => {
  switch (predicate.op) {
    case "gte":
      return predicate.value > 0 && predicate.value <= 1 ? true : undefined
    case "gt":
      return predicate.value >= 0 && predicate.value < 1 ? true : undefined
    case "neq":
      return predicate.value === 0 ? true : undefined
    case "lt":
      return predicate.value > 0 && predicate.value <= 1 ? false : undefined
    case "lte":
      return predicate.value >= 0 && predicate.value < 1 ? false : undefined
    case "eq":
      return predicate.value === 0 ? false : undefined
    default:
      return undefined
  }
}
