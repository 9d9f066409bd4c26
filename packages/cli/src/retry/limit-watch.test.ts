// How long a number of requests takes under a rate limit.

import type { AttemptAnswer, RateLimitState } from "@footfall/sdk"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { timeLeftText } from "../ui/text.ts"
import { LimitWatch } from "./limit-watch.ts"

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] })
})
afterEach(() => {
  vi.useRealTimers()
})

const after = (rateLimit: RateLimitState | null): LimitWatch => {
  const watch = new LimitWatch()
  // Only this part of a response is read.
  watch.hooks.onResponse?.({ rateLimit } as AttemptAnswer)
  return watch
}

test("does not wait before the server has reported a limit", () => {
  expect(new LimitWatch().secondsFor(1_000)).toBe(0)
  expect(after(null).secondsFor(1_000)).toBe(0)
})

test.each([
  ["what fits into the window", 12, 12, 0],
  ["one more than fits", 13, 12, 40],
  ["a whole window more", 42, 12, 40],
  ["the window after that", 43, 12, 100],
  ["122 requests of which 30 were sent", 92, 0, 220],
])("%s", (_what, requests, remaining, seconds) => {
  const watch = after({ limit: 30, remaining, resetSeconds: 40 })

  expect(watch.secondsFor(requests)).toBe(seconds)
})

test("the wait gets shorter over time", () => {
  const watch = after({ limit: 30, remaining: 0, resetSeconds: 40 })

  vi.advanceTimersByTime(30_000)

  expect(watch.secondsFor(1)).toBe(10)
})

test("the time left is at least what the rate limit requires", () => {
  const advance = { done: 30_000, left: 92_000, elapsedMs: 3_000 }

  expect(timeLeftText(advance)).toBe("10s left")
  expect(timeLeftText({ ...advance, limitSeconds: 220 })).toBe("3m 40s left")
})
