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

const away = new ConnectionError("No one is there.")

/** Fails with each error in turn, then succeeds; returns the waits. */
const waits = async (
  ...errors: ReadonlyArray<Error>
): Promise<{ readonly answer: unknown; readonly said: ReadonlyArray<Wait> }> => {
  const left = [...errors]
  const said: Array<Wait> = []
  const delaysMs: Array<number> = []
  const answer = await withRetries(
    async () => {
      const error = left.shift()
      if (error !== undefined) throw error
      return "answer"
    },
    {
      onWait: (wait) => wait !== null && said.push(wait),
      wait: async (delayMs) => delaysMs.push(delayMs),
    },
  ).catch((error: unknown) => error)
  expect(delaysMs).toEqual(said.map(({ seconds }) => seconds * 1000))
  return { answer, said }
}

test("an answer is not waited for", async () => {
  expect(await waits()).toEqual({ answer: "answer", said: [] })
})

test("a rate limit is waited for as long as it asks, as often as it asks", async () => {
  const { answer, said } = await waits(...Array.from({ length: 20 }, () => apiError(429, 42)))

  expect(answer).toBe("answer")
  expect(said).toHaveLength(20)
  expect(new Set(said.map(({ seconds }) => seconds))).toEqual(new Set([42]))
})

test("a rate limit that does not say how long is given ten seconds", async () => {
  expect((await waits(apiError(429))).said).toEqual([{ reason: "rate_limit", seconds: 10 }])
})

test.each([
  [900, "answer"],
  [901, expect.any(ApiError)],
])("a rate limit of %i seconds ends with %j", async (seconds, ending) => {
  expect((await waits(apiError(429, seconds))).answer).toEqual(ending)
})

test("a server that is away is asked six times more, for a minute in all", async () => {
  const { answer, said } = await waits(...Array.from({ length: 7 }, () => away))

  expect(answer).toBe(away)
  expect(said.map(({ seconds }) => seconds)).toEqual([1, 2, 4, 8, 16, 32])
})

test("a server that came back has its minute again", async () => {
  const { answer } = await waits(
    ...Array.from({ length: 6 }, () => away),
    apiError(429, 1),
    away,
    away,
  )

  expect(answer).toBe("answer")
})

test.each([408, 502, 503, 504])("status %i is waited out", async (status) => {
  expect((await waits(apiError(status))).answer).toBe("answer")
})

test.each([400, 401, 403, 404, 500])("status %i is not", async (status) => {
  expect(await waits(apiError(status))).toEqual({ answer: expect.any(ApiError), said: [] })
})
