// Extra confirmation for removals, so that a misread file does not empty a list: to remove most of
// a long list, the user must give the number, with `--allow-removals` or by typing it.

import { isMost, type Removals as RemovalCounts } from "@footfall/normal-form/reading"
import { usageError } from "../errors/cli-error.ts"
import { counted, countText } from "../ui/text.ts"
import type { Prepared } from "./prepared.ts"
import { sourceName } from "./source-file.ts"

/** A planned removal. */
export interface Removals extends RemovalCounts {
  /** The value of `--allow-removals`. */
  readonly allowed: number | undefined
}

/** Whether this would remove more than half of a long list without the number being given. */
export const needsCount = ({ allowed, ...counts }: Removals): boolean =>
  allowed === undefined && isMost(counts)

/** Errors: usage, for more removals than `--allow-removals`. */
export const checkAllowed = ({ removals, allowed }: Removals): void => {
  if (allowed === undefined || removals <= allowed) return
  throw usageError(
    `${counted(removals, "rule")} would be removed, but --allow-removals is ${countText(allowed)}. Nothing was sent.`,
  )
}

/** The error if the number can't be typed. */
export const uncountedError = ({ removals, present }: Removals): Error =>
  usageError(
    `${countText(removals)} of ${counted(present, "rule")} would be removed. Nothing was sent.`,
    `Add --allow-removals ${removals} to confirm.`,
  )

/** Errors: usage, if a file has content but no rules. Then it was misread, or is the wrong file. */
export const checkGivesRules = ({ rules, rows, isEmpty, files }: Prepared): void => {
  if (rules > 0 || isEmpty) return
  const [first] = files
  const found = rows === 0 ? "no rows" : `${counted(rows, "row")}, but no valid rule`
  throw usageError(
    `${sourceName(first?.file ?? "-")} has ${found} (read as ${first?.reading}). Nothing was sent.`,
    "To remove every rule, use an empty file.",
  )
}
