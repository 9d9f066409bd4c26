// The clock hours of a window, and the same dates a year before (spec 13.3.3).
import { DateTime } from "effect"

const hourMs = 3_600_000

const offsetOf = (moment: DateTime.Utc, timeZone: string): number =>
  DateTime.zonedOffset(DateTime.setZoneNamedUnsafe(moment, timeZone))

/** How long a clock of the zone has shown the same hour. */
const sinceHour = (moment: DateTime.Utc, timeZone: string): number => {
  const local = moment.epochMilliseconds + offsetOf(moment, timeZone)
  return ((local % hourMs) + hourMs) % hourMs
}

/**
 * When the clock hours of a window begin; the first one may begin before it. An hour that comes twice is there twice,
 * one that is skipped is not.
 */
export const clockHours = (
  from: DateTime.Utc,
  until: DateTime.Utc,
  timeZone: string,
): ReadonlyArray<DateTime.Utc> => {
  const starts = [DateTime.subtract(from, { milliseconds: sinceHour(from, timeZone) })]
  for (let last = starts[0]!; ; starts.push(last)) {
    last = DateTime.add(last, { milliseconds: hourMs - sinceHour(last, timeZone) })
    if (last.epochMilliseconds >= until.epochMilliseconds) return starts
  }
}

/** The same date a year before; 28 February for 29 February. */
export const yearBefore = (day: string): string =>
  DateTime.formatIsoDateUtc(DateTime.subtract(DateTime.makeUnsafe(day), { years: 1 }))

/** The same time of the same date a year before. */
export const momentYearBefore = (moment: DateTime.Utc, timeZone: string): DateTime.Utc =>
  DateTime.toUtc(DateTime.subtract(DateTime.setZoneNamedUnsafe(moment, timeZone), { years: 1 }))
