// What a rule asks, in the terms of the database: of the row of a visitor, of one of their sessions in
// window and scope, of none of them, or of what they add up to. Kept apart because each is answered in
// another way, and what is cheap is asked before what is not (compile.ts).
import type { SqlText } from "./sql-text.ts"

export type Condition =
  /** Of the visitor. `look-up`: another table must be asked. */
  | { readonly of: "row" | "look-up"; readonly test: SqlText }
  /** Some session passes, or none does. */
  | { readonly of: "some" | "none"; readonly test: SqlText }
  /** The test is made of aggregates over the sessions. */
  | { readonly of: "sum"; readonly test: SqlText }
  | { readonly of: "all" | "any"; readonly conditions: ReadonlyArray<Condition> }

export const row = (test: SqlText): Condition => ({ of: "row", test })
export const lookUp = (test: SqlText): Condition => ({ of: "look-up", test })
export const some = (test: SqlText): Condition => ({ of: "some", test })
export const none = (test: SqlText): Condition => ({ of: "none", test })
export const sum = (test: SqlText): Condition => ({ of: "sum", test })

export const readsSessions = (condition: Condition): boolean =>
  condition.of === "all" || condition.of === "any"
    ? condition.conditions.some(readsSessions)
    : condition.of === "some" || condition.of === "none" || condition.of === "sum"

/**
 * A group with its nested groups of the same kind dissolved and with one search of the sessions where
 * several would ask the same way: some session passes a or some passes b, when some passes a or b.
 */
export const group = (
  of: "all" | "any",
  conditions: ReadonlyArray<Condition>,
  or: (tests: ReadonlyArray<SqlText>) => SqlText,
): Condition => {
  const flat = conditions.flatMap((condition) =>
    condition.of === of ? condition.conditions : [condition],
  )
  const joined = of === "any" ? "some" : "none"
  const tests = flat.flatMap((condition) => (condition.of === joined ? [condition.test] : []))
  const rest = flat.filter((condition) => condition.of !== joined)
  const merged: ReadonlyArray<Condition> =
    tests.length === 0 ? rest : [...rest, { of: joined, test: or(tests) }]
  return merged.length === 1 ? merged[0]! : { of, conditions: merged }
}
