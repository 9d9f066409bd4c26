// A qualification rule: groups and predicates over a visitor's data (spec 3). Parsing is strict and bounded, and
// reports the first error in document order. A parsed rule is plain JSON again, with its texts trimmed.
import { isCompanyField, isOfOptional } from "@footfall/normal-form/rule-fields"
import { Result } from "effect"
import { pointer, show } from "../../../platform/http/issues.ts"
import { type Period, Timeframe } from "../timeframe.ts"
import {
  isField,
  ofKindOf,
  operatorNames,
  operatorsOf,
  type Predicate,
  type RuleSubject,
  typeOfField,
  valueKindOf,
} from "./predicate.ts"
import { InvalidRule } from "./invalid-rule.ts"
import { readOf } from "./of.ts"
import { readValue } from "./value.ts"

/** Maximum leaves of a rule. */ // spec 10.3
export const predicatesMax = 50
/** Maximum levels of a rule: a lone predicate has one, every group adds one. */ // spec 10.3
export const depthMax = 8
/** The window of a rule without one. spec 3.1. */
const defaultWindow: Timeframe = "30d"

export type RuleNode =
  | { readonly all: ReadonlyArray<RuleNode> }
  | { readonly any: ReadonlyArray<RuleNode> }
  | Predicate

export interface RuleAst {
  readonly version: 1
  readonly window?: Timeframe
  readonly rule: RuleNode
}

/** Returns the window to evaluate a rule in. The request's own takes precedence. */
export const windowOf = (ast: RuleAst, override: Period | undefined): Period =>
  override ?? ast.window ?? defaultWindow

/**
 * Parses a rule from JSON.
 *
 * *Limits*: 50 predicates, depth 8; deeper nesting is not inspected. *Errors*: InvalidRule with the first error; a
 * missing key counts as coming after all present keys.
 */
export const parseRule = (
  value: unknown,
  subject: RuleSubject = "people",
): Result.Result<RuleAst, InvalidRule> =>
  Result.gen(function* () {
    const ast = yield* readObject(value, "")
    const node: { value: RuleNode | undefined } = { value: undefined }
    for (const key of keysOf(ast, ["version", "window", "rule"])) {
      // own keys: `key` is one of the object's own
      const member = ast[key]
      const path = pointer([key])
      if (key === "version") yield* checkVersion(member, path)
      else if (key === "window") yield* checkWindow(member, ast, path)
      else if (key === "rule")
        node.value = yield* readNode(member, path, 1, { subject, predicates: 0 })
      else yield* unknownKey(key, path, "version, window and rule")
    }
    const window = ast["window"] as Timeframe | undefined // checked above
    return {
      version: 1,
      ...(window === undefined ? {} : { window }),
      rule: node.value!, // `rule` is among the keys
    } satisfies RuleAst
  })

type Read<A> = Result.Result<A, InvalidRule>
type Members = Readonly<Record<string, unknown>>

/** The present keys in their order, then the missing ones. */
const keysOf = (members: Members, expected: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set([...Object.keys(members), ...expected]),
]

const readObject = (value: unknown, path: string): Read<Members> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Result.succeed(value as Members) // a JSON object
    : InvalidRule.fail("wrong_value_type", path, `Expected an object, received ${received(value)}.`)

const checkVersion = (value: unknown, path: string): Read<void> =>
  value === 1
    ? Result.void
    : InvalidRule.fail("unsupported_version", path, `Expected 1, received ${received(value)}.`)

const windows: ReadonlyArray<unknown> = Timeframe.literals

const checkWindow = (value: unknown, ast: Members, path: string): Read<void> =>
  windows.includes(value) || !Object.hasOwn(ast, "window")
    ? Result.void
    : InvalidRule.fail(
        "bad_window",
        path,
        `Expected one of ${windows.join(", ")}, received ${received(value)}.`,
      )

interface Reading {
  readonly subject: RuleSubject
  /** Their number so far. */
  predicates: number
}

const readNode = (value: unknown, path: string, depth: number, reading: Reading): Read<RuleNode> =>
  Result.gen(function* () {
    if (depth > depthMax) {
      return yield* InvalidRule.fail(
        "too_deep",
        path,
        `Expected at most ${depthMax} levels, received more.`,
      )
    }
    const members = yield* readObject(value, path)
    const first = Object.keys(members).find((key) => nodeKeys.has(key))
    return first === "all" || first === "any"
      ? yield* readGroup(first, members, path, depth, reading)
      : yield* readPredicate(members, path, reading)
  })

const nodeKeys = new Set(["all", "any", "field", "of", "op", "value"])

const readGroup = (
  kind: "all" | "any",
  members: Members,
  path: string,
  depth: number,
  reading: Reading,
): Read<RuleNode> =>
  Result.gen(function* () {
    const nodes: Array<RuleNode> = []
    for (const key of Object.keys(members)) {
      const place = path + pointer([key])
      if (key !== kind) yield* unknownKey(key, place, `${kind} alone`)
      const children = members[kind]
      if (!Array.isArray(children)) {
        return yield* InvalidRule.fail(
          "wrong_value_type",
          place,
          `Expected a list of nodes, received ${received(children)}.`,
        )
      }
      if (children.length === 0) {
        return yield* InvalidRule.fail("empty_group", place, "Expected at least one node.")
      }
      for (const [index, child] of children.entries()) {
        nodes.push(yield* readNode(child, `${place}/${index}`, depth + 1, reading))
      }
    }
    return kind === "all" ? { all: nodes } : { any: nodes }
  })

const readPredicate = (members: Members, path: string, reading: Reading): Read<Predicate> =>
  Result.gen(function* () {
    reading.predicates += 1
    if (reading.predicates > predicatesMax) {
      return yield* InvalidRule.fail(
        "too_many_predicates",
        path,
        `Expected at most ${predicatesMax} predicates, received more.`,
      )
    }
    if (Object.keys(members).length === 0) {
      return yield* InvalidRule.fail(
        "wrong_value_type",
        path,
        "Expected all, any, or field, op and value; received an empty object.",
      )
    }
    const { field, op } = members
    const ofKind = isField(field) ? ofKindOf(field) : undefined
    const needsOf = ofKind !== undefined && isField(field) && !isOfOptional(field)
    let of: string | number | undefined
    let value: unknown
    for (const key of keysOf(members, ["field", ...(needsOf ? ["of"] : []), "op", "value"])) {
      const place = path + pointer([key])
      if (key === "field") yield* checkField(field, reading.subject, place)
      else if (key === "op") yield* checkOperator(field, op, place)
      else if (key === "value") value = yield* checkValue(members, place)
      else if (key === "of" && ofKind !== undefined)
        of = yield* readOf(ofKind, members["of"], place)
      else if (key === "of" && !isField(field)) continue // the field's error is reported
      else yield* unknownKey(key, place, "all, any, or field, op and value")
    }
    // They were checked against each other.
    return { field, ...(of === undefined ? {} : { of }), op, value } as Predicate
  })

const checkField = (field: unknown, subject: RuleSubject, path: string): Read<void> => {
  if (!isField(field)) {
    return InvalidRule.fail(
      "unknown_field",
      path,
      field === undefined ? "Expected a field, received none." : `Unknown field ${show(field)}.`,
    )
  }
  return subject === "people" || isCompanyField(field)
    ? Result.void
    : InvalidRule.fail(
        "unknown_field",
        path,
        `Expected a field that companies have, received ${show(field)}, a field of people.`,
      )
}

const checkOperator = (field: unknown, op: unknown, path: string): Read<void> => {
  if (typeof op !== "string" || !operatorNames.includes(op)) {
    return InvalidRule.fail(
      "unknown_operator",
      path,
      op === undefined ? "Expected an operator, received none." : `Unknown operator ${show(op)}.`,
    )
  }
  if (!isField(field)) return Result.void
  const type = typeOfField(field)
  if (valueKindOf(type, op) !== undefined) return Result.void
  return InvalidRule.fail(
    "operator_not_for_type",
    path,
    `Expected one of ${operatorsOf(type).join(", ")} for ${field}, received ${show(op)}.`,
  )
}

/** With a wrong field or operator, the value can't be judged, so their error is reported instead. */
const checkValue = ({ field, op, value }: Members, path: string): Read<unknown> => {
  const kind =
    isField(field) && typeof op === "string" ? valueKindOf(typeOfField(field), op) : undefined
  return kind === undefined ? Result.void : readValue(kind, value, path)
}

const unknownKey = (key: string, path: string, expected: string): Read<never> =>
  InvalidRule.fail("unknown_key", path, `Expected ${expected}, received ${show(key)}.`)

const received = (value: unknown): string => (value === undefined ? "none" : show(value))
