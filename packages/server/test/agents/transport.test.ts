// The transport of the tools at `/mcp`: limits, sizes, versions, origins and dropped connections. spec 16
import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { getHeapStatistics, setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import pg from "pg"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"
import { connect } from "./client.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer({ workers: false })
})
afterAll(() => server.close())

const post = (body: string, headers: Readonly<Record<string, string>> = {}, at = server) =>
  fetch(`${at.url}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": at.apiKey, ...headers },
    body,
  })

const message = (method: string, params: unknown = {}) =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })

const initialize = (protocolVersion: string) =>
  message("initialize", {
    protocolVersion,
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  })

it.each(["2025-03-26", "2025-06-18", "2025-11-25"])(
  "supports the version %s without keeping a session",
  async (version) => {
    const opened = await post(initialize(version))
    const listed = await post(message("tools/list"), { "mcp-protocol-version": version })

    expect(await opened.json()).toMatchObject({ result: { protocolVersion: version } })
    expect(opened.headers.get("mcp-session-id")).toBeNull()
    const { result } = (await listed.json()) as { result: { tools: ReadonlyArray<unknown> } }
    expect(result.tools.length).toBeGreaterThan(20)
  },
)

it("keeps nothing of a client's session in memory", async () => {
  setFlagsFromString("--expose-gc")
  const collectGarbage = runInNewContext("gc") as () => void
  const bytesUsed = () => {
    collectGarbage()
    return getHeapStatistics().used_heap_size
  }
  const open = async (name: string) => {
    const opened = await post(
      message("initialize", {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name, version: "1" },
      }),
    )
    expect(opened.status).toBe(200)
    await opened.text()
  }
  await open("short")
  const before = bytesUsed()

  for (let count = 0; count < 40; count++) await open("x".repeat(1_000_000))

  expect(bytesUsed() - before).toBeLessThan(20_000_000)
})

it("answers a message of another process's session", async () => {
  const other = await startServer({ workers: false, beside: server })
  await post(initialize("2025-11-25"))

  const called = await post(
    message("tools/call", { name: "get_account", arguments: {} }),
    { "mcp-protocol-version": "2025-11-25" },
    other,
  )

  expect(await called.json()).toMatchObject({ result: { structuredContent: { data: {} } } })
  await other.close()
})

it("rejects an unknown version", async () => {
  const response = await post(message("tools/list"), { "mcp-protocol-version": "1999-01-01" })

  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: { data: { requested: "1999-01-01" } } })
})

it("has no stream to open and no session to end", async () => {
  for (const method of ["GET", "DELETE"]) {
    const response = await fetch(`${server.url}/mcp`, {
      method,
      headers: { "x-api-key": server.apiKey },
    })
    expect(response.status).toBe(405)
    expect(response.headers.get("allow")).toBe("POST")
  }
})

it("rejects a page of another origin", async () => {
  // Also if the other origin begins or ends like this server's.
  for (const origin of [
    "https://evil.example",
    `${server.url}.evil.example`,
    `${server.url}0`,
    `${server.url}/`,
    "null",
  ]) {
    const other = await post(message("ping"), { origin })
    expect(other.status, origin).toBe(403)
    expect(await other.json()).toMatchObject({ error: { code: "FORBIDDEN" } })
  }
  const own = await post(message("ping"), { origin: server.url })

  expect(own.status).toBe(200)
})

it("rejects a message larger than 1 MiB", async () => {
  const response = await post(message("ping", { text: "x".repeat(1_048_576) }))

  expect(response.status).toBe(413)
  expect(await response.json()).toMatchObject({ error: { code: "PAYLOAD_TOO_LARGE" } })
})

it.each(["", "{", "[".repeat(200), "\u0000"])(
  "rejects a body that is not JSON: %j",
  async (body) => {
    const response = await post(body)

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: "VALIDATION_ERROR" } })
  },
)

it("answers a message outside the protocol with the protocol's error", async () => {
  for (const body of ["{}", "1", "null", "[]", '{"jsonrpc":"2.0","id":1}', message("no/such")]) {
    const answered = (await (await post(body)).text()) || "{}"
    expect(JSON.parse(answered)).not.toHaveProperty("result")
  }
  expect((await post(message("ping"))).status).toBe(200)
})

it("accepts a notification without a response", async () => {
  const body = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })

  const response = await post(body, { "mcp-protocol-version": "2025-11-25" })

  expect(response.status).toBe(202)
  expect(await response.text()).toBe("")
})

it("counts messages, and a tool's own requests against the limit of the operation", async () => {
  const limited = await startServer({ workers: false, rateLimits: true })
  const agent = await connect(limited, { "x-api-key": limited.apiKey })
  const call = () => agent.call("query_visitors", { segmentId: crypto.randomUUID() })

  // 30 a minute.
  const texts: Array<string> = []
  for (let count = 0; count < 31; count += 1) texts.push((await call()).text)

  expect(texts.slice(0, 30).every((text) => text.includes("NOT_FOUND"))).toBe(true)
  expect(texts[30]).toContain("RATE_LIMITED")
  const head = await post(message("ping"), {}, limited)
  expect(head.headers.get("ratelimit-limit")).toBe("120")
  await agent.close()
  await limited.close()
})

it("a tool's own requests count for the address of the client that called it", async () => {
  vi.stubEnv("TRUSTED_PROXIES", "127.0.0.1")
  const limited = await startServer({ workers: false, rateLimits: true })
  vi.unstubAllEnvs()
  const call = async (address: string) => {
    const response = await post(
      message("tools/call", {
        name: "preview_suppression",
        arguments: { rules: [{ type: "domain", value: "example.com" }] },
      }),
      { "x-forwarded-for": address },
      limited,
    )
    return response.text()
  }
  expect(await call("203.0.113.7")).not.toContain("RATE_LIMITED")
  await limited.sql("update rate_limit set used = 30 where bucket like 'suppression:%'")

  expect(await call("203.0.113.7")).toContain("RATE_LIMITED")
  expect(await call("203.0.113.8")).not.toContain("RATE_LIMITED")
  await limited.close()
})

it("a message with more than 20 calls is refused", async () => {
  const calls = (count: number) =>
    JSON.stringify(
      Array.from({ length: count }, (_, id) => ({ jsonrpc: "2.0", id, method: "ping" })),
    )
  const most = await post(calls(20), { "mcp-protocol-version": "2025-03-26" })
  const more = await post(` ${calls(21)}`, { "mcp-protocol-version": "2025-03-26" })

  expect(most.status).toBe(200)
  expect(await most.json()).toHaveLength(20)
  expect(more.status).toBe(413)
  expect(await more.json()).toMatchObject({
    error: { code: "PAYLOAD_TOO_LARGE", details: { limitMessages: 20 } },
  })
})

it("a response above 4 MiB is replaced by an error of the protocol", async () => {
  const other = await server.makeOrganization()
  const rule = {
    any: Array.from({ length: 25 }, () => ({
      field: "company.industry",
      op: "contains",
      value: "x".repeat(255),
    })),
  }
  await server.sql(
    `insert into segment (organization_id, id, name, rule_ast)
     select $1, gen_random_uuid(), 'Segment ' || n, $2 from generate_series(1, 50) as n`,
    [other.organizationId, JSON.stringify({ version: 1, rule })],
  )
  const ask = (calls: number) =>
    post(
      JSON.stringify(
        Array.from({ length: calls }, (_, id) => ({
          jsonrpc: "2.0",
          id,
          method: "tools/call",
          params: { name: "list_segments", arguments: { limit: 50 } },
        })),
      ),
      { "mcp-protocol-version": "2025-03-26", "x-api-key": other.apiKey },
    )

  const within = await (await ask(1)).text()
  // One more call than fits.
  const above = await (await ask(Math.floor((4 * 1024 * 1024) / within.length) + 1)).text()

  expect(within.length).toBeGreaterThan(200_000)
  expect(within).toContain("Segment 1")
  expect(JSON.parse(above)).toEqual({
    jsonrpc: "2.0",
    id: null,
    error: {
      code: -32_603,
      message:
        "The response is larger than 4194304 bytes. Ask for fewer rows, or send fewer calls in one message.",
    },
  })
})

it("every call of a message counts toward the limit", async () => {
  const limited = await startServer({ workers: false, rateLimits: true })
  const batch = JSON.stringify(
    Array.from({ length: 17 }, (_, id) => ({ jsonrpc: "2.0", id, method: "ping" })),
  )
  const send = () => post(batch, { "mcp-protocol-version": "2025-03-26" }, limited)
  const statuses: Array<number> = []
  // 7 × 17 = 119 of 120.
  for (let count = 0; count < 8; count += 1) statuses.push((await send()).status)

  expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 200, 429])
  await limited.close()
})

it("two messages of a key are answered at a time, and another key's beside them", async () => {
  const holder = new pg.Client({ connectionString: server.databaseUrl })
  await holder.connect()
  await holder.query("begin")
  await holder.query("lock table audience in access exclusive mode")
  const call = () =>
    post(message("tools/call", { name: "list_audiences", arguments: {} }), {
      "mcp-protocol-version": "2025-11-25",
    })
  const ended: Array<string> = []
  const noted = (name: string, response: Promise<Response>) =>
    response.finally(() => ended.push(name))
  const held = [noted("held", call()), noted("held", call())]
  try {
    await vi.waitFor(
      async () => {
        const [row] = await server.sql(
          `select count(*)::int as count from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`,
        )
        // Each call reads the list and its count.
        expect(row?.["count"]).toBeGreaterThan(2)
      },
      { timeout: 30_000 },
    )
    const third = noted("third", post(message("ping")))
    const other = await server.makeOrganization()
    const ping = await noted("other", post(message("ping"), { "x-api-key": other.apiKey }))
    expect(ping.status).toBe(200)

    await holder.query("rollback")
    expect((await third).status).toBe(200)
    await Promise.all(held)
    expect(ended.indexOf("third")).toBeGreaterThan(ended.indexOf("held"))
  } finally {
    await holder.end()
  }
})

it("cancels a tool's request when the connection drops", async () => {
  const holder = new pg.Client({ connectionString: server.databaseUrl })
  await holder.connect()
  await holder.query("begin")
  await holder.query("lock table audience in access exclusive mode")
  const waiting = async () => {
    const [row] = await server.sql(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return row?.["count"]
  }
  const controller = new AbortController()
  const calling = fetch(`${server.url}/mcp`, {
    method: "POST",
    signal: controller.signal,
    headers: {
      "content-type": "application/json",
      "x-api-key": server.apiKey,
      "mcp-protocol-version": "2025-11-25",
    },
    body: message("tools/call", { name: "list_audiences", arguments: {} }),
  }).catch((error: unknown) => error)
  try {
    await vi.waitFor(async () => expect(await waiting()).toBeGreaterThan(0), { timeout: 30_000 })
    controller.abort()
    expect(await calling).toBeInstanceOf(Error)
    await vi.waitFor(async () => expect(await waiting()).toBe(0), { timeout: 4_000 })
  } finally {
    await holder.query("rollback")
    await holder.end()
  }
})

it("lists everything at /llms.txt, and each of its links works", async () => {
  const response = await fetch(`${server.url}/llms.txt`)
  const text = await response.text()

  expect(response.headers.get("content-type")).toBe("text/markdown; charset=utf-8")
  expect(text).toMatch(/^# Footfall\n\n> /)
  const links = [...text.matchAll(/^- \[[^\]]+\]\((\S+)\): /gm)].map(([, link]) => link!)
  expect(links.length).toBeGreaterThan(3)
  for (const link of links) {
    const { status } = await fetch(link)
    expect({ link, status }).toEqual({ link, status: link.endsWith("/mcp") ? 405 : 200 })
  }
})

it("names only existing files in docs/llms.txt", async () => {
  const docs = new URL("../../../../docs/", import.meta.url)
  const text = await readFile(new URL("llms.txt", docs), "utf8")

  expect(text).toMatch(/^# Footfall\n\n> /)
  for (const [, link] of text.matchAll(/^- \[[^\]]+\]\((\S+)\): /gm)) {
    expect(existsSync(new URL(link!, docs)), link).toBe(true)
  }
})
