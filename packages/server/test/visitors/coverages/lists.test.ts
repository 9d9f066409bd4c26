// The coverage of lists and queries on a running server: an organization with waiting events sees it (spec 2.1).
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { Footfall } from "@footfall/sdk"
import { startServer, type TestServer } from "../../support/server.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer({ workers: false })
})
afterAll(() => server.close())

const everyone = {
  version: 1,
  window: "7d",
  rule: { field: "behavior.sessions", op: "gte", value: 1 },
} as const

it("is partial in list and query while events wait for more than a minute, and for no one else", async () => {
  const stranger = await server.makeOrganization()
  await server.sql(
    `insert into event_inbox (organization_id, pixel_id, id, received_at, type, occurred_at, payload)
     values ($1, $2, $3, now() - interval '2 minutes', 'page', now(), '{}')`,
    [server.organizationId, server.pixelId, randomUUID()],
  )
  const theirs = new Footfall({ baseUrl: server.url, apiKey: stranger.apiKey })

  const listed = await server.sdk.visitors.list({ timeframe: "7d" })
  const queried = await server.sdk.visitors.query({ ruleAst: everyone })
  const others = await theirs.visitors.list({ timeframe: "7d" })

  expect([listed, queried, others].map(({ meta }) => meta.coverage?.partial)).toEqual([
    true,
    true,
    false,
  ])
  expect(listed.meta.coverage?.from).not.toBeNull()
})

it("is partial if the data is kept for less than the window", async () => {
  const kept = await server.makeOrganization()
  await server.sql("update organization set retention_days = 60 where id = $1", [
    kept.organizationId,
  ])
  const sdk = new Footfall({ baseUrl: server.url, apiKey: kept.apiKey })

  const quarter = (await sdk.visitors.list({ timeframe: "90d" })).meta.coverage
  const month = (await sdk.visitors.query({ ruleAst: { ...everyone, window: "30d" } })).meta
    .coverage

  expect([quarter?.partial, month?.partial]).toEqual([true, false])
  const days = (Date.now() - Date.parse(quarter?.from ?? "")) / 86_400_000
  expect(Math.round(days)).toBe(60)
})
