// Reads a rule from JSON: parses it, and looks up the lists that it tests. They must exist and have the right subject
// (spec 3.3). In a transaction, they can't be deleted until it ends.
import { Context, Effect, Layer, Result } from "effect"
import type { ListSubject } from "../../lists/list.ts"
import { Lists } from "../../lists/lists.ts"
import { InvalidRule } from "./invalid-rule.ts"
import { isPredicateOf, type PredicateOf, type RuleSubject } from "./predicate.ts"
import { parseRule, type RuleAst, type RuleNode } from "./rule.ts"

interface Tested {
  readonly predicate: PredicateOf<"list">
  /** JSON pointer to the predicate. */
  readonly path: string
}

const subjects: Readonly<Record<PredicateOf<"list">["field"], ListSubject>> = {
  "company.list": "companies",
  "contact.list": "people",
}

export class RuleReader extends Context.Service<
  RuleReader,
  {
    /** `subject`: what the rule selects; default: people. Errors: InvalidRule with the first error. */
    read(
      organizationId: string,
      value: unknown,
      subject?: RuleSubject,
    ): Effect.Effect<RuleAst, InvalidRule>
  }
>()("@footfall/server/visitors/RuleReader") {
  static readonly layer = Layer.effect(
    RuleReader,
    Effect.map(Lists, (lists) =>
      RuleReader.of({
        read: Effect.fnUntraced(function* (organizationId, value, subject) {
          const ast = yield* Effect.fromResult(parseRule(value, subject))
          const tested = testedLists(ast.rule, "/rule")
          if (tested.length === 0) return ast
          const ids = [...new Set(tested.map(({ predicate }) => predicate.value))]
          const found = yield* lists.subjects(organizationId, ids)
          for (const one of tested) yield* Effect.fromResult(checked(one, found))
          return ast
        }),
      }),
    ),
  )
}

const checked = (
  { path, predicate: { field, value } }: Tested,
  found: ReadonlyMap<string, ListSubject>,
): Result.Result<void, InvalidRule> => {
  const subject = found.get(value)
  const place = `${path}/value`
  if (subject === subjects[field]) return Result.void
  return subject === undefined
    ? InvalidRule.fail("unknown_list", place, `No list has the id ${value}.`)
    : InvalidRule.fail(
        "wrong_list",
        place,
        `Expected a list of ${subjects[field]} for ${field}, received a list of ${subject}.`,
      )
}

const testedLists = (node: RuleNode, path: string): ReadonlyArray<Tested> => {
  if ("all" in node) return testedAmong(node.all, `${path}/all`)
  if ("any" in node) return testedAmong(node.any, `${path}/any`)
  return isPredicateOf(node, "list") ? [{ predicate: node, path }] : []
}

const testedAmong = (nodes: ReadonlyArray<RuleNode>, path: string): ReadonlyArray<Tested> =>
  nodes.flatMap((node, index) => testedLists(node, `${path}/${index}`))
