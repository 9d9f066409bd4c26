// `webhooks test` tells a script whether the receiver accepted the test.

import { afterEach, beforeEach, expect, test } from "vitest"
import { FakeApi } from "./fixtures/fake-api.ts"
import { footfall } from "./fixtures/footfall.ts"
import { apiKey } from "./fixtures/records.ts"

const id = "11111111-2222-4333-8444-555555555555"

let api: FakeApi

beforeEach(async () => {
  api = await FakeApi.start()
})

afterEach(() => api[Symbol.asyncDispose]())

test.each([
  [{ ok: true, statusCode: 204, latencyMs: 5, error: null }, 0],
  [{ ok: false, statusCode: 503, latencyMs: 5, error: "Expected a 2xx response." }, 1],
  [{ ok: false, statusCode: null, latencyMs: 5, error: "The connection was refused." }, 1],
])("%j exits with %i", async (result, code) => {
  api.on(`POST /v1/data/webhooks/${id}/test`, () => ({ data: result }))

  const { exitCode, stdout } = await footfall(["webhooks", "test", id], {
    environment: { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey },
  })

  expect(JSON.parse(stdout).data).toEqual(result)
  expect(exitCode).toBe(code)
})
