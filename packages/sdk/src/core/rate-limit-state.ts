// What an answer says of the rate limit it was counted under (spec 10.1).

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
