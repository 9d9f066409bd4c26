// When the user must enter the number of removals.

import { expect, test } from "vitest"
import { isMost } from "./removals.ts"

test.each([
  [51, 101, true],
  [50, 101, false],
  [100, 100, false],
  [60, 120, false],
  [61, 120, true],
])("%i removals of %i rules: removes most of a long list: %s", (removals, present, expected) => {
  expect(isMost({ removals, present })).toBe(expected)
})
