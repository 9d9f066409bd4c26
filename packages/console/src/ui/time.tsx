// Times and numbers, written as the browser's language does. Words such as "3 days ago" are English, as everything
// else here. Hovering shows the exact local and UTC time.
import { useNow } from "./now.ts"

const local = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" })
const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" })
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "short" })
const exact = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" })

const steps = [
  ["min", 60],
  ["h", 3_600],
  ["day", 86_400],
] as const

/** How far the server's clock may be ahead. In seconds. */
const skew = 5

const ago = (seconds: number): string => {
  const size = Math.abs(seconds)
  if (size < 60) return seconds < skew ? "just now" : "in a moment"
  const [unit, length] = steps.findLast(([, length]) => size >= length) ?? steps[0]
  const value = Math.trunc(size / length)
  if (unit === "day" && value === 1) return seconds < 0 ? "yesterday" : "tomorrow"
  const text = `${value} ${unit}${unit === "day" ? "s" : ""}`
  return seconds < 0 ? `${text} ago` : `in ${text}`
}

interface TimeProps {
  /** ISO 8601; null shows `none`. */
  readonly at: string | null
  readonly none?: string
  readonly shape?: "ago" | "full" | "clock" | "seconds"
}

export const Time = ({ at, none = "never", shape = "ago" }: TimeProps) => {
  const nowMs = useNow()
  if (at === null) return <span className="soft">{none}</span>
  const date = new Date(at)
  const seconds = (date.getTime() - nowMs) / 1000
  const old = Math.abs(seconds) > 30 * 86_400
  const texts = {
    ago: () => (old ? day.format(date) : ago(seconds)),
    full: () => local.format(date),
    clock: () => clock.format(date),
    seconds: () => exact.format(date),
  }
  const utc = `${at.slice(0, 19).replace("T", " ")} UTC`
  return (
    <time dateTime={at} title={`${local.format(date)} here, ${utc}`}>
      {texts[shape]()}
    </time>
  )
}

/** The zone, or UTC if this browser doesn't know it. The server may know newer ones. */
export const knownZone = (timeZone: string): string => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone
  } catch {
    return "UTC"
  }
}

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" })

/** For example `Nov 1 – 20, 2026`. */
export const dayRange = ({ from, to }: { readonly from: string; readonly to: string }): string =>
  dates.formatRange(new Date(from), new Date(to))

/** For example `4 min 5 s`. */
export const duration = (seconds: number): string => {
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

const whole = new Intl.NumberFormat()

/** With thousands separators. */
export const count = (value: number): string => whole.format(value)

/** A percentage rounded to a whole number, but to 0 or 100 only if it is exactly that. */
export const share = (percent: number): string => {
  if (percent > 0 && percent < 1) return "<1%"
  return percent > 99 && percent < 100 ? ">99%" : `${Math.round(percent)}%`
}

/** `1 page`, `2 pages`. */
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`
