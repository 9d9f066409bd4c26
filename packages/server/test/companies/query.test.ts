// Companies that match a rule, over HTTP (spec 3.3.4, 13.3.9): what the model of rules does not show.
import { Footfall } from "@footfall/sdk"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { startServer, type TestOrganization, type TestServer } from "../support/server.ts"
import type { Person, Visit } from "../visitors/query/person.ts"
import { settle, someone } from "../visitors/query/scene.ts"

let server: TestServer
let organization: TestOrganization
let footfall: Footfall

beforeAll(async () => {
  server = await startServer({ workers: false })
})
afterAll(() => server.close())
beforeEach(async () => {
  organization = await server.makeOrganization()
  footfall = new Footfall({ baseUrl: server.url, apiKey: organization.apiKey })
})

const hourAgo = Date.now() - 3_600_000

const pricing: Partial<Visit> = { urls: ["https://tidewater.example/pricing"], views: [2] }

/** A person whose company also visits without saying who, by `change`. */
const withAnonymous = (change: Partial<Visit>): Person => {
  const [visit] = someone([hourAgo], {}, change).visits
  return someone([hourAgo], { anonymousVisits: [visit!] })
}

const readPricing = {
  version: 1,
  rule: { field: "behavior.path_views", of: "/pricing", op: "gte", value: 2 },
} as const

const domainsOf = async (...[params]: Parameters<Footfall["companies"]["query"]>) => {
  const { data } = await footfall.companies.query(params)
  return data.map(({ domain }) => domain)
}

describe("a query of companies", () => {
  it("counts anonymous sessions of the company, which a query of people does not", async () => {
    const reader = withAnonymous(pricing)
    await settle(server, organization, [reader, withAnonymous({})])

    expect(await domainsOf({ ruleAst: readPricing })).toEqual([reader.id])
    expect((await footfall.visitors.query({ ruleAst: readPricing })).data).toEqual([])
  })

  it("adds up the sessions of several people and anonymous ones", async () => {
    const [one, other] = [withAnonymous({}), someone([hourAgo])]
    await settle(server, organization, [one, other])
    await server.sql("update visitor set company_key = $1 where id = $2", [one.id, other.id])
    const sessions = (value: number) => ({
      ruleAst: { version: 1, rule: { field: "behavior.sessions", op: "eq", value } } as const,
    })

    expect(await domainsOf(sessions(3))).toEqual([one.id])
    expect(await domainsOf(sessions(1))).toEqual([])
  })

  it("leaves out suppressed people's sessions by default", async () => {
    const person = someone([hourAgo], { suppressed: true }, pricing)
    const [visit] = someone([hourAgo]).visits
    await settle(server, organization, [{ ...person, anonymousVisits: [visit!] }])

    expect(await domainsOf({ ruleAst: readPricing })).toEqual([])
    expect(await domainsOf({ ruleAst: readPricing, suppressed: "include" })).toEqual([person.id])
  })

  it.each([
    "contact.name",
    "company.job_title",
    "company.seniority",
    "custom.plan",
    "contact.list",
  ])("refuses %s, a field of people", async (field) => {
    const rule = { all: [{ field, op: "eq", value: "x" }] }
    const response = await fetch(`${server.url}/v1/data/companies/query`, {
      method: "POST",
      headers: { "x-api-key": organization.apiKey, "content-type": "application/json" },
      body: JSON.stringify({ ruleAst: { version: 1, rule } }),
    })

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error: {
        code: "INVALID_RULE",
        details: { path: "/rule/all/0/field", reason: "unknown_field" },
      },
    })
  })

  it("takes a segment of companies, and a query of people one of people", async () => {
    const reader = withAnonymous(pricing)
    await settle(server, organization, [reader, withAnonymous({})])
    const { segments } = footfall
    const people = await segments.create({ name: "People", ruleAst: readPricing })
    const readers = { name: "Companies", subject: "companies", ruleAst: readPricing } as const
    const companies = await segments.create(readers)

    expect(await domainsOf({ segmentId: companies.id })).toEqual([reader.id])
    const preview = await segments.preview({ subject: "companies", ruleAst: readPricing })
    expect([preview.count, preview.sample]).toEqual([1, []])
    expect(preview.companies).toEqual(
      (await footfall.companies.query({ segmentId: companies.id })).data,
    )
    expect(await segments.preview({ ruleAst: readPricing })).toEqual({
      count: 0,
      sample: [],
      companies: [],
    })
    for (const [asked, wanted, received] of [
      [domainsOf({ segmentId: people.id }), "companies", "people"],
      [footfall.visitors.query({ segmentId: companies.id }), "people", "companies"],
    ] as const) {
      const message = `Expected a segment of ${wanted}, received one of ${received}.`
      await expect(asked).rejects.toMatchObject({
        status: 400,
        code: "VALIDATION_ERROR",
        message,
        details: { issues: [{ path: "/body/segmentId", code: "invalid_value", message }] },
      })
    }
  })

  it("takes either a segment or a rule, and only a segment of its own organization", async () => {
    const elsewhere = await server.makeOrganization()
    const others = new Footfall({ baseUrl: server.url, apiKey: elsewhere.apiKey })
    const theirs = { name: "x", subject: "companies", ruleAst: readPricing } as const
    const { id: segmentId } = await others.segments.create(theirs)
    const bodies: ReadonlyArray<readonly [object, number]> = [
      [{}, 400],
      [{ segmentId, ruleAst: readPricing }, 400],
      [{ segmentId }, 404],
    ]
    for (const [body, expected] of bodies) {
      const response = await fetch(`${server.url}/v1/data/companies/query`, {
        method: "POST",
        headers: { "x-api-key": organization.apiKey, "content-type": "application/json" },
        body: JSON.stringify(body),
      })
      expect(response.status).toBe(expected)
    }
  })

  it("is read by cursor, each company once, with the window of the request", async () => {
    const people = Array.from({ length: 5 }, (_, index) => someone([hourAgo - index], {}, pricing))
    const old = someone([Date.now() - 40 * 86_400_000], {}, pricing)
    await settle(server, organization, [...people, old])
    const found: Array<string> = []

    for await (const { domain } of footfall.companies.query({ ruleAst: readPricing, limit: 2 })) {
      found.push(domain)
    }

    expect(found).toEqual(people.map(({ id }) => id))
    expect(await domainsOf({ ruleAst: readPricing, window: "90d" })).toHaveLength(6)
  })

  it("is a page of one site if asked", async () => {
    const person = someone([hourAgo], {}, pricing)
    await settle(server, organization, [person])
    const elsewhere = await server.makeOrganization()

    expect(await domainsOf({ ruleAst: readPricing, pixelId: organization.pixelId })).toEqual([
      person.id,
    ])
    await expect(
      domainsOf({ ruleAst: readPricing, pixelId: elsewhere.pixelId }),
    ).rejects.toMatchObject({ status: 404 })
  })
})
