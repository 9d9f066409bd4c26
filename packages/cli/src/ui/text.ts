// Numbers, times and durations for people. Pure: the current time and the time zone are parameters.

/**
 * `1,204`. Creates the `Intl` format with the first number, because the library takes 11 ms of CPU time, too long for a
 * command that prints no number.
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

/** What a rate is computed from. */
interface Advance {
  /** Done since the command began. */
  readonly done: number
  /** Remaining; null if unknown. */
  readonly left: number | null
  readonly elapsedMs: number
}

/** Before this much time has passed, a rate is not meaningful. */
const RATE_AFTER_MS = 500

/** `420 rows/s`; null until there is enough data. */
export const rateText = ({ done, elapsedMs }: Advance, noun: string): string | null => {
  if (elapsedMs < RATE_AFTER_MS || done === 0) return null
  const perSecond = (done / elapsedMs) * 1000
  return `${countText(perSecond >= 10 ? Math.round(perSecond) : Number(perSecond.toFixed(1)))} ${noun}/s`
}

/** `9s left`, `2h 5m left`; null until there is enough data. */
export const timeLeftText = ({ done, left, elapsedMs }: Advance): string | null => {
  if (elapsedMs < RATE_AFTER_MS || done === 0 || left === null || left <= 0) return null
  return `${duration(Math.ceil((left / done) * (elapsedMs / 1000)))} left`
}

const MINUTE_MS = 60_000

const HOUR_MS = 60 * MINUTE_MS

const DAY_MS = 24 * HOUR_MS

/** `just now`, `5m ago`, `3h ago`, `12d ago`; the date from 60 days on. */
export const timeAgo = (at: string, now: Date): string => {
  const elapsedMs = now.getTime() - Date.parse(at)
  // If the server's clock is ahead, a visit must not appear to be in the future.
  if (elapsedMs < MINUTE_MS) return "just now"
  if (elapsedMs < HOUR_MS) return `${Math.floor(elapsedMs / MINUTE_MS)}m ago`
  if (elapsedMs < DAY_MS) return `${Math.floor(elapsedMs / HOUR_MS)}h ago`
  if (elapsedMs < 60 * DAY_MS) return `${Math.floor(elapsedMs / DAY_MS)}d ago`
  return at.slice(0, 10)
}

/** `2026-03-11 08:41` in the given time zone. Default: the computer's. */
export const dateAndTime = (at: string, timeZone?: string): string =>
  new Intl.DateTimeFormat("sv-SE", {
    dateStyle: "short",
    timeStyle: "short",
    ...(timeZone === undefined ? {} : { timeZone }),
  }).format(new Date(at))

/** `08:41:02` in the given time zone. Default: the computer's. */
export const timeOfDay = (at: string, timeZone?: string): string =>
  new Intl.DateTimeFormat("sv-SE", {
    timeStyle: "medium",
    ...(timeZone === undefined ? {} : { timeZone }),
  }).format(new Date(at))

/** `45s`, `1m 8s`, `2h 5m`. */
export const duration = (seconds: number): string => {
  if (seconds < 60) return `${seconds}s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${seconds % 60}s`
  return `${Math.floor(seconds / 3600)}h ${Math.floor((seconds % 3600) / 60)}m`
}
