// Days of a time zone (spec 1.5.10), compared with a search through the clock of the zone minute by minute.
import { DateTime } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { addDays, countDays, dayOf, startOfDay } from "./time-zone.ts"

const at = (text: string) => DateTime.makeUnsafe(text)
const iso = (moment: DateTime.Utc) => DateTime.formatIso(moment)
const hoursOf = (day: string, zone: string) =>
  (startOfDay(addDays(day, 1), zone).epochMilliseconds - startOfDay(day, zone).epochMilliseconds) /
  3_600_000

describe("a day of a time zone", () => {
  it.each([
    ["2026-03-08", "America/New_York", "2026-03-08T05:00:00.000Z", 23],
    ["2026-11-01", "America/New_York", "2026-11-01T04:00:00.000Z", 25],
    ["2026-10-25", "Europe/Berlin", "2026-10-24T22:00:00.000Z", 25],
    ["2026-03-29", "Europe/Berlin", "2026-03-28T23:00:00.000Z", 23],
    ["2026-07-01", "Asia/Kolkata", "2026-06-30T18:30:00.000Z", 24],
    ["2026-07-01", "Pacific/Kiritimati", "2026-06-30T10:00:00.000Z", 24],
    ["2026-07-01", "Pacific/Chatham", "2026-06-30T11:15:00.000Z", 24],
    ["2026-04-05", "Australia/Lord_Howe", "2026-04-04T13:00:00.000Z", 24.5],
    // Midnight does not exist.
    ["2018-11-04", "America/Sao_Paulo", "2018-11-04T03:00:00.000Z", 23],
    ["2023-04-28", "Africa/Cairo", "2023-04-27T22:00:00.000Z", 23],
    ["2021-03-28", "Asia/Beirut", "2021-03-27T22:00:00.000Z", 23],
    // The hour before midnight comes twice, and midnight itself comes twice.
    ["2018-02-17", "America/Sao_Paulo", "2018-02-17T02:00:00.000Z", 25],
    ["2021-10-30", "Asia/Beirut", "2021-10-29T21:00:00.000Z", 25],
    ["2026-10-25", "Atlantic/Azores", "2026-10-25T00:00:00.000Z", 25],
    ["2022-11-06", "America/Havana", "2022-11-06T04:00:00.000Z", 25],
    // A day that was skipped.
    ["2011-12-29", "Pacific/Apia", "2011-12-29T10:00:00.000Z", 24],
    ["2011-12-30", "Pacific/Apia", "2011-12-30T10:00:00.000Z", 0],
    ["2011-12-31", "Pacific/Apia", "2011-12-30T10:00:00.000Z", 24],
  ])("%s in %s begins at %s and has %d hours", (day, zone, start, hours) => {
    expect(iso(startOfDay(day, zone))).toBe(start)
    expect(hoursOf(day, zone)).toBe(hours)
  })

  it("begins at its first minute, ends where the next begins, and holds each of its moments", () => {
    const zones = fc.constantFrom(
      "UTC",
      "America/New_York",
      "America/Sao_Paulo",
      "America/Havana",
      "Africa/Cairo",
      "Asia/Beirut",
      "Asia/Gaza",
      "Asia/Kolkata",
      "Asia/Tehran",
      "Atlantic/Azores",
      "Australia/Lord_Howe",
      "Europe/London",
      "Pacific/Apia",
      "Pacific/Auckland",
      "Pacific/Chatham",
      "Pacific/Kiritimati",
    )
    // A check of its own: the text of Intl at each minute around the start.
    const label = (zone: string) => {
      const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short" })
      return (ms: number) => format.format(ms)
    }
    fc.assert(
      fc.property(zones, fc.integer({ min: 0, max: 366 * 45 }), (zone, offset) => {
        const day = addDays("1995-01-01", offset)
        const labelAt = label(zone)
        const start = startOfDay(day, zone).epochMilliseconds
        const end = startOfDay(addDays(day, 1), zone).epochMilliseconds
        expect(labelAt(start) >= day).toBe(true)
        expect(labelAt(start - 60_000) < day).toBe(true)
        if (end === start) return
        for (const ms of [start, start + 3_600_000, (start + end) / 2, end - 3_600_000, end - 1]) {
          expect(labelAt(ms)).toBe(day)
          expect(dayOf(DateTime.makeUnsafe(ms), zone)).toBe(day)
        }
      }),
      { numRuns: 3_000 },
    )
  })

  it.each(["UTC", "Pacific/Kiritimati", "Pacific/Niue", "Europe/Berlin"])(
    "is safe at both ends of the calendar in %s",
    (zone) => {
      for (const day of ["0001-01-01", "1582-10-10", "1970-01-01", "9999-12-31"]) {
        const start = startOfDay(day, zone)
        expect(Math.abs(start.epochMilliseconds - at(day).epochMilliseconds)).toBeLessThanOrEqual(
          15 * 3_600_000,
        )
      }
    },
  )

  it("has neighbours across months, leap days and years", () => {
    expect(addDays("2024-02-28", 1)).toBe("2024-02-29")
    expect(addDays("2026-01-01", -1)).toBe("2025-12-31")
    expect(countDays("2024-02-28", "2024-03-01")).toBe(3)
  })
})
