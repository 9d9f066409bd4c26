// Every range's bounds (spec 2.9).
import { expect, it } from "vitest"
import { companyRevenueRanges, revenueRangeOf } from "./revenue-range.ts"

it("an amount is in the range that begins with it", () => {
  const beginnings = [0, 1, 5, 10, 25, 50, 100, 250, 500, 1_000].map((millions) => millions * 1e6)
  expect(beginnings.map(revenueRangeOf)).toEqual([...companyRevenueRanges])
  expect(beginnings.slice(1).map((amount) => revenueRangeOf(amount - 1))).toEqual(
    companyRevenueRanges.slice(0, -1),
  )
})

it.each([-1, Number.NaN, Infinity, "", "none", null, {}])("%j is in none", (value) => {
  expect(revenueRangeOf(value)).toBeUndefined()
})

it("a long hostile text is read at once", () => {
  expect(revenueRangeOf("1,".repeat(100_000))).toBe("1 billion and over")
})
