// Deliveries: the request that queues one, waiting for one, and lists. Source: spec 1.7, 5.10.
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, expect, it } from "vitest"
import { ConflictError, type Delivery, Footfall, TimeoutError } from "../src/index.ts"
import { Deliveries } from "../src/extensions/deliveries.ts"
import { ManualClock } from "./support/manual-clock.ts"
import { testTransport } from "./support/transport.ts"

const audienceId = "70865832-8a6e-409c-95c5-d15bafae1a05"
const destinationId = "72c2caee-8b8d-4561-a8f3-fa549b992a9d"
const delivery = {
  id: "e3897870-520c-4fe5-9d28-03da213e9f49",
  audienceId,
  status: "queued",
} as Delivery
const meta = { timestamp: "2026-03-11T09:00:00.000Z", request_id: "req_1" }
const accessToken = "a.b.c"

interface Answered {
  readonly status: number
  readonly body: unknown
}

const close: Array<() => void> = []
afterEach(() => close.splice(0).forEach((each) => each()))

/** A server that sends these responses in turn and repeats the last one. */
const serverOf = async (...answers: ReadonlyArray<Answered>) => {
  const heard: Array<{ line: string; key: string | undefined; body: string }> = []
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk: Buffer) => (body += chunk.toString()))
    request.on("end", () => {
      const answer = answers[Math.min(heard.length, answers.length - 1)]!
      const key = request.headers["idempotency-key"]?.toString()
      heard.push({ line: `${request.method} ${request.url}`, key, body })
      response.writeHead(answer.status, { "content-type": "application/json" })
      response.end(JSON.stringify(answer.body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  close.push(() => server.close().closeAllConnections())
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard }
}

const ok = (data: unknown, more: object = {}): Answered => ({
  status: 200,
  body: { data, meta: { ...meta, ...more } },
})
const at = (status: Delivery["status"]) => ok({ delivery: { ...delivery, status } })

it("a sync sends its mode and key, and one request however often it is awaited", async () => {
  const { baseUrl, heard } = await serverOf(at("queued"))

  const queued = new Footfall({ baseUrl, accessToken }).deliveries.sync(audienceId, destinationId, {
    mode: "full_resync",
    idempotencyKey: "monday",
  })
  expect(heard).toEqual([])
  expect([await queued, await queued]).toEqual([delivery, delivery])

  const line = `POST /v1/intent/audiences/${audienceId}/destinations/${destinationId}/sync`
  expect(heard).toEqual([{ line, key: "monday", body: '{"mode":"full_resync"}' }])
})

it("a rejected sync names the delivery in progress", async () => {
  const details = { status: "processing", deliveryId: "d" }
  const error = { code: "DELIVERY_IN_PROGRESS", message: "…", details }
  const { baseUrl } = await serverOf({ status: 409, body: { error, meta } })

  const refused = await new Footfall({ baseUrl, accessToken }).deliveries
    .sync(audienceId, destinationId)
    .then(
      () => undefined,
      (reason: unknown) => reason,
    )

  expect(refused).toBeInstanceOf(ConflictError)
  expect((refused as ConflictError).deliveryId).toBe("d")
})

it("waits until it is finished, and reports every poll", async () => {
  const { baseUrl } = await serverOf(at("queued"), at("processing"), at("failed"))
  const clock = new ManualClock()
  const deliveries = new Deliveries(testTransport({ baseUrl, accessToken }, clock))
  const reported: Array<string> = []

  const ended = await deliveries.wait(delivery, { onLook: ({ status }) => reported.push(status) })

  expect(ended.status).toBe("failed")
  expect(reported).toEqual(["queued", "processing", "failed"])
})

it("waiting stops after the given time", async () => {
  const { baseUrl } = await serverOf(at("processing"))
  const { deliveries } = new Footfall({ baseUrl, accessToken })

  await expect(deliveries.wait(delivery, { waitMaxMs: 20 })).rejects.toBeInstanceOf(TimeoutError)
})

it("lists are iterated over all pages", async () => {
  const page = (id: string, nextCursor: string | null) =>
    ok(
      { deliveries: [{ ...delivery, id }], total: 2 },
      { limit: 1, offset: 0, hasMore: nextCursor !== null, nextCursor },
    )
  const { baseUrl, heard } = await serverOf(page("one", "next"), page("two", null))
  const list = new Footfall({ baseUrl, accessToken }).deliveries.list(audienceId, {
    status: "failed",
    limit: 1,
  })

  const ids: Array<string> = []
  for await (const { id } of list) ids.push(id)

  expect(ids).toEqual(["one", "two"])
  expect(heard.map(({ line }) => line.split("?")[1])).toEqual([
    "status=failed&limit=1",
    "status=failed&limit=1&cursor=next",
  ])
})
