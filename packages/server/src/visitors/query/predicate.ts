// One predicate of a rule: a field, an operator of its type, and a value (spec 3).
import type { FieldType, ValueKind } from "@footfall/normal-form/rule-fields"
import { type Field, type FieldOf, typeOfField } from "./field.ts"
import type { OperatorOf } from "./operator.ts"

/** A leaf of a rule. Texts are trimmed. */
export type Predicate =
  | PredicateOf<"number">
  | PredicateOf<"text">
  | PredicateOf<"texts">
  | PredicateOf<"boolean">
  | PredicateOf<"datetime">

/** A leaf whose field has the type. */
export type PredicateOf<Type extends FieldType> = {
  [Kind in ValueKind]: OperatorOf<Type, Kind> extends never
    ? never
    : {
        readonly field: FieldOf<Type>
        readonly op: OperatorOf<Type, Kind>
        readonly value: Values[Kind]
      }
}[ValueKind]

interface Values {
  readonly number: number
  readonly range: readonly [min: number, max: number]
  readonly text: string
  readonly texts: ReadonlyArray<string>
  readonly boolean: boolean
  readonly moment: string
  readonly duration: string
}

/** Narrows by field type, which the compiler can't infer from names. */
export const isPredicateOf = <Type extends FieldType>(
  predicate: { readonly field: Field },
  type: Type,
): predicate is PredicateOf<Type> => typeOfField(predicate.field) === type
