// What a caller can observe about a call, and add to it.

import { expect, it } from "vitest"
import type { AttemptAnswer, AttemptWait } from "../src/index.ts"
import { apiKey } from "./support/credentials.ts"
import { ManualClock } from "./support/manual-clock.ts"
import { scriptedServer } from "./support/scripted-server.ts"
import { refuse, succeed } from "./support/steps.ts"
import { call, testTransport } from "./support/transport.ts"

const pixel = "cdd19037-47fb-4e21-a054-2da787925aea"

it("hooks are called for each attempt, each response with its raw text, and each wait", async () => {
  await using server = await scriptedServer([
    refuse(503, "SERVICE_UNAVAILABLE", { headers: { "retry-after": "2", "x-proxy": "one" } }),
    succeed({ id: pixel }),
  ])
  const requests: Array<number> = []
  const answers: Array<AttemptAnswer> = []
  const waits: Array<AttemptWait> = []
  const transport = testTransport(
    {
      baseUrl: server.baseUrl,
      hooks: {
        onRequest: ({ attempt }) => void requests.push(attempt),
        onResponse: (answer) => void answers.push(answer),
        onWait: (wait) => void waits.push(wait),
      },
    },
    new ManualClock({ random: 0 }),
  )

  await transport.request(call({ path: `/v1/data/pixels/${pixel}` }))

  expect(requests).toEqual([1, 2])
  expect(answers).toMatchObject([
    { attempt: 1, status: 503, route: "GET /v1/data/pixels/:id", path: `/v1/data/pixels/${pixel}` },
    { attempt: 2, status: 200, requestId: "req_rtjpiop3f24wzahlzbcsj2b7co" },
  ])
  expect(answers[0]?.header("X-Proxy")).toBe("one")
  expect(JSON.parse(answers[1]!.text)).toMatchObject({ data: { id: pixel } })
  expect(waits).toMatchObject([{ attempt: 1, delayMs: 2000, error: { status: 503 } }])
})

it("headers from hooks are added, but the SDK's own win, regardless of case", async () => {
  await using server = await scriptedServer([succeed([])])
  const transport = testTransport(
    {
      baseUrl: server.baseUrl,
      hooks: { onRequest: () => ({ "x-trace": "client", "X-API-Key": "other" }) },
    },
    new ManualClock(),
  )

  await transport.request(
    call({ options: { hooks: { onRequest: () => ({ "x-trace": "call" }) } } }),
  )

  expect(server.received[0]?.headers).toMatchObject({ "x-trace": "call", "x-api-key": apiKey })
})

it("if a hook throws, the call fails with that error and is not retried", async () => {
  await using server = await scriptedServer([succeed([])])
  const mistake = new RangeError("of the application")
  const transport = testTransport({ baseUrl: server.baseUrl }, new ManualClock())

  const failed = transport.request(
    call({
      options: {
        hooks: {
          onResponse: () => {
            throw mistake
          },
        },
      },
    }),
  )

  await expect(failed).rejects.toBe(mistake)
  expect(server.received).toHaveLength(1)
})
