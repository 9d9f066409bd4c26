// How the screen is divided: examples, and that no table is wider than it must be.

import fc from "fast-check"
import { expect, test } from "vitest"
import { columnWidths, textWidth } from "./column-widths.ts"

test("columns that fit keep their width", () => {
  const demands = [
    { width: 10, widthMin: 4 },
    { width: 5, widthMin: 5 },
  ]

  expect(columnWidths(demands, 15)).toEqual([10, 5])
})

test("the widest gives way first", () => {
  const demands = [
    { width: 10, widthMin: 4 },
    { width: 20, widthMin: 4 },
  ]

  expect(columnWidths(demands, 29)).toEqual([10, 19])
  expect(columnWidths(demands, 18)).toEqual([9, 9])
})

test("a column without room to give keeps its width", () => {
  const demands = [
    { width: 20, widthMin: Infinity },
    { width: 10, widthMin: 4 },
  ]

  expect(columnWidths(demands, 25)).toEqual([20, 5])
  expect(columnWidths(demands, 10)).toEqual([20, 4])
})

test("no table is wider than the screen unless every column is at its minimum", () => {
  const demand = fc.record({ width: fc.nat({ max: 80 }), widthMin: fc.nat({ max: 40 }) })

  fc.assert(
    fc.property(fc.array(demand, { maxLength: 9 }), fc.nat({ max: 300 }), (demands, available) => {
      const widths = columnWidths(demands, available)

      const sum = widths.reduce((total, width) => total + width, 0)
      const floor = demands.map(({ width, widthMin }) => Math.min(width, widthMin))
      expect(sum <= available || widths.every((width, index) => width === floor[index])).toBe(true)
      for (const [index, { width }] of demands.entries()) {
        expect(widths[index]).toBeLessThanOrEqual(width)
        expect(widths[index]).toBeGreaterThanOrEqual(floor[index] ?? 0)
      }
    }),
  )
})

test.each([
  ["Jane", 4],
  ["Otávio", 6],
  ["Ota\u0301vio", 6],
  ["海峡物流", 8],
  ["한국", 4],
  ["👩‍💻 dev", 6],
])("%s takes %i columns", (text, width) => {
  expect(textWidth(text)).toBe(width)
})
