// Extra confirmation for removals, so that a file read wrongly does not empty a list: to remove most of a long list
// you must give the number. Pure.

/** A removal, before it is made. */
export interface Removals {
  /** At most so many go. */
  readonly removals: number
  /** Rules there are. */
  readonly present: number
}

/** Shorter lists are easily made again. */
const LONG_LIST_MIN = 101

/** Whether more than half of a long list would be removed. */
export const isMost = ({ removals, present }: Removals): boolean =>
  present >= LONG_LIST_MIN && removals * 2 > present
