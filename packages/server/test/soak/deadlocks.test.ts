// Writers of every kind change the same few objects of one organization: Postgres may find a deadlock, but no client
// sees it. FOOTFALL_SOAK=1 for 32 writers and five minutes.
import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { Agent, request } from "undici"
import { afterAll, expect, it } from "vitest"
import { random } from "../identification/simulation.ts"
import { killLeftServers } from "../support/server-process.ts"
import { Cluster } from "./cluster.ts"
import { figure, isSoak, sizeOf } from "./size.ts"

const writers = sizeOf("SOAK_WRITERS", 8, 32)
const seconds = sizeOf("SOAK_SECONDS", 4, 300)

afterAll(killLeftServers)

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"

it(
  "no writer sees a deadlock",
  async () => {
    const cluster = await Cluster.open({ servers: 2, environment: { LOG_LEVEL: "error" } })
    const { apiKey, pixels, url } = cluster
    const token = await cluster.token()
    const dispatcher = new Agent({ connections: writers })
    const below = random(9)
    const statuses: Record<string, number> = {}
    const failed: Array<string> = []
    const segments: Array<string> = []
    const hashes: Array<string> = []
    const emails = Array.from({ length: 12 }, (_, n) => `p${n}@acme.example`)
    const email = () => emails[below(emails.length)]!

    const ask = async (method: Method, path: string, body?: unknown, type = "application/json") => {
      const answer = await request(url + path, {
        dispatcher,
        method,
        headers: {
          ...(path.startsWith("/v1/admin")
            ? { authorization: `Bearer ${token}` }
            : { "x-api-key": apiKey }),
          ...(body === undefined
            ? {}
            : { "content-type": type, "user-agent": "Mozilla/5.0 Chrome/145.0" }),
        },
        body: body === undefined ? null : typeof body === "string" ? body : JSON.stringify(body),
      })
      const text = await answer.body.text()
      const { statusCode } = answer
      statuses[statusCode] = (statuses[statusCode] ?? 0) + 1
      if (statusCode >= 500) failed.push(`${method} ${path} ${statusCode} ${text.slice(0, 200)}`)
      return text
    }
    const rules = () =>
      Array.from({ length: 1 + below(20) }, () => ({ type: "email", value: email() }))
    const rulesPath = "/v1/data/suppression-rules"
    const operations: ReadonlyArray<() => Promise<unknown>> = [
      () => ask("POST", rulesPath, { rules: rules() }),
      () => ask("DELETE", rulesPath, { rules: rules() }),
      () => ask("PUT", rulesPath, { rules: rules() }),
      async () => {
        const time = new Date().toISOString()
        const { domain, id } = pixels[below(2)]!
        const page = `https://${domain}/pricing`
        const events = [
          { id: randomUUID(), type: "page", time, url: page },
          { id: randomUUID(), type: "identify", time, url: page, email: email() },
          { id: randomUUID(), type: "identify", time, url: page, email: email() },
        ]
        const anonymousId = `00000000-0000-4000-8000-${String(below(10)).padStart(12, "0")}`
        const batch = { v: 1, sentAt: time, anonymousId, consent: "granted", events }
        await ask("POST", `/p/${id}/e`, batch, "text/plain")
      },
      async () => {
        const rule = { all: [{ field: "behavior.pageviews", op: "gte", value: 1 }] }
        const text = await ask("POST", "/v1/data/segments", {
          name: `S ${randomUUID()}`,
          ruleAst: { version: 1, rule },
        })
        const id = /"id":"([0-9a-f-]{36})"/.exec(text)?.[1]
        if (id !== undefined) segments.push(id)
      },
      () =>
        ask("PATCH", `/v1/data/segments/${segments[below(segments.length)] ?? randomUUID()}`, {
          name: `T ${randomUUID()}`,
        }),
      () => ask("DELETE", `/v1/data/segments/${segments.shift() ?? randomUUID()}`),
      () =>
        ask("PATCH", `/v1/data/pixels/${pixels[below(2)]!.id}`, { name: `Pixel ${below(100)}` }),
      () => {
        const rows = Array.from(
          { length: 30 },
          () => `{"email":"${email()}","firstName":"A${below(99)}"}\n`,
        )
        return ask("POST", "/v1/admin/import/people", rows.join(""), "application/x-ndjson")
      },
      async () => {
        const text = await ask("GET", "/v1/data?timeframe=all")
        for (const [, hash] of text.matchAll(/"emailHash":"([0-9a-f]{64})"/g)) hashes.push(hash!)
      },
      () => ask("DELETE", `/v1/data/visitors/${hashes.pop() ?? "0".repeat(64)}`),
    ]
    const over = new AbortController()
    const writer = async () => {
      while (!over.signal.aborted) await operations[below(operations.length)]!()
    }
    const all = Array.from({ length: writers }, writer)
    await sleep(seconds * 1_000)
    over.abort()
    await Promise.all(all)

    const [stat] = await cluster.sql<{ deadlocks: number }>(
      "select deadlocks::int from pg_stat_database where datname = current_database()",
    )
    figure("M11 deadlock hunt", {
      writers,
      seconds,
      statuses,
      found: stat!.deadlocks,
      told: failed.length,
      examples: failed.slice(0, 5),
    })
    expect(failed.filter((one) => !one.includes(" 503 "))).toEqual([])
    await dispatcher.close()
  },
  isSoak ? 1_200_000 : 180_000,
)
