// What a bulk delete names (spec 5.5): ids, pairs of type and value, or both in one
// element, which then deletes what either of them matches. What names nothing is passed over.
import { normalizeRule } from "@footfall/normal-form"
import { ruleKeys } from "./rule.ts"
import type { RuleNames } from "./store.ts"
import type { KeyedRule } from "./submission.ts"

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const readNames = (ids: ReadonlyArray<unknown>, rows: ReadonlyArray<unknown>): RuleNames => {
  const idsOfRows = rows.map((row) =>
    typeof row === "object" && row !== null && "id" in row ? row.id : row,
  )
  return {
    ids: [...ids, ...idsOfRows].filter(isId).map((id) => id.trim().toLowerCase()),
    rules: rows.flatMap(ruleOf),
  }
}

const isId = (value: unknown): value is string =>
  typeof value === "string" && uuid.test(value.trim())

const ruleOf = (row: unknown): ReadonlyArray<KeyedRule> => {
  const rule = normalizeRule(row)
  return typeof rule === "string" ? [] : [{ ...rule, ...ruleKeys(rule) }]
}
