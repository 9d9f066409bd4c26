// Parses the rows of a bulk write into distinct rules and rejected rows. Pure. An invalid row never rejects the others
// (spec 2.6.14).
import { normalizeRule } from "@footfall/normal-form"
import {
  type NormalRule,
  type RejectedRule,
  rejectedRowsMax,
  rejectedRule,
  type RuleKeys,
  ruleKeys,
  type RuleType,
  ruleTypes,
} from "./rule.ts"

export interface KeyedRule extends NormalRule, RuleKeys {}

export interface Submission {
  /** Each distinct rule, in order of first appearance. */
  readonly rules: ReadonlyArray<KeyedRule>
  /** Rows that repeat a rule of the same request. */
  readonly repeated: number
  readonly rejectedCount: number
  /** The first 100. */
  readonly rejected: ReadonlyArray<RejectedRule>
}

/** `types`: the types a replacement is limited to; absent means all. */
export const readSubmission = (
  rows: ReadonlyArray<unknown>,
  types?: ReadonlyArray<RuleType>,
): Submission => {
  const rules: Array<KeyedRule> = []
  const seen = new Map(ruleTypes.map((type) => [type, new Set<string>()]))
  const rejected: Array<RejectedRule> = []
  let rejectedCount = 0
  let repeated = 0
  for (const [index, row] of rows.entries()) {
    const rule = normalizeRule(row, types)
    if (typeof rule === "string") {
      rejectedCount++
      if (rejected.length < rejectedRowsMax) rejected.push(rejectedRule(index, row, rule))
      continue
    }
    const { type, value } = rule
    const { alsoKey, matchKey } = ruleKeys(rule)
    const ofType = seen.get(type)!
    if (ofType.has(matchKey)) repeated++
    else {
      ofType.add(matchKey)
      rules.push({ type, value, matchKey, alsoKey })
    }
  }
  return { rules, repeated, rejectedCount, rejected }
}
