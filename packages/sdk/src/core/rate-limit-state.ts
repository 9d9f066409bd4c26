// The rate limit that a response reports (spec 10.1).
import { RateLimitedError } from "../errors/api-error.ts"
import { AbortedError } from "../errors/footfall-error.ts"
import { systemClock } from "./clock.ts"

/** The state of a rate limit. */
export interface RateLimitState {
  /** Requests per window. */
  readonly limit: number
  /** Requests left in this window. */
  readonly remaining: number
  /** Seconds until the window ends. */
  readonly resetSeconds: number
}

/** Returns null if a header is missing or not a whole number. */
export function readRateLimitState(header: (name: string) => string | null): RateLimitState | null {
  if (header("ratelimit-limit") === null) return null
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

// Sends a series of requests that would exceed a rate limit together. Each one waits until the limit allows it.

/** Options for the waits. */
interface RateLimitWaitOptions {
  readonly signal?: AbortSignal | undefined
  /** Called before a wait. Units: seconds. */
  readonly onWait?: ((seconds: number) => void) | undefined
}

/** If the last response left no request in this window, the next request waits for the next window. */
export class RateLimitWait {
  readonly #options: RateLimitWaitOptions
  #waitSeconds = 0
  #remaining = Number.POSITIVE_INFINITY

  constructor(options: RateLimitWaitOptions) {
    this.#options = options
  }

  /** Whether the last known limit allows this many requests at once. */
  allows(requests: number): boolean {
    return requests <= this.#remaining
  }

  async send<A>(request: (onRateLimit: (state: RateLimitState) => void) => Promise<A>): Promise<A> {
    for (;;) {
      await this.#wait()
      try {
        return await request(({ remaining, resetSeconds }) => {
          this.#remaining = remaining
          this.#waitSeconds = remaining === 0 ? resetSeconds : 0
        })
      } catch (error) {
        // Other clients can use up the same limit, so the server may reject the request more than once.
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
