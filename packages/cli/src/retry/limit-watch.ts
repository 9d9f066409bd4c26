// Tracks the rate limit the server reports, so that the time left includes the waits.

import type { Hooks } from "@footfall/sdk"

/** Units: seconds. The window of every limit (spec 10.1). */
const WINDOW = 60

/** Watches the responses of one route. */
export class LimitWatch {
  #limit = Infinity
  #remaining = Infinity
  /** In the time of `performance.now()`. */
  #resetAtMs = 0

  /** Hooks for every request that counts toward the limit. */
  readonly hooks: Hooks = {
    onResponse: ({ rateLimit }) => {
      if (rateLimit === null) return
      this.#limit = Math.max(1, rateLimit.limit)
      this.#remaining = rateLimit.remaining
      this.#resetAtMs = performance.now() + rateLimit.resetSeconds * 1000
    },
  }

  /** Seconds until the last of this many further requests can be sent. */
  secondsFor(requests: number): number {
    const beyond = requests - this.#remaining
    if (!(beyond > 0)) return 0
    const untilReset = Math.max(0, this.#resetAtMs - performance.now()) / 1000
    return untilReset + Math.floor((beyond - 1) / this.#limit) * WINDOW
  }
}
