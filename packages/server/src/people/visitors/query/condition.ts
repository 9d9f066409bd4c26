// What a rule tests, in database terms: a visitor's row, one of their sessions within window and scope, the absence
// of such a session, or a total over sessions. They are separate because each is computed differently, and cheap
// ones run first (compile.ts).
import type { SqlText } from "../../../platform/database/sql-text.ts"

/** What must be read of a session: its entry in the index of sessions by visitor, or its row. */
export type SessionPart = "index" | "row"

export type Condition =
  /** Tests the visitor. `look-up`: needs another table. */
  | { readonly kind: "row" | "look-up"; readonly test: SqlText }
  /** At least one session passes, or none does. */
  | { readonly kind: "some" | "none"; readonly test: SqlText; readonly part: SessionPart }
  /** The test uses aggregates over the sessions. */
  | { readonly kind: "sum"; readonly test: SqlText; readonly part: SessionPart }
  | { readonly kind: "all" | "any"; readonly conditions: ReadonlyArray<Condition> }

export const row = (test: SqlText): Condition => ({ kind: "row", test })
export const lookUp = (test: SqlText): Condition => ({ kind: "look-up", test })
export const some = (test: SqlText, part: SessionPart): Condition => ({ kind: "some", test, part })
export const none = (test: SqlText, part: SessionPart): Condition => ({ kind: "none", test, part })
export const sum = (test: SqlText, part: SessionPart): Condition => ({ kind: "sum", test, part })

/** Returns the part of sessions that must be read; undefined means none. */
export const partRead = (condition: Condition): SessionPart | undefined => {
  if (condition.kind === "all" || condition.kind === "any") {
    const parts = new Set(condition.conditions.map(partRead))
    return parts.has("row") ? "row" : parts.has("index") ? "index" : undefined
  }
  return "part" in condition ? condition.part : undefined
}

/**
 * Builds a group. Flattens nested groups of the same kind and merges session searches: "some session passes a, or
 * some passes b" becomes "some session passes a or b".
 */
export const group = (
  kind: "all" | "any",
  conditions: ReadonlyArray<Condition>,
  or: (tests: ReadonlyArray<SqlText>) => SqlText,
): Condition => {
  const flat = conditions.flatMap((condition) =>
    condition.kind === kind ? condition.conditions : [condition],
  )
  const joined = kind === "any" ? "some" : "none"
  const searched = (part: SessionPart): ReadonlyArray<Condition> => {
    const tests = flat.flatMap((condition) =>
      condition.kind === joined && condition.part === part ? [condition.test] : [],
    )
    return tests.length === 0 ? [] : [{ kind: joined, test: or(tests), part }]
  }
  const rest = flat.filter((condition) => condition.kind !== joined)
  const merged = [...rest, ...searched("index"), ...searched("row")]
  return merged.length === 1 ? merged[0]! : { kind, conditions: merged }
}
