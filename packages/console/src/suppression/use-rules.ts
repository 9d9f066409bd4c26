// Adds and removes rules. Each can undo the other.
import type { SuppressionRuleInput } from "@footfall/sdk"
import { useQueryClient } from "@tanstack/react-query"
import { footfall } from "../session/session.ts"
import { notify } from "../ui/notices.tsx"
import { plural } from "../ui/time.tsx"
import { readAgain } from "../ui/read-again.ts"
import { useWrite } from "../ui/use-write.ts"
import { isolated } from "../ui/isolated.ts"

export const ruleChanges = [["suppression"], ["people"], ["person"]]

export const useRemoveRules = () => {
  const client = useQueryClient()
  const undo = async (rules: ReadonlyArray<SuppressionRuleInput>): Promise<void> => {
    try {
      await footfall.suppression.add(rules)
      await Promise.all(ruleChanges.map((queryKey) => readAgain(client, queryKey)))
    } catch (error) {
      notify({ text: isolated`The rule was not added again: ${String(error)}` })
    }
  }
  return useWrite({
    write: (rules: ReadonlyArray<SuppressionRuleInput>) =>
      footfall.suppression.remove({ rules: rules.map(({ type, value }) => ({ type, value })) }),
    changes: ruleChanges,
    edit: (row, rules) => {
      const { type, value } = row as Partial<SuppressionRuleInput>
      return rules.some((rule) => rule.type === type && rule.value === value) ? undefined : row
    },
    notice: (_, rules) => ({
      text: isolated`Removed ${rules.map(({ value }) => value).join(", ")}`,
      undo: () => undo(rules.map(({ type, value }) => ({ type, value }))),
    }),
  })
}

/** The dialog stays open while it shows rejected values. */
export const useAddRules = (onDone: () => void) =>
  useWrite({
    write: (rules: ReadonlyArray<SuppressionRuleInput>) => footfall.suppression.add(rules),
    changes: ruleChanges,
    notice: ({ added }) => ({ text: `Added ${plural(added, "rule")}` }),
    onDone: ({ rejectedCount }) => {
      if (rejectedCount === 0) onDone()
    },
  })
