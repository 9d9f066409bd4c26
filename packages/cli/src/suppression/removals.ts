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
  /** Whether the file has other types than the list. */
  readonly isOfOtherTypes?: boolean
}

/** Whether this would remove more than half of a long list, or all rules of a type, without the number being given. */
export const needsCount = ({ allowed, isOfOtherTypes, ...counts }: Removals): boolean =>
  allowed === undefined && (isOfOtherTypes === true || isMost(counts))

/** Errors: usage, for more removals than `--allow-removals`. */
export const checkAllowed = ({ removals, allowed }: Removals): void => {
  if (allowed === undefined || removals <= allowed) return
  throw usageError(
    `${counted(removals, "rule")} would be removed, but --allow-removals is ${countText(allowed)}. Nothing was sent.`,
  )
}

/** The error if the number can't be typed. */
export const uncountedError = ({ removals, present, isOfOtherTypes }: Removals): Error =>
  usageError(
    `${countText(removals)} of ${counted(present, "rule")} would be removed${
      isOfOtherTypes === true ? ", because the file has other types than the list" : ""
    }. Nothing was sent.`,
    `Add --allow-removals ${removals} to confirm.`,
  )

/** Errors: usage, if a file has rows but no rules. Then it was misread, or is the wrong file. */
export const checkGivesRules = ({ rules, rows, files }: Prepared): void => {
  if (rules > 0 || rows === 0) return
  const [first] = files
  throw usageError(
    `${sourceName(first?.file ?? "-")} has ${counted(rows, "row")}, but no valid rule (read as ${first?.reading}). Nothing was sent.`,
    "To remove every rule, use an empty file and --allow-empty.",
  )
}

/** Errors: usage, if a file has no rows, as after an export that failed. */
export const checkNotEmpty = ({ files }: Prepared): void => {
  const empty = files.find(({ rows }) => rows === 0)
  if (empty === undefined) return
  throw usageError(
    `${sourceName(empty.file)} is empty: it has no rows. Nothing was sent.`,
    "If that is right, add --allow-empty.",
  )
}
