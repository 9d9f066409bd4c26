// What a rule tests, in database terms: a visitor's row, one of their sessions within window and scope, the absence
// of such a session, or a total over sessions. They are separate because each is computed differently, and cheap
// ones run first (compile.ts).
import type { SqlText } from "../../database/sql-text.ts"

/** What must be read of a session: its entry in the index of sessions by visitor, or its row. */
export type SessionPart = "index" | "row"

export type Condition =
  /** Tests the visitor. `look-up`: needs another table. */
  | { readonly of: "row" | "look-up"; readonly test: SqlText }
  /** At least one session passes, or none does. */
  | { readonly of: "some" | "none"; readonly test: SqlText; readonly part: SessionPart }
  /** The test uses aggregates over the sessions. */
  | { readonly of: "sum"; readonly test: SqlText; readonly part: SessionPart }
  | { readonly of: "all" | "any"; readonly conditions: ReadonlyArray<Condition> }

export const row = (test: SqlText): Condition => ({ of: "row", test })
export const lookUp = (test: SqlText): Condition => ({ of: "look-up", test })
export const some = (test: SqlText, part: SessionPart): Condition => ({ of: "some", test, part })
export const none = (test: SqlText, part: SessionPart): Condition => ({ of: "none", test, part })
export const sum = (test: SqlText, part: SessionPart): Condition => ({ of: "sum", test, part })

/** Returns the part of sessions that must be read; undefined means none. */
export const partRead = (condition: Condition): SessionPart | undefined => {
  if (condition.of === "all" || condition.of === "any") {
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
  of: "all" | "any",
  conditions: ReadonlyArray<Condition>,
  or: (tests: ReadonlyArray<SqlText>) => SqlText,
): Condition => {
  const flat = conditions.flatMap((condition) =>
    condition.of === of ? condition.conditions : [condition],
  )
  const joined = of === "any" ? "some" : "none"
  const searched = (part: SessionPart): ReadonlyArray<Condition> => {
    const tests = flat.flatMap((condition) =>
      condition.of === joined && condition.part === part ? [condition.test] : [],
    )
    return tests.length === 0 ? [] : [{ of: joined, test: or(tests), part }]
  }
  const rest = flat.filter((condition) => condition.of !== joined)
  const merged = [...rest, ...searched("index"), ...searched("row")]
  return merged.length === 1 ? merged[0]! : { of, conditions: merged }
}
