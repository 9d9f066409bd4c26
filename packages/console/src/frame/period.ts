// The period of every list and every figure: a time window, a calendar month or chosen days. Days are those of the
// organization's time zone, as `YYYY-MM-DD`.
import type { Timeframe } from "@footfall/sdk"
import type { Choice } from "../ui/field.tsx"
import { knownZone } from "../ui/time.tsx"

export const timeframes: ReadonlyArray<Choice<Timeframe>> = [
  { value: "24h", text: "24 hours" },
  { value: "7d", text: "7 days" },
  { value: "14d", text: "14 days" },
  { value: "30d", text: "30 days" },
  { value: "90d", text: "90 days" },
  { value: "all", text: "All time" },
]

export type Window = Timeframe | "month" | "last-month"

export const windowDefault = "30d"

/** What can be chosen besides days. */
export const windows: ReadonlyArray<Choice<Window>> = [
  ...timeframes,
  { value: "month", text: "This month" },
  { value: "last-month", text: "Last month" },
]

/** The first and the last day, both included. */
export interface Days {
  readonly from: string
  readonly to: string
}

/** A period in requests. Without `to`, it ends now. */
export type Period =
  | { readonly from: string; readonly to?: string }
  | { readonly timeframe: Timeframe }

const dayMs = 86_400_000

/** The first day that the API takes. */
export const dayMin = "1970-01-01"

const isDay = (value: unknown): value is string =>
  typeof value === "string" &&
  /^\d{4}-\d\d-\d\d$/.test(value) &&
  value >= dayMin &&
  // JavaScript reads February 31 as March 3.
  new Date(`${value}T00:00Z`).toJSON()?.slice(0, 10) === value

/** Undefined unless both are days, in their order. */
export const readDays = (from: unknown, to: unknown): Days | undefined =>
  isDay(from) && isDay(to) && from <= to ? { from, to } : undefined

/** Today in a time zone. */
export const dayIn = (timeZone: string): string =>
  // Swedish dates are those of ISO 8601.
  new Date().toLocaleDateString("sv-SE", { timeZone: knownZone(timeZone) })

export const daysBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * dayMs).toISOString().slice(0, 10)

const firstOfMonth = (day: string): string => `${day.slice(0, 7)}-01`

/** Windows are whole days up to today, as the overview counts them, so that lists and figures agree. */
export const periodOf = (chosen: Window | Days, today: string): Period => {
  if (typeof chosen === "object") {
    const { from, to } = chosen
    return to < today ? { from, to } : { from }
  }
  if (chosen === "24h" || chosen === "all") return { timeframe: chosen }
  if (chosen === "month") return { from: firstOfMonth(today) }
  if (chosen === "last-month") {
    const to = daysBefore(firstOfMonth(today), 1)
    return { from: firstOfMonth(to), to }
  }
  return { from: daysBefore(today, Number.parseInt(chosen, 10) - 1) }
}
