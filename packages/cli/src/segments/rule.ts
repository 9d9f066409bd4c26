// Rules that select visitors: as options, as predicates, and as text.

import type { RuleAst, RuleNode, Timeframe } from "@footfall/sdk"
import { type Command, Option } from "commander"
import {
  type FieldType,
  fieldTypes,
  ofFields,
  type OfKind,
  operators,
} from "@footfall/normal-form/rule-fields"
import { usageError } from "../errors/cli-error.ts"
import { givenJson } from "../terminal/given-json.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { timeframes } from "../visitors/selection.ts"

/** For example `behavior.pageviews gte 3 and (company.seniority eq vp or …)`. */
export const ruleText = ({ rule }: RuleAst): string => nodeText(rule, false)

const nodeText = (node: RuleNode, isInside: boolean): string => {
  if (node.field !== undefined) {
    const of = node.of === undefined ? "" : ` of ${JSON.stringify(node.of)}`
    return `${node.field}${of} ${node.op} ${valueText(node.value)}`
  }
  const nodes = node.all ?? node.any ?? []
  const text = nodes
    .map((one) => nodeText(one, nodes.length > 1))
    .join(node.all === undefined ? " or " : " and ")
  return isInside && nodes.length > 1 ? `(${text})` : text
}

const valueText = (value: unknown): string =>
  Array.isArray(value) ? value.map(valueText).join(",") : String(value)

/** A leaf as sent; the server checks it. */
interface WrittenPredicate {
  readonly field: string
  readonly of?: string | number
  readonly op: string
  readonly value: unknown
}

/** Errors: usage, if a part is missing or the value has the wrong type. */
export const predicate = (text: string): WrittenPredicate => {
  const [, field, written, op, value] =
    /^\s*(\S+)(?:\s+of\s+("(?:[^"\\]|\\.)*"|'[^']*'|\S+))?\s+(\S+)(?:\s+(.*?))?\s*$/s.exec(text) ??
    []
  if (field === undefined || op === undefined || op === "of") throw notAPredicate(text)
  const of = written === undefined ? {} : { of: ofOf(field, unquoted(written)) }
  if (op === "exists") return { field, ...of, op, value: booleanOf(value ?? "true", text) }
  if (value === undefined || value === "") throw notAPredicate(text)
  return { field, ...of, op, value: valueOf({ field, op, value, text }) }
}

/** The id of a topic is a number. */
const ofOf = (field: string, written: string): string | number =>
  ofKindOf(field) === "topic" && written !== "" && Number.isFinite(Number(written))
    ? Number(written)
    : written

interface Parts {
  readonly field: string
  readonly op: string
  readonly value: string
  readonly text: string
}

const valueOf = ({ field, op, value, text }: Parts): unknown => {
  const type = typeOfField(field)
  if (op === "between" || (type === "numbers" && listOperators.has(op))) {
    return items(value).map((item) => numberOf(item, text))
  }
  if (listOperators.has(op)) return items(value).map(unquoted)
  if (type === "number" || numberOperators.has(op)) return numberOf(value, text)
  if (type === "property") return scalarOf(op, value)
  if (type === "boolean") return booleanOf(value, text)
  return unquoted(value)
}

/** Of all types that have them. */
const numberOperators: ReadonlySet<string> = new Set(["gt", "gte", "lt", "lte", "count_gte"])

/** `eq` and `neq` take a number or a text; a number in quotes is a text. */
const scalarOf = (op: string, value: string): unknown =>
  (op === "eq" || op === "neq") && Number.isFinite(Number(value)) ? Number(value) : unquoted(value)

/** Their value is a list, separated by commas or as JSON. */
const listOperators: ReadonlySet<string> = new Set(["in", "not_in", "any_in", "none_in"])

const items = (value: string): ReadonlyArray<string> => {
  const list = value.startsWith("[") ? jsonOf(value) : undefined
  return Array.isArray(list) ? list.map(String) : value.split(",").map((item) => item.trim())
}

const numberOf = (value: string, text: string): number => {
  const number = Number(value)
  if (value !== "" && Number.isFinite(number)) return number
  throw usageError(`"${text}" compares numbers, but "${value}" is not a number.`)
}

const booleanOf = (value: string, text: string): boolean => {
  if (value === "true" || value === "false") return value === "true"
  throw usageError(`"${text}" compares true or false, but the value is "${value}".`)
}

/** Quotes are optional and not part of the value. */
const unquoted = (value: string): string => {
  const quoted = /^"[^]*"$/.test(value) ? jsonOf(value) : undefined
  if (typeof quoted === "string") return quoted
  return /^'[^']*'$/.test(value) ? value.slice(1, -1) : value
}

/** What the field's `of` names, for example `event`; undefined if it takes none. */
export const ofKindOf = (field: string): OfKind | undefined =>
  Object.entries(ofFields).find(([name]) => name === field)?.[1]

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const notAPredicate = (text: string): Error =>
  usageError(
    `"${text}" is not a predicate: expected a field, an operator and a value.`,
    "For example: --where 'behavior.pageviews gte 3'",
  )

/** Longer nodes are cut; the pointer still says where they are. */
const NODE_LENGTH_MAX = 300

/**
 * Awaits the call. Errors: its own. The error for an invalid rule shows the node that the server
 * reports.
 */
export const withNodeShown = async <Result>(
  ruleAst: RuleAst | null,
  call: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await call()
  } catch (error) {
    // Loaded only now, because this module is also loaded for commands that do not use a rule.
    const { ApiError, BadRequestError } = await import("@footfall/sdk")
    const invalid = error instanceof BadRequestError ? error.invalidRule : null
    if (ruleAst === null || invalid === null || !(error instanceof ApiError)) throw error
    const { status, code, message, requestId, details, retryAfterSeconds } = error
    throw new ApiError({
      status,
      code,
      message: `${message} ${placeText(ruleAst, invalid.path)}${helpText(ruleAst, invalid)}`,
      requestId,
      details,
      retryAfterSeconds,
    })
  }
}

const placeText = (ruleAst: RuleAst, pointer: string): string => {
  const text = JSON.stringify(nodeAt(ruleAst, pointer))
  const node = text.length > NODE_LENGTH_MAX ? `${text.slice(0, NODE_LENGTH_MAX)}…` : text
  return `The error is at ${pointer === "" ? "the top" : pointer} of the rule, in: ${node}`
}

const ofExamples: Readonly<Record<OfKind, string>> = {
  event: 'behavior.event_count of "Signed up" gte 1',
  property: 'behavior.event_property of "Signed up.plan" eq pro',
  path: "behavior.path_views of /pricing gte 2",
  topic: "intent.score of 1203 gte 70",
}

/** Suggests what to write instead of an unknown field or operator. */
const helpText = (
  ruleAst: RuleAst,
  { path, reason }: { readonly path: string; readonly reason: string },
): string => {
  const node = nodeAt(ruleAst, path)
  const field =
    typeof node === "object" && node !== null && "field" in node ? String(node.field) : ""
  const type = typeOfField(field)
  const all = "To list fields and operators: footfall visitors fields."
  if (path.endsWith("/of") && ofKindOf(field) !== undefined) {
    return `. For example: --where '${ofExamples[ofKindOf(field)!]}'`
  }
  if (reason === "unknown_field") return `. Closest: ${closestFields(field).join(", ")}. ${all}`
  return reason.includes("operator") && type !== undefined
    ? `. Operators of ${field}: ${operatorsOf(type).join(", ")}. ${all}`
    : ""
}

/**
 * The innermost object on the path. For a predicate, that includes all three parts, not only the
 * wrong one.
 */
const nodeAt = (ruleAst: RuleAst, pointer: string): unknown => {
  let node: unknown = ruleAst
  let innermost: unknown = ruleAst
  for (const step of pointer.split("/").slice(1)) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~")
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, name)) break
    node = Reflect.get(node, name)
    if (typeof node === "object" && node !== null && !Array.isArray(node)) innermost = node
  }
  return innermost
}

export interface RuleOptions {
  readonly rule?: string
  readonly where?: ReadonlyArray<string>
  readonly any?: true
  readonly window?: Timeframe
}

/** Adds `--rule`, `--where` and `--any`. */
export const addRuleOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        "--rule <rule>",
        "a rule: a JSON file, `-` for standard input, or the JSON itself",
      ).conflicts(["where", "any"]),
    )
    .addOption(
      new Option(
        "--where <predicate>",
        "`field operator value`; if repeated, all must match",
      ).argParser((text: string, before: ReadonlyArray<string> = []) => [...before, text]),
    )
    .option("--any", "match any --where instead of all")

/** `--window`, for a saved rule. */
export const windowOption = (): Option =>
  new Option("--window <window>", "how far the rule looks back (default: 30d)").choices(timeframes)

/** Like `givenRule`. Errors: also usage, if no rule is given. */
export const requiredRule = async (terminal: Terminal, options: RuleOptions): Promise<RuleAst> => {
  const rule = await givenRule(terminal, options)
  if (rule !== null) return rule
  throw usageError("No rule given.", "Add --rule, or --where 'behavior.pageviews gte 3'")
}

/**
 * The given rule with the given window; null if no rule is given. Errors: usage, for invalid JSON, a value that is not
 * an object, or an unreadable file.
 */
export const givenRule = async (
  terminal: Terminal,
  options: RuleOptions,
): Promise<RuleAst | null> => {
  const rule = await writtenRule(terminal, options)
  if (rule !== null)
    return options.window === undefined ? rule : { ...rule, window: options.window }
  if (options.window !== undefined) throw usageError("--window needs a rule.")
  return null
}

const writtenRule = async (
  terminal: Terminal,
  { rule, where, any }: RuleOptions,
): Promise<RuleAst | null> => {
  if (rule !== undefined) return completeRule(await givenJson(terminal, rule, "rule"))
  if (where === undefined) {
    if (any) throw usageError("--any needs a --where.")
    return null
  }
  const predicates = where.map(predicate)
  const [only] = predicates
  if (predicates.length === 1 && only !== undefined) return completeRule({ ...only })
  return completeRule(any ? { any: predicates } : { all: predicates })
}

/**
 * A single node (`{"all": …}` or a predicate) becomes a rule of version 1. The server decides whether the rule is
 * valid, because it knows every field.
 */
const completeRule = (given: Readonly<Record<string, unknown>>): RuleAst => {
  const normalized = "all" in given || "any" in given || "field" in given ? { rule: given } : given
  return { version: 1, ...normalized } as unknown as RuleAst
}

// The fields of rules with their types, and the operators of each type (spec 3.2, 3.3).
export const fieldTypeNames = Object.keys(operators) as ReadonlyArray<FieldType> // its keys

export const operatorsOf = (type: FieldType): ReadonlyArray<string> => Object.keys(operators[type])

/** Every field. `custom.<key>` is any key of custom attribution. */
export const ruleFields: ReadonlyArray<{ readonly field: string; readonly type: FieldType }> = [
  ...Object.entries(fieldTypes).map(([field, type]) => ({ field, type })),
  { field: "custom.<key>", type: "text" },
]

/** Undefined for an unknown field, including a field of a newer server. */
export const typeOfField = (field: string): FieldType | undefined =>
  field.startsWith("custom.") ? "text" : ruleFields.find((one) => one.field === field)?.type

const CLOSEST_SHOWN = 3

/** The fields with the most similar names, most similar first. */
export const closestFields = (text: string): ReadonlyArray<string> =>
  ruleFields
    .map(({ field }) => ({ field, likeness: likeness(text.toLowerCase(), field) }))
    .filter((one) => one.likeness > 0)
    .toSorted((a, b) => b.likeness - a.likeness)
    .slice(0, CLOSEST_SHOWN)
    .map(({ field }) => field)

/** The share of neighboring letter pairs that two texts have in common (Dice). */
const likeness = (one: string, other: string): number => {
  const [mine, theirs] = [pairs(one), pairs(other)]
  const shared = [...mine].filter((pair) => theirs.has(pair)).length
  return (2 * shared) / (mine.size + theirs.size)
}

const pairs = (text: string): ReadonlySet<string> =>
  new Set(Array.from(text.slice(1), (letter, at) => text[at]! + letter))
