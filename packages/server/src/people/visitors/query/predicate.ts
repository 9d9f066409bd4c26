// One predicate of a rule: a field, an operator of its type, and a value (spec 3). Some fields are about one of many,
// which `of` names.
import {
  type FieldType,
  fieldTypes,
  ofFields,
  type OfKind,
  operators,
  type ValueKind,
} from "@footfall/normal-form/rule-fields"
import { Schema } from "effect"

/** What a rule selects. */
export const RuleSubject = Schema.Literals(["people", "companies"])
export type RuleSubject = typeof RuleSubject.Type

/** A leaf of a rule. Texts are trimmed. */
export type Predicate =
  | PredicateOf<"number">
  | PredicateOf<"text">
  | PredicateOf<"texts">
  | PredicateOf<"boolean">
  | PredicateOf<"datetime">
  | PredicateOf<"property">
  | PredicateOf<"list">
  | PredicateOf<"numbers">
  | PredicateOf<"member">

/** A leaf whose field has the type. */
export type PredicateOf<Type extends FieldType> = {
  [Kind in ValueKind]: OperatorOf<Type, Kind> extends never
    ? never
    : {
        readonly field: FieldOf<Type>
        /** For the fields of `ofKindOf` alone. A number for a topic, otherwise a text. */
        readonly of?: string | number
        readonly op: OperatorOf<Type, Kind>
        readonly value: Values[Kind]
      }
}[ValueKind]

interface Values {
  readonly number: number
  readonly range: readonly [min: number, max: number]
  readonly text: string
  readonly scalar: string | number
  readonly texts: ReadonlyArray<string>
  readonly numbers: ReadonlyArray<number>
  readonly boolean: boolean
  readonly moment: string
  readonly duration: string
  readonly list: string
  readonly member: string
  readonly members: ReadonlyArray<string>
}

/** Narrows by field type, which the compiler can't infer from names. */
export const isPredicateOf = <Type extends FieldType>(
  predicate: { readonly field: Field },
  type: Type,
): predicate is PredicateOf<Type> => typeOfField(predicate.field) === type

// The operators of each field type and the value each takes (spec 3.2).
type Operators = typeof operators

/** The operators of a field type that take a kind of value. */
type OperatorOf<Type extends FieldType, Kind extends ValueKind = ValueKind> = {
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

// The fields of a rule, by type; the type decides the operators (spec 3.3). A `custom.` field is the value of one key
// of customAttribution.
type FieldTypes = typeof fieldTypes
export type CustomField = `custom.${string}`

/** The fields of a type. */
export type FieldOf<Type extends FieldType> =
  | { [Name in keyof FieldTypes]: FieldTypes[Name] extends Type ? Name : never }[keyof FieldTypes]
  | ("text" extends Type ? CustomField : never)

export type Field = FieldOf<FieldType>

/** Every field except custom ones, which are unlimited. */
export const fieldNames = Object.keys(fieldTypes) as ReadonlyArray<keyof FieldTypes> // the table's own keys

export const customPattern = /^custom\.[A-Za-z0-9_.-]{1,64}$/

export const isField = (name: unknown): name is Field =>
  typeof name === "string" && (Object.hasOwn(fieldTypes, name) || customPattern.test(name))

export const isCustomField = (field: Field): field is CustomField => field.startsWith("custom.")

export const typeOfField = (field: Field): FieldType =>
  isCustomField(field) ? "text" : fieldTypes[field]

/** What the field's `of` names; undefined if it takes none. */
export const ofKindOf = (field: Field): OfKind | undefined => ofKinds.get(field)

const ofKinds: ReadonlyMap<string, OfKind> = new Map(Object.entries(ofFields))

/** The key of customAttribution; case-sensitive. */
export const customKeyOf = (field: CustomField): string => field.slice("custom.".length)
