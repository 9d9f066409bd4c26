// The line over days: its ends, its axis labels, and its size.

import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { textWidth } from "./column-widths.ts"
import { chart, valueScale, type ChartFrame, type DayValue } from "./chart.tsx"

const day = (index: number): string =>
  new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10)

const drawing = (points: ReadonlyArray<DayValue>, frame: ChartFrame): string => {
  const { rows, dates } = chart(points, frame)
  return [...rows.map(({ label, plot }) => label + plot), dates]
    .map((line) => `|${line.trimEnd()}`)
    .join("\n")
}

describe("a line", () => {
  test("goes from the lower left to the upper right if it rises", () => {
    const points = Array.from({ length: 11 }, (_, index) => ({
      date: day(index),
      value: index * 10,
    }))

    expect(drawing(points, { columns: 40, rows: 5 })).toMatchInlineSnapshot(`
      "|100 ┤                            ⢀⣀⠤⠤⠒⠒⠁
      |    │                     ⣀⡠⠤⠔⠒⠊⠉⠁
      | 50 ┤              ⣀⣀⠤⠤⠒⠊⠉
      |    │      ⢀⣀⡠⠤⠔⠒⠉⠉
      |  0 ┤⣀⠤⠤⠒⠒⠉⠁
      |     2026-01-01               2026-01-11"
    `)
  })

  test("connects points across days without one", () => {
    const points = [
      { date: day(0), value: 100 },
      { date: day(10), value: 0 },
      { date: day(20), value: 100 },
    ]

    expect(drawing(points, { columns: 30, rows: 3 })).toMatchInlineSnapshot(`
      "|100 ┤⠉⠒⠤⣀                 ⣀⠤⠔⠊
      |    │    ⠉⠑⠢⢄⡀       ⢀⣀⠤⠒⠉
      |  0 ┤        ⠈⠑⠒⠤⣀⡠⠔⠊⠁
      |     2026-01-01     2026-01-21"
    `)
  })

  test("is a dot in the middle of the day for a single point", () => {
    const points = [{ date: day(0), value: 7 }]

    expect(drawing(points, { columns: 30, rows: 3 })).toMatchInlineSnapshot(`
      "|8 ┤             ⠐
      |  │
      |0 ┤
      |   2026-01-01"
    `)
  })

  test("uses the days of its frame, so that charts can be compared", () => {
    const points = [
      { date: day(5), value: 1 },
      { date: day(6), value: 1 },
    ]

    const [top] = chart(points, { columns: 43, rows: 1, from: day(0), to: day(10) }).rows

    expect(top?.plot.trimStart().length).toBeLessThan(top?.plot.length ?? 0)
    expect(top?.plot.trimStart()).toMatch(/^[\u2801-\u28FF]{4,5} +$/)
  })

  test("has the given size, whatever the values", () => {
    const value = fc.integer({ min: 0, max: 2_147_483_647 })
    const values = fc.array(value, { minLength: 1, maxLength: 400 })
    const size = fc.record({
      columns: fc.integer({ min: 30, max: 200 }),
      rows: fc.integer({ min: 1, max: 30 }),
    })

    fc.assert(
      fc.property(values, size, (given, { columns, rows }) => {
        const points = given.map((one, index) => ({ date: day(index), value: one }))
        const drawn = chart(points, { columns, rows })

        expect(drawn.rows).toHaveLength(rows)
        for (const { label, plot } of drawn.rows) expect(textWidth(label + plot)).toBe(columns)
        expect(drawn.dates.length).toBeLessThanOrEqual(columns)
        expect(drawn.rows.some(({ plot }) => plot.trim() !== "")).toBe(true)
      }),
    )
  })
})

describe("the axis of values", () => {
  test.each([
    [0, 0, { min: 0, max: 1, step: 1 }],
    [0, 3, { min: 0, max: 3, step: 1 }],
    [7, 7, { min: 0, max: 8, step: 2 }],
    [40, 1_248, { min: 0, max: 1_500, step: 500 }],
    [900, 1_248, { min: 900, max: 1_300, step: 100 }],
  ])("of %i to %i is %j", (least, most, scale) => {
    expect(valueScale(least, most)).toEqual(scale)
  })

  test("covers every value in a few round steps, and never starts below zero", () => {
    const value = fc.integer({ min: 0, max: 2_147_483_647 })

    fc.assert(
      fc.property(value, value, (one, other) => {
        const [least, most] = [Math.min(one, other), Math.max(one, other)]
        const { min, max, step } = valueScale(least, most)

        expect(min).toBeGreaterThanOrEqual(0)
        expect(min).toBeLessThanOrEqual(least)
        expect(max).toBeGreaterThanOrEqual(most)
        expect((max - min) / step).toBeLessThanOrEqual(6)
        expect(`${step}`).toMatch(/^[125]0*$/)
      }),
    )
  })
})
