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
