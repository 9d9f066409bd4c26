// The header Retry-After of an answer, RFC 9110: whole seconds, or a date.
import { DateTime, Option } from "effect"

/** Longer ones are cut to this. decisions.md 8.1. */
const retryAfterSecondsMax = 86_400

/** *Units*: seconds. `now`: milliseconds. Null when there is none, or none that can be read. */
export const retryAfterSecondsOf = (text: string | undefined, now: number): number | null => {
  if (text === undefined) return null
  const trimmed = text.trim()
  const seconds = /^\d+$/.test(trimmed)
    ? Number(trimmed)
    : Math.ceil((momentOf(trimmed) - now) / 1000)
  return Number.isNaN(seconds) ? null : Math.min(retryAfterSecondsMax, Math.max(0, seconds))
}

/** Milliseconds; NaN for what is no date. */
const momentOf = (text: string): number =>
  Option.match(DateTime.make(text), {
    onNone: () => Number.NaN,
    onSome: DateTime.toEpochMillis,
  })
