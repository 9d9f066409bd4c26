// Lists of an organization without data (spec 1.6.12): each says where its rows come from, and everything it names
// exists: commands of the command line, and pages of these documents.
import { randomUUID } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"
import { Tenant } from "../isolation/world.ts"

const root = new URL("../../../../", import.meta.url)
const commands = new Set(
  readFileSync(new URL("packages/cli/test/fixtures/commands.txt", root), "utf8").trim().split("\n"),
)
const serverCommands = new Set(["starter-topics", "start", "doctor", "init"])

let server: TestServer
let tenant: Tenant

beforeAll(async () => {
  server = await startServer()
  tenant = await Tenant.make(server)
})
afterAll(() => server.close())

const pagesOf = (pixelId: string) => [
  "/v1/data",
  "/v1/data?timeframe=90d&suppressed=only",
  "/v1/data/companies",
  "/v1/data/companies?q=none&timeframe=all",
  "/v1/data/segments",
  `/v1/data/pixels/${pixelId}/write-keys`,
  "/v1/data/suppression-rules",
  "/v1/data/webhooks",
  "/v1/intent/topics",
  "/v1/intent/topic-lists",
  "/v1/intent/audiences",
]

interface Answer {
  readonly data: unknown
  readonly meta: { readonly hint?: string }
}

const ask = async (path: string, body?: object): Promise<Answer> => {
  const response = await fetch(server.url + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { "x-api-key": tenant.organization.apiKey, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  expect(response.status, path).toBe(200)
  return (await response.json()) as Answer
}

/** Returns what the hint names that doesn't exist. */
const checkHint = (hint: string | undefined) => {
  expect(hint).toMatch(/^[A-Z].{20,}/)
  for (const [, words = ""] of hint!.matchAll(/footfall ((?:[a-z-]+ ?)+)/g)) {
    const named = words.trim().split(" ")
    const isThere = named.some((_, count) => commands.has(named.slice(0, count + 1).join(" ")))
    expect(isThere || commands.has(named[0]!), words).toBe(true)
  }
  for (const [, name = ""] of hint!.matchAll(/footfall-server ([a-z-]+)/g)) {
    expect(serverCommands).toContain(name)
  }
  for (const [page] of hint!.matchAll(/docs\/[\w/.-]+\.md/g)) {
    expect(existsSync(new URL(page, root)), page).toBe(true)
  }
}

describe("an empty list", () => {
  it("of every kind says where its rows come from", async () => {
    for (const path of pagesOf(tenant.organization.pixelId)) {
      checkHint((await ask(path)).meta.hint)
    }
  })

  it("of query results does so too", async () => {
    const rule = { field: "company.industry", op: "eq", value: "logistics" }
    const { meta } = await ask("/v1/data/query", { ruleAst: { version: 1, rule } })

    expect(meta.hint).toContain("footfall visitors fields")
    checkHint(meta.hint)
  })
})

const buyers = { version: 1, rule: { field: "behavior.pageviews", op: "gte", value: 3 } }

it("a list with a row has no hint", async () => {
  await server.sql(
    `insert into segment (organization_id, id, name, rule_ast)
     values ($1, $2, 'Buyers', $3::text::jsonb)`,
    [tenant.organization.organizationId, randomUUID(), JSON.stringify(buyers)],
  )

  expect((await ask("/v1/data/segments?offset=5")).meta).not.toHaveProperty("hint")
  expect((await ask("/v1/data/segments?limit=1")).meta).not.toHaveProperty("hint")
  expect((await ask("/v1/data/pixels")).meta).not.toHaveProperty("hint")
})
