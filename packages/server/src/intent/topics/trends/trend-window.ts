// The days of a trend (spec 5.7): the requested ones, or the 30 days up to the newest date with data.
import { addDays, countDays } from "../../../access/time-zone.ts"

// spec 5.7
export const windowDaysDefault = 30
/** From the first to the last day, including days without data. */ // spec 5.7
export const windowDaysMax = 365

export interface TrendWindow {
  /** Inclusive, like `to`. */
  readonly from: string
  readonly to: string
}

export type WindowRefusal = "from_after_to" | "too_long"

/** A window that starts after the newest date and has no end consists of its first day. */
export const trendWindow = (
  requested: { readonly from?: string | undefined; readonly to?: string | undefined },
  newest: string,
): TrendWindow | WindowRefusal => {
  const to =
    requested.to ??
    (requested.from !== undefined && requested.from > newest ? requested.from : newest)
  const from = requested.from ?? addDays(to, 1 - windowDaysDefault)
  if (from > to) return "from_after_to"
  return countDays(from, to) > windowDaysMax ? "too_long" : { from, to }
}
