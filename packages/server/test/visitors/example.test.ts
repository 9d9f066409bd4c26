// The example of spec 12.1, 12.2 and 12.4 on a server: the pixel host collects both visits, the profile is
// imported, and list, lookup and sessions return the document's responses, field by field. The document's days are
// moved to the present, because time windows end now.
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { putPeople } from "../people/people-layer.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { askedAt, batch, earlierBatch, journey, pixelId, scope, visitor } from "./example.ts"

const movedMs = Date.now() - Date.parse(askedAt)
let server: TestServer
let worker: TestServer

beforeAll(async () => {
  vi.stubEnv("GEO_COUNTRY_HEADER", "x-country")
  vi.stubEnv("TRUSTED_PROXIES", "127.0.0.1/32")
  server = await startServer({ workers: false })
  await importProfile()
  await collect(earlierBatch)
  await collect(batch)
  worker = await startServer({ beside: server })
  await worker.drain()
})

afterAll(async () => {
  vi.unstubAllEnvs()
  await worker.close()
  await server.close()
})

/** The document's visitor has no score yet. Here one may have been computed in the meantime. */
const unscored = <Scored extends object>(visitor: Scored) => ({ ...visitor, score: null })

it("12.1: the visitor is listed with both visits, profile and legacy names", async () => {
  const asked = Date.now()

  const page = await server.sdk.visitors.list({ timeframe: "7d", pixelId: server.pixelId })

  expect(page.data.map(unscored)).toEqual([moved(visitor)])
  const { coverage, request_id, timestamp, ...meta } = page.meta
  expect(meta).toEqual({
    page: 1,
    hasMore: false,
    nextCursor: null,
    total: 1,
    scope: moved(scope),
  })
  expect(request_id).toMatch(/^req_[0-9a-z]{26}$/)
  expect(coverage?.partial).toBe(false)
  const from = Date.parse(coverage?.from ?? "")
  const weekMs = 7 * 24 * 3_600_000
  expect(from).toBeGreaterThanOrEqual(asked - weekMs)
  expect(from).toBeLessThanOrEqual(Date.parse(timestamp) - weekMs)
})

it("12.2: the lookup by either address returns the same visitor, with the journey", async () => {
  for (const email of visitor.emails) {
    const found = await server.sdk.visitors.get({ email })

    const { journey: way, ...rest } = found
    expect(unscored(rest)).toEqual(moved(visitor))
    expect({
      ...way,
      sessions: way.sessions.map(({ sessionId: _, ...session }) => session),
    }).toEqual(moved(journey))
    expect(way.sessions.map(({ sessionId }) => sessionId)).toEqual([
      expect.stringMatching(/^[0-9a-f]{32}$/),
      expect.stringMatching(/^[0-9a-f]{32}$/),
    ])
    expect(way.sessions[0]?.sessionId).not.toBe(way.sessions[1]?.sessionId)
  }
})

it("12.2: a lookup has no pagination in its meta", async () => {
  const answer = await server.get(`/v1/data?email=${encodeURIComponent(visitor.email)}`)

  const { meta } = (await answer.json()) as { meta: object } // compared next
  expect(Object.keys(meta).toSorted()).toEqual(["request_id", "scope", "timestamp"])
})

it("12.4: sessions are paged, newest first, as of the first page", async () => {
  const asked = { timeframe: "30d", limit: 1, pixelId: server.pixelId } as const
  const [newest, earliest] = moved(journey.sessions)
  const withoutId = ({ sessionId: _, ...session }: { readonly sessionId: string }) => session

  const first = await server.sdk.visitors.sessions(visitor.emailHash, asked)
  const cursor = first.meta.nextCursor ?? ""
  const second = await server.sdk.visitors.sessions(visitor.emailHash, { ...asked, cursor })

  expect(first.data.map(withoutId)).toEqual([newest])
  expect(second.data.map(withoutId)).toEqual([earliest])
  const { asOf, request_id: _, timestamp, ...meta } = first.meta
  expect(meta).toEqual({ limit: 1, hasMore: true, nextCursor: cursor })
  expect(second.meta).toMatchObject({ asOf, limit: 1, hasMore: false, nextCursor: null })
  const members = JSON.parse(Buffer.from(cursor.split(".")[0]!, "base64url").toString()) as {
    readonly exp: number
  }
  expect(Object.entries(members)).toEqual([
    ["o", server.organizationId],
    ["v", visitor.emailHash],
    ["t", "30d"],
    ["p", server.pixelId],
    ["a", asOf],
    ["k", [newest!.startTime, expect.stringMatching(`^${server.pixelId}:[0-9a-f-]{36}$`)]],
    ["exp", members.exp],
  ])
  const aDay = 24 * 3_600
  expect(members.exp).toBeGreaterThanOrEqual(Math.floor(Date.parse(asOf) / 1_000) + aDay)
  expect(members.exp).toBeLessThanOrEqual(Math.floor(Date.parse(timestamp) / 1_000) + aDay)
})

/** Sends a batch, and moves the result to its day, because the server only accepts events of the last 24 hours. */
async function collect(one: typeof batch | typeof earlierBatch): Promise<void> {
  const response = await fetch(`${server.url}/p/${server.pixelId}/e`, {
    method: "POST",
    headers: {
      "content-type": "text/plain",
      "x-country": "US",
      "user-agent":
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/145.0",
    },
    body: JSON.stringify(one),
  })
  expect(response.status).toBe(204)
  for (const { id, time } of one.events) {
    const at = new Date(Date.parse(time) + movedMs)
    const rows = await server.sql(
      "update event_inbox set occurred_at = $2, received_at = $2 where id = $1 returning id",
      [id, at],
    )
    expect(rows).toHaveLength(1)
  }
}

/** The names come from the traits of the batch. */
const importProfile = (): Promise<void> =>
  putPeople(server.databaseUrl, server.organizationId, [
    {
      email: visitor.email,
      emails: visitor.emails,
      personalEmail: visitor.personalEmails[0] ?? null,
      phones: visitor.phones,
      phonesDnc: false,
      linkedinUrl: visitor.linkedinUrl,
      jobTitle: visitor.jobTitle,
      seniority: visitor.seniority,
      department: visitor.department,
      company: {
        name: visitor.companyName,
        domain: visitor.companyDomain,
        industry: visitor.industry,
        employeeCount: visitor.companyEmployeeCount,
        revenueRange: visitor.companyTotalRevenue,
        zipCode: visitor.companyZipCode,
        linkedinUrl: visitor.companyLinkedinUrl,
      },
      geo: { city: visitor.city, state: visitor.state, country: visitor.country },
    },
  ])

/** Returns the value with every time moved and the pixel of this run. */
function moved<Value>(value: Value): Value {
  const text = JSON.stringify(value)
    .replaceAll(pixelId, server.pixelId)
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (at) =>
      new Date(Date.parse(at) + movedMs).toISOString(),
    )
  return JSON.parse(text) as Value // the same members, other texts
}
