import { Deferred, Effect, Fiber } from "effect"
import { describe, expect, it } from "vitest"
import {
  fullBucket,
  makePacing,
  rateMin,
  refused,
  succeeded,
  take,
  type TokenBucket,
  usualPace,
} from "./pacing.ts"

const { burst: burstMax, perSecond: rateMax } = usualPace

/** The waits of this many simultaneous requests. */
const waits = (bucket: TokenBucket, now: number, count: number) => {
  const given: Array<number> = []
  for (let place = 0; place < count; place++) {
    const taken = take(bucket, now)
    bucket = taken.bucket
    given.push(taken.waitMs)
  }
  return { bucket, given }
}

describe("the token bucket of an account", () => {
  it("lets a burst through at once, then spaces requests by its rate", () => {
    const { given } = waits(fullBucket(0), 0, burstMax + 3)

    expect(given.slice(0, burstMax)).toEqual(Array.from({ length: burstMax }, () => 0))
    expect(given.slice(burstMax)).toEqual([10, 20, 30])
  })

  it("lets nothing through before a Retry-After is over", () => {
    const bucket = refused(fullBucket(0), 0, 7_000)

    expect(take(bucket, 2_000).waitMs).toBe(5_000)
    expect(take(bucket, 7_000).waitMs).toBe(0)
  })

  it("keeps a longer Retry-After when a later request is refused for a shorter time", () => {
    const bucket = refused(refused(fullBucket(0), 0, 10_000), 1, 1_000)

    expect(take(bucket, 2_000).waitMs).toBe(8_000)
  })

  it("waits a second after a 429 without Retry-After", () => {
    expect(take(refused(fullBucket(0), 0, null), 0).waitMs).toBe(1_000)
  })

  it("halves its rate once for requests refused together, and again for the next", () => {
    const once = refused(refused(fullBucket(0), 0, 1_000), 10, 1_000)

    expect(once.rate).toBe(rateMax / 2)
    expect(refused(once, 5_000, 1_000).rate).toBe(rateMax / 4)
  })

  it("never falls below its minimum rate, and grows to its full rate with successes", () => {
    let bucket = fullBucket(0)
    for (let second = 0; second < 20; second++) bucket = refused(bucket, second * 10_000, 1_000)
    expect(bucket.rate).toBe(rateMin)

    for (let success = 0; success < 100; success++) bucket = succeeded(bucket)
    expect(bucket.rate).toBe(rateMax)
  })

  it("saves up no more than a burst, however long it rests", () => {
    const { given } = waits(fullBucket(0), 3_600_000, burstMax + 1)

    expect(given.at(-1)).toBe(10)
  })
})

it("an account has no more requests in progress than its service takes", async () => {
  const pacing = makePacing()
  const pace = { burst: 100, perSecond: 100, atOnce: 3 }
  let now = 0
  let most = 0
  const request = (end: Deferred.Deferred<void>) =>
    Effect.gen(function* () {
      most = Math.max(most, ++now)
      yield* Deferred.await(end)
      now--
    })

  await Effect.runPromise(
    Effect.gen(function* () {
      const end = yield* Deferred.make<void>()
      const sent = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 10 }, () => pacing.inTurn("account-1", pace, request(end))),
          { concurrency: "unbounded" },
        ),
      )
      yield* Effect.promise(async () => {
        await expect.poll(() => now).toBe(3)
      })
      // Another account has places of its own.
      const other = yield* Effect.forkChild(pacing.inTurn("account-2", pace, request(end)))
      yield* Effect.promise(async () => {
        await expect.poll(() => now).toBe(4)
      })
      yield* Deferred.succeed(end, undefined)
      yield* Fiber.join(sent)
      yield* Fiber.join(other)
    }),
  )

  expect(most).toBe(4)
})
