// Numbers, times and durations for people. Pure: the current time and the time zone are arguments.

/**
 * `1,204`. A format of `Intl` is made with the first text: the library behind it takes 11 ms of processor
 * time, too long for a command that prints no figure.
 */
export const countText = (count: number): string => count.toLocaleString("en")

/** `1 row`, `1,204 rows`. */
export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${countText(count)} ${count === 1 ? one : several}`

/** `512 B`, `1.5 KiB`, `12 MiB`. */
export const sizeText = (bytes: number): string => {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"]
  let size = bytes
  let unit = 0
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024
    unit += 1
  }
  const digits = unit === 0 || size >= 10 ? 0 : 1
  return `${size.toFixed(digits)} ${units[unit]}`
}

/** What a rate rests on. */
interface Advance {
  /** Done since the command began. */
  readonly done: number
  /** Still to do; null while it is not known. */
  readonly left: number | null
  readonly elapsedMs: number
  /** What the rate limit alone makes the rest take; default: nothing. */
  readonly limitSeconds?: number
}

/** A rate before this much time has gone by is chance. */
const RATE_AFTER_MS = 500

/** `420 rows/s`; null as long as there is nothing to go by. */
export const rateText = ({ done, elapsedMs }: Advance, noun: string): string | null => {
  if (elapsedMs < RATE_AFTER_MS || done === 0) return null
  const perSecond = (done / elapsedMs) * 1000
  return `${countText(perSecond >= 10 ? Math.round(perSecond) : Number(perSecond.toFixed(1)))} ${noun}/s`
}

/** `9s left`, `2h 5m left`; null as long as there is nothing to go by. */
export const timeLeftText = (advance: Advance): string | null => {
  const { done, left, elapsedMs, limitSeconds = 0 } = advance
  if (elapsedMs < RATE_AFTER_MS || done === 0 || left === null || left <= 0) return null
  const seconds = Math.max((left / done) * (elapsedMs / 1000), limitSeconds)
  return `${duration(Math.ceil(seconds))} left`
}

const MINUTE_MS = 60_000

const HOUR_MS = 60 * MINUTE_MS

const DAY_MS = 24 * HOUR_MS

/** `just now`, `5m ago`, `3h ago`, `12d ago`; from 60 days on the date. */
export const timeAgo = (at: string, now: Date): string => {
  const elapsedMs = now.getTime() - Date.parse(at)
  // A clock that runs ahead of the server's must not make visits of the future.
  if (elapsedMs < MINUTE_MS) return "just now"
  if (elapsedMs < HOUR_MS) return `${Math.floor(elapsedMs / MINUTE_MS)}m ago`
  if (elapsedMs < DAY_MS) return `${Math.floor(elapsedMs / HOUR_MS)}h ago`
  if (elapsedMs < 60 * DAY_MS) return `${Math.floor(elapsedMs / DAY_MS)}d ago`
  return at.slice(0, 10)
}

/** `2026-03-11 08:41` in the time zone given, or in the computer's own. */
export const dateAndTime = (at: string, timeZone?: string): string =>
  new Intl.DateTimeFormat("sv-SE", {
    dateStyle: "short",
    timeStyle: "short",
    ...(timeZone === undefined ? {} : { timeZone }),
  }).format(new Date(at))

/** `45s`, `1m 8s`, `2h 5m`. */
export const duration = (seconds: number): string => {
  if (seconds < 60) return `${seconds}s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${seconds % 60}s`
  return `${Math.floor(seconds / 3600)}h ${Math.floor((seconds % 3600) / 60)}m`
}
