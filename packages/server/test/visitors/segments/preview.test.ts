// Previewing a rule: how many people it matches, and at most ten of them (spec 3.1, 5.4, 10.3).
import { NotFoundError } from "@footfall/sdk"
import { Schema } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { SegmentPreviewAnswer } from "../../../src/people/visitors/segments/api.ts"
import { startServer, type TestServer } from "../../support/server.ts"
import { putPixel } from "../sessions/person.ts"

let server: TestServer
let otherPixelId: string

beforeAll(async () => {
  server = await startServer()
  otherPixelId = await putPixel(server, server, "other.example")
  for (let person = 0; person < 11; person++) {
    // The first of them views the pricing page.
    await visit(server.pixelId, `p${person}@acme.example`, person === 0 ? "/pricing" : "/")
  }
  await visit(otherPixelId, "p0@acme.example", "/")
  await server.drain()
})

afterAll(() => server.close())

const everyone = {
  version: 1,
  rule: { field: "behavior.sessions", op: "gte", value: 1 },
} as const
const buyers = {
  version: 1,
  rule: { field: "behavior.pricing_page_views", op: "gte", value: 1 },
} as const

it("counts everyone who qualifies and returns ten, last seen first, in the format of the list", async () => {
  const response = await fetch(`${server.url}/v1/data/segments/preview`, {
    method: "POST",
    headers: { "x-api-key": server.apiKey, "content-type": "application/json" },
    body: JSON.stringify({ ruleAst: everyone }),
  })
  const body: unknown = await response.json()

  expect(response.status).toBe(200)
  const { data } = Schema.decodeUnknownSync(SegmentPreviewAnswer, { onExcessProperty: "error" })(
    body,
  )
  const listed = await server.sdk.visitors.list({ timeframe: "30d" })
  expect(data.count).toBe(11)
  expect(data.sample).toEqual(listed.data.slice(0, 10))
})

it("returns only those who qualify", async () => {
  const { count, sample } = await server.sdk.segments.preview({ ruleAst: buyers })

  expect([count, sample.map(({ email }) => email)]).toEqual([1, ["p0@acme.example"]])
})

it("is limited to the pixel scope: activity on another pixel does not count", async () => {
  const preview = async (pixelId: string, ruleAst: typeof everyone | typeof buyers) =>
    (await server.sdk.segments.preview({ ruleAst, pixelId })).count

  expect(await preview(server.pixelId, everyone)).toBe(11)
  expect(await preview(otherPixelId, everyone)).toBe(1)
  expect(await preview(otherPixelId, buyers)).toBe(0)
})

it("uses the window of the rule, or 30 days", async () => {
  await server.sql(
    "update visitor set last_seen_at = now() - interval '29 days' where email = $1",
    ["p5@acme.example"],
  )
  await server.sql(
    `update session set started_at = now() - interval '29 days', ended_at = now() - interval '29 days'
     where visitor_id = (select id from visitor where email = $1)`,
    ["p5@acme.example"],
  )
  const count = async (window?: "7d") =>
    (await server.sdk.segments.preview({ ruleAst: { ...everyone, ...(window && { window }) } }))
      .count

  expect([await count(), await count("7d")]).toEqual([11, 10])
})

it("an unknown pixel or another organization's gets a 404", async () => {
  const { pixelId } = await server.makeOrganization()

  for (const id of [randomUUID(), pixelId]) {
    await expect(
      server.sdk.segments.preview({ ruleAst: everyone, pixelId: id }),
    ).rejects.toBeInstanceOf(NotFoundError)
  }
})

it("excludes people held back, and counts suppressed people like everyone", async () => {
  const before = (await server.sdk.segments.preview({ ruleAst: everyone })).count
  await server.sql("update visitor set suppressed = true where email = 'p1@acme.example'")
  const suppressed = (await server.sdk.segments.preview({ ruleAst: everyone })).count
  await server.sql("update visitor set held_back = true where email = 'p2@acme.example'")
  const heldBack = (await server.sdk.segments.preview({ ruleAst: everyone })).count

  expect([suppressed, heldBack]).toEqual([before, before - 1])
})

async function visit(pixelId: string, email: string, path: string): Promise<void> {
  const host = pixelId === server.pixelId ? "tidewater.example" : "other.example"
  const now = new Date().toISOString()
  const event = { time: now, url: `https://${host}${path}` }
  const response = await fetch(`${server.url}/p/${pixelId}/e`, {
    method: "POST",
    headers: {
      "content-type": "text/plain",
      "user-agent":
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/145.0",
    },
    body: JSON.stringify({
      v: 1,
      sentAt: now,
      anonymousId: randomUUID(),
      consent: "granted",
      gpc: false,
      dnt: false,
      timeZone: "UTC",
      attribution: {},
      events: [
        { ...event, id: randomUUID(), type: "page", referrer: null, title: "x" },
        { ...event, id: randomUUID(), type: "identify", email },
      ],
    }),
  })
  expect(response.status).toBe(204)
}
