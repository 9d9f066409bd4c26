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
])("Retry-After %j is %j seconds: at most a day, never negative", (text, seconds) => {
  expect(retryAfterSecondsOf(text, now)).toBe(seconds)
})
