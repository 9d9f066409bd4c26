// Spaces the requests to each account with a token bucket (spec 2.17), at the pace of its service. Buckets are per
// process: with N processes, each adapts its own to the responses it gets.
import { Clock, Context, Effect, Semaphore } from "effect"
import { type ConnectorError, ProviderRateLimited } from "./connector-error.ts"

/** Longer waits are left to the caller, which parks the delivery. Units: milliseconds. */ // spec 8.1.8
export const waitMsMax = 12_000
/** Accounts whose bucket is kept; the least recently used one starts fresh. */
const accountsMax = 1_000

/**
 * What a service documents as its limits, or our choice where it documents none. In the service's own window, the burst
 * and what the rate adds meanwhile stay below its limit.
 */
export interface Pace {
  /** Requests at once after a pause. */
  readonly burst: number
  /** Requests per second, without refusals. */
  readonly perSecond: number
  /** Requests of an account in progress. Default: as many as there are. */
  readonly atOnce?: number
}

/** For a service that documents no limit. */
export const usualPace: Pace = { burst: 20, perSecond: 100 }

/** `SERVICE_PACE`: percent of each pace. */ // spec 1.2
export const ServicePace = Context.Reference<number>("@footfall/server/destinations/ServicePace", {
  defaultValue: () => 100,
})

/** Connections at once are a limit of their own, whatever the rate. */
export const paceAt = (percent: number, pace: Pace): Pace => ({
  ...pace,
  burst: Math.max(1, Math.floor((pace.burst * percent) / 100)),
  perSecond: (pace.perSecond * percent) / 100,
})

export interface Pacing {
  /** Waits for a token and sends; fails with ProviderRateLimited if the wait would be longer than 12 seconds. */
  inTurn<A>(
    accountId: string,
    pace: Pace,
    request: Effect.Effect<A, ConnectorError>,
  ): Effect.Effect<A, ConnectorError>
  refused(accountId: string, pace: Pace, retryAfterSeconds: number | null): Effect.Effect<void>
  succeeded(accountId: string, pace: Pace): Effect.Effect<void>
}

interface Line {
  readonly bucket: TokenBucket
  readonly places: Semaphore.Semaphore | undefined
}

export const makePacing = (): Pacing => {
  const lines = new Map<string, Line>()
  const put = (accountId: string, line: Line) => {
    lines.delete(accountId)
    lines.set(accountId, line)
    if (lines.size > accountsMax) lines.delete(lines.keys().next().value!)
  }
  const lineOf = (accountId: string, pace: Pace, now: number): Line =>
    lines.get(accountId) ?? {
      bucket: fullBucket(now, pace),
      places: pace.atOnce === undefined ? undefined : Semaphore.makeUnsafe(pace.atOnce),
    }

  const turn = (accountId: string, pace: Pace) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const line = lineOf(accountId, pace, now)
      const { bucket, waitMs } = take(line.bucket, now)
      if (waitMs > waitMsMax) {
        const retryAfterSeconds = Math.ceil(waitMs / 1000)
        return new ProviderRateLimited({ retryAfterSeconds, isOurs: true })
      }
      put(accountId, { ...line, bucket })
      return waitMs === 0 ? Effect.void : Effect.sleep(waitMs)
    })
  const change = (
    accountId: string,
    pace: Pace,
    changed: (bucket: TokenBucket, now: number) => TokenBucket,
  ) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const line = lineOf(accountId, pace, now)
      put(accountId, { ...line, bucket: changed(line.bucket, now) })
    })

  return {
    inTurn: (accountId, pace, request) =>
      Effect.suspend(() => {
        const sent = Effect.andThen(turn(accountId, pace), request)
        if (pace.atOnce === undefined) return sent
        // Kept, so that requests that come meanwhile share its places.
        return Effect.flatMap(Clock.currentTimeMillis, (now) => {
          const line = lineOf(accountId, pace, now)
          put(accountId, line)
          return line.places!.withPermit(sent)
        })
      }),
    refused: (accountId, pace, retryAfterSeconds) => {
      const waitMs = retryAfterSeconds === null ? null : retryAfterSeconds * 1000
      return change(accountId, pace, (bucket, now) => refused(bucket, now, waitMs))
    },
    succeeded: (accountId, pace) => change(accountId, pace, succeeded),
  }
}

// How fast one account receives requests: a token bucket whose rate each 429 halves and each success raises again, and
// which stays closed during a Retry-After (spec 2.17, Rate). Pure: time is passed in.
/** The lowest rate. Units: requests per second. */
export const rateMin = 0.5
/** The share of the full rate that each success restores. */
const recoveryShare = 0.01
/** Used when a 429 has no Retry-After. Units: milliseconds. */
const waitMsDefault = 1_000

export interface TokenBucket {
  readonly pace: Pace
  /** Tokens per second. */
  readonly rate: number
  /** As of `at`; negative if tokens were promised to waiting requests. */
  readonly tokens: number
  /** Units: milliseconds of the clock. */
  readonly at: number
  /** Nothing is sent before this. */
  readonly closedUntil: number
}

export const fullBucket = (now: number, pace: Pace = usualPace): TokenBucket => ({
  pace,
  rate: pace.perSecond,
  tokens: pace.burst,
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
  const rate = Math.max(Math.min(rateMin, bucket.pace.perSecond), bucket.rate / 2)
  // Saved-up tokens are dropped, so the first request after the wait is alone.
  return { ...bucket, rate, tokens: Math.min(1, tokensAt(bucket, now)), at: now, closedUntil }
}

export const succeeded = (bucket: TokenBucket): TokenBucket => {
  const { perSecond } = bucket.pace
  return { ...bucket, rate: Math.min(perSecond, bucket.rate + perSecond * recoveryShare) }
}

const tokensAt = ({ at, pace, rate, tokens }: TokenBucket, now: number): number =>
  Math.min(pace.burst, tokens + (Math.max(0, now - at) / 1000) * rate)
