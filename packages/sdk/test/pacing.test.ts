// Together, all calls of a client stay within the rate limits that responses report.

import { expect, it } from "vitest"
import type { AttemptWait } from "../src/index.ts"
import { ManualClock } from "./support/manual-clock.ts"
import { scriptedServer, type Step } from "./support/scripted-server.ts"
import { call, testTransport } from "./support/transport.ts"

const limited =
  (remaining: number): Step =>
  (response) => {
    response.writeHead(200, {
      "content-type": "application/json",
      "ratelimit-limit": "60",
      "ratelimit-remaining": String(remaining),
      "ratelimit-reset": "20",
    })
    response.end(JSON.stringify({ data: [], meta: {} }))
  }

it("parallel calls wait for a window with room for them", async () => {
  await using server = await scriptedServer([limited(2), limited(1), limited(0), limited(59)])
  const clock = new ManualClock()
  const waits: Array<AttemptWait> = []
  const transport = testTransport(
    { baseUrl: server.baseUrl, hooks: { onWait: (wait) => void waits.push(wait) } },
    clock,
  )

  await transport.request(call())
  await Promise.all([
    transport.request(call()),
    transport.request(call()),
    transport.request(call()),
  ])

  expect(clock.waitsMs).toEqual([20_000])
  expect(waits).toMatchObject([{ route: "GET /v1/data/pixels", delayMs: 20_000, error: null }])
})

it.each([
  ["never waits if retries are off, because the caller handles the waits", { maxRetries: 0 }],
  ["waits no longer than retryAfterMaxSeconds", { retryAfterMaxSeconds: 19 }],
])("%s", async (_name, options) => {
  await using server = await scriptedServer([limited(0), limited(0)])
  const clock = new ManualClock()
  const transport = testTransport({ baseUrl: server.baseUrl, ...options }, clock)

  await transport.request(call())
  await transport.request(call())

  expect(clock.waitsMs).toEqual([])
})
