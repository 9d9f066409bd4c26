// One question of a rule: a field, an operator of its type, and a value of the operator's.
// A missing value makes a predicate false, and a negative one true. Source: spec 3.1 and 3.2.

import type {
  BooleanField,
  DatetimeField,
  NumberField,
  RuleField,
  TextField,
  TextListField,
} from "./rule-field.ts"

/** A leaf of a rule. Texts are trimmed, compared without case, and at most 255 characters long. */
export type Predicate =
  | NumberPredicate
  | TextPredicate
  | TextListPredicate
  | BooleanPredicate
  | DatetimePredicate
  | ExistsPredicate

export type NumberPredicate =
  | Leaf<NumberField, "eq" | "neq" | "gt" | "gte" | "lt" | "lte", number>
  /** Both ends included. */
  | Leaf<NumberField, "between", readonly [min: number, max: number]>

export type TextPredicate =
  | Leaf<
      TextField,
      "eq" | "neq" | "contains" | "not_contains" | "starts_with" | "ends_with",
      string
    >
  /** 1 to 100 texts. */
  | Leaf<TextField, "in" | "not_in", ReadonlyArray<string>>

export type TextListPredicate =
  | Leaf<TextListField, "any_eq" | "any_contains" | "any_starts_with" | "none_contains", string>
  /** 1 to 100 texts. */
  | Leaf<TextListField, "any_in", ReadonlyArray<string>>

export type BooleanPredicate = Leaf<BooleanField, "eq", boolean>

export type DatetimePredicate =
  /** ISO 8601, a timestamp or a date. */
  | Leaf<DatetimeField, "before" | "after", string>
  /** In the last hours (1 to 8760) or days (1 to 3650), or not in them. */
  | Leaf<DatetimeField, "within" | "not_within", RuleDuration>

/** Whether the field has a value that is not empty. */
export type ExistsPredicate = Leaf<RuleField, "exists", boolean>

/** For example `36h` or `14d`. */
export type RuleDuration = `${number}h` | `${number}d`

/** The form all predicates share. */
interface Leaf<Field extends RuleField, Operator extends string, Value> {
  readonly field: Field
  readonly op: Operator
  readonly value: Value
  readonly all?: undefined
  readonly any?: undefined
}
