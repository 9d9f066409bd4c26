// The server inside another application: base path, client address, and a close that lets accepted requests finish.
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { once } from "node:events"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createFootfall, type Footfall } from "../../src/index.ts"
import { startServer, testSecret, type TestServer } from "../support/server.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer({ workers: false })
})
afterAll(() => server.close())

const embed = (options: Parameters<typeof createFootfall>[0] = {}): Promise<Footfall> =>
  createFootfall({
    databaseUrl: server.databaseUrl,
    secret: testSecret,
    baseUrl: server.url,
    workers: false,
    rateLimits: false,
    ...options,
  })

describe("basePath", () => {
  it("is removed from every path, in both adapters", async () => {
    const footfall = await embed({ basePath: "/footfall" })
    const socket = createServer(footfall.listener).listen(0, "127.0.0.1")
    await once(socket, "listening")
    const { port } = socket.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/footfall`
    const headers = { "x-api-key": server.apiKey }
    const statuses = async (send: (input: string, init?: RequestInit) => Promise<Response>) => [
      (await send(`${url}/healthz`)).status,
      (await send(`${url}/v1/data?timeframe=7d`, { headers })).status,
      (await send(`${url}/p/${server.pixelId}.js`)).status,
      (await send(`${url}/p/${server.pixelId}/e`, { method: "POST", body: "{}" })).status,
      (await send(`${url}`)).status,
      (await send(`${url}x/healthz`)).status,
    ]

    const expected = [200, 200, 200, 204, 404, 404]
    expect(await statuses(fetch)).toEqual(expected)
    expect(await statuses((input, init) => footfall.fetch(new Request(input, init)))).toEqual(
      expected,
    )
    socket.closeAllConnections()
    socket.close()
    await footfall.close()
  })
})

describe("close", () => {
  it("may be called again, even at the same time", async () => {
    const footfall = await embed()
    await footfall.fetch(new Request(`${server.url}/readyz`))

    await Promise.all([footfall.close(), footfall.close()])
    await footfall.close()
  })

  it("lets an accepted batch finish", async () => {
    const footfall = await embed()
    const time = new Date().toISOString()
    const id = crypto.randomUUID()
    const body = JSON.stringify({
      v: 1,
      sentAt: time,
      anonymousId: crypto.randomUUID(),
      consent: "granted",
      events: [{ id, type: "page", time, url: "https://tidewater.example/" }],
    })
    const warm = new Request(`${server.url}/p/${server.pixelId}.js`)
    await footfall.fetch(warm)

    const answer = footfall.fetch(
      new Request(`${server.url}/p/${server.pixelId}/e`, { method: "POST", body }),
    )
    await new Promise(setImmediate)
    await footfall.close()
    const { status } = await answer

    const rows = await server.sql("select 1 from event_inbox where id = $1", [id])
    // 204 promises that the event is stored. 503 says that it may be sent again.
    expect([204, 503]).toContain(status)
    if (status === 204) expect(rows).toHaveLength(1)
  })
})

it("a start that fails rejects with one line that names the option", async () => {
  await expect(embed({ secret: "short" })).rejects.toThrow(/^secret: /)
})
