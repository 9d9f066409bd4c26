// How columns share the screen: examples, and that no table is wider than necessary.

import fc from "fast-check"
import { expect, test } from "vitest"
import { columnsKept, columnWidths, textWidth, type ColumnDemand } from "./column-widths.ts"

const column = (width: number, changes: Partial<ColumnDemand> = {}): ColumnDemand => ({
  width,
  widthMin: 4,
  widthKept: changes.widthMin ?? 4,
  dropRank: null,
  ...changes,
})

test("columns that fit keep their width", () => {
  const demands = [column(10), column(5)]

  expect(columnWidths(demands, 15)).toEqual([10, 5])
})

test("the widest column is cut first", () => {
  const demands = [column(10), column(20)]

  expect(columnWidths(demands, 29)).toEqual([10, 19])
  expect(columnWidths(demands, 18)).toEqual([9, 9])
})

test("a column at its minimum keeps its width", () => {
  const demands = [column(20, { widthMin: 20 }), column(10)]

  expect(columnWidths(demands, 25)).toEqual([20, 5])
  expect(columnWidths(demands, 10)).toEqual([20, 4])
})

test("a column is cut below its kept width only after every other one", () => {
  const demands = [column(30, { widthKept: 25 }), column(20)]

  expect(columnWidths(demands, 45)).toEqual([25, 20])
  expect(columnWidths(demands, 35)).toEqual([25, 10])
  expect(columnWidths(demands, 29)).toEqual([25, 4])
  expect(columnWidths(demands, 28)).toEqual([24, 4])
})

test("the least important columns are left out until the others have their kept width", () => {
  const demands = [
    column(30, { widthKept: 20 }),
    column(10, { widthKept: 10, dropRank: 2 }),
    column(10, { widthKept: 8, dropRank: 1 }),
  ]

  expect(columnsKept(demands, { columns: 42, gap: 2 })).toEqual([0, 1, 2])
  expect(columnsKept(demands, { columns: 41, gap: 2 })).toEqual([0, 2])
  expect(columnsKept(demands, { columns: 29, gap: 2 })).toEqual([0])
  expect(columnsKept(demands, { columns: 1, gap: 2 })).toEqual([0])
})

test("where the minimum widths don't fit, the last columns are left out, never the first", () => {
  const demands = [
    column(30, { widthMin: 8 }),
    column(30, { widthMin: 8 }),
    column(9, { widthMin: 9 }),
  ]

  expect(columnsKept(demands, { columns: 29, gap: 2 })).toEqual([0, 1, 2])
  expect(columnsKept(demands, { columns: 28, gap: 2 })).toEqual([0, 1])
  expect(columnsKept(demands, { columns: 17, gap: 2 })).toEqual([0])
  expect(columnsKept(demands, { columns: 7, gap: 2 })).toEqual([0])
})

test("no table is wider than the screen unless every column is at its minimum", () => {
  const demand = fc
    .record({
      width: fc.nat({ max: 80 }),
      widthMin: fc.nat({ max: 40 }),
      more: fc.nat({ max: 20 }),
    })
    .map(({ width, widthMin, more }) => column(width, { widthMin, widthKept: widthMin + more }))

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
