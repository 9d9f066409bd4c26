// Spaces the requests to each account by its token bucket (spec 2.17). Kept by process: of N
// replicas each has a bucket, and each follows the answers it gets.
import { Clock, Effect } from "effect"
import { ProviderRateLimited } from "./mailer-error.ts"

/** A longer wait is the caller's: a delivery is parked for it. Units: milliseconds. */ // spec 8.1.8
export const waitMsMax = 12_000
/** Accounts whose bucket is known; the one that was asked longest ago begins again. */
const accountsMax = 1_000

export interface Pacing {
  /** Waits for a token; fails when that would take longer than 12 seconds. */
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

// How fast one account is asked: a bucket of tokens whose rate is halved by each 429 and grows again with
// what succeeds, and which gives none before a Retry-After is over (spec 2.17, Rate). Pure: the
// time is given.
/** Requests at once after a rest, and per second while nothing is refused. Our decision. */
export const burstMax = 20
export const rateMax = 100
/** However often it was refused. Units: requests per second. */
export const rateMin = 0.5
/** How much each success gives back of the full rate. */
const recoveryShare = 0.01
/** When a 429 does not say how long. Units: milliseconds. */
const waitMsDefault = 1_000

export interface TokenBucket {
  /** Tokens per second. */
  readonly rate: number
  /** At `at`; below zero: given in advance to those who wait. */
  readonly tokens: number
  /** Units: milliseconds, as the clock has them. */
  readonly at: number
  /** Before this nothing is sent. */
  readonly closedUntil: number
}

export const fullBucket = (now: number): TokenBucket => ({
  rate: rateMax,
  tokens: burstMax,
  at: now,
  closedUntil: 0,
})

/** One token, and how long to wait before it is used. Units: milliseconds. */
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

/** A 429. Those that were sent together count once: while it is closed the rate stays. */
export const refused = (
  bucket: TokenBucket,
  now: number,
  retryAfterMs: number | null,
): TokenBucket => {
  const closedUntil = Math.max(bucket.closedUntil, now + (retryAfterMs ?? waitMsDefault))
  if (now < bucket.closedUntil) return { ...bucket, closedUntil }
  const rate = Math.max(rateMin, bucket.rate / 2)
  // What had gathered is gone: the first after the wait is alone.
  return { rate, tokens: Math.min(1, tokensAt(bucket, now)), at: now, closedUntil }
}

export const succeeded = (bucket: TokenBucket): TokenBucket => ({
  ...bucket,
  rate: Math.min(rateMax, bucket.rate + rateMax * recoveryShare),
})

const tokensAt = ({ at, rate, tokens }: TokenBucket, now: number): number =>
  Math.min(burstMax, tokens + (Math.max(0, now - at) / 1000) * rate)
