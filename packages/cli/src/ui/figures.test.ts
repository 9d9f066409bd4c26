// Numbers for people.

import { expect, test } from "vitest"
import { counted, rateText, sizeText, timeLeftText } from "./text.ts"

test.each([
  [0, "0 B"],
  [1023, "1023 B"],
  [1024, "1.0 KiB"],
  [10 * 1024, "10 KiB"],
  [1.5 * 1024 ** 2, "1.5 MiB"],
  [3 * 1024 ** 5, "3072 TiB"],
])("%i bytes are %s", (bytes, text) => {
  expect(sizeText(bytes)).toBe(text)
})

test.each([
  [0, "0 rows"],
  [1, "1 row"],
  [1204, "1,204 rows"],
])("%i is %s", (count, text) => {
  expect(counted(count, "row")).toBe(text)
})

test("rate and time left are based on progress since the start", () => {
  const advance = { done: 600, left: 1200, elapsedMs: 3_000 }

  expect(rateText(advance, "rows")).toBe("200 rows/s")
  expect(timeLeftText(advance)).toBe("6s left")
})

test("a slow rate has a decimal", () => {
  expect(rateText({ done: 5, left: null, elapsedMs: 4_000 }, "rows")).toBe("1.3 rows/s")
})

test.each([
  ["it is too early", { done: 10, left: 10, elapsedMs: 499 }],
  ["nothing is done", { done: 0, left: 10, elapsedMs: 5_000 }],
])("shows no time left if %s", (_why, advance) => {
  expect(rateText(advance, "rows")).toBeNull()
  expect(timeLeftText(advance)).toBeNull()
})

test.each([null, 0, -5])("shows no time with %j left", (left) => {
  expect(timeLeftText({ done: 10, left, elapsedMs: 5_000 })).toBeNull()
})
