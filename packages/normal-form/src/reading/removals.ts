// Extra confirmation for removals, so that a misread file doesn't empty a list. To remove most of a long list, the user
// must enter the number. Pure.

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
