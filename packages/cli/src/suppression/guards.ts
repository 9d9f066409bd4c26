// What stands in the way of a plan, so that a misread file does not empty a list (spec 1.1.7). To remove most of a long
// list, the user must give the number, with `--allow-removals` or by typing it.

import { isMost } from "@footfall/normal-form/reading"
import type { FileImportPlan } from "@footfall/sdk"
import { usageError } from "../errors/cli-error.ts"
import { requireConsent } from "../terminal/consent.ts"
import { canAsk, type Terminal } from "../terminal/terminal.ts"
import { counted, countText } from "../ui/text.ts"
import type { RemovalOptions } from "./options.ts"
import type { ServerPlan } from "./server-plan.ts"
import { sourceName } from "./source.ts"

/** Errors: usage, for a file without rows, as after an export that failed, unless that is right. */
export const checkNotEmpty = ({ files, plan }: ServerPlan, isEmptyAllowed: boolean): void => {
  if (isEmptyAllowed || plan.guard?.reason !== "empty") return
  const empty = plan.files.findIndex(({ rows }) => rows === 0)
  throw usageError(
    `${sourceName(files[empty]!.file)} is empty: it has no rows. Nothing was changed.`,
    "If that is right, add --allow-empty.",
  )
}

/** Errors: usage, if a file has rows but no rules. Then it was misread, or is the wrong file. */
export const checkGivesRules = ({ files, plan }: ServerPlan): void => {
  if (plan.guard?.reason !== "no_rules") return
  throw usageError(
    `${sourceName(files[0]!.file)} has ${counted(plan.rows, "row")}, but no valid ${nounOf(plan)} (read as ${plan.files[0]!.reading}). Nothing was changed.`,
    `To remove every ${nounOf(plan)}, use an empty file and --allow-empty.`,
  )
}

/** What the plan changes. */
const nounOf = ({ kind }: FileImportPlan): string => (kind === "lists" ? "value" : "rule")

/** Whether the number of removals must be given. */
export const needsCount = ({ guard }: FileImportPlan): boolean =>
  guard?.reason === "most" ||
  guard?.reason === "other_types" ||
  (guard?.reason === "empty" && isMost(guard))

/** Errors: usage, for more removals than allowed, or if the number can't be typed; those of `requireConsent`. */
export const requireRemovalConsent = async (
  terminal: Terminal,
  { plan }: ServerPlan,
  {
    what,
    isCleared = false,
    options,
  }: {
    /** A sentence that says what will happen. */
    readonly what: string
    /** Whether no rules remain. */
    readonly isCleared?: boolean
    readonly options: RemovalOptions
  },
): Promise<void> => {
  const { guard, removed } = plan
  const { allowRemovals, yes } = options
  if (allowRemovals !== undefined && removed > allowRemovals) {
    throw usageError(
      `${counted(removed, nounOf(plan))} would be removed, but --allow-removals is ${countText(allowRemovals)}. Nothing was changed.`,
    )
  }
  const isCountNeeded = allowRemovals === undefined && needsCount(plan)
  if (isCountNeeded && (yes || !canAsk(terminal))) {
    const why =
      guard?.reason === "other_types" ? ", because the file has other types than the list" : ""
    throw usageError(
      `${countText(removed)} of ${counted(guard?.present ?? 0, nounOf(plan))} would be removed${why}. Nothing was changed.`,
      `Add --allow-removals ${removed} to confirm.`,
    )
  }
  await requireConsent(terminal, {
    what,
    ...(isCountNeeded || isCleared ? { phrase: String(removed) } : {}),
    isConfirmed: yes === true,
  })
}
