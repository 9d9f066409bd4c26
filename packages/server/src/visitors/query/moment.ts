// A moment as a rule names it: an ISO 8601 date, which is its midnight in UTC, or a timestamp that says
// its zone (spec 3.2). A time without a zone is refused: no one could tell which was meant.
import { DateTime } from "effect"

const pattern =
  /^(\d{4}-\d{2}-\d{2})(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/

/** The moment, or undefined for a text that names none. */
export const momentOf = (text: string): DateTime.Utc | undefined => {
  const date = pattern.exec(text)?.[1]
  if (date === undefined) return undefined
  // JavaScript reads February 30 as March 2.
  const midnight = DateTime.make(`${date}T00:00:00Z`)
  if (midnight._tag === "None" || DateTime.formatIsoDateUtc(midnight.value) !== date) {
    return undefined
  }
  return DateTime.toUtc(DateTime.makeUnsafe(text))
}
