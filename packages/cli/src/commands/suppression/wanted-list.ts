// What `plan` and `apply` have in common: the file is the wanted list, and the same options say how it is
// read and which types it speaks of.

import type { SuppressionRuleType } from "@footfall/sdk"
import { InvalidArgumentError, Option, type Command } from "commander"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { usageError } from "../../errors/usage-error.ts"
import { ruleTypes } from "../../suppression/rule-types.ts"
import type { PrepareRequest } from "../../suppression/prepare.ts"
import type { ListPlan } from "../../suppression/run-plan.ts"
import { rejectedFiles } from "./rule-files.ts"
import { isRuleType, ruleTypeOption } from "./rule-words.ts"

/** As commander hands them over. */
export interface WantedListOptions extends GlobalOptions {
  readonly type?: SuppressionRuleType
  readonly types?: ReadonlyArray<SuppressionRuleType>
  readonly column?: string
  readonly rejected?: string
}

/** Adds the argument and the options. */
export const addWantedListOptions = (command: Command): Command =>
  command
    .argument("<file>", "the wanted list, in any form that `import` reads; `-` for standard input")
    .addOption(
      new Option("--types <types>", "only rules of these types, separated by commas").argParser(
        ruleTypesOf,
      ),
    )
    .addOption(ruleTypeOption("type of the values, where the file does not say"))
    .option("--column <name>", "column with the values, by its name or its number from 1")
    .option("--rejected <file>", "where rejected rows go (default: FILE.rejected.csv)")

/** How the file is read. Errors: usage. */
export const wantedListRequest = (file: string, options: WantedListOptions): PrepareRequest => {
  if (file === "-" && options.apiKeyStdin) {
    throw usageError("Standard input cannot hold both the API key and the rules.")
  }
  const { type, types, column, rejected } = options
  return { files: [file], type, types, column, rejectedFiles: rejectedFiles([file], rejected) }
}

/** The document for programs. */
export const planTold = (plan: ListPlan, isApplied: boolean) => {
  const { changes, method, prepared, ...where } = plan
  const { present, additions, removals, firstAdditions, firstRemovals } = changes
  return {
    ...where,
    method,
    atomic: method !== "add_and_remove",
    applied: isApplied,
    byType: Object.fromEntries(
      ruleTypes.map((type) => [
        type,
        {
          present: present[type],
          wanted: prepared.rulesByType[type],
          additions: additions[type],
          removals: removals[type],
        },
      ]),
    ),
    firstAdditions,
    firstRemovals,
    ...prepared,
  }
}

/** The same for people. */
export const planDrawn = async (
  plan: ListPlan,
  isApplied: boolean,
  columns: number,
): Promise<string> => {
  const [{ drawn }, { SuppressionChangesView }] = await Promise.all([
    import("../../screens/drawn.ts"),
    import("../../screens/SuppressionChangesView.tsx"),
  ])
  return drawn(SuppressionChangesView, { plan, isApplied, screenColumns: columns }, columns)
}

/** Errors: InvalidArgumentError. */
const ruleTypesOf = (text: string): ReadonlyArray<SuppressionRuleType> =>
  [...new Set(text.split(",").map((word) => word.trim()))].map((word) => {
    if (isRuleType(word)) return word
    throw new InvalidArgumentError(`Expected types of ${ruleTypes.join(", ")}.`)
  })
