// The periods of the Data API: n × 24 hours before the request, the whole history, or days of the organization (spec 1.5).
import { DateTime, Schema } from "effect"
import { addDays, startOfDay } from "../../access/time-zone.ts"

export const Timeframe = Schema.Literals(["24h", "7d", "14d", "30d", "90d", "all"])
export type Timeframe = typeof Timeframe.Type

const days: Readonly<Record<Timeframe, number | undefined>> = {
  "24h": 1,
  "7d": 7,
  "14d": 14,
  "30d": 30,
  "90d": 90,
  all: undefined,
}

/** Days in the organization's time zone, `YYYY-MM-DD`. */
export interface Days {
  readonly from: string
  /** Inclusive. Absent: up to now. */
  readonly to?: string
}

export type Period = Timeframe | Days

/**
 * How long before a window a session that reaches into it may have started. Without this limit, queries would scan the
 * whole history. No one is active for a week without a pause of 30 minutes.
 */
export const reachDays = 7

/** `30d`, or `2026-01-01/2026-01-31`. */
export const periodText = (period: Period): string =>
  typeof period === "object" ? `${period.from}/${period.to ?? ""}` : period

/** The moments of a period. */
export interface Bounds {
  /** Inclusive; undefined: from the beginning. */
  readonly from: DateTime.Utc | undefined
  /** Exclusive; undefined: up to `asOf`. */
  readonly until: DateTime.Utc | undefined
}

const lastDay = "9999-12-31"

export const boundsOf = (period: Period, timeZone: string, asOf: DateTime.Utc): Bounds => {
  if (typeof period === "object") {
    const { from, to = lastDay } = period
    const until = to === lastDay ? undefined : startOfDay(addDays(to, 1), timeZone)
    return {
      from: startOfDay(from, timeZone),
      until: until !== undefined && DateTime.isLessThan(until, asOf) ? until : undefined,
    }
  }
  const count = days[period]
  const from = count === undefined ? undefined : DateTime.subtract(asOf, { hours: count * 24 })
  return { from, until: undefined }
}
