import { expect, it } from "vitest"
import { periodOf, readDays } from "./period.ts"

it("a window ends today and has as many days as it says", () => {
  expect(periodOf("7d", "2026-03-03")).toEqual({ from: "2026-02-25" })
  expect(periodOf("24h", "2026-03-03")).toEqual({ timeframe: "24h" })
})

it("this month begins on its first day, and last month has all of its days", () => {
  expect(periodOf("month", "2026-03-31")).toEqual({ from: "2026-03-01" })
  expect(periodOf("last-month", "2026-03-31")).toEqual({ from: "2026-02-01", to: "2026-02-28" })
  expect(periodOf("last-month", "2024-03-01")).toEqual({ from: "2024-02-01", to: "2024-02-29" })
  expect(periodOf("last-month", "2026-01-01")).toEqual({ from: "2025-12-01", to: "2025-12-31" })
})

it("days that include today end now", () => {
  const days = { from: "2026-03-01", to: "2026-03-05" }
  expect(periodOf(days, "2026-03-06")).toEqual(days)
  expect(periodOf(days, "2026-03-05")).toEqual({ from: "2026-03-01" })
})

it("only two days that exist, in their order, are a period", () => {
  expect(readDays("2024-02-29", "2024-02-29")).toEqual({ from: "2024-02-29", to: "2024-02-29" })
  expect(readDays("2026-03-02", "2026-03-01")).toBeUndefined()
  expect(readDays("2026-02-29", "2026-03-01")).toBeUndefined()
  expect(readDays("2026-03-01", undefined)).toBeUndefined()
  expect(readDays("1969-12-31", "2026-03-01")).toBeUndefined()
  expect(readDays("yesterday", "today")).toBeUndefined()
})
