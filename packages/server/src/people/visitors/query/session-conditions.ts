// Conditions on fields derived from a visitor's sessions within window and scope (spec 3.1, 3.3). If one session is
// enough, the test searches for such a session; only true totals are summed up.
import { type Condition, none, row, some, sum } from "./condition.ts"
import type { FieldOf, PredicateOf } from "./predicate.ts"
import type { RuleScope } from "./rule-scope.ts"
import { textsSource } from "./session-texts.ts"
import { SqlText, sqlText } from "../../../platform/database/sql-text.ts"
import { always, never, numberTest } from "./tests.ts"

/** Some session has a text that passes, or none has. */
export const textsCondition = (predicate: PredicateOf<"texts">, scope: RuleScope): Condition => {
  const source = textsSource(predicate.field, scope)
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
    case "exists":
      return (predicate.value ? some : none)(source.isPresent, part)
  }
}

type BehaviorField = Extract<FieldOf<"number">, `behavior.${string}`>

/** A number that is the sum or the maximum of a value in the sessions' index; never missing. */
interface Amount {
  readonly total: SqlText
  /** One session's share. The total is above zero if any share is. */
  readonly share: SqlText | undefined
}

const summed = (column: string): Amount => ({
  total: SqlText.of(`coalesce(sum(session.${column}), 0)`),
  share: SqlText.of(`session.${column}`),
})

const amounts: Readonly<Record<BehaviorField, Amount>> = {
  "behavior.pageviews": summed("pageviews"),
  "behavior.pricing_page_views": summed("pricing_page_views"),
  "behavior.demo_page_views": summed("demo_page_views"),
  "behavior.form_submissions": summed("form_submissions"),
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
  const { share, total } = amounts[field]
  const isSome = share === undefined ? undefined : isAboveNone(predicate)
  if (share === undefined || isSome === undefined) return sum(numberTest(total, predicate), "index")
  return (isSome ? some : none)(sqlText`${share} > 0`, "index")
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
