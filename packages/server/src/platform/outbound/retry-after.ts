// Parses the Retry-After header: whole seconds, or a date in one of the three forms of RFC 9110, 5.6.7. Anything else
// counts as absent, because a bare date parser would read "1.5" as a date in the past.
import { DateTime, Option } from "effect"

/** Longer waits are cut to this. spec 8.1. */
const retryAfterSecondsMax = 86_400

/**
 * *Units*: seconds. `now`: milliseconds. Null if the header is missing or invalid.
 */
export const retryAfterSecondsOf = (text: string | undefined, now: number): number | null => {
  if (text === undefined) return null
  const trimmed = text.trim()
  const seconds = /^\d+$/.test(trimmed)
    ? Number(trimmed)
    : Math.ceil((momentOf(trimmed) - now) / 1000)
  return Number.isNaN(seconds) ? null : Math.min(retryAfterSecondsMax, Math.max(0, seconds))
}

const fixedDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/
/** Obsolete form with a two-digit year. */
const longDate = /^[A-Z][a-z]+day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/
/** Obsolete form, in GMT without saying so. */
const plainDate = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/

/** Milliseconds; NaN if it is not a date. */
const momentOf = (text: string): number => {
  const isPlain = plainDate.test(text)
  if (!isPlain && !fixedDate.test(text) && !longDate.test(text)) return Number.NaN
  return Option.match(DateTime.make(isPlain ? `${text} GMT` : text), {
    onNone: () => Number.NaN,
    onSome: DateTime.toEpochMillis,
  })
}
