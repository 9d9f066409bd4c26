// Every method of the SDK for visitors and the account, once against the real server (spec 5.1, 5.3). test/visitors and
// test/account test the rest.
import type { Footfall, RuleAst } from "@footfall/sdk"
import { createHash } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"

/** SHA-256 of an address, as in the path of a visitor. */
const hashOf = (email: string): string => createHash("sha256").update(email).digest("hex")

const ada = hashOf("ada@acme.example")
let server: TestServer
let sdk: Footfall
const emails = ["ada@acme.example", "ben@acme.example", "cleo@other.example"]

beforeAll(async () => {
  server = await startServer()
  sdk = server.sdk
  for (const email of emails) await visit(email)
  await server.drain()
})
afterAll(() => server.close())

/** Sends two page views of a new browser, and its identification. */
async function visit(email: string): Promise<void> {
  const sentAt = new Date().toISOString()
  const url = "https://tidewater.example/pricing"
  const event = (type: string, more: object = {}) => ({
    id: crypto.randomUUID(),
    type,
    time: sentAt,
    url,
    ...more,
  })
  const answer = await server.collect({
    v: 1,
    sentAt,
    anonymousId: crypto.randomUUID(),
    consent: "granted",
    timeZone: null,
    events: [event("page"), event("page"), event("identify", { email })],
  })
  expect(answer.status).toBe(204)
}

describe("account", () => {
  it("get returns credits, pixels and intent access", async () => {
    expect(await sdk.account.get()).toMatchObject({
      healthy: true,
      organization: { id: server.organizationId, status: "active" },
      pixels: { active: 1 },
    })
  })
})

describe("visitors", () => {
  it("list and get return who visited", async () => {
    const { data } = await sdk.visitors.list({ timeframe: "24h" })
    const visitor = await sdk.visitors.get({ email: "ada@acme.example" })

    expect(data.map(({ email }) => email).toSorted()).toEqual(emails)
    expect(visitor.emailHash).toBe(ada)
    expect(visitor.journey.sessions).toHaveLength(1)
  })

  it("sessions returns one visitor's sessions, by the hash of the address", async () => {
    const sessions = await sdk.visitors.sessions(ada, { limit: 1 })

    expect(sessions.data).toMatchObject([{ entryPage: "/pricing", pageviews: 2 }])
    expect(sessions.meta).toMatchObject({ limit: 1, hasMore: false, nextCursor: null })
    expect(sessions.meta.asOf).toEqual(expect.any(String))
  })

  it("query iterates over matching visitors, page by page, and says where a rule is wrong", async () => {
    const ruleAst: RuleAst = {
      version: 1,
      rule: {
        all: [
          { field: "behavior.pricing_page_views", op: "gte", value: 2 },
          { field: "contact.email_domain", op: "eq", value: "acme.example" },
        ],
      },
    }
    const segment = await sdk.segments.create({ name: "Acme", ruleAst })

    const first = await sdk.visitors.query({ ruleAst, limit: 1 })
    const byRule = []
    for await (const { email } of sdk.visitors.query({ ruleAst, limit: 1 })) byRule.push(email)
    const bySegment = await sdk.visitors.query({ segmentId: segment.id, window: "24h" })

    expect(first.meta).toMatchObject({ page: 1, limit: 1, hasMore: true, total: 2 })
    expect(byRule.toSorted()).toEqual(["ada@acme.example", "ben@acme.example"])
    expect(bySegment.data.map(({ email }) => email)).toEqual(byRule)
  })
})
