// A day of the calendar as requests name it: `YYYY-MM-DD`, UTC (spec 1.5).
import { DateTime, Option, Schema } from "effect"

const isCalendarDate = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  text >= "1970-01-01" &&
  Option.exists(DateTime.make(text), (day) => DateTime.formatIsoDateUtc(day) === text)

export const CalendarDate = Schema.Trim.check(
  Schema.makeFilter(isCalendarDate, {
    expected: "a date like 2026-03-11, from 1970-01-01 to 9999-12-31",
  }),
)

const dayMs = 86_400_000

/** The day so many days later; before, when negative. */
export const addDays = (date: string, days: number): string =>
  DateTime.formatIsoDateUtc(DateTime.add(DateTime.makeUnsafe(date), { days }))

/** Days from the one to the other, both included. */
export const countDays = (from: string, to: string): number =>
  (DateTime.makeUnsafe(to).epochMilliseconds - DateTime.makeUnsafe(from).epochMilliseconds) /
    dayMs +
  1
