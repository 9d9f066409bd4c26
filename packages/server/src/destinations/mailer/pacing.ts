// Spaces the requests to each account by its token bucket (spec 2.17). Kept by process: of N
// replicas each has a bucket, and each follows the answers it gets.
import { Clock, Effect } from "effect"
import { ProviderRateLimited } from "./mailer-error.ts"
import { fullBucket, refused, succeeded, take, type TokenBucket } from "./token-bucket.ts"

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
          return new ProviderRateLimited({ retryAfterSeconds: Math.ceil(waitMs / 1000) })
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
