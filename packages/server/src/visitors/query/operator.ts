// The operators of each type of field, and what value each takes (spec 3.2).
import { type FieldType, operators, type ValueKind } from "@footfall/normal-form/rule-fields"

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
