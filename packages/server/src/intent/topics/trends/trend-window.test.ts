import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { addDays, countDays } from "../../../access/time-zone.ts"
import { trendWindow } from "./trend-window.ts"

const newest = "2026-03-10"

describe("trendWindow", () => {
  it("covers the 30 days up to and including the newest date", () => {
    expect(trendWindow({}, newest)).toEqual({ from: "2026-02-09", to: newest })
  })

  it("ends on the newest date by default, and begins 30 days before its end by default", () => {
    expect(trendWindow({ from: "2026-03-01" }, newest)).toEqual({ from: "2026-03-01", to: newest })
    expect(trendWindow({ to: "2024-03-01" }, newest)).toEqual({
      from: "2024-02-01",
      to: "2024-03-01",
    })
  })

  it("that starts after the newest date is that day", () => {
    expect(trendWindow({ from: "2026-03-11" }, newest)).toEqual({
      from: "2026-03-11",
      to: "2026-03-11",
    })
  })

  it("rejects an end before the beginning", () => {
    expect(trendWindow({ from: "2026-03-02", to: "2026-03-01" }, newest)).toBe("from_after_to")
    expect(trendWindow({ from: "2026-03-01", to: "2026-03-01" }, newest)).toEqual({
      from: "2026-03-01",
      to: "2026-03-01",
    })
  })

  it.each([364, 365])("of %i days is accepted", (days) => {
    const from = addDays(newest, 1 - days)

    expect(trendWindow({ from }, newest)).toEqual({ from, to: newest })
  })

  it("of 366 days is rejected, even without an explicit end", () => {
    const from = addDays(newest, 1 - 366)

    expect(trendWindow({ from }, newest)).toBe("too_long")
    expect(trendWindow({ from, to: newest }, newest)).toBe("too_long")
  })

  it("any request is rejected or gives 1 to 365 days", () => {
    const date = fc.integer({ min: -800, max: 800 }).map((days) => addDays(newest, days))

    fc.assert(
      fc.property(
        fc.option(date, { nil: undefined }),
        fc.option(date, { nil: undefined }),
        (from, to) => {
          const window = trendWindow({ from, to }, newest)
          if (typeof window === "string") return
          expect(countDays(window.from, window.to)).toBeGreaterThanOrEqual(1)
          expect(countDays(window.from, window.to)).toBeLessThanOrEqual(365)
          if (from !== undefined) expect(window.from).toBe(from)
          if (to !== undefined) expect(window.to).toBe(to)
        },
      ),
    )
  })
})
