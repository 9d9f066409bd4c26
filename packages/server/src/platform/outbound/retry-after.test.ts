import { expect, it } from "vitest"
import { retryAfterSecondsOf } from "./retry-after.ts"

const now = Date.UTC(2026, 2, 11, 9, 0, 0)

it.each([
  [undefined, null],
  ["", null],
  ["soon", null],
  ["0", 0],
  ["120", 120],
  [" 5 ", 5],
  ["86400", 86_400],
  ["86401", 86_400],
  ["Wed, 11 Mar 2026 09:00:30 GMT", 30],
  ["Wed, 11 Mar 2026 08:00:00 GMT", 0],
  ["Wed, 11 Mar 2027 09:00:00 GMT", 86_400],
  ["Wednesday, 11-Mar-26 09:00:30 GMT", 30],
  ["Wed Mar 11 09:00:30 2026", 30],
  ["Wed Mar  4 09:00:30 2026", 0],
  // A date parser accepts this as a date.
  ["1.5", null],
  ["-1", null],
  ["in 12", null],
  ["2026-03-11", null],
  ["Wed, 11 Mar 2026 09:00:30", null],
  ["Wed, 99 Mar 2026 09:00:30 GMT", null],
])("Retry-After %j is %j seconds: at most a day, never negative", (text, seconds) => {
  expect(retryAfterSecondsOf(text, now)).toBe(seconds)
})
