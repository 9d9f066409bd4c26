// Companies on a running server (spec 13.3): a visit from a network of IP_COMPANY_FILE, one by an identified person,
// and how lists, filters, erasure and suppression treat them.
import { randomUUID } from "node:crypto"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest"
import { caller } from "../access/request.ts"
import { startServer, type TestServer } from "../support/server.ts"

let server: TestServer
/** The parts of a response that the tests check. */
interface Shown {
  readonly domain: string
  readonly people: ReadonlyArray<{ readonly email: string; readonly emailHash: string }>
  readonly anonymousSessions: number
  readonly journey: { readonly sessions: ReadonlyArray<unknown> }
}
let ask: (operation: string, body?: unknown) => ReturnType<ReturnType<typeof caller>>
const get = (address: string) => ask(`GET ${address}`)
const list = async (query = ""): Promise<ReadonlyArray<Shown>> =>
  (await get(`/v1/data/companies${query}`)).body.data
const one = async (domain: string): Promise<Shown> =>
  (await get(`/v1/data/companies/${domain}`)).body.data
const path = () => join(inject("temporaryDirectory"), "endpoint-companies.csv")

const visit = (anonymousId: string, event: Record<string, unknown> = {}) => {
  const time = new Date().toISOString()
  return server.collect({
    v: 1,
    sentAt: time,
    anonymousId,
    consent: "granted",
    events: [
      { id: randomUUID(), type: "page", time, url: "https://tidewater.example/pricing", ...event },
    ],
  })
}
const identify = (email: string) => visit(randomUUID(), { type: "identify", email })

beforeAll(async () => {
  await writeFile(
    path(),
    "cidr,name,domain,industry,country\n127.0.0.0/8,Loopback Freight,loopback.example,ports,US\n",
  )
  vi.stubEnv("IP_COMPANY_FILE", path())
  server = await startServer({})
  ask = (operation, body) => caller(server)(operation, body, { apiKey: server.apiKey })
  await visit(randomUUID())
  await visit(randomUUID())
  await identify("ann@harbor.example")
  await identify("bo@harbor.example")
  await server.drain()
})
afterAll(async () => {
  await server.close()
  vi.unstubAllEnvs()
})

const domains = async (query = "") => (await list(query)).map(({ domain }) => domain)

describe("GET /v1/data/companies", () => {
  it("returns only the fields it is asked for, and names an unknown one", async () => {
    const rows = await list("?fields=name,domain")
    const { body, status } = await get("/v1/data/companies?fields=shoeSize")

    expect(rows.map((row) => Object.keys(row))).toEqual([["domain", "name"]])
    const issue = { message: expect.stringContaining('"shoeSize"') }
    expect([status, body.error]).toMatchObject([400, { details: { issues: [issue] } }])
  })

  it("lists companies of anonymous visits and of people, with their totals", async () => {
    const { body } = await get("/v1/data/companies")

    expect(body.meta).toMatchObject({ page: 1, limit: 50, hasMore: false, nextCursor: null })
    expect(body.data).toHaveLength(1)
    expect((await list())[0]).toMatchObject({
      name: "Loopback Freight",
      industry: "ports",
      country: "US",
      sessions: 4,
      anonymousSessions: 2,
      pageviews: 2,
      pricingPageViews: 2,
      peopleCount: 2,
      suppressedPeopleCount: 0,
      landingPage: "https://tidewater.example/pricing",
      suppressed: false,
    })
  })

  it("finds by name and domain, treating pattern characters literally", async () => {
    expect(await domains("?q=FREIGHT")).toEqual(["loopback.example"])
    expect(await domains("?q=loopback.")).toEqual(["loopback.example"])
    expect(await domains("?q=%25")).toEqual([])
    expect(await domains("?q=l_opback")).toEqual([])
    expect(await domains("?q=nowhere")).toEqual([])
  })

  it("leaves out companies with fewer sessions, and those with identified people", async () => {
    expect(await domains("?minSessions=4")).toEqual(["loopback.example"])
    expect(await domains("?minSessions=5")).toEqual([])
    expect(await domains("?anonymous=true")).toEqual([])
    expect(await domains("?anonymous=false")).toEqual(["loopback.example"])
  })

  it("can be limited to a pixel", async () => {
    expect(await domains("?domain=tidewater.example")).toEqual(["loopback.example"])
    expect(await domains("?domain=other.example")).toEqual([])
  })

  it.each(["page=1&cursor=x", "limit=0", "limit=101", "minSessions=0", "q=", "anonymous=yes"])(
    "refuses %s",
    async (query) => {
      expect((await get(`/v1/data/companies?${query}`)).status).toBe(400)
    },
  )
})

describe("GET /v1/data/companies/{domain}", () => {
  it("has the newest sessions and the people", async () => {
    const company = await one("www.loopback.example")

    expect(company).toMatchObject({ domain: "loopback.example", sessions: 4 })
    expect(company.journey.sessions).toHaveLength(4)
    expect(company.people.map(({ email }) => email).toSorted()).toEqual([
      "ann@harbor.example",
      "bo@harbor.example",
    ])
  })

  it("returns 404 for a company that was never seen, and for an invalid domain", async () => {
    expect((await get("/v1/data/companies/nowhere.example")).status).toBe(404)
    expect((await get("/v1/data/companies/co.uk")).status).toBe(404)
  })
})

it("rules about people can test their company", async () => {
  const found = async (field: string, op: string, value: unknown): Promise<number> => {
    const rule = { ruleAst: { version: 1, rule: { field, op, value } } }
    const people: ReadonlyArray<unknown> = (await ask("POST /v1/data/query", rule)).body.data
    return people.length
  }
  expect(await found("company.sessions", "gte", 4)).toBe(2)
  expect(await found("company.sessions", "gte", 5)).toBe(0)
  expect(await found("company.anonymous_sessions", "eq", 2)).toBe(2)
  expect(await found("company.last_seen", "within", "1h")).toBe(2)
})

it("people held back do not count among a company's people, until they are released", async () => {
  const hold = (isHeld: boolean) =>
    server.sql("update visitor set held_back = $1 where email = 'bo@harbor.example'", [isHeld])

  await hold(true)
  expect(await one("loopback.example")).toMatchObject({ sessions: 4, peopleCount: 1 })
  await hold(false)
  expect(await one("loopback.example")).toMatchObject({ sessions: 4, peopleCount: 2 })
})

it("a page of all companies does not continue among the anonymous ones, or among larger ones", async () => {
  await server.sql(
    `insert into company (organization_id, domain, sessions, anonymous_sessions, first_seen_at, last_seen_at)
     values ($1, 'quay-line.example', 1, 1, now(), now())`,
    [server.organizationId],
  )
  const { meta } = (await get("/v1/data/companies?limit=1")).body
  const next = `/v1/data/companies?limit=1&cursor=${encodeURIComponent(meta.nextCursor!)}`

  expect((await get(next)).status).toBe(200)
  for (const filter of ["anonymous=true", "minSessions=2", "q=loop", "suppressed=only"]) {
    expect([filter, (await get(`${next}&${filter}`)).status]).toEqual([filter, 400])
  }
  await server.sql("delete from company where domain = 'quay-line.example'")
})

it("an erased person's sessions no longer count for the company", async () => {
  const { people } = await one("loopback.example")
  const ann = people.find(({ email }) => email === "ann@harbor.example")!

  await ask(`DELETE /v1/data/visitors/${ann.emailHash}`)

  expect(await one("loopback.example")).toMatchObject({
    sessions: 3,
    anonymousSessions: 2,
    peopleCount: 1,
  })
})

it("each session of an anonymous browser in one batch counts for the company of its network", async () => {
  const before = await one("loopback.example")
  const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  // Three sessions, not in order: 200 and 180, 120, and 60 to 10 minutes ago.
  const events = [180, 60, 35, 10, 120, 200].map((minutes) => ({
    id: randomUUID(),
    type: "page",
    time: at(minutes),
    url: "https://tidewater.example/docs",
  }))
  await server.collect({
    v: 1,
    sentAt: at(0),
    anonymousId: randomUUID(),
    consent: "granted",
    events,
  })
  await server.drain()

  const after = await one("loopback.example")
  expect(after.anonymousSessions - before.anonymousSessions).toBe(3)
})
