// Times and durations at each boundary between two wordings.

import { expect, test } from "vitest"
import { dateAndTime, duration, timeAgo } from "./text.ts"

const now = new Date("2026-03-11T09:00:00.000Z")

test.each([
  ["2026-03-11T09:00:05.000Z", "just now"],
  ["2026-03-11T08:59:00.001Z", "just now"],
  ["2026-03-11T08:59:00.000Z", "1m ago"],
  ["2026-03-11T08:00:00.001Z", "59m ago"],
  ["2026-03-11T08:00:00.000Z", "1h ago"],
  ["2026-03-10T09:00:00.001Z", "23h ago"],
  ["2026-03-10T09:00:00.000Z", "1d ago"],
  ["2026-01-10T09:00:00.001Z", "59d ago"],
  ["2026-01-10T09:00:00.000Z", "2026-01-10"],
])("%s is %s", (at, text) => {
  expect(timeAgo(at, now)).toBe(text)
})

test("a date is shown in the reader's time zone", () => {
  expect(dateAndTime("2026-03-11T23:41:02.000Z", "UTC")).toBe("2026-03-11 23:41")
  expect(dateAndTime("2026-03-11T23:41:02.000Z", "Asia/Tokyo")).toBe("2026-03-12 08:41")
})

test.each([
  [0, "0s"],
  [59, "59s"],
  [60, "1m 0s"],
  [3599, "59m 59s"],
  [3600, "1h 0m"],
  [7500, "2h 5m"],
])("%i seconds are %s", (seconds, text) => {
  expect(duration(seconds)).toBe(text)
})
