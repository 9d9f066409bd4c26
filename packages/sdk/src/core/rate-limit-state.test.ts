import { expect, it } from "vitest"
import { RateLimitedError } from "../errors/api-error.ts"
import { RateLimitWait, readRateLimitState } from "./rate-limit-state.ts"

const read = (headers: Readonly<Record<string, string>>) =>
  readRateLimitState((name) => headers[name] ?? null)

const full = { "ratelimit-limit": "30", "ratelimit-remaining": "0", "ratelimit-reset": "59" }

it("is known only if every header is a whole number", () => {
  expect(read(full)).toEqual({ limit: 30, remaining: 0, resetSeconds: 59 })
  expect(read({})).toBeNull()
  expect(read({ ...full, "ratelimit-reset": "soon" })).toBeNull()
  expect(read({ ...full, "ratelimit-remaining": "-1" })).toBeNull()
})

it("as many requests as the last limit left may be sent at once", async () => {
  const limit = new RateLimitWait({})
  expect(limit.allows(1_000)).toBe(true)

  await limit.send(async (onRateLimit) => onRateLimit({ limit: 30, remaining: 2, resetSeconds: 9 }))

  expect([limit.allows(2), limit.allows(3)]).toEqual([true, false])
})

it("a rejected request is sent again after its wait, and the next one does not wait", async () => {
  const waits: Array<number> = []
  const limit = new RateLimitWait({ onWait: (seconds) => waits.push(seconds) })
  const rejected = new RateLimitedError({
    status: 429,
    code: "RATE_LIMITED",
    message: "Too many requests.",
    requestId: null,
    details: undefined,
    retryAfterSeconds: 0.001,
  })
  let sent = 0
  const send = () =>
    limit.send(async () => {
      if (++sent === 1) throw rejected
      return sent
    })

  expect([await send(), await send(), await send()]).toEqual([2, 3, 4])
  expect(waits).toEqual([0.001])
})
