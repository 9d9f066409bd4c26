// Changes as percentages.

import { expect, test } from "vitest"
import { changeText, percentText } from "./views.tsx"

test.each([
  [0, "0%"],
  [4, "+4%"],
  [-0.04, "0%"],
  [12.345, "+12.3%"],
  [-33.33, "-33.3%"],
  [127.5, "+128%"],
  [12_345.6, "+12,346%"],
])("%d is %s", (percent, text) => {
  expect(percentText(percent)).toBe(text)
})

test.each([
  [100, 150, "+50%"],
  [200, 100, "-50%"],
  [5, 5, "0%"],
  [0, 5, null],
])("from %i to %i is %s", (before, after, text) => {
  expect(changeText(before, after)).toBe(text)
})
