// A text of a request: trimmed, its length counted in Unicode code points (decisions.md 1.5).
import { Schema } from "effect"

export const Text = (bounds: { readonly lengthMin: number; readonly lengthMax: number }) => {
  const { lengthMax, lengthMin } = bounds
  return Schema.Trim.check(
    // A code point has one or two units, so most lengths are judged without counting.
    Schema.makeFilter<string>(
      (text) => text.length >= 2 * lengthMin || [...text].length >= lengthMin,
      {
        issueCode: "min_length",
        expected: `at least ${lengthMin} characters`,
      },
    ),
    Schema.makeFilter<string>((text) => text.length <= lengthMax || isWithin(text, lengthMax), {
      issueCode: "max_length",
      expected: `at most ${lengthMax} characters`,
    }),
  )
}

const isWithin = (text: string, lengthMax: number): boolean =>
  text.length <= 2 * lengthMax && [...text].length <= lengthMax
