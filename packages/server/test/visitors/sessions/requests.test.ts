// What GET /v1/data/visitors/{visitorId}/sessions accepts, rejects and returns (spec 1.4, 2.2, 5.1, 10).
import { BadRequestError, NotFoundError } from "@footfall/sdk"
import { Schema } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { SessionList } from "../../../src/people/visitors/sessions/api.ts"
import { hashEmail } from "../../../src/collect/visits/email-address.ts"
import { startServer, type TestOrganization, type TestServer } from "../../support/server.ts"
import { type Person, putAddress, putPerson, putPixel, putSessions } from "./person.ts"

const day = 86_400_000
const ago = (ms: number) => new Date(Date.now() - ms).toISOString()
let server: TestServer
let stranger: TestOrganization
let jane: Person
let otherPixelId: string

beforeAll(async () => {
  server = await startServer()
  stranger = await server.makeOrganization()
  jane = await putPerson(server, server)
  otherPixelId = await putPixel(server, server, "other.example")
  for (const days of [0.5, 1.5, 6.5, 13.5, 29.5, 89.5, 400]) {
    await putSessions(server, server, { person: jane, startedAt: ago(days * day) })
  }
  await putSessions(server, server, {
    person: jane,
    startedAt: ago(2.5 * day),
    pixelId: otherPixelId,
  })
})

afterAll(() => server.close())

const path = (visitorId: string, query = "") => `/v1/data/visitors/${visitorId}/sessions?${query}`
const sessions = (params: Parameters<TestServer["sdk"]["visitors"]["sessions"]>[1] = {}) =>
  server.sdk.visitors.sessions(jane.visitorId, params)

describe("the response", () => {
  it("has the documented format, field by field", async () => {
    const response = await server.get(path(jane.visitorId, "limit=2"))
    const body: unknown = await response.json()

    expect(() =>
      Schema.decodeUnknownSync(SessionList, { onExcessProperty: "error" })(body),
    ).not.toThrow()
    const { meta } = body as typeof SessionList.Encoded // decoded above
    expect(Object.keys(meta)).toEqual([
      "asOf",
      "limit",
      "hasMore",
      "nextCursor",
      "timestamp",
      "request_id",
    ])
    expect([meta.limit, meta.hasMore]).toEqual([2, true])
  })

  it.each([
    { timeframe: "24h", count: 1 },
    { timeframe: "7d", count: 4 },
    { timeframe: "14d", count: 5 },
    { timeframe: "30d", count: 6 },
    { timeframe: "90d", count: 7 },
    { timeframe: "all", count: 8 },
    { timeframe: undefined, count: 6 },
  ] as const)("in the window $timeframe has $count sessions; the default is 30d", async (row) => {
    const page = await sessions({ timeframe: row.timeframe })

    expect(page.data).toHaveLength(row.count)
    const starts = page.data.map(({ startTime }) => startTime)
    expect(starts).toEqual(starts.toSorted().toReversed())
  })

  it("in a pixel scope has only that pixel's sessions, whatever the case of its id", async () => {
    const page = await sessions({ pixelId: otherPixelId.toUpperCase() })

    expect(page.data.map(({ pixelId }) => pixelId)).toEqual([otherPixelId])
  })

  it("marks only the person's first session, over the whole history and all pixels", async () => {
    const all = await sessions({ timeframe: "all" })
    const recent = await sessions({ timeframe: "90d" })

    expect(all.data.map(({ isFirstSession }) => isFirstSession)).toEqual([
      ...Array.from({ length: 7 }, () => false),
      true,
    ])
    expect(recent.data.some(({ isFirstSession }) => isFirstSession)).toBe(false)
  })

  it("is an empty list for a person without a session in window and scope", async () => {
    const quiet = await putPerson(server, server)
    const page = await server.sdk.visitors.sessions(quiet.visitorId)

    expect([page.data, page.meta.hasMore, page.meta.nextCursor]).toEqual([[], false, null])
  })

  it("is the same for any address of the person", async () => {
    const alias = await putAddress(server, server, jane.id, "jane@mail.example")

    const byAlias = await server.sdk.visitors.sessions(alias)

    expect(byAlias.data).toEqual((await sessions()).data)
  })
})

describe("the page size", () => {
  it("is 50 by default and at most 100", async () => {
    const busy = await putPerson(server, server)
    await putSessions(server, server, { person: busy, startedAt: ago(day), count: 101 })
    const page = (limit?: number) => server.sdk.visitors.sessions(busy.visitorId, { limit })

    expect([(await page()).data.length, (await page()).meta.limit]).toEqual([50, 50])
    expect((await page(1)).data).toHaveLength(1)
    expect((await page(100)).data).toHaveLength(100)
    await expect(page(101)).rejects.toBeInstanceOf(BadRequestError)
  })

  it("hasMore is false on a page that ends exactly with the list", async () => {
    const person = await putPerson(server, server)
    await putSessions(server, server, { person, startedAt: ago(day), count: 4 })

    const first = await server.sdk.visitors.sessions(person.visitorId, { limit: 2 })
    const second = await server.sdk.visitors.sessions(person.visitorId, {
      limit: 2,
      cursor: first.meta.nextCursor ?? "",
    })

    expect([first.meta.hasMore, second.meta.hasMore]).toEqual([true, false])
    expect(second.meta.nextCursor).toBeNull()
  })
})

describe("a request is rejected", () => {
  it.each([
    { query: "timeframe=8d", issue: "/query/timeframe" },
    { query: "limit=0", issue: "/query/limit" },
    { query: "limit=101", issue: "/query/limit" },
    { query: "limit=1.5", issue: "/query/limit" },
    { query: "limit=all", issue: "/query/limit" },
    { query: "pixelId=7", issue: "/query/pixelId" },
    { query: "offset=10", issue: "/query/offset" },
    { query: "page=1", issue: "/query/page" },
    { query: "asOf=2026-01-01T00:00:00.000Z", issue: "/query/asOf" },
    { query: "domain=tidewater.example", issue: "/query/domain" },
    { query: "limit=1&limit=2", issue: "/query/limit" },
  ])("with a 400 that names the parameter: $query", async ({ issue, query }) => {
    expect(await refusal(path(jane.visitorId, query))).toEqual([400, "VALIDATION_ERROR", issue])
  })

  it.each([
    ["too short", "a".repeat(63)],
    ["too long", "a".repeat(65)],
    ["in upper case", "A".repeat(64)],
    ["not hexadecimal", "g".repeat(64)],
    ["an address", "jane@acme.example"],
    ["a uuid", randomUUID()],
  ])("with a 400 when visitorId is %s", async (_, visitorId) => {
    expect(await refusal(path(visitorId))).toEqual([400, "VALIDATION_ERROR", "/path/visitorId"])
  })

  it("with the same 404 for an unknown, a foreign, a held-back and an erased person", async () => {
    const heldBack = await putPerson(server, server)
    await server.sql("update visitor set held_back = true where id = $1", [heldBack.id])
    const theirs = await putPerson(server, stranger)
    await putSessions(server, stranger, { person: theirs, startedAt: ago(day) })
    const erased = await putPerson(server, server)
    await server.sql("delete from visitor where id = $1", [erased.id])
    await server.sql("delete from visitor_address where visitor_id = $1", [erased.id])
    const unknown = hashEmail("nobody@acme.example").sha256

    const bodies = new Set<string>()
    for (const visitorId of [unknown, theirs.visitorId, heldBack.visitorId, erased.visitorId]) {
      const response = await server.get(path(visitorId))
      expect(response.status).toBe(404)
      bodies.add(JSON.stringify(((await response.json()) as { error: unknown }).error))
    }
    expect(bodies.size).toBe(1)
  })

  it("with a 404 for an unknown, a foreign and a deleted pixel", async () => {
    const deleted = await putPixel(server, server, "deleted.example")
    await server.sql("update pixel set deleted_at = now() where id = $1", [deleted])

    for (const pixelId of [randomUUID(), stranger.pixelId, deleted]) {
      await expect(sessions({ pixelId })).rejects.toBeInstanceOf(NotFoundError)
    }
  })
})

it("counts 60 requests a minute, and reports it on every response", async () => {
  const limited = await startServer({ beside: server, rateLimits: true })
  const ask = () => limited.get(path(jane.visitorId, "limit=1"))
  const headers = ({ headers }: Response) =>
    ["ratelimit-limit", "ratelimit-remaining", "retry-after"].map((name) => headers.get(name))

  const first = await ask()
  for (let count = 2; count < 60; count++) await ask()
  const last = await ask()
  const refused = await ask()

  expect([first.status, headers(first)]).toEqual([200, ["60", "59", null]])
  expect([last.status, headers(last)]).toEqual([200, ["60", "0", null]])
  expect([refused.status, headers(refused).slice(0, 2)]).toEqual([429, ["60", "0"]])
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
  expect(refused.headers.get("ratelimit-reset")).toBe(refused.headers.get("retry-after"))
  await limited.close()
})

async function refusal(of: string): Promise<ReadonlyArray<unknown>> {
  const response = await server.get(of)
  const { error } = (await response.json()) as {
    error: { code: string; details: { issues: ReadonlyArray<{ path: string }> } }
  }
  return [response.status, error.code, error.details.issues[0]?.path]
}
