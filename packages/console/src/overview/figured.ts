// The part of the chosen period that has figures.
import type { OverviewParams } from "@footfall/sdk"
import { daysBefore } from "../frame/period.ts"
import { useScope } from "../frame/scope.tsx"
import { dayRange } from "../ui/time.tsx"

/** Today and the days before it that have figures. */
export const figureDays = 365

export interface Figured {
  readonly period: Pick<OverviewParams, "timeframe" | "from" | "to">
  /** The period in words. */
  readonly text: string | undefined
}

/** Undefined if no part has figures, such as for days to come. */
export const useFigured = (): Figured | undefined => {
  const { period, periodText: text, today } = useScope()
  if ("timeframe" in period) {
    return period.timeframe === "all"
      ? { period: { timeframe: "90d" }, text: "90 days, the longest window that has figures" }
      : { period: { timeframe: period.timeframe }, text }
  }
  const first = daysBefore(today, figureDays)
  const { from, to = today } = period
  if (to < first || from > today) return undefined
  return from < first
    ? {
        period: { ...period, from: first },
        text: `${dayRange({ from: first, to })}, no earlier day has figures`,
      }
    : { period, text }
}
