// Many organizations read and write at the same time, over ten connections to the database, and over PgBouncer in
// transaction mode with as few: no response and no webhook contains a word of another organization. FOOTFALL_SOAK=1 for
// 200 organizations and a minute.
import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { Agent, request } from "undici"
import { afterAll, expect, inject, it, onTestFinished } from "vitest"
import { random } from "../identification/simulation.ts"
import { startPgBouncer } from "../support/pgbouncer.ts"
import { killLeftServers } from "../support/server-process.ts"
import { startReceiver } from "../webhooks/receiver.ts"
import { Cluster, type ClusterOptions } from "./cluster.ts"
import { drained } from "./ledger.ts"
import { figure, isSoak, sizeOf } from "./size.ts"
import { makeTenants, marks, type Tenant } from "./tenants.ts"
import { needs } from "../../../../scripts/test-run/programs.ts"

const tenantCount = sizeOf("SOAK_TENANTS", 10, 200)
const seconds = sizeOf("SOAK_SECONDS", 3, 60)
const concurrent = sizeOf("SOAK_CONCURRENT", 10, 50)

afterAll(killLeftServers)

const timeoutMs = isSoak ? 900_000 : 180_000

it("no organization receives a word of another (D3)", () => hunt("D3 isolation", {}), timeoutMs)

it(
  "nor behind PgBouncer in transaction mode (D4)",
  { timeout: timeoutMs, ...needs("pgbouncer") },
  () =>
    hunt("D4 isolation behind PgBouncer", {
      through: async (database) => {
        const { host, port, user } = await database.connection()
        const bouncer = await startPgBouncer({
          folder: inject("temporaryDirectory"),
          host,
          serverPort: port,
          user,
          poolSize: 10,
        })
        onTestFinished(() => bouncer.stop())
        return `postgres://${user}@127.0.0.1:${bouncer.port}/postgres`
      },
    }),
)

const hunt = async (name: string, options: Pick<ClusterOptions, "through">): Promise<void> => {
  const cluster = await Cluster.open({
    servers: 1,
    environment: { LOG_LEVEL: "error" },
    ...options,
  })
  const receiver = await startReceiver()
  const tenants = await makeTenants(cluster, tenantCount)
  const markOf = new Map(tenants.map(({ mark, organizationId }) => [organizationId, mark]))
  const dispatcher = new Agent({ connections: concurrent })
  const foreign: Array<string> = []
  const statuses = new Map<number, number>()
  const below = random(5)

  const ask = async (tenant: Tenant, path: string, body?: unknown, method?: "PUT" | "DELETE") => {
    const answer = await request(cluster.url + path, {
      dispatcher,
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: {
        "x-api-key": tenant.apiKey,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const text = await answer.body.text()
    statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1)
    for (const [mark] of text.matchAll(marks)) {
      if (mark !== tenant.mark) foreign.push(`${path}: ${mark} in an answer to ${tenant.mark}`)
    }
  }
  const visit = async ({ mark, pixelId }: Tenant) => {
    const time = new Date().toISOString()
    const url = `https://${mark}.example/pricing`
    const events = [
      { id: randomUUID(), type: "page", time, url },
      { id: randomUUID(), type: "identify", time, url, email: `p${below(20)}@${mark}.example` },
    ]
    const anonymousId = randomUUID()
    const answer = await request(`${cluster.url}/p/${pixelId}/e`, {
      dispatcher,
      method: "POST",
      headers: { "content-type": "text/plain", "user-agent": "Mozilla/5.0 Chrome/145.0" },
      body: JSON.stringify({ v: 1, sentAt: time, anonymousId, consent: "granted", events }),
    })
    await answer.body.dump()
  }
  const rulesPath = "/v1/data/suppression-rules"
  const rule = {
    version: 1,
    window: "30d",
    rule: { all: [{ field: "behavior.pageviews", op: "gte", value: 1 }] },
  }
  const operations: ReadonlyArray<(tenant: Tenant) => Promise<void>> = [
    visit,
    visit,
    (tenant) => ask(tenant, "/v1/data?timeframe=7d"),
    (tenant) => ask(tenant, "/v1/data/query", { ruleAst: rule }),
    (tenant) => ask(tenant, `/v1/data?email=p${below(20)}@${tenant.mark}.example`),
    (tenant) => ask(tenant, "/v1/data/pixels"),
    (tenant) => ask(tenant, `${rulesPath}?limit=50`),
    (tenant) => ask(tenant, `${rulesPath}?q=canary&limit=50`),
    (tenant) =>
      ask(tenant, rulesPath, {
        rules: [{ type: "domain", value: `a${below(50)}.${tenant.mark}.example` }],
      }),
    (tenant) =>
      ask(
        tenant,
        rulesPath,
        { rules: [{ type: "domain", value: `a${below(50)}.${tenant.mark}.example` }] },
        "DELETE",
      ),
    (tenant) =>
      ask(tenant, "/v1/data/segments", { name: `${tenant.mark} ${below(1e9)}`, ruleAst: rule }),
    (tenant) => ask(tenant, "/v1/data/segments?limit=20"),
    (tenant) => ask(tenant, "/v1/data/account"),
    (tenant) => ask(tenant, "/v1/data/webhooks"),
  ]
  for (const tenant of tenants) {
    const url = `${receiver.url}/${tenant.mark}`
    await ask(tenant, "/v1/data/webhooks", { name: tenant.mark, url, trigger: "first_match" })
  }
  const over = new AbortController()
  const client = async () => {
    while (!over.signal.aborted)
      await operations[below(operations.length)]!(tenants[below(tenants.length)]!)
  }
  const clients = Array.from({ length: concurrent }, client)
  await sleep(seconds * 1_000)
  over.abort()
  await Promise.all(clients)
  await drained(cluster)
  await expect
    .poll(
      async () =>
        (await cluster.sql("select 1 from webhook_delivery where status = 'queued'")).length,
      {
        timeout: 120_000,
      },
    )
    .toBe(0)

  for (const { body, path } of receiver.received) {
    for (const [mark] of body.matchAll(marks)) {
      if (path !== `/${mark}`) foreign.push(`webhook: ${mark} at ${path}`)
    }
  }
  // Stored data is marked with its organization, too.
  const people = await cluster.sql<{ organizationId: string; email: string }>(
    `select organization_id as "organizationId", email from visitor where email like '%canary%'`,
  )
  for (const { email, organizationId } of people) {
    if (!email.includes(markOf.get(organizationId)!)) foreign.push(`visitor: ${email}`)
  }
  figure(name, {
    tenants: tenantCount,
    concurrent,
    seconds,
    statuses: Object.fromEntries(statuses),
    webhooks: receiver.received.length,
    visitors: people.length,
    foreign: foreign.length,
  })
  expect(foreign).toEqual([])
  expect([...statuses.keys()].filter((status) => status >= 500 && status !== 503)).toEqual([])
  expect(people.length).toBeGreaterThan(0)
  expect(receiver.received.length).toBeGreaterThan(0)
  await dispatcher.close()
  await receiver.close()
}
