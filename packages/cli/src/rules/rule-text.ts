// A rule in one line, as it would be written with --where.

import type { RuleAst, RuleNode } from "@footfall/sdk"

/** For example `behavior.pageviews gte 3 and (company.seniority eq vp or …)`. */
export const ruleText = ({ rule }: RuleAst): string => nodeText(rule, false)

const nodeText = (node: RuleNode, isInside: boolean): string => {
  if (node.field !== undefined) return `${node.field} ${node.op} ${valueText(node.value)}`
  const nodes = node.all ?? node.any ?? []
  const text = nodes
    .map((one) => nodeText(one, nodes.length > 1))
    .join(node.all === undefined ? " or " : " and ")
  return isInside && nodes.length > 1 ? `(${text})` : text
}

const valueText = (value: unknown): string =>
  Array.isArray(value) ? value.map(valueText).join(",") : String(value)
