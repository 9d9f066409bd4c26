// Tracks the rate limit the server reports, so that the time left includes the waits.

import type { Hooks } from "@footfall/sdk"

/** Units: seconds. The window of every limit (spec 10.1). */
const WINDOW = 60

/** Hears the answers of one route. */
export class LimitWatch {
  #limit = Infinity
  #remaining = Infinity
  /** Of `performance.now()`. */
  #resetAtMs = 0

  /** For each request that counts. */
  readonly hooks: Hooks = {
    onResponse: ({ rateLimit }) => {
      if (rateLimit === null) return
      this.#limit = Math.max(1, rateLimit.limit)
      this.#remaining = rateLimit.remaining
      this.#resetAtMs = performance.now() + rateLimit.resetSeconds * 1000
    },
  }

  /** Until the last of so many further requests may be sent. */
  secondsFor(requests: number): number {
    const beyond = requests - this.#remaining
    if (!(beyond > 0)) return 0
    const untilReset = Math.max(0, this.#resetAtMs - performance.now()) / 1000
    return untilReset + Math.floor((beyond - 1) / this.#limit) * WINDOW
  }
}
