// What an answer says of the rate limit it was counted under (spec 10.1).
import { RateLimitedError } from "../errors/api-error.ts"
import { AbortedError } from "../errors/footfall-error.ts"
import { systemClock } from "./clock.ts"

/** What is left of a rate limit. */
export interface RateLimitState {
  /** Requests per window. */
  readonly limit: number
  /** Requests left in this window. */
  readonly remaining: number
  /** Seconds until the window ends. */
  readonly resetSeconds: number
}

/** Null when a header is missing or not a whole number. */
export function readRateLimitState(header: (name: string) => string | null): RateLimitState | null {
  const read = (name: string): number => {
    const text = header(name)
    return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  }
  const state = {
    limit: read("ratelimit-limit"),
    remaining: read("ratelimit-remaining"),
    resetSeconds: read("ratelimit-reset"),
  }
  return Object.values(state).some(Number.isNaN) ? null : state
}

// Requests in a row that together would exceed a rate limit: each waits until the server has room for it.

/** How to wait, and until when. */
interface RateLimitWaitOptions {
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
      await systemClock.wait(this.#waitSeconds * 1000, signal).catch(() => {})
      this.#waitSeconds = 0
    }
    if (signal?.aborted) {
      throw new AbortedError("The upload was aborted by its signal", { cause: signal.reason })
    }
  }
}
