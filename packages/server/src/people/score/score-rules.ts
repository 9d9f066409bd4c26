// The rules of a score's settings: parsed like every rule, but none may test scores, and together they are bounded
// (spec 2.23).
import { isCompanyField } from "@footfall/normal-form/rule-fields"
import { Effect, Result } from "effect"
import type { Predicate } from "../visitors/query/predicate.ts"
import { InvalidRule } from "../visitors/query/invalid-rule.ts"
import type { RuleReader } from "../visitors/query/rule-reader.ts"
import type { RuleNode } from "../visitors/query/rule.ts"
import { predicatesOfAllMax } from "./score.ts"

interface RuleAt {
  /** JSON pointer to the rule in the body. */
  readonly path: string
  /** Any JSON. */
  readonly rule: unknown
}

/** The rules, parsed. Errors: InvalidRule with the first error, its pointer beginning at the body. */
export const readRules = Effect.fnUntraced(function* (
  reader: RuleReader["Service"],
  organizationId: string,
  rules: ReadonlyArray<RuleAt>,
) {
  const nodes: Array<RuleNode> = []
  let predicates = 0
  for (const { path, rule } of rules) {
    const ast = yield* Effect.mapError(
      reader.read(organizationId, { version: 1, rule }),
      (error) =>
        new InvalidRule({
          reason: error.reason,
          path: `${path}${error.path.slice("/rule".length)}`,
          message: error.message,
        }),
    )
    const tested = predicatesOf(ast.rule, path)
    for (const { at, predicate } of tested) yield* Effect.fromResult(allowed(predicate, at))
    predicates += tested.length
    if (predicates > predicatesOfAllMax) {
      return yield* Effect.fromResult(
        InvalidRule.fail(
          "too_many_predicates",
          path,
          `Expected at most ${predicatesOfAllMax} predicates in all entries together, received more.`,
        ),
      )
    }
    nodes.push(ast.rule)
  }
  return nodes
})

const allowed = ({ field }: Predicate, at: string): Result.Result<void, InvalidRule> =>
  field.startsWith("score.")
    ? InvalidRule.fail(
        "unknown_field",
        `${at}/field`,
        `Expected a field that is not a score, received "${field}".`,
      )
    : Result.void

const predicatesOf = (
  node: RuleNode,
  at: string,
): ReadonlyArray<{ readonly predicate: Predicate; readonly at: string }> => {
  const among = (nodes: ReadonlyArray<RuleNode>, key: string) =>
    nodes.flatMap((each, index) => predicatesOf(each, `${at}/${key}/${index}`))
  if ("all" in node) return among(node.all, "all")
  if ("any" in node) return among(node.any, "any")
  return [{ predicate: node, at }]
}

/** Whether a rule tests only what a company has, so that it can hold for the company itself. */
export const testsCompanies = (rule: RuleNode): boolean =>
  predicatesOf(rule, "").every(({ predicate }) => isCompanyField(predicate.field))
