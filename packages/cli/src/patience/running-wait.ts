// A wait as it is told to people while it lasts. Pure but for the clock it is given.

import type { Wait } from "./patience.ts"

/** A wait and when it began, in milliseconds of the clock that tells how long it lasts yet. */
export type RunningWait = Wait & { readonly sinceMs: number }

/** Why nothing moves, and how long yet. */
export const waitText = ({ reason, seconds, sinceMs }: RunningWait, nowMs: number): string => {
  const left = Math.max(0, Math.ceil(seconds - (nowMs - sinceMs) / 1000))
  return reason === "rate_limit"
    ? `The server's rate limit is reached: going on in ${left}s.`
    : `The server does not answer: trying again in ${left}s.`
}
