// A text of a request: trimmed, then between two lengths. Passwords are not trimmed and do not come
// through here (decisions.md 1.5).
import { Schema } from "effect"

/** *Units*: Unicode code points, after trimming. */
export const requestText = ({
  lengthMax,
  lengthMin,
}: {
  readonly lengthMin: number
  readonly lengthMax: number
}) =>
  Schema.Trim.check(
    Schema.makeFilter((text: string) => [...text].length >= lengthMin, {
      expected: `at least ${lengthMin} characters`,
      issueCode: "min_length",
    }),
    Schema.makeFilter((text: string) => [...text].length <= lengthMax, {
      expected: `at most ${lengthMax} characters`,
      issueCode: "max_length",
    }),
  )
