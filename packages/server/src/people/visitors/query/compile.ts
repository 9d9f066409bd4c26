// Compiles a rule into one SQL condition on visitors or companies, with values as parameters. Pure (spec 3). However many
// parts of a rule test a subject's sessions, the index of sessions and their rows are each scanned at most once, and only
// if cheaper tests have not decided.
import { companyCondition } from "./company-conditions.ts"
import { type Condition, group, partRead, type SessionPart } from "./condition.ts"
import { propertyCondition } from "./counted.ts"
import { isTags, ownerCondition, tagsCondition } from "./mark-conditions.ts"
import { isPredicateOf, type Predicate } from "./predicate.ts"
import { intentScoreCondition, topicsCondition } from "./intent-conditions.ts"
import type { RuleNode } from "./rule.ts"
import { type RuleScope, sessionsInWindow } from "./rule-scope.ts"
import { behaviorCondition, isBehavior, textsCondition } from "./session-conditions.ts"
import { type SqlText, sqlText } from "../../../platform/database/sql-text.ts"
import { allOf, anyOf, not } from "./tests.ts"
import { visitorCondition } from "./visitor-conditions.ts"

/**
 * Returns the condition for a visitor or company to qualify; null counts as false.
 *
 * Use it in a statement that reads what `RuleScope` says. That statement must check that the subject was seen within
 * window and scope.
 */
export const compileRule = (rule: RuleNode, scope: RuleScope): SqlText =>
  testOfVisitor(conditionOf(rule, scope), scope)

const conditionOf = (node: RuleNode, scope: RuleScope): Condition => {
  if ("all" in node) return groupOf("all", node.all, scope)
  if ("any" in node) return groupOf("any", node.any, scope)
  return predicateCondition(node, scope)
}

const groupOf = (kind: "all" | "any", nodes: ReadonlyArray<RuleNode>, scope: RuleScope) =>
  group(
    kind,
    nodes.map((node) => conditionOf(node, scope)),
    anyOf,
  )

const predicateCondition = (predicate: Predicate, scope: RuleScope): Condition => {
  if (isPredicateOf(predicate, "texts")) {
    const { field } = predicate
    return isTags(field) ? tagsCondition(predicate, scope) : textsCondition(predicate, field, scope)
  }
  if (isPredicateOf(predicate, "member")) return ownerCondition(predicate, scope)
  if (isPredicateOf(predicate, "property")) return propertyCondition(predicate)
  if (isPredicateOf(predicate, "numbers")) return topicsCondition(predicate, scope)
  if (isPredicateOf(predicate, "number")) {
    const { field } = predicate
    if (isBehavior(field)) return behaviorCondition(field, predicate)
    if (field === "intent.score") return intentScoreCondition(predicate, scope)
  }
  return scope.subject === "companies"
    ? companyCondition(predicate, scope)
    : visitorCondition(predicate, scope)
}

/** A test of the visitor's row, reading sessions inside where needed. */
const testOfVisitor = (condition: Condition, scope: RuleScope): SqlText => {
  switch (condition.kind) {
    case "row":
    case "look-up":
      return condition.test
    case "some":
      return someSession(condition.test, scope)
    case "none":
      return sqlText`not ${someSession(condition.test, scope)}`
    case "sum":
      return overSessions(condition.test, scope)
    default: {
      const { conditions, kind } = condition
      const join = kind === "all" ? allOf : anyOf
      const reading = (part: SessionPart | undefined) =>
        conditions.filter((one) => partRead(one) === part)
      const together = (costly: ReadonlyArray<Condition>): ReadonlyArray<SqlText> =>
        costly.length > 1
          ? [overSessions(join(costly.map(testOfSessions)), scope)]
          : costly.map((one) => testOfVisitor(one, scope))
      return join([
        ...byCost(reading(undefined)).map((one) => testOfVisitor(one, scope)),
        ...together(reading("index")),
        ...together(reading("row")),
      ])
    }
  }
}

/** A test of all sessions together, where the visitor's row is available too. */
const testOfSessions = (condition: Condition): SqlText => {
  switch (condition.kind) {
    case "row":
    case "look-up":
    case "sum":
      return condition.test
    case "some":
      return sqlText`bool_or(${condition.test})`
    case "none":
      return not(sqlText`bool_or(${condition.test})`)
    default:
      return (condition.kind === "all" ? allOf : anyOf)(
        byCost(condition.conditions).map(testOfSessions),
      )
  }
}

/** Postgres evaluates conditions in this order and stops as soon as the result is known. */
const byCost = (conditions: ReadonlyArray<Condition>): ReadonlyArray<Condition> =>
  conditions.toSorted((one, other) => costOf(one) - costOf(other))

const costOf = (condition: Condition): number =>
  condition.kind === "row" ? 0 : condition.kind === "look-up" ? 2 : 1

const overSessions = (test: SqlText, scope: RuleScope): SqlText =>
  sqlText`(select ${test} from ${sessionsInWindow(scope)})`

const someSession = (test: SqlText, scope: RuleScope): SqlText =>
  sqlText`exists (select from ${sessionsInWindow(scope)} and ${test})`
