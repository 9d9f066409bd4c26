// Extra confirmation for removals, so that a misread file doesn't empty a list. To remove most of a long list, the user
// must enter the number. Pure.

import { type RuleType, ruleTypes } from "../suppression-rule.ts"

/** A planned removal. */
export interface Removals {
  /** Maximum number of rules to remove. */
  readonly removals: number
  /** Number of existing rules. */
  readonly present: number
}

/** Shorter lists are easy to recreate. */
const LONG_LIST_MIN = 101

/** Whether more than half of a long list would be removed. */
export const isMost = ({ removals, present }: Removals): boolean =>
  present >= LONG_LIST_MIN && removals * 2 > present

/**
 * Whether the file has a type that the list lacks, and lacks one that the list has. Then the file, or its column, is
 * likely the wrong one.
 */
export const isOfOtherTypes = (
  wanted: Readonly<Record<RuleType, number>>,
  present: Readonly<Record<RuleType, number>>,
): boolean =>
  ruleTypes.some((type) => wanted[type] > 0 && present[type] === 0) &&
  ruleTypes.some((type) => wanted[type] === 0 && present[type] > 0)
