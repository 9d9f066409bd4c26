// Requests in a row that together would exceed a rate limit: each waits until the server has room for it.

import { setTimeout as sleep } from "node:timers/promises"
import { RateLimitedError } from "../errors/api-error.ts"
import { AbortedError } from "../errors/footfall-error.ts"
import type { RateLimitState } from "./rate-limit-state.ts"

/** How to wait, and until when. */
export interface RateLimitWaitOptions {
  readonly signal?: AbortSignal | undefined
  /** Called before a wait. Units: seconds. */
  readonly onWait?: ((seconds: number) => void) | undefined
}

/** Sends one request after the other, and waits whenever the last answer left none for this window. */
export class RateLimitWait {
  readonly #options: RateLimitWaitOptions
  #waitSeconds = 0

  constructor(options: RateLimitWaitOptions) {
    this.#options = options
  }

  async send<A>(request: (onRateLimit: (state: RateLimitState) => void) => Promise<A>): Promise<A> {
    for (;;) {
      await this.#wait()
      try {
        return await request(({ remaining, resetSeconds }) => {
          this.#waitSeconds = remaining === 0 ? resetSeconds : 0
        })
      } catch (error) {
        // Other clients may use up the same limit, so it may be refused again and again.
        if (!(error instanceof RateLimitedError)) throw error
        this.#waitSeconds = error.retryAfterSeconds ?? this.#waitSeconds
        if (this.#waitSeconds <= 0) throw error
      }
    }
  }

  async #wait(): Promise<void> {
    const { onWait, signal } = this.#options
    if (this.#waitSeconds > 0) {
      onWait?.(this.#waitSeconds)
      await sleep(this.#waitSeconds * 1000, undefined, signal ? { signal } : {}).catch(() => {})
      this.#waitSeconds = 0
    }
    if (signal?.aborted) {
      throw new AbortedError("The upload was aborted by its signal", { cause: signal.reason })
    }
  }
}
