// From a rule to SQL: a pure function to one condition of a statement over visitors, whose values are
// parameters (decisions.md 3). The sessions of a visitor are read once at most, whatever the rule
// asks of them, and only for those who pass what their own row can tell.
import { type Condition, group, readsSessions } from "./condition.ts"
import { isPredicateOf, type Predicate } from "./predicate.ts"
import type { RuleNode } from "./rule.ts"
import { type RuleScope, sessionsInWindow } from "./rule-scope.ts"
import { behaviorCondition, textsCondition } from "./session-conditions.ts"
import { type SqlText, sqlText } from "./sql-text.ts"
import { allOf, anyOf, not } from "./tests.ts"
import {
  booleanCondition,
  datetimeCondition,
  daysSinceSeenCondition,
  employeesCondition,
  textCondition,
} from "./visitor-conditions.ts"

/**
 * The condition a visitor must meet to qualify; null counts as false.
 *
 * It stands in a statement that reads `visitor`, or `visitor_pixel` with `visitor` beside it in the
 * scope of a pixel. That the visitor was seen in window and scope is for the statement to ask.
 */
export const compileRule = (rule: RuleNode, scope: RuleScope): SqlText =>
  testOfVisitor(conditionOf(rule, scope), scope)

const conditionOf = (node: RuleNode, scope: RuleScope): Condition => {
  if ("all" in node) return groupOf("all", node.all, scope)
  if ("any" in node) return groupOf("any", node.any, scope)
  return predicateCondition(node, scope)
}

const groupOf = (of: "all" | "any", nodes: ReadonlyArray<RuleNode>, scope: RuleScope) =>
  group(
    of,
    nodes.map((node) => conditionOf(node, scope)),
    anyOf,
  )

const predicateCondition = (predicate: Predicate, scope: RuleScope): Condition => {
  if (isPredicateOf(predicate, "text")) return textCondition(predicate, scope)
  if (isPredicateOf(predicate, "texts")) return textsCondition(predicate, scope)
  if (isPredicateOf(predicate, "boolean")) return booleanCondition(predicate, scope)
  if (isPredicateOf(predicate, "datetime")) return datetimeCondition(predicate, scope)
  switch (predicate.field) {
    case "company.employee_count":
      return employeesCondition(predicate)
    case "timing.days_since_last_seen":
      return daysSinceSeenCondition(predicate, scope)
    default:
      return behaviorCondition(predicate.field, predicate)
  }
}

/** Asked of the row; the sessions are read in it at one place, where they are read at all. */
const testOfVisitor = (condition: Condition, scope: RuleScope): SqlText => {
  switch (condition.of) {
    case "row":
    case "look-up":
      return condition.test
    case "some":
      return someSession(condition.test, scope)
    case "none":
      return not(someSession(condition.test, scope))
    case "sum":
      return overSessions(condition.test, scope)
    default: {
      const { conditions, of } = condition
      const join = of === "all" ? allOf : anyOf
      const cheap = byCost(conditions.filter((one) => !readsSessions(one)))
      const costly = conditions.filter(readsSessions)
      const [only, ...others] = costly
      const last =
        only === undefined
          ? []
          : others.length === 0
            ? [testOfVisitor(only, scope)]
            : [overSessions(join(costly.map(testOfSessions)), scope)]
      return join([...cheap.map((one) => testOfVisitor(one, scope)), ...last])
    }
  }
}

/** Asked of all sessions together, where the row of the visitor is at hand too. */
const testOfSessions = (condition: Condition): SqlText => {
  switch (condition.of) {
    case "row":
    case "look-up":
    case "sum":
      return condition.test
    case "some":
      return sqlText`bool_or(${condition.test})`
    case "none":
      return not(sqlText`bool_or(${condition.test})`)
    default:
      return (condition.of === "all" ? allOf : anyOf)(
        byCost(condition.conditions).map(testOfSessions),
      )
  }
}

/** Postgres asks in the order written, and no further than it must. */
const byCost = (conditions: ReadonlyArray<Condition>): ReadonlyArray<Condition> =>
  conditions.toSorted((one, other) => costOf(one) - costOf(other))

const costOf = (condition: Condition): number =>
  condition.of === "row" ? 0 : condition.of === "look-up" ? 2 : readsSessions(condition) ? 3 : 1

const overSessions = (test: SqlText, scope: RuleScope): SqlText =>
  sqlText`(select ${test} from session where ${sessionsInWindow(scope)})`

/** A scalar query and no `exists`, which the planner might answer by reading all sessions there are. */
const someSession = (test: SqlText, scope: RuleScope): SqlText =>
  sqlText`coalesce((
      select true from session where ${sessionsInWindow(scope)} and ${test} limit 1), false)`
