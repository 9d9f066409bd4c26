// Footfall inside common web frameworks: under its own path, with the responses of a standalone server. Each host is a
// real server on a real socket.
import { serve, type ServerType } from "@hono/node-server"
import { Footfall } from "@footfall/sdk"
import express from "express"
import fastify from "fastify"
import { Hono } from "hono"
import { once } from "node:events"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createFootfall, type Footfall as Embedded } from "../../src/app/index.ts"
import { startServer, testSecret, type TestServer } from "../support/server.ts"

const basePath = "/footfall"
/** A browser's user agent, because a program's requests count as a bot's. */
const userAgent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36"

interface Host {
  readonly url: string
  close(): Promise<void>
}

const listening = async (server: Server | ServerType): Promise<Host> => {
  if (!server.listening) await once(server, "listening")
  // A server that listens on a port has an address object, not a pipe name.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      const closed = once(server, "close")
      server.close()
      if ("closeAllConnections" in server) server.closeAllConnections()
      await closed
    },
  }
}

const hosts: Readonly<Record<string, (footfall: Embedded) => Promise<Host>>> = {
  "node:http": (footfall) =>
    listening(
      createServer((request, response) => {
        if (/^\/footfall([/?]|$)/.test(request.url ?? ""))
          return footfall.listener(request, response)
        response.end("the application")
      }).listen(0, "127.0.0.1"),
    ),
  Express: (footfall) => {
    const app = express()
    app.use(basePath, footfall.listener)
    app.use(express.json())
    app.use((_request, response) => void response.send("the application"))
    return listening(app.listen(0, "127.0.0.1"))
  },
  Fastify: async (footfall) => {
    const app = fastify({ forceCloseConnections: true })
    await app.register(async (plugin) => {
      plugin.removeAllContentTypeParsers()
      plugin.addContentTypeParser("*", (_request, _body, done) => done(null))
      for (const path of [basePath, `${basePath}/*`]) {
        plugin.all(path, (request, reply) => {
          reply.hijack()
          footfall.listener(request.raw, reply.raw)
        })
      }
    })
    app.get("/*", () => "the application")
    return { url: await app.listen({ port: 0, host: "127.0.0.1" }), close: () => app.close() }
  },
  Hono: (footfall) => {
    const app = new Hono()
    app.all(`${basePath}/*`, (context) => footfall.fetch(context.req.raw))
    app.get("/*", (context) => context.text("the application"))
    return listening(serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }))
  },
}

let server: TestServer
let footfall: Embedded

beforeAll(async () => {
  server = await startServer({ workers: false })
  footfall = await createFootfall({
    basePath,
    databaseUrl: server.databaseUrl,
    secret: testSecret,
    rateLimits: false,
    workers: false,
    baseUrl: `${server.url}${basePath}`,
    logger: () => {},
  })
})

afterAll(async () => {
  await footfall.close()
  await server.close()
})

describe.each(Object.keys(hosts))("inside %s", (name) => {
  let host: Host

  beforeAll(async () => {
    host = await hosts[name]!(footfall)
  })
  afterAll(() => host.close())

  const at = (path: string) => `${host.url}${basePath}${path}`

  it("serves the SDK: reads and writes, with bodies", async () => {
    const client = new Footfall({ baseUrl: at(""), apiKey: server.apiKey })
    const value = `${name.replaceAll(/\W/g, "")}@acme.example`

    const { added } = await client.suppression.add([{ type: "email", value }])
    const rules = await client.suppression.list({ q: value })

    expect(added).toBe(1)
    expect(rules.data.map((rule) => rule.value)).toEqual([value.toLowerCase()])
  })

  it("accepts what pages send", async () => {
    const id = crypto.randomUUID()
    const batch = {
      v: 1,
      sentAt: new Date().toISOString(),
      anonymousId: crypto.randomUUID(),
      consent: "granted",
      events: [
        {
          id,
          type: "page",
          time: new Date().toISOString(),
          url: "https://tidewater.example/",
          referrer: null,
          title: name,
        },
      ],
    }
    const response = await fetch(at(`/p/${server.pixelId}/e`), {
      method: "POST",
      headers: { "content-type": "text/plain", "user-agent": userAgent },
      body: JSON.stringify(batch),
    })

    const waiting = await server.sql("select 1 from event_inbox where id = $1", [id])
    expect(response.status).toBe(204)
    expect(waiting).toHaveLength(1)
  })

  it("serves a pixel's script, and the documents", async () => {
    const script = await fetch(at(`/p/${server.pixelId}.js`))
    const document = await fetch(at("/openapi.json"))

    expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8")
    expect(await document.json()).toHaveProperty("openapi")
  })

  it.each(["", "?from=mail", "/"])("serves its front page at its path and %j", async (rest) => {
    const page = await fetch(at(rest), { headers: { accept: "text/html" } })

    expect(page.status).toBe(200)
    expect(await page.text()).toContain(`href="${basePath}/docs"`)
  })

  it("uses the envelope for an unknown path, and leaves the rest to the application", async () => {
    const unknown = await fetch(at("/v1/nothing"))
    const own = await fetch(`${host.url}/anything`)

    expect(unknown.status).toBe(404)
    expect(await unknown.json()).toMatchObject({ error: { code: "NOT_FOUND" } })
    expect(await own.text()).toBe("the application")
  })
})

describe("behind a body parser", () => {
  const refusal = {
    error: {
      code: "INTERNAL_ERROR",
      message: expect.stringContaining("Mount Footfall before your application"),
    },
    meta: { request_id: expect.stringMatching(/^req_/) },
  }

  it("a request whose body was already read gets a response at once that says what to change", async () => {
    const app = express()
    app.use(express.json())
    app.use(basePath, footfall.listener)
    const host = await listening(app.listen(0, "127.0.0.1"))
    const request = { headers: { "x-api-key": server.apiKey, "content-type": "application/json" } }
    try {
      const write = await fetch(`${host.url}${basePath}/v1/data/suppression-rules`, {
        ...request,
        method: "POST",
        body: JSON.stringify({ rules: [{ type: "email", value: "nobody@acme.example" }] }),
      })
      const read = await fetch(`${host.url}${basePath}/v1/data/pixels`, request)

      expect(write.status).toBe(500)
      expect(await write.json()).toMatchObject(refusal)
      expect(read.status).toBe(200)
    } finally {
      await host.close()
    }
  })

  it("the same holds for a standard request that was read", async () => {
    const request = new Request(`http://host${basePath}/v1/data/query`, {
      method: "POST",
      body: "{}",
    })
    await request.text()

    const response = await footfall.fetch(request)

    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject(refusal)
  })
})
