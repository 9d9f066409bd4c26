// The time windows of the Data API: n × 24 hours before the request, rolling, or the whole history (spec 1.5).
import { DateTime, Schema } from "effect"

export const Timeframe = Schema.Literals(["24h", "7d", "14d", "30d", "90d", "all"])
export type Timeframe = typeof Timeframe.Type

const isTimeframe = Schema.is(Timeframe)

/** A timeframe, or the first day of a window up to now: `YYYY-MM-DD` in UTC. */
export type Period = Timeframe | `${number}-${number}-${number}`

const days: Readonly<Record<Timeframe, number | undefined>> = {
  "24h": 1,
  "7d": 7,
  "14d": 14,
  "30d": 30,
  "90d": 90,
  all: undefined,
}

/** Start of the window before `asOf`; undefined for `all`. */
export const windowStart = (period: Period, asOf: DateTime.Utc): DateTime.Utc | undefined => {
  if (!isTimeframe(period)) return DateTime.makeUnsafe(`${period}T00:00:00Z`)
  const count = days[period]
  return count === undefined ? undefined : DateTime.subtract(asOf, { hours: count * 24 })
}
