// Which failures are retried, and how long the waits are.

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { AbortedError, ConnectionError, TimeoutError } from "../errors/footfall-error.ts"
import { type ApiError, statusError } from "../errors/api-error.ts"
import type { ApiRequest } from "./api-request.ts"
import { backoffBaseMs, backoffMaxMs, retryDelayMs, type RetrySituation } from "./retry.ts"

const answered = (status: number, retryAfterSeconds: number | null = null): ApiError =>
  statusError({
    status,
    code: "X",
    message: "x",
    requestId: null,
    details: undefined,
    retryAfterSeconds,
  })

const situation = (changes: Partial<RetrySituation>): RetrySituation => ({
  request: { method: "GET" },
  error: answered(503),
  retriesDone: 0,
  maxRetries: 2,
  retryAfterMaxSeconds: 60,
  random: 0.5,
  ...changes,
})

describe("what is retried", () => {
  it.each([408, 429, 502, 503, 504])("an idempotent call is retried after %d", (status) => {
    expect(retryDelayMs(situation({ error: answered(status) }))).not.toBeNull()
  })

  it.each([400, 401, 403, 404, 409, 413, 415, 422, 500, 501, 599])(
    "a call is not retried after %d",
    (status) => {
      expect(retryDelayMs(situation({ error: answered(status) }))).toBeNull()
    },
  )

  it.each([
    ["a failed connection", new ConnectionError("x"), true],
    ["an attempt that took too long", new TimeoutError("x", 1), true],
    ["a call its caller aborted", new AbortedError("x"), false],
    ["a bug", new TypeError("x"), false],
  ])("%s: retried or not", (_name, error, isRetried) => {
    expect(retryDelayMs(situation({ error })) !== null).toBe(isRetried)
  })

  it.each([
    ["a create whose first attempt is still running is retried", "k", 1, true],
    ["one with another conflict is not", "k", null, false],
    ["neither is one without a key", undefined, 1, false],
  ])("%s", (_name, idempotencyKey, retryAfterSeconds, isRetried) => {
    const request = {
      method: "POST" as const,
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    }
    const error = answered(409, retryAfterSeconds)
    expect(retryDelayMs(situation({ request, error })) !== null).toBe(isRetried)
  })

  const requests: ReadonlyArray<[RetrySituation["request"], boolean]> = [
    [{ method: "GET" }, true],
    [{ method: "PUT" }, true],
    [{ method: "DELETE" }, true],
    [{ method: "PATCH" }, false],
    [{ method: "POST" }, false],
    [{ method: "POST", idempotencyKey: "k" }, true],
    [{ method: "POST", isRepeatable: true }, true],
    [{ method: "POST", isRepeatable: false }, false],
    [{ method: "PATCH", idempotencyKey: "k" }, false],
  ]
  it.each(requests)("%j may have been processed: retried %s", (request, isRetried) => {
    for (const error of [answered(503), new ConnectionError("x"), new TimeoutError("x", 1)]) {
      expect(retryDelayMs(situation({ request, error })) !== null).toBe(isRetried)
    }
  })

  it("an upload is never retried, not even after 429, because its source was read", () => {
    const upload = { contentType: "text/csv", chunks: "", answerTimeoutMs: 1 }
    for (const error of [answered(503), answered(429, 1), new ConnectionError("x")]) {
      expect(retryDelayMs(situation({ request: { method: "POST", upload }, error }))).toBeNull()
    }
  })

  it.each(requests)("%j is retried after 429, because it was not processed", (request) => {
    expect(retryDelayMs(situation({ request, error: answered(429, 1) }))).not.toBeNull()
  })
})

describe("the wait", () => {
  it("has a random part that doubles up to a cap", () => {
    const upperEnds = [0, 1, 2, 3, 4, 5].map((retriesDone) =>
      retryDelayMs(situation({ retriesDone, maxRetries: 10, random: 1 - Number.EPSILON })),
    )
    expect(upperEnds).toEqual([500, 1000, 2000, 4000, 8000, 8000])
  })

  it("has full jitter: the random part starts at 0", () => {
    expect(retryDelayMs(situation({ random: 0 }))).toBe(0)
  })

  it("adds the random part to the whole Retry-After", () => {
    expect(retryDelayMs(situation({ error: answered(429, 7), random: 0 }))).toBe(7000)
    expect(retryDelayMs(situation({ error: answered(429, 7), random: 0.5 }))).toBe(7250)
  })

  it.each([
    [59, true],
    [60, true],
    [61, false],
  ])("with a maximum of 60, a Retry-After of %d seconds is waited for: %s", (asked, isWaited) => {
    expect(retryDelayMs(situation({ error: answered(429, asked) })) !== null).toBe(isWaited)
  })

  it("never retries more often than allowed, and never waits less than Retry-After or more than the maximum", () => {
    const anyMethod = fc.constantFrom<ApiRequest["method"]>("GET", "PUT", "DELETE", "POST", "PATCH")
    fc.assert(
      fc.property(
        anyMethod,
        fc.constantFrom(408, 429, 502, 503, 504),
        fc.option(fc.nat({ max: 120 })),
        fc.nat({ max: 12 }),
        fc.nat({ max: 10 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (method, status, asked, retriesDone, maxRetries, random) => {
          const delayMs = retryDelayMs(
            situation({
              request: { method },
              error: answered(status, asked),
              retriesDone,
              maxRetries,
              random,
            }),
          )
          if (delayMs === null) return
          expect(retriesDone).toBeLessThan(maxRetries)
          expect(delayMs).toBeGreaterThanOrEqual((asked ?? 0) * 1000)
          const backoffMs = Math.min(backoffMaxMs, backoffBaseMs * 2 ** retriesDone)
          expect(delayMs).toBeLessThanOrEqual((asked ?? 0) * 1000 + backoffMs)
        },
      ),
    )
  })
})
