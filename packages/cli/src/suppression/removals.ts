// What a removal of rules needs besides a yes, so that a file that is misread does not empty a list: most
// of a long list goes only when its number was said, with `--allow-removals` or typed.

import { usageError } from "../errors/usage-error.ts"
import { counted, countText } from "../screens/figures.ts"
import type { Prepared } from "./prepared.ts"
import { sourceName } from "./source-file.ts"

/** A removal, before it is made. */
export interface Removals {
  /** At most so many go. */
  readonly removals: number
  /** Rules there are. */
  readonly present: number
  /** Of `--allow-removals`. */
  readonly allowed: number | undefined
}

/** Shorter lists are easily made again. */
const LONG_LIST_MIN = 101

/** Whether more than half of a long list would go, and nobody has said how much. */
export const needsCount = ({ removals, present, allowed }: Removals): boolean =>
  allowed === undefined && present >= LONG_LIST_MIN && removals * 2 > present

/** Errors: usage, for more than `--allow-removals` says. */
export const checkAllowed = ({ removals, allowed }: Removals): void => {
  if (allowed === undefined || removals <= allowed) return
  throw usageError(
    `${counted(removals, "rule")} would be removed, and --allow-removals is ${countText(allowed)}. Nothing was sent.`,
  )
}

/** The refusal where the number cannot be typed. */
export const uncountedError = ({ removals, present }: Removals): Error =>
  usageError(
    `${countText(removals)} of ${counted(present, "rule")} would be removed. Nothing was sent.`,
    `Add --allow-removals ${removals} if that is what you want.`,
  )

/**
 * Errors: usage, when a file that holds something gives no rule: that is a file that was misread, or not
 * the one that was meant.
 */
export const checkGivesRules = ({ rules, rows, isEmpty, files }: Prepared): void => {
  if (rules > 0 || isEmpty) return
  const [first] = files
  const found = rows === 0 ? "no row" : `${counted(rows, "row")}, and none of them is a rule`
  throw usageError(
    `${sourceName(first?.file ?? "-")} has ${found} (read as ${first?.reading}). Nothing was sent.`,
    "To remove every rule, use a file with nothing in it.",
  )
}
