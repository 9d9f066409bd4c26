// The days a trend is told for (spec 5.7): those asked for, else the 30 up to the newest date
// with data.
import { addDays, countDays } from "./calendar-date.ts"

// spec 5.7
export const windowDaysDefault = 30
/** From the first to the last day, also when some have no data. */ // spec 5.7
export const windowDaysMax = 365

export interface TrendWindow {
  /** Included, as `to` is. */
  readonly from: string
  readonly to: string
}

export type WindowRefusal = "from_after_to" | "too_long"

/** A window that begins after the newest date and has no end is its first day. */
export const trendWindow = (
  asked: { readonly from?: string | undefined; readonly to?: string | undefined },
  newest: string,
): TrendWindow | WindowRefusal => {
  const to = asked.to ?? (asked.from !== undefined && asked.from > newest ? asked.from : newest)
  const from = asked.from ?? addDays(to, 1 - windowDaysDefault)
  if (from > to) return "from_after_to"
  return countDays(from, to) > windowDaysMax ? "too_long" : { from, to }
}
