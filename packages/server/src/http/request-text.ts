// A text of a request: trimmed, then between two lengths. Passwords are not trimmed and do not come
// through here (spec 1.5).
import { Schema } from "effect"

/** The length of every text is counted like this. *Units*: Unicode code points. */ // spec 1.5
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

/** *Units*: Unicode code points, after trimming. */
export const requestText = ({
  lengthMax,
  lengthMin,
}: {
  readonly lengthMin: number
  readonly lengthMax: number
}) => Schema.Trim.check(lengthAtLeast(lengthMin), lengthAtMost(lengthMax))
