// Previews the rules of a spool: how many are new, by type, and how many visitors they affect.
// Skipped if it would take many requests, because the limit of 30 a minute is shared with the
// import.

import { noCounts } from "@footfall/normal-form/reading"
import type {
  Footfall,
  SuppressionPreview,
  SuppressionRuleCounts,
  SuppressionRuleInput,
} from "@footfall/sdk"
import { withRetries, type Waiting } from "../retry/retry.ts"
import type { Prepared } from "./prepared.ts"
import { spooledRules } from "./rule-spool.ts"
import { RULES_PER_REQUEST, ruleTypes } from "./rule-types.ts"
import { requestOptions } from "./send-rules.ts"

/** The server's response. */
export interface PlanPreview {
  readonly wouldAdd: number
  readonly duplicates: number
  readonly newByType: SuppressionRuleCounts
  /** People seen in the last 30 days whom no stored rule suppresses. */
  readonly affectedVisitors: number
  readonly affectedByType: SuppressionRuleCounts
  /** Whether each person counts once; otherwise the number is an upper bound. */
  readonly isExact: boolean
}

/** If it takes more requests, there is no preview. */
export const PREVIEW_REQUESTS_MAX = 4

/** Null if it would take too many requests. Errors: those of the server. */
export const previewRules = async (
  client: Footfall,
  spool: string,
  { rules, rulesByType }: Pick<Prepared, "rules" | "rulesByType">,
  waiting: Waiting,
): Promise<PlanPreview | null> => {
  const requests = ruleTypes
    .map((type) => Math.ceil(rulesByType[type] / RULES_PER_REQUEST))
    .reduce((sum, count) => sum + count, 0)
  if (rules === 0 || requests > PREVIEW_REQUESTS_MAX) return null
  const byType = new Map<string, Array<SuppressionRuleInput>>()
  for (const { type, value } of spooledRules(spool)) {
    const ofType = byType.get(type) ?? []
    ofType.push({ type, value })
    byType.set(type, ofType)
  }
  const ask = (chunk: ReadonlyArray<SuppressionRuleInput>) =>
    withRetries(() => client.suppression.preview(chunk, requestOptions), waiting)
  const lists = [...byType.values()]
  return rules <= RULES_PER_REQUEST ? previewTogether(lists, ask) : previewByType(lists, ask)
}

type Ask = (chunk: ReadonlyArray<SuppressionRuleInput>) => Promise<SuppressionPreview>

/** One request for all rules, which counts each person once, and one for each type except the last. */
const previewTogether = async (
  lists: ReadonlyArray<ReadonlyArray<SuppressionRuleInput>>,
  ask: Ask,
): Promise<PlanPreview> => {
  const combined = await ask(lists.flat())
  const newByType = noCounts()
  let rest = combined.wouldAdd
  for (const [index, list] of lists.entries()) {
    const isLast = index === lists.length - 1
    const wouldAdd = isLast ? rest : (await ask(list)).wouldAdd
    const [first] = list
    if (first !== undefined) newByType[first.type] = wouldAdd
    rest -= wouldAdd
  }
  const { wouldAdd, duplicates, affectedVisitors, affectedByType } = combined
  return { wouldAdd, duplicates, newByType, affectedVisitors, affectedByType, isExact: true }
}

/** One type per request; a person who matches several requests counts in each. */
const previewByType = async (
  lists: ReadonlyArray<ReadonlyArray<SuppressionRuleInput>>,
  ask: Ask,
): Promise<PlanPreview> => {
  const [newByType, affectedByType] = [noCounts(), noCounts()]
  const sums = { wouldAdd: 0, duplicates: 0, affectedVisitors: 0 }
  for (const list of lists) {
    for (let at = 0; at < list.length; at += RULES_PER_REQUEST) {
      const answer = await ask(list.slice(at, at + RULES_PER_REQUEST))
      const type = list[at]?.type ?? "email"
      newByType[type] += answer.wouldAdd
      affectedByType[type] += answer.affectedByType[type]
      sums.wouldAdd += answer.wouldAdd
      sums.duplicates += answer.duplicates
      sums.affectedVisitors += answer.affectedVisitors
    }
  }
  return { ...sums, newByType, affectedByType, isExact: false }
}
