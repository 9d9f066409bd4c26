// What is suppressed counts nowhere by default (spec 13.3.7): overview and companies of a running server with cycles of
// one second, after rules of every type that can suppress a company or a person, and after their removal.
import { Footfall, type SuppressedFilter } from "@footfall/sdk"
import { randomUUID } from "node:crypto"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, vi } from "vitest"
import { startServer, type TestOrganization, type TestServer } from "../support/server.ts"

let server: TestServer
let tenant: TestOrganization
let sdk: Footfall

const office = "203.0.113.9"
const yard = "198.51.100.9"

beforeAll(async () => {
  const file = join(inject("temporaryDirectory"), "suppressed-companies.csv")
  await writeFile(
    file,
    "cidr,name,domain,industry\n203.0.113.0/24,Mooring Freight,mooring.example,ports\n" +
      "198.51.100.0/24,Quay Yard,quay.example,shipyards\n",
  )
  vi.stubEnv("IP_COMPANY_FILE", file)
  vi.stubEnv("TRUSTED_PROXIES", "127.0.0.1")
  vi.stubEnv("SYNC_CYCLE_SECONDS", "1")
  server = await startServer()
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await server.close()
})
beforeEach(async () => {
  tenant = await server.makeOrganization()
  sdk = new Footfall({ baseUrl: server.url, apiKey: tenant.apiKey })
})

const visit = async (address: string, email?: string) => {
  const time = new Date().toISOString()
  const page = { id: randomUUID(), type: "page", time, url: "https://tidewater.example/pricing" }
  const identify = { id: randomUUID(), type: "identify", time, url: page.url, email }
  const response = await fetch(`${server.url}/p/${tenant.pixelId}/e`, {
    method: "POST",
    headers: {
      "content-type": "text/plain",
      "user-agent": "Mozilla/5.0 (X11; Linux) Chrome/140",
      "x-forwarded-for": address,
    },
    body: JSON.stringify({
      v: 1,
      sentAt: time,
      anonymousId: randomUUID(),
      consent: "granted",
      events: email === undefined ? [page] : [page, identify],
    }),
  })
  expect(response.status).toBe(204)
}

const within = { timeout: 30_000, interval: 50 }

/** Waits for the figures, which may be a few seconds behind. */
const expectTotals = (suppressed: SuppressedFilter | undefined, totals: object) =>
  vi.waitFor(async () => {
    const overview = await sdk.overview.get({ timeframe: "7d", suppressed })
    expect(overview.suppressed).toBe(suppressed ?? "exclude")
    expect(overview.totals).toMatchObject(totals)
  }, within)

const domains = async (suppressed?: SuppressedFilter, more: object = {}) => {
  const { data, meta } = await sdk.companies.list({ suppressed, ...more })
  expect(meta.suppressed).toBe(suppressed ?? "exclude")
  expect(meta.total).toBe(data.length)
  return data.map(({ domain }) => domain).toSorted()
}
const expectDomains = (expected: ReadonlyArray<string>) =>
  vi.waitFor(async () => expect(await domains()).toEqual(expected), within)

const everyone = { sessions: 4, anonymousSessions: 2, people: 2, companies: 2, pageviews: 4 }

describe("by default, overview and companies", () => {
  beforeEach(async () => {
    await visit(office)
    await visit(office, "ann@mooring.example")
    await visit(yard)
    await visit(yard, "bo@quay.example")
    await server.drain()
    await expectTotals("exclude", everyone)
  })

  it.each([
    ["company_domain", "mooring.example"],
    ["industry", "ports"],
  ] as const)(
    "leave out the companies of a rule by %s with their people and anonymous sessions, until it is removed",
    async (type, value) => {
      const rule = { type, value }
      await sdk.suppression.add([rule])

      await expectDomains(["quay.example"])
      const rest = { sessions: 2, anonymousSessions: 1, people: 1, companies: 1, pageviews: 2 }
      await expectTotals(undefined, { ...rest, suppressedPeople: 1, pricingPageViews: 2 })
      await expectTotals("include", { ...everyone, suppressedPeople: 1 })
      await expectTotals("only", { ...rest, suppressedPeople: 1 })
      expect(await domains("include")).toEqual(["mooring.example", "quay.example"])
      expect(await domains("only")).toEqual(["mooring.example"])

      await sdk.suppression.remove({ rules: [rule] })
      await expectDomains(["mooring.example", "quay.example"])
      await expectTotals("exclude", { ...everyone, suppressedPeople: 0 })
    },
  )

  it.each([
    ["email", "ann@mooring.example"],
    ["domain", "mooring.example"],
  ] as const)("leave out the people of a rule by %s with their sessions", async (type, value) => {
    await sdk.suppression.add([{ type, value }])

    await expectTotals("exclude", { sessions: 3, anonymousSessions: 2, people: 1, companies: 2 })
    const { data } = await sdk.companies.list({ q: "mooring" })
    expect(data).toMatchObject([
      { sessions: 1, anonymousSessions: 1, peopleCount: 0, suppressedPeopleCount: 1 },
    ])
    expect(data[0]?.suppressed).toBe(false)
    expect(await domains("exclude", { minSessions: 2 })).toEqual(["quay.example"])
    expect(await domains("include", { minSessions: 2 })).toEqual([
      "mooring.example",
      "quay.example",
    ])
  })

  it("leave out a company with sessions of suppressed people only", async () => {
    await visit("127.0.0.1", "cy@lone.example")
    await server.drain()
    await expectDomains(["lone.example", "mooring.example", "quay.example"])
    await sdk.suppression.add([{ type: "email", value: "cy@lone.example" }])

    await expectDomains(["mooring.example", "quay.example"])
    await expectTotals("exclude", { ...everyone, suppressedPeople: 1 })
    expect(await domains("only")).toEqual(["lone.example"])
    const pixelId = tenant.pixelId
    expect(await domains("exclude", { pixelId })).toEqual(["mooring.example", "quay.example"])
    expect(await domains("only", { pixelId })).toEqual(["lone.example"])
  })

  it("leave out later anonymous sessions of a suppressed network, which keep no domain", async () => {
    await sdk.suppression.add([{ type: "company_domain", value: "mooring.example" }])
    await expectDomains(["quay.example"])
    await visit(office)
    await visit(yard)
    await server.drain()

    await expectTotals("exclude", { sessions: 3, anonymousSessions: 2, companies: 1 })
    await expectTotals("include", { sessions: 6, anonymousSessions: 4, companies: 2 })
    const [kept] = await server.sql(
      `select count(*)::int as n from session
       where organization_id = $1 and network_suppressed and network_domain is null`,
      [tenant.organizationId],
    )
    expect(kept).toEqual({ n: 1 })
  })

  it("a look-up finds a suppressed company, and says how many of its people are suppressed", async () => {
    await sdk.suppression.add([{ type: "company_domain", value: "mooring.example" }])
    await expectDomains(["quay.example"])

    expect(await sdk.companies.get("mooring.example")).toMatchObject({
      suppressed: true,
      sessions: 2,
      peopleCount: 0,
      suppressedPeopleCount: 1,
      people: [],
    })
  })
})

it.each(["/v1/data/overview", "/v1/data/companies"])(
  "%s refuses an unknown value of suppressed",
  async (path) => {
    const response = await fetch(`${server.url}${path}?suppressed=hide`, {
      headers: { "x-api-key": tenant.apiKey },
    })
    expect(response.status).toBe(400)
  },
)
