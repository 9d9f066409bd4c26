// How long an export waits for each kind of error, and when it gives up.

import { ApiError, ConnectionError } from "@footfall/sdk"
import { expect, test } from "vitest"
import { withRetries, type Wait } from "./retry.ts"

const apiError = (status: number, retryAfterSeconds: number | null = null): ApiError =>
  new ApiError({
    status,
    code: "CODE",
    message: "No.",
    requestId: null,
    details: undefined,
    retryAfterSeconds,
  })

const away = new ConnectionError("Unreachable.")

/** Fails with each error in turn, then succeeds; returns the waits. */
const waits = async (
  ...errors: ReadonlyArray<Error>
): Promise<{ readonly answer: unknown; readonly reported: ReadonlyArray<Wait> }> => {
  const left = [...errors]
  const reported: Array<Wait> = []
  const delaysMs: Array<number> = []
  const answer = await withRetries(
    async () => {
      const error = left.shift()
      if (error !== undefined) throw error
      return "answer"
    },
    {
      onWait: (wait) => wait !== null && reported.push(wait),
      wait: async (delayMs) => delaysMs.push(delayMs),
    },
  ).catch((error: unknown) => error)
  expect(delaysMs).toEqual(reported.map(({ seconds }) => seconds * 1000))
  return { answer, reported }
}

test("does not wait after a success", async () => {
  expect(await waits()).toEqual({ answer: "answer", reported: [] })
})

test("waits for each rate limit as long as the server asks", async () => {
  const { answer, reported } = await waits(...Array.from({ length: 20 }, () => apiError(429, 42)))

  expect(answer).toBe("answer")
  expect(reported).toHaveLength(20)
  expect(new Set(reported.map(({ seconds }) => seconds))).toEqual(new Set([42]))
})

test("waits ten seconds for a rate limit without a time", async () => {
  expect((await waits(apiError(429))).reported).toEqual([{ reason: "rate_limit", seconds: 10 }])
})

test.each([
  [900, "answer"],
  [901, expect.any(ApiError)],
])("a rate limit of %i seconds results in %j", async (seconds, ending) => {
  expect((await waits(apiError(429, seconds))).answer).toEqual(ending)
})

test("retries an unreachable server six times within about a minute", async () => {
  const { answer, reported } = await waits(...Array.from({ length: 7 }, () => away))

  expect(answer).toBe(away)
  expect(reported.map(({ seconds }) => seconds)).toEqual([1, 2, 4, 8, 16, 32])
})

test("starts a new minute after the server has responded", async () => {
  const { answer } = await waits(
    ...Array.from({ length: 6 }, () => away),
    apiError(429, 1),
    away,
    away,
  )

  expect(answer).toBe("answer")
})

test.each([408, 502, 503, 504])("retries after status %i", async (status) => {
  expect((await waits(apiError(status))).answer).toBe("answer")
})

test.each([400, 401, 403, 404, 500])("does not retry after status %i", async (status) => {
  expect(await waits(apiError(status))).toEqual({ answer: expect.any(ApiError), reported: [] })
})
