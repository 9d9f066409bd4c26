// Servers behind PgBouncer in transaction mode, where each transaction may use another session: everything works as
// without it, and no organization sees another's data (docs/operations/scale-out.md). Needs `pgbouncer`: without it the
// tests are skipped; in CI they fail.
import { Footfall } from "@footfall/sdk"
import { createHash } from "node:crypto"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { type PgBouncer, startPgBouncer } from "../support/pgbouncer.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { putTopics, topic } from "../topics/topics.ts"
import { needs } from "../../../../scripts/test-run/programs.ts"

let bouncer: PgBouncer
let server: TestServer
let owner: Footfall
let database: Awaited<ReturnType<typeof testDatabaseUrl>>

describe("behind PgBouncer in transaction mode", needs("pgbouncer"), () => {
  beforeAll(async () => {
    database = await testDatabaseUrl()
    const direct = new URL(database.url)
    await withLimits(direct)
    const host = direct.searchParams.get("host") ?? direct.hostname
    const user = direct.username
    const folder = inject("temporaryDirectory")
    const serverPort = Number(direct.port)
    bouncer = await startPgBouncer({ folder, host, serverPort, user, poolSize: 4 })
    const through = `postgres://${user}@127.0.0.1:${bouncer.port}${direct.pathname}`
    server = await startServer({ databaseUrl: through, workers: true })
    const { accessToken } = await server.makeUser("owner")
    owner = new Footfall({ baseUrl: server.url, accessToken })
  })
  afterAll(async () => {
    await server.close()
    await bouncer.stop()
    await database.drop()
  })

  it("one statement used by many callers at the same time succeeds each time", async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        server.get(n % 2 === 0 ? "/v1/data" : "/v1/data/suppression-rules"),
      ),
    )

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  })

  it("events are identified", async () => {
    const now = new Date().toISOString()
    const url = "https://tidewater.example/pricing"
    for (let browser = 0; browser < 20; browser++) {
      const email = `p${browser}@harbor.example`
      const events = [
        { id: crypto.randomUUID(), type: "page", time: now, url },
        { id: crypto.randomUUID(), type: "identify", time: now, url, email },
      ]
      const anonymousId = crypto.randomUUID()
      const batch = { v: 1, sentAt: now, anonymousId, consent: "granted", events }
      expect((await server.collect(batch)).status).toBe(204)
    }
    await server.drain()

    expect((await server.sdk.visitors.list()).meta.total).toBe(20)
  })

  it("people are imported, in as many transactions as it takes, by two imports at a time", async () => {
    const rows = (of: string) =>
      Array.from({ length: 25_000 }, (_, row) => `{"email":"${of}${row}@many.example"}\n`).join("")
    const [a, b] = await Promise.all([
      owner.imports.run("people", rows("a"), { format: "ndjson" }),
      owner.imports.run("people", rows("b"), { format: "ndjson" }),
    ])

    expect([a.inserted, b.inserted]).toEqual([25_000, 25_000])
  })

  it("signals are imported, and the organization's next import gets its turn", async () => {
    const date = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
    const rows = (topic: number) =>
      Array.from({ length: 2_000 }, (_, n) => {
        const emailHash = createHash("sha256").update(`s${n}@many.example`).digest("hex")
        return `${JSON.stringify({ emailHash, topicId: topic, date, score: 50 })}\n`
      }).join("")
    await putTopics(server, [topic(1, "One"), topic(2, "Two")])

    for (const topic of [1, 2]) {
      const result = await owner.imports.run("signals", rows(topic), { format: "ndjson" })
      expect(result).toMatchObject({ received: 2_000, inserted: 2_000, rejectedCount: 0 })
    }
  })
})

/** As in docs/reference/configuration.md, but for the database instead of the role, which other tests share. */
const withLimits = async (address: URL): Promise<void> => {
  const client = new pg.Client({ connectionString: address.href })
  await client.connect()
  const limits = {
    statement_timeout: "10s",
    lock_timeout: "5s",
    idle_in_transaction_session_timeout: "15s",
  }
  for (const [name, value] of Object.entries(limits)) {
    await client.query(`alter database "${address.pathname.slice(1)}" set ${name} = '${value}'`)
  }
  await client.end()
}
