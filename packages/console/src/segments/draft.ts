// A rule during editing. Its values are the typed texts, and conditions may be incomplete. Pure.
import type { RuleAst, RuleNode, Timeframe } from "@footfall/sdk"
import { fieldOf, operatorOf, operatorsOf, type Operator } from "./fields.ts"

export interface Condition {
  readonly id: string
  readonly field: string
  /** What the field is about; empty for most. */
  readonly of: string
  readonly op: string
  /** One text, two for a range, number and unit for a duration, several for a list. */
  readonly values: ReadonlyArray<string>
}

export interface Group {
  readonly id: string
  readonly mode: "all" | "any"
  readonly nodes: ReadonlyArray<Node>
}

export type Node = Condition | Group

export interface Draft {
  readonly window: Timeframe
  readonly rule: Group
}

/** Per rule. spec 3.1.4 */
export const conditionsMax = 50
/** Maximum depth of nested groups. A condition adds one level, and the limit is 8. */
export const groupsDeepMax = 7
/** Maximum number of values in a list. spec 3.1.8 */
const itemsMax = 1_000

let lastId = 0
const newId = (): string => {
  lastId += 1
  return `node-${lastId}`
}

export const isGroup = (node: Node): node is Group => "nodes" in node

export const newCondition = (field = "behavior.pageviews"): Condition => {
  const kind = fieldOf(field)?.kind ?? "text"
  const [operator] = operatorsOf[kind]
  return { id: newId(), field, of: "", op: operator?.op ?? "eq", values: emptyValues(operator) }
}

export const newGroup = (): Group => ({ id: newId(), mode: "any", nodes: [newCondition()] })

export const newDraft = (): Draft => ({
  window: "30d",
  rule: {
    id: newId(),
    mode: "all",
    nodes: [{ ...newCondition("behavior.pricing_page_views"), values: ["1"] }],
  },
})

const emptyValues = (operator: Operator | undefined): ReadonlyArray<string> => {
  if (operator?.takes === "yes") return ["true"]
  if (operator?.takes === "duration") return ["7", "d"]
  if (operator?.takes === "two") return ["", ""]
  return [""]
}

/** Changes the field, and keeps operator and value if they fit. What the field is about never fits another field. */
export const withField = (condition: Condition, field: string): Condition => {
  const before = fieldOf(condition.field)?.kind
  const kind = fieldOf(field)?.kind ?? "text"
  if (before === kind) return { ...condition, field, of: "" }
  return { ...newCondition(field), id: condition.id }
}

/** Changes the operator, and keeps the value if it fits. */
export const withOperator = (condition: Condition, op: string): Condition => {
  const kind = fieldOf(condition.field)?.kind ?? "text"
  const [before, after] = [operatorOf(kind, condition.op), operatorOf(kind, op)]
  const isOfText = (operator: Operator | undefined) =>
    ["one", "many", "scalar"].includes(operator?.takes ?? "")
  const stays =
    before?.takes === after?.takes || (isOfText(before) && isOfText(after) && kind !== "number")
  return { ...condition, op, values: stays ? condition.values : emptyValues(after) }
}

export const conditionCount = (node: Node): number =>
  isGroup(node) ? node.nodes.reduce((sum, each) => sum + conditionCount(each), 0) : 1

/** Changes the node with this id. Null removes it, and also its group if that is then empty. */
export const changed = (group: Group, id: string, change: (node: Node) => Node | null): Group => ({
  ...group,
  nodes: group.nodes.flatMap((node) => {
    if (node.id === id) return change(node) ?? []
    if (!isGroup(node)) return [node]
    const inside = changed(node, id, change)
    return inside.nodes.length === 0 ? [] : [inside]
  }),
})

/** Undefined while a condition is incomplete. */
export const ruleOf = ({ rule, window }: Draft): RuleAst | undefined => {
  const node = nodeOf(rule)
  return node === undefined ? undefined : { version: 1, window, rule: node }
}

const nodeOf = (node: Node): RuleNode | undefined => {
  if (!isGroup(node)) return predicateOf(node)
  const nodes = node.nodes.map(nodeOf)
  if (nodes.length === 0 || nodes.some((each) => each === undefined)) return undefined
  const complete = nodes.filter((each) => each !== undefined)
  return node.mode === "all" ? { all: complete } : { any: complete }
}

const predicateOf = ({ field, of, op, values }: Condition): RuleNode | undefined => {
  const { kind, of: about } = fieldOf(field) ?? {}
  const operator = kind === undefined ? undefined : operatorOf(kind, op)
  if (kind === undefined || operator === undefined) return undefined
  const value = valueOf(operator, kind === "number", values)
  const named = namedOf(about, of.trim())
  if (value === undefined || named === undefined) return undefined
  // The tables in fields.ts match field, operator and value, but the compiler can't see that.
  return { field, ...named, op, value } as unknown as RuleNode
}

/** Undefined while it is incomplete. */
const namedOf = (
  about: { readonly isTopic?: true } | undefined,
  of: string,
): { readonly of?: string | number } | undefined => {
  if (about === undefined) return {}
  if (about.isTopic !== true) return of === "" ? undefined : { of }
  if (of === "") return {}
  const topicId = numberOf(of)
  return topicId === undefined ? undefined : { of: topicId }
}

const valueOf = (
  { takes }: Operator,
  isNumber: boolean,
  values: ReadonlyArray<string>,
): unknown => {
  const [first = "", second = ""] = values.map((value) => value.trim())
  if (takes === "yes") return first === "true"
  if (takes === "many" || takes === "members" || takes === "numbers") {
    const items = values.map((value) => value.trim()).filter((value) => value !== "")
    if (items.length === 0 || items.length > itemsMax) return undefined
    if (takes !== "numbers") return items
    const numbers = items.map(numberOf)
    return numbers.includes(undefined) ? undefined : numbers
  }
  if (takes === "two") {
    const range = [numberOf(first), numberOf(second)]
    return range.some((value) => value === undefined) ? undefined : range
  }
  if (takes === "duration") {
    return /^[1-9]\d{0,3}$/.test(first) ? `${first}${second}` : undefined
  }
  if (isNumber || takes === "number") return numberOf(first)
  if (takes === "scalar")
    return numberOf(first) ?? (unquoted(first) === "" ? undefined : unquoted(first))
  return first === "" ? undefined : first
}

const numberOf = (text: string): number | undefined =>
  text === "" || !Number.isFinite(Number(text)) ? undefined : Number(text)

/** A text that looks like a number is written in quotes. */
const unquoted = (text: string): string => /^"(.*)"$/.exec(text)?.[1] ?? text

/** The input isn't a rule that the builder can show. */
export class NoRule extends Error {}

/** Throws NoRule with the reason. */
export const draftOf = (rule: unknown): Draft => {
  if (!isRecord(rule) || rule["version"] !== 1) throw new NoRule('A rule needs "version": 1.')
  const window = windows.find((each) => each === (rule["window"] ?? "30d"))
  if (window === undefined) throw new NoRule(`"window" must be one of ${windows.join(", ")}.`)
  const node = draftNode(rule["rule"], 1)
  return {
    window,
    rule: isGroup(node) ? node : { id: newId(), mode: "all", nodes: [node] },
  }
}

const windows: ReadonlyArray<Timeframe> = ["24h", "7d", "14d", "30d", "90d", "all"]

const draftNode = (node: unknown, depth: number): Node => {
  if (!isRecord(node)) throw new NoRule("A rule consists of groups and conditions.")
  for (const mode of ["all", "any"] as const) {
    const nodes = node[mode]
    if (nodes === undefined) continue
    if (!Array.isArray(nodes) || nodes.length === 0) {
      throw new NoRule(`"${mode}" must be a list with at least one condition.`)
    }
    if (depth > groupsDeepMax) throw new NoRule("Groups can be at most 7 levels deep.")
    return { id: newId(), mode, nodes: nodes.map((each) => draftNode(each, depth + 1)) }
  }
  const { field, of, op, value } = node
  const known = typeof field === "string" ? fieldOf(field) : undefined
  if (known === undefined) throw new NoRule(`There is no field ${JSON.stringify(field)}.`)
  const operator = typeof op === "string" ? operatorOf(known.kind, op) : undefined
  if (operator === undefined) {
    throw new NoRule(`The field ${known.field} has no operator ${JSON.stringify(op)}.`)
  }
  return {
    id: newId(),
    field: known.field,
    of: typeof of === "string" || typeof of === "number" ? String(of) : "",
    op: operator.op,
    values: textsOf(operator, value),
  }
}

const textsOf = ({ takes }: Operator, value: unknown): ReadonlyArray<string> => {
  const [, amount = "", unit = ""] = /^(\d+)([hd])$/.exec(String(value)) ?? []
  if (takes === "duration") return [amount, unit === "" ? "d" : unit]
  if (Array.isArray(value)) return value.map(String)
  if (takes === "scalar" && typeof value === "string" && numberOf(value) !== undefined) {
    return [`"${value}"`]
  }
  return [value === undefined || value === null ? "" : String(value)]
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
