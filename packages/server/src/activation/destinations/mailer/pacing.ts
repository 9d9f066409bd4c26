// Spaces the requests to each account with a token bucket (spec 2.17). Buckets are per process: with N processes, each
// adapts its own to the responses it gets.
import { Clock, Effect } from "effect"
import { ProviderRateLimited } from "./mailer-error.ts"

/** Longer waits are left to the caller, which parks the delivery. Units: milliseconds. */ // spec 8.1.8
export const waitMsMax = 12_000
/** Accounts whose bucket is kept; the least recently used one starts fresh. */
const accountsMax = 1_000

export interface Pacing {
  /** Waits for a token; fails if that would take longer than 12 seconds. */
  turn(accountId: string): Effect.Effect<void, ProviderRateLimited>
  refused(accountId: string, retryAfterSeconds: number | null): Effect.Effect<void>
  succeeded(accountId: string): Effect.Effect<void>
}

export const makePacing = (): Pacing => {
  const buckets = new Map<string, TokenBucket>()
  const put = (accountId: string, bucket: TokenBucket) => {
    buckets.delete(accountId)
    buckets.set(accountId, bucket)
    if (buckets.size > accountsMax) buckets.delete(buckets.keys().next().value!)
  }
  const bucketOf = (accountId: string, now: number) => buckets.get(accountId) ?? fullBucket(now)

  return {
    turn: (accountId) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const { bucket, waitMs } = take(bucketOf(accountId, now), now)
        if (waitMs > waitMsMax) {
          const retryAfterSeconds = Math.ceil(waitMs / 1000)
          return new ProviderRateLimited({ retryAfterSeconds, isOurs: true })
        }
        put(accountId, bucket)
        return waitMs === 0 ? Effect.void : Effect.sleep(waitMs)
      }),
    refused: (accountId, retryAfterSeconds) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const waitMs = retryAfterSeconds === null ? null : retryAfterSeconds * 1000
        put(accountId, refused(bucketOf(accountId, now), now, waitMs))
      }),
    succeeded: (accountId) =>
      Effect.map(Clock.currentTimeMillis, (now) =>
        put(accountId, succeeded(bucketOf(accountId, now))),
      ),
  }
}

// How fast one account receives requests: a token bucket whose rate each 429 halves and each success raises again, and
// which stays closed during a Retry-After (spec 2.17, Rate). Pure: time is passed in.
/** Burst after a pause, and requests per second without refusals. Our choice. */
export const burstMax = 20
export const rateMax = 100
/** The lowest rate. Units: requests per second. */
export const rateMin = 0.5
/** The share of the full rate that each success restores. */
const recoveryShare = 0.01
/** Used when a 429 has no Retry-After. Units: milliseconds. */
const waitMsDefault = 1_000

export interface TokenBucket {
  /** Tokens per second. */
  readonly rate: number
  /** As of `at`; negative if tokens were promised to waiting requests. */
  readonly tokens: number
  /** Units: milliseconds of the clock. */
  readonly at: number
  /** Nothing is sent before this. */
  readonly closedUntil: number
}

export const fullBucket = (now: number): TokenBucket => ({
  rate: rateMax,
  tokens: burstMax,
  at: now,
  closedUntil: 0,
})

/** Takes one token and returns how long to wait before using it. Units: milliseconds. */
export const take = (
  bucket: TokenBucket,
  now: number,
): { readonly bucket: TokenBucket; readonly waitMs: number } => {
  const left = tokensAt(bucket, now) - 1
  const owed = left >= 0 ? 0 : (-left / bucket.rate) * 1000
  return {
    bucket: { ...bucket, tokens: left, at: now },
    waitMs: Math.ceil(Math.max(owed, bucket.closedUntil - now)),
  }
}

/** Handles a 429. Requests sent together count once: the rate stays while the bucket is closed. */
export const refused = (
  bucket: TokenBucket,
  now: number,
  retryAfterMs: number | null,
): TokenBucket => {
  const closedUntil = Math.max(bucket.closedUntil, now + (retryAfterMs ?? waitMsDefault))
  if (now < bucket.closedUntil) return { ...bucket, closedUntil }
  const rate = Math.max(rateMin, bucket.rate / 2)
  // Saved-up tokens are dropped, so the first request after the wait is alone.
  return { rate, tokens: Math.min(1, tokensAt(bucket, now)), at: now, closedUntil }
}

export const succeeded = (bucket: TokenBucket): TokenBucket => ({
  ...bucket,
  rate: Math.min(rateMax, bucket.rate + rateMax * recoveryShare),
})

const tokensAt = ({ at, rate, tokens }: TokenBucket, now: number): number =>
  Math.min(burstMax, tokens + (Math.max(0, now - at) / 1000) * rate)
