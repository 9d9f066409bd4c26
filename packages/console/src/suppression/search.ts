// URL search parameters of the rule list.
import type { SuppressionRuleType } from "@footfall/sdk"
import { ruleTypes } from "./words.ts"

export interface SuppressionSearch {
  readonly type?: SuppressionRuleType | undefined
  /** Part of the value. */
  readonly q?: string | undefined
}

export const readSuppressionSearch = (search: Record<string, unknown>): SuppressionSearch => {
  const { q } = search
  const type = ruleTypes.find((known) => known === search["type"])
  return {
    ...(type !== undefined && { type }),
    ...((typeof q === "string" || typeof q === "number") && q !== "" && { q: String(q) }),
  }
}
