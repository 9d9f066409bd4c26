// The overview as text: figures next to those of the previous period, and charts for any number of
// days.

import type { Breakdown, Overview, OverviewDay } from "@footfall/sdk"
import { stripVTControlCharacters } from "node:util"
import { describe, expect, test } from "vitest"
import { textWidth } from "../ui/column-widths.ts"
import { drawn } from "../ui/drawn.ts"
import { BreakdownView, changeText, OverviewView } from "./views.tsx"

const figures = {
  sessions: 1_204,
  anonymousSessions: 900,
  pageviews: 4_100,
  people: 31,
  newPeople: 12,
  suppressedPeople: 2,
  companies: 88,
  pricingPageViews: 40,
  demoPageViews: 7,
}

/** Sessions increase by one per day, people decrease. */
const days = (count: number): ReadonlyArray<OverviewDay> =>
  Array.from({ length: count }, (_, place) => ({
    ...figures,
    date: new Date(Date.UTC(2026, 2, 1 + place)).toISOString().slice(0, 10),
    sessions: 10 + place,
    people: 100 - place,
  }))

const overviewOf = (count: number): Overview => ({
  suppressed: "exclude",
  timeZone: "UTC",
  days: days(count),
  hours: [],
  totals: figures,
  previous: { ...figures, sessions: 1_000, people: 62, companies: 0 },
  comparison: null,
})

const text = (
  overview: Overview,
  screenColumns = 80,
  compare: "previous" | "year" = "previous",
): string =>
  stripVTControlCharacters(drawn(OverviewView, { overview, compare, screenColumns }, screenColumns))

/** The lines of a chart, from below its title down to the dates. */
const chartOf = (screen: string, title: string): ReadonlyArray<string> => {
  const lines = screen.split("\n")
  const from = lines.findIndex((line) => line.includes(title)) + 1
  return lines.slice(from, lines.findIndex((line, at) => at > from && line.includes("2026-")) + 1)
}
const braille = /[\u2801-\u28FF]/
/** Where the line starts or ends: its first or last character. */
const place = (lines: ReadonlyArray<string>, column: "first" | "last"): number => {
  const drawnLines = lines.map((line) => [...line].map((sign) => braille.test(sign)))
  const width = Math.max(...drawnLines.map((line) => line.length))
  const columns = Array.from({ length: width }, (_, at) => at).filter((at) =>
    drawnLines.some((line) => line[at] === true),
  )
  const at = column === "first" ? columns[0]! : columns.at(-1)!
  return drawnLines.findIndex((line) => line[at] === true)
}

test("figures show their change, unless there was nothing before", () => {
  const screen = text(overviewOf(30))

  expect(screen).toContain("2026-03-01 to 2026-03-30")
  expect(screen).toMatch(/Sessions\s+1,204 \(\+20% on the period before\)/)
  expect(screen).toMatch(/People\s+31 \(-50% on the period before\)/)
  expect(screen).toMatch(/Companies\s+88\n/)
})

test("figures say that they are compared with the year before", () => {
  const overview = overviewOf(30)
  const comparison = { days: [], hours: [], totals: { ...figures, sessions: 602 } }

  expect(text({ ...overview, comparison }, 80, "year")).toMatch(
    /Sessions\s+1,204 \(\+100% on the year before\)/,
  )
})

test("hours are those of the organization's clocks", () => {
  const hours = Array.from({ length: 25 }, (_, place) => ({
    ...figures,
    startsAt: new Date(Date.UTC(2026, 2, 10, 12, 30 + 60 * place)).toISOString(),
  }))
  const screen = text({ ...overviewOf(0), timeZone: "Asia/Kolkata", hours })

  expect(screen).toContain("2026-03-10 18:00 to 2026-03-11 18:00 (Asia/Kolkata)")
  const people = chartOf(screen, "People per hour")
  expect(people.at(-1)).toMatch(/2026-03-10 18:00 .* 2026-03-11 06:00 .* 2026-03-11 18:00/)
  expect(screen).toContain("Sessions per hour")
})

test.each([
  ["exclude", "Without suppressed people and companies."],
  ["include", "With suppressed people and companies."],
  ["only", "Only suppressed people and companies, and their sessions."],
] as const)("figures with %s say what they count", (suppressed, words) => {
  expect(text({ ...overviewOf(30), suppressed })).toContain(words)
})

test("without visits it shows no charts but a command that explains why", () => {
  const nothing = Object.fromEntries(Object.keys(figures).map((name) => [name, 0]))
  const totals = nothing as unknown as typeof figures
  const screen = text({
    ...overviewOf(30),
    days: days(30).map(({ date }) => ({ ...totals, date })),
    totals,
    previous: totals,
  })

  expect(screen.trim()).toBe(
    "No visits from 2026-03-01 to 2026-03-30.\nTo find out why: footfall doctor",
  )
})

describe("the charts", () => {
  test("draw rising sessions from the lower left to the upper right, and falling people the other way", () => {
    const screen = text(overviewOf(30))
    const sessions = chartOf(screen, "Sessions per day")
    const people = chartOf(screen, "People per day")

    expect(place(sessions, "first")).toBeGreaterThan(place(sessions, "last"))
    expect(place(people, "first")).toBeLessThan(place(people, "last"))
    for (const chart of [sessions, people]) {
      expect(chart.at(-1)).toContain("2026-03-01")
      expect(chart.at(-1)).toContain("2026-03-30")
    }
  })

  test("are left out for a single day", () => {
    const screen = text(overviewOf(1))

    expect(screen).toContain("2026-03-01")
    expect(screen).not.toMatch(braille)
    expect(screen).not.toContain("per day")
  })

  test.each([40, 60, 80, 200])("stay within %i columns", (columns) => {
    for (const line of text(overviewOf(90), columns).split("\n")) {
      expect(textWidth(line)).toBeLessThanOrEqual(columns)
    }
  })
})

test.each([
  [12, 10, "12 (+20% on the period before)"],
  [10, 12, "10 (-17% on the period before)"],
  [5, 5, "5 (0% on the period before)"],
  [1_500, 150, "1,500 (150 in the period before)"],
  [1_499, 150, "1,499 (+899% on the period before)"],
  [1_500, 0, "1,500"],
])("%i after %i is %s", (now, before, expected) => {
  expect(changeText(now, before)).toBe(expected)
})

describe("a breakdown", () => {
  const counts = { sessions: 30, anonymousSessions: 20, pageviews: 55, people: 4, companies: 9 }
  const breakdown: Breakdown = {
    suppressed: "exclude",
    timeZone: "UTC",
    by: "source",
    totals: { ...counts, sessions: 40, comparison: null },
    rows: [
      { value: "news", keyPage: null, ...counts, comparison: { ...counts, sessions: 12 } },
      {
        value: null,
        keyPage: null,
        ...counts,
        sessions: 10,
        comparison: { ...counts, sessions: 0 },
      },
    ],
    hasMore: true,
  }
  const shown = (change: Partial<Breakdown>, screenColumns = 80) =>
    stripVTControlCharacters(
      drawn(
        BreakdownView,
        { breakdown: { ...breakdown, ...change }, compare: "previous", screenColumns },
        screenColumns,
      ),
    )

  test("shows each value with its share, the period before, people and companies", () => {
    const text = shown({})

    expect(text).toMatch(/Source +Sessions +Share +Before +People +Companies/)
    expect(text).toMatch(/news +30 +75% +12 +4 +9/)
    expect(text).toMatch(/\(direct\) +10 +25% +0 +4 +9/)
    expect(text).toContain("--limit 100")
  })

  test("fits a narrow screen", () => {
    const value = `/${"long/".repeat(40)}`
    const text = shown({ rows: [{ value, keyPage: null, ...counts, comparison: null }] }, 40)

    for (const line of text.split("\n")) expect(textWidth(line)).toBeLessThanOrEqual(40)
  })

  test("without visits says what to do", () => {
    expect(shown({ rows: [] })).toContain("footfall doctor")
  })
})
