// Moments and spans in words people read at a glance. Pure: the present moment and the time zone
// come in as arguments.

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
