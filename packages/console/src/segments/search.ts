// The rule in the URL.
import type { RuleAst } from "@footfall/sdk"
import { draftOf, NoRule } from "./draft.ts"

export interface RuleSearch {
  readonly rule?: RuleAst | undefined
}

/** Drops an invalid rule. */
export const readRuleSearch = ({ rule }: Record<string, unknown>): RuleSearch => {
  try {
    draftOf(rule)
    // It was just parsed as a rule.
    return { rule: rule as RuleAst }
  } catch (error) {
    if (error instanceof NoRule) return {}
    throw error
  }
}
