// Time zones of organizations (spec 1.5.10): their names, and their calendar days, `YYYY-MM-DD`.
import { DateTime, Option, Schema } from "effect"

/** No offset and no path: `UTC`, `Europe/Berlin`, `America/Argentina/Buenos_Aires`, `Etc/GMT+5`. */
const zonePattern = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/

const isTimeZone = (text: string): boolean =>
  zonePattern.test(text) && Option.isSome(DateTime.zoneMakeNamed(text))

export const timeZoneExpected = "a time zone such as Europe/Berlin or UTC"

/** A name that this process knows, in any case. Postgres must know it too before it is stored. */
export const TimeZone = Schema.Trim.check(
  Schema.makeFilter(isTimeZone, { expected: timeZoneExpected }),
)

/**
 * The first moment of a day. If clocks skip midnight, it is the moment after the skip, and a day that they skip begins
 * when the next one does. If midnight comes twice, it is the first.
 */
export const startOfDay = (day: string, timeZone: string): DateTime.Utc =>
  DateTime.toUtc(
    DateTime.makeZonedUnsafe(`${day}T00:00:00Z`, { timeZone, adjustForTimeZone: true }),
  )

/** The day of a moment. */
export const dayOf = (moment: DateTime.Utc, timeZone: string): string =>
  DateTime.formatIsoDate(DateTime.setZoneNamedUnsafe(moment, timeZone))

/** The day this many days later; earlier if negative. */
export const addDays = (day: string, days: number): string =>
  DateTime.formatIsoDateUtc(DateTime.add(DateTime.makeUnsafe(day), { days }))

const dayMs = 86_400_000

/** Number of days from one to the other, inclusive. */
export const countDays = (from: string, to: string): number =>
  (DateTime.makeUnsafe(to).epochMilliseconds - DateTime.makeUnsafe(from).epochMilliseconds) /
    dayMs +
  1
