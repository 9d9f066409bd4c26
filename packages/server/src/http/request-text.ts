// Text in a request: trimmed, then limited in length. Passwords are not trimmed and don't use this (spec 1.5).
import { Schema } from "effect"

/** All text lengths are counted this way. *Units*: Unicode code points. */ // spec 1.5
export const lengthAtLeast = (lengthMin: number) =>
  Schema.isMinCodePoints(lengthMin, {
    expected: `at least ${lengthMin} characters`,
    issueCode: "min_length",
  })

export const lengthAtMost = (lengthMax: number) =>
  Schema.isMaxCodePoints(lengthMax, {
    expected: `at most ${lengthMax} characters`,
    issueCode: "max_length",
  })

/**
 * *Units*: Unicode code points, after trimming.
 */
export const requestText = ({
  lengthMax,
  lengthMin,
}: {
  readonly lengthMin: number
  readonly lengthMax: number
}) => Schema.Trim.check(lengthAtLeast(lengthMin), lengthAtMost(lengthMax))
