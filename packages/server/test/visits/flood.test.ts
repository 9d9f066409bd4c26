// More events than the server can store (bench/flood.ts has the full size): acknowledged ones are stored once, the
// others are rejected immediately with a time to retry, and the API keeps responding. The queue's limit is in
// bytes, so its memory can't grow. One address that sends too much gets a time to retry too.
import { setTimeout } from "node:timers/promises"
import pg from "pg"
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"
import { presentBatch, presentEvent, send } from "./send.ts"

let server: TestServer
let lock: pg.Client
beforeAll(async () => {
  server = await startServer({ workers: false })
  lock = new pg.Client({ connectionString: server.databaseUrl })
  await lock.connect()
})
afterAll(async () => {
  await lock.end()
  await server.close()
})

const bytesEach = 60_000
/** One organization's half of the limit of queued and sent bytes; see collect.ts. */
const bytesMax = 16 * 1024 * 1024
const taken = Math.floor(bytesMax / bytesEach)
const offered = taken + 150

/** One page view in a body of this size, because JSON allows any number of spaces. */
const batchOf = (id: string) =>
  JSON.stringify(presentBatch({ events: [presentEvent({ id })] })).padEnd(bytesEach)

it("acknowledged events are stored, the rest gets a 503 with Retry-After, and the API responds", async () => {
  await lock.query("begin")
  await lock.query("lock table event_inbox in access exclusive mode")
  const ids = Array.from({ length: offered }, () => crypto.randomUUID())
  const statuses = new Map<string, number>()
  const refusals: Array<Response> = []

  const answers = ids.map(async (id) => {
    const response = await send(server, batchOf(id))
    statuses.set(id, response.status)
    if (response.status !== 204) refusals.push(response)
  })
  // While nothing can be stored, nothing is acknowledged, and everything beyond the limit is rejected.
  await vi.waitFor(() => expect(statuses.size).toBe(offered - taken), { timeout: 30_000 })
  expect([...new Set(statuses.values())]).toEqual([503])
  expect(await server.sdk.pixels.list()).toHaveLength(1)
  // What one organization can't take stays free for the others.
  const neighbor = await server.makeOrganization()
  const ofNeighbor: Array<number> = []
  const others = Array.from({ length: 20 }, async () => {
    const to = { url: server.url, pixelId: neighbor.pixelId }
    ofNeighbor.push((await send(to, JSON.stringify(presentBatch()))).status)
  })
  await setTimeout(1_000)
  expect(ofNeighbor).toEqual([])
  await lock.query("commit")
  await Promise.all([...answers, ...others])
  expect(ofNeighbor).toEqual(Array.from(others, () => 204))

  const acknowledged = ids.filter((id) => statuses.get(id) === 204)
  const stored = (
    await server.sql("select id from event_inbox where pixel_id = $1", [server.pixelId])
  ).map(({ id }) => id)
  expect(acknowledged).toHaveLength(taken)
  expect(stored.toSorted()).toEqual(acknowledged.toSorted())
  for (const refusal of refusals) {
    expect(refusal.headers.get("retry-after")).toBe("5")
    expect(refusal.headers.get("access-control-allow-origin")).toBe("*")
    expect(await refusal.json()).toMatchObject({ error: { code: "SERVICE_UNAVAILABLE" } })
  }
})

it("a rejected batch is accepted when it is sent again, and an accepted one is not stored twice", async () => {
  const body = batchOf(crypto.randomUUID())
  const before = await server.sql("select id from event_inbox")

  expect((await send(server, body)).status).toBe(204)
  expect((await send(server, body)).status).toBe(204)

  expect(await server.sql("select id from event_inbox")).toHaveLength(before.length + 1)
})

it("a batch above its address's rate gets a 429 with Retry-After, and is stored when it is sent later", async () => {
  const limited = await startServer({ workers: false, rateLimits: true })
  onTestFinished(limited.close)
  await send(limited, JSON.stringify(presentBatch()))
  await limited.sql("update rate_limit set used = 600 where bucket like 'collect:%'")
  const body = JSON.stringify(presentBatch())
  const inbox = () => limited.sql("select id from event_inbox")

  const refusal = await send(limited, body)

  expect(refusal.status).toBe(429)
  expect(refusal.headers.get("retry-after")).toBe("60")
  expect(refusal.headers.get("access-control-allow-origin")).toBe("*")
  expect(refusal.headers.get("access-control-expose-headers")).toBe("retry-after")
  expect(await refusal.json()).toMatchObject({
    error: { code: "RATE_LIMITED", details: { retryAfterSeconds: 60 } },
  })
  expect(await inbox()).toHaveLength(1)

  await limited.sql("update rate_limit set window_ends_at = now() where bucket like 'collect:%'")
  expect((await send(limited, body)).status).toBe(204)
  expect(await inbox()).toHaveLength(2)
})
