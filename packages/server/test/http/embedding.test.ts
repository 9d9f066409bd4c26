// The server inside another application: base path, client address, and a close that lets accepted requests finish.
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { once } from "node:events"
import { Footfall as Client } from "@footfall/sdk"
import express from "express"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { createFootfall, type Footfall } from "../../src/app/index.ts"
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
    logger: () => {},
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

describe("the public URL", () => {
  /** Starts a server like an application that sets nothing but these options. */
  const started = async (options: Parameters<typeof createFootfall>[0]) => {
    vi.stubEnv("BASE_URL", "") // Vitest sets its own.
    const warnings: Array<string> = []
    const footfall = await embed({
      baseUrl: undefined,
      logger: ({ level, message }) => void (level === "WARN" && warnings.push(String(message))),
      ...options,
    })
    return { footfall, warnings }
  }
  const createPixel = async (footfall: Footfall, mount: string, domain: string) => {
    const { apiKey } = await server.makeOrganization()
    const client = new Client({ apiKey, baseUrl: `http://host${mount}`, fetch: footfall.fetch })
    return client.pixels.create({ domain })
  }

  it("includes basePath by default, in the tags of pixels too, and the server says that none was set", async () => {
    const { footfall, warnings } = await started({ basePath: "/tools/visits", port: 8123 })

    const pixel = await createPixel(footfall, "/tools/visits", "fjord.example")
    await footfall.close()

    expect(pixel.embed.contentSecurityPolicy.scriptSrc).toBe(
      "http://localhost:8123/tools/visits/p/",
    )
    expect(warnings).toEqual([expect.stringContaining("http://localhost:8123/tools/visits")])
  })

  it("that does not end in basePath is named in a warning", async () => {
    const { footfall, warnings } = await started({
      basePath: "/visits",
      baseUrl: "https://fjord.example/visit",
    })
    await footfall.close()

    expect(warnings).toEqual([expect.stringMatching(/fjord\.example\/visit,.*ends in \/visits/)])
  })

  it("that ends in basePath is used as it is, without a warning", async () => {
    const { footfall, warnings } = await started({
      basePath: "/visits",
      baseUrl: "https://fjord.example/app/visits/",
    })
    await footfall.close()

    expect(warnings).toEqual([])
  })

  it("says where the server is mounted if basePath doesn't", async () => {
    const { footfall, warnings } = await started({ baseUrl: "https://fjord.example/visits" })

    const front = await footfall.fetch(
      new Request("https://fjord.example/visits", { headers: { accept: "text/html" } }),
    )
    const console_ = await footfall.fetch(new Request("https://fjord.example/visits/console"))
    await footfall.close()

    expect(await front.text()).toContain('href="/visits/console"')
    expect(await console_.text()).toContain('<base href="/visits/console/">')
    expect(warnings).toEqual([])
  })

  it.each(["fetch", "listener", "Express"])(
    "a mount at another path than basePath is named in one warning (%s)",
    async (adapter) => {
      const { footfall, warnings } = await started({
        basePath: "/visits",
        baseUrl: "https://fjord.example/visits",
      })
      const app = express().use("/other", footfall.listener)
      const socket = createServer(adapter === "Express" ? app : footfall.listener)
      await once(socket.listen(0, "127.0.0.1"), "listening")
      const { port } = socket.address() as AddressInfo
      for (const path of ["/other/healthz", "/other/readyz"]) {
        const url = `http://127.0.0.1:${port}${path}`
        await (adapter === "fetch" ? footfall.fetch(new Request(url)) : fetch(url))
      }
      await expect.poll(() => warnings).toHaveLength(1)
      socket.closeAllConnections()
      socket.close()
      await footfall.close()

      expect(warnings).toEqual([expect.stringContaining('basePath is "/visits"')])
    },
  )
})

describe("a compressed response", () => {
  it("is left to the host by `fetch`, because some hosts drop its header", async () => {
    const headers = { accept: "text/html", "accept-encoding": "gzip, br" }
    const html = await (await fetch(`${server.url}/console`)).text()
    const [, script = ""] = /src="([^"]+\.js)"/.exec(html) ?? []
    const below = await embed({ basePath: "/visits", baseUrl: `${server.url}/visits` })
    for (const path of [`/console/${script}`, "/docs"]) {
      const plain = await server.embedded.fetch(new Request(`http://host${path}`, { headers }))
      const mounted = await below.fetch(new Request(`http://host/visits${path}`, { headers }))
      const listened = await fetch(`${server.url}${path}`, { headers })

      expect([plain.status, plain.headers.get("content-encoding")], path).toEqual([200, null])
      expect([mounted.status, mounted.headers.get("content-encoding")], path).toEqual([200, null])
      expect(listened.headers.get("content-encoding"), path).toBe("gzip")
      expect((await plain.text()).length, path).toBe((await listened.text()).length)
    }
    await below.close()
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
