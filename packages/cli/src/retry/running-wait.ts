// The text shown during a wait. Pure except for the clock.

import type { Wait } from "./retry.ts"

/** A wait and when it began, in milliseconds of the same clock that counts it down. */
export type RunningWait = Wait & { readonly sinceMs: number }

/** Why nothing happens, and how much longer it takes. */
export const waitText = ({ reason, seconds, sinceMs }: RunningWait, nowMs: number): string => {
  const left = Math.max(0, Math.ceil(seconds - (nowMs - sinceMs) / 1000))
  return reason === "rate_limit"
    ? `Rate limit reached: continuing in ${left}s.`
    : `Can't reach the server: trying again in ${left}s.`
}
