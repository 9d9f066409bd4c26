// Names of lists in a rule. People write `company.list in_list 'Target accounts'`; the server takes ids.

import type { Footfall, List, RuleAst, RuleNode } from "@footfall/sdk"
import { idOfName } from "../command/names.ts"
import { asId } from "../command/reference.ts"

/** The rule with the ids of its lists. Asks the server only for names. Errors: as for `idOfName`. */
export const withListIds = async (client: Footfall, ruleAst: RuleAst): Promise<RuleAst> => {
  if (!hasName(ruleAst.rule)) return ruleAst
  const lists: Array<List> = []
  for await (const list of client.lists.list({ limit: 100 })) lists.push(list)
  return { ...ruleAst, rule: resolved(ruleAst.rule, lists) }
}

/** The name that a condition has instead of an id. A rule is as the user wrote it, so anything may be missing. */
const nameIn = ({ op, value }: Partial<RuleNode>): string | undefined =>
  (op === "in_list" || op === "not_in_list") &&
  typeof value === "string" &&
  asId(value) === undefined
    ? value
    : undefined

const hasName = (node: RuleNode): boolean => {
  const nodes = node.all ?? node.any
  return Array.isArray(nodes) ? nodes.some(hasName) : nameIn(node) !== undefined
}

const resolved = (node: RuleNode, lists: ReadonlyArray<List>): RuleNode => {
  if (Array.isArray(node.all)) return { all: node.all.map((one) => resolved(one, lists)) }
  if (Array.isArray(node.any)) return { any: node.any.map((one) => resolved(one, lists)) }
  const name = nameIn(node)
  if (name === undefined) return node
  const subject = node.field === "contact.list" ? "people" : "companies"
  const value = idOfName(
    lists.filter((list) => list.subject === subject),
    name,
    { noun: `list of ${subject}`, listCommand: "footfall lists list" },
  )
  return { ...node, value } as RuleNode
}
