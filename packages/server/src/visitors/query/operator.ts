// The operators of each field type and the value each takes (spec 3.2).
import { type FieldType, operators, type ValueKind } from "@footfall/normal-form/rule-fields"

type Operators = typeof operators

/** The operators of a field type that take a kind of value. */
export type OperatorOf<Type extends FieldType, Kind extends ValueKind = ValueKind> = {
  [Name in keyof Operators[Type]]: Operators[Type][Name] extends Kind ? Name : never
}[keyof Operators[Type]]

/** The names of all operators. */
export const operatorNames: ReadonlyArray<string> = [
  ...new Set(Object.values(operators).flatMap((table) => Object.keys(table))),
]

export const operatorsOf = (type: FieldType): ReadonlyArray<string> => Object.keys(operators[type])

/** The kind of value the operator takes; undefined if the type does not have the operator. */
export const valueKindOf = (type: FieldType, operator: string): ValueKind | undefined => {
  const table: Readonly<Record<string, ValueKind>> = operators[type]
  return Object.hasOwn(table, operator) ? table[operator] : undefined
}
