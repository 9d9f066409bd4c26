// A rule in the address.
import type { RuleAst } from "@footfall/sdk"
import { draftOf, NoRule } from "./draft.ts"

export interface RuleSearch {
  readonly rule?: RuleAst | undefined
}

/** What is no rule is left out. */
export const readRuleSearch = ({ rule }: Record<string, unknown>): RuleSearch => {
  try {
    draftOf(rule)
    // It was just read as one.
    return { rule: rule as RuleAst }
  } catch (error) {
    if (error instanceof NoRule) return {}
    throw error
  }
}
