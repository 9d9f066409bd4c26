// The operators of each type of field, and what value each takes (spec 3.2).
import type { FieldType } from "./field.ts"

/** `moment`: an ISO 8601 timestamp or date. `duration`: `36h` or `14d`. */
export type ValueKind = "number" | "range" | "text" | "texts" | "boolean" | "moment" | "duration"

const anyType = { exists: "boolean" } as const

const operators = {
  number: {
    eq: "number",
    neq: "number",
    gt: "number",
    gte: "number",
    lt: "number",
    lte: "number",
    between: "range",
    ...anyType,
  },
  text: {
    eq: "text",
    neq: "text",
    contains: "text",
    not_contains: "text",
    starts_with: "text",
    ends_with: "text",
    in: "texts",
    not_in: "texts",
    ...anyType,
  },
  texts: {
    any_eq: "text",
    any_contains: "text",
    any_starts_with: "text",
    none_contains: "text",
    any_in: "texts",
    ...anyType,
  },
  boolean: { eq: "boolean", ...anyType },
  datetime: {
    before: "moment",
    after: "moment",
    within: "duration",
    not_within: "duration",
    ...anyType,
  },
} as const satisfies Readonly<Record<FieldType, Readonly<Record<string, ValueKind>>>>

type Operators = typeof operators

/** The operators of a type of field that take a kind of value. */
export type OperatorOf<Type extends FieldType, Kind extends ValueKind = ValueKind> = {
  [Name in keyof Operators[Type]]: Operators[Type][Name] extends Kind ? Name : never
}[keyof Operators[Type]]

/** The names of all operators. */
export const operatorNames: ReadonlyArray<string> = [
  ...new Set(Object.values(operators).flatMap((table) => Object.keys(table))),
]

export const operatorsOf = (type: FieldType): ReadonlyArray<string> => Object.keys(operators[type])

/** What value the operator takes; undefined when the type does not have it. */
export const valueKindOf = (type: FieldType, operator: string): ValueKind | undefined => {
  const table: Readonly<Record<string, ValueKind>> = operators[type]
  return Object.hasOwn(table, operator) ? table[operator] : undefined
}
