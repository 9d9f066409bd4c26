// Clock hours and the dates a year before (spec 13.3.3).
import { DateTime } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { clockHours, momentYearBefore, yearBefore } from "./windows.ts"

const at = (text: string) => DateTime.makeUnsafe(text)
const lastDay = (until: string, zone: string) =>
  clockHours(DateTime.subtract(at(until), { hours: 24 }), at(until), zone).map((start) =>
    new Intl.DateTimeFormat("sv-SE", {
      timeZone: zone,
      dateStyle: "short",
      timeStyle: "short",
    }).format(start.epochMilliseconds),
  )

describe("the clock hours of 24 hours", () => {
  it("are 25 with a part of the first and of the last one, and 24 from one full hour to another", () => {
    const part = lastDay("2026-03-11T12:20:00Z", "UTC")
    expect([part.length, part[0], part.at(-1)]).toEqual([
      25,
      "2026-03-10 12:00",
      "2026-03-11 12:00",
    ])
    const full = lastDay("2026-03-11T12:00:00Z", "UTC")
    expect([full.length, full[0], full.at(-1)]).toEqual([
      24,
      "2026-03-10 12:00",
      "2026-03-11 11:00",
    ])
  })

  it("are those of zones that are half an hour or 45 minutes apart from the others", () => {
    expect(lastDay("2026-03-11T12:20:00Z", "Asia/Kolkata").at(-1)).toBe("2026-03-11 17:00")
    expect(lastDay("2026-03-11T12:20:00Z", "Asia/Kathmandu").at(-1)).toBe("2026-03-11 18:00")
  })

  it("are there twice when clocks are set back, and are missing when they are set forward", () => {
    const autumn = lastDay("2026-10-25T12:00:00Z", "Europe/Berlin")
    expect(autumn.filter((hour) => hour === "2026-10-25 02:00")).toHaveLength(2)
    const spring = lastDay("2026-03-29T12:00:00Z", "Europe/Berlin")
    expect(spring).toContain("2026-03-29 01:00")
    expect(spring).not.toContain("2026-03-29 02:00")
    expect(spring).toContain("2026-03-29 03:00")
  })

  it("are in order, and together cover every moment", () => {
    const zones = [
      "UTC",
      "Australia/Lord_Howe",
      "Asia/Kolkata",
      "America/Sao_Paulo",
      "Africa/Cairo",
    ]
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: Date.UTC(2015, 0), max: Date.UTC(2030, 0) }),
        (zone, ms) => {
          const until = DateTime.makeUnsafe(ms)
          const from = DateTime.subtract(until, { hours: 24 })
          const starts = clockHours(from, until, zone).map((start) => start.epochMilliseconds)
          expect(starts[0]! <= from.epochMilliseconds).toBe(true)
          for (const [index, start] of starts.entries()) {
            const next = starts[index + 1] ?? ms
            expect(next > start && next - start <= 3_600_000).toBe(true)
          }
          expect(starts.length).toBeLessThanOrEqual(26)
        },
      ),
    )
  })
})

it.each([
  ["2025-03-01", "2024-03-01"],
  ["2024-02-29", "2023-02-28"],
  ["2026-12-31", "2025-12-31"],
])("a year before %s is %s", (day, before) => {
  expect(yearBefore(day)).toBe(before)
})

it("a year before a moment the clock shows the same time of the same date", () => {
  expect(DateTime.formatIso(momentYearBefore(at("2026-03-29T12:00:00Z"), "Europe/Berlin"))).toBe(
    // Summer time had not begun on that date.
    "2025-03-29T13:00:00.000Z",
  )
})
