// Reads a time in the forms that clients of the tracking contract send (spec 15.2.3): ISO 8601 in its spellings, and
// epoch times. A time without a zone is in UTC.

/** Date, time, zone. A released client for Swift writes a colon before its zone. */
const form =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?):? ?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i
/** A smaller epoch time is in seconds: in milliseconds it would be before March 1973. */
const epochMillisMin = 100_000_000_000
const epochDigits = /^\d{1,15}$/
/** The end of the year 9999. */
const epochMillisMax = 253_402_300_799_999

/** Epoch milliseconds from 1970 on; undefined if it is not a time. */
export const readMoment = (value: unknown): number | undefined => {
  const millis =
    typeof value === "number"
      ? ofEpoch(value)
      : typeof value === "string"
        ? ofText(value.trim())
        : Number.NaN
  return millis >= 0 && millis <= epochMillisMax ? millis : undefined
}

const ofEpoch = (time: number): number => Math.round(time < epochMillisMin ? time * 1_000 : time)

const ofText = (text: string): number => {
  if (epochDigits.test(text)) return ofEpoch(Number(text))
  const [, date, time = "00:00", zone = "Z"] = form.exec(text) ?? []
  if (date === undefined) return Number.NaN
  const offset = zone.replace(
    /^([+-]\d\d):?(\d\d)?$/,
    (_, hours: string, minutes = "00") => `${hours}:${minutes}`,
  )
  // oxlint-disable-next-line no-restricted-globals -- parses a text, asks no clock
  return Date.parse(`${date}T${time.replace(",", ".")}${offset.toUpperCase()}`)
}
