// Stored analyses: only for requests with credentials, only for their organization, newest first (spec 2.18, 5.7),
// and the rate limit of analyses (spec 10.2).
import { BadRequestError, Footfall, type ListPosition } from "@footfall/sdk"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { startServer, type TestOrganization } from "../../support/server.ts"
import { fixture, page, type SiteServer, startSiteServer } from "./site-server.ts"

let sites: SiteServer
let organization: TestOrganization
let sdk: Footfall

beforeAll(async () => {
  sites = await startSiteServer()
})
afterAll(() => sites.close())
beforeEach(async () => {
  organization = await sites.database.makeOrganization()
  sdk = sdkOf(organization)
})

const sdkOf = ({ apiKey }: Pick<TestOrganization, "apiKey">) =>
  new Footfall({ baseUrl: sites.database.url, apiKey, fetch: sites.server.fetch })

const firstPage = async (client: Footfall, position: ListPosition) =>
  await client.siteTopics.list(position)

const url = (path = "") => `http://127.0.0.1:${sites.site.port}/${path}`

const allOf = async (client: Footfall, position: ListPosition = {}) => {
  const all = []
  for await (const analysis of client.siteTopics.list(position)) all.push(analysis)
  return all
}
const keptOf = async (client: Footfall) => (await allOf(client)).length

describe("an analysis is stored", () => {
  it("with an API key, as in the response, with the URL that was sent", async () => {
    sites.serve(page(await fixture("warehouse")))
    const before = Date.now()

    const { contentHash: _, ...analysis } = await sdk.topics.analyze({ url: ` ${url("?a=b#c")} ` })

    const [kept, ...others] = await allOf(sdk)
    expect(others).toEqual([])
    expect(kept).toEqual({
      ...analysis,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      url: url("?a=b#c"),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    expect(Math.abs(Date.parse(kept!.createdAt) - before)).toBeLessThan(60_000)
    expect(analysis.topics.length).toBeGreaterThan(0)
  })

  it.each(["viewer", "member", "admin", "owner"] as const)(
    "with the token of a %s",
    async (role) => {
      sites.serve(page("<p>Dock scheduling</p>"))
      const user = await sites.database.makeUser(role, organization.organizationId)

      await sites.analyze(undefined, { authorization: `Bearer ${user.accessToken}` })

      expect(await keptOf(sdk)).toBe(1)
    },
  )

  it("for a suspended organization too: the endpoint is public (5.3)", async () => {
    sites.serve(page("<p>Dock scheduling</p>"))
    const suspended = await sites.database.makeOrganization("suspended")

    const { status } = await sites.analyze(undefined, { "x-api-key": suspended.apiKey })

    const kept = await sites.database.sql(
      "select 1 from site_analysis where organization_id = $1",
      [suspended.organizationId],
    )
    expect([status, kept.length]).toEqual([200, 1])
  })

  it("each time it is requested", async () => {
    sites.serve(page("<p>Dock scheduling</p>"))
    await sdk.topics.analyze({ url: url() })
    await sdk.topics.analyze({ url: url() })

    expect(await keptOf(sdk)).toBe(2)
  })
})

describe("nothing is stored", () => {
  it("without credentials", async () => {
    sites.serve(page("<p>Dock scheduling</p>"))
    const [before] = await sites.database.sql("select count(*)::int as kept from site_analysis")

    expect((await sites.analyze()).status).toBe(200)

    const [after] = await sites.database.sql("select count(*)::int as kept from site_analysis")
    expect(after).toEqual(before)
  })

  it("with wrong credentials, which get a 401, and the site is not fetched", async () => {
    const before = sites.site.connections()

    for (const headers of [
      { "x-api-key": "sk_wrong" },
      { authorization: "Bearer wrong" },
      { "x-api-key": organization.apiKey, authorization: "Bearer wrong" },
    ]) {
      expect((await sites.analyze(undefined, headers)).status).toBe(401)
    }
    expect(sites.site.connections()).toBe(before)
    expect(await keptOf(sdk)).toBe(0)
  })

  it("for a site that cannot be read", async () => {
    sites.serve(page("", undefined, 404))

    await expect(sdk.topics.analyze({ url: url() })).rejects.toMatchObject({
      status: 422,
      code: "SITE_UNREADABLE",
      details: { reason: "status" },
    })
    expect(await keptOf(sdk)).toBe(0)
  })
})

describe("GET /v1/intent/site-topics", () => {
  const analyzed = async (count: number) => {
    sites.serve(page("<p>Dock scheduling</p>"))
    for (let place = 0; place < count; place++) await sdk.topics.analyze({ url: url(`${place}`) })
  }
  const read = (query: string) =>
    sites.server
      .fetch(`${sites.database.url}/v1/intent/site-topics${query}`, {
        headers: { "x-api-key": organization.apiKey },
      })
      .then(
        (response) => response.json() as Promise<{ data: Array<{ url: string }>; meta: object }>,
      )

  it("is newest first, by offset and by cursor", async () => {
    await analyzed(5)

    const first = await read("?limit=2")
    expect(first.data.map((row) => row.url)).toEqual([url("4"), url("3")])
    expect(first.meta).toMatchObject({ total: 5, limit: 2, offset: 0, hasMore: true })
    const second = await read("?limit=2&offset=2")
    expect(second.data.map((row) => row.url)).toEqual([url("2"), url("1")])
    const walked = await allOf(sdk, { limit: 2 })
    expect(walked.map((row) => row.url)).toEqual(["4", "3", "2", "1", "0"].map(url))
  })

  it("has 20 per page by default, 1 to 100", async () => {
    await analyzed(1)
    await sites.database.sql(
      `insert into site_analysis (organization_id, id, url, keywords, topics)
       select organization_id, gen_random_uuid(), url, keywords, topics
       from site_analysis, generate_series(1, 120)
       where organization_id = $1`,
      [organization.organizationId],
    )

    expect((await read("")).data).toHaveLength(20)
    expect((await read("?limit=100")).data).toHaveLength(100)
    expect((await read("?limit=1")).data).toHaveLength(1)
    for (const limit of [0, 101]) {
      await expect(firstPage(sdk, { limit })).rejects.toBeInstanceOf(BadRequestError)
    }
    expect(await keptOf(sdk)).toBe(121)
  })

  it("hides other organizations' analyses and rejects their cursors", async () => {
    await analyzed(3)
    const other = sdkOf(await sites.database.makeOrganization())
    const { meta } = await firstPage(sdk, { limit: 1 })

    expect(await keptOf(other)).toBe(0)
    await expect(firstPage(other, { cursor: meta.nextCursor! })).rejects.toMatchObject({
      code: "INVALID_CURSOR",
      details: { reason: "scope" },
    })
  })

  it("returns 401 without credentials", async () => {
    const response = await sites.server.fetch(`${sites.database.url}/v1/intent/site-topics`)

    expect(response.status).toBe(401)
  })
})

describe("the rate of analyses (spec 10.2)", () => {
  it("is 2 per minute and address without credentials, 30 with a key, including rejected ones", async () => {
    const server = await startServer({ workers: false, rateLimits: true })
    const ask = async (headers: Readonly<Record<string, string>> = {}) => {
      const response = await fetch(`${server.url}/v1/intent/topics/analyze`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ url: "http://127.0.0.1/" }),
      })
      return [response.status, response.headers.get("ratelimit-limit")]
    }

    expect([await ask(), await ask(), await ask()]).toEqual([
      [400, "2"],
      [400, "2"],
      [429, "2"],
    ])
    const key = { "x-api-key": server.apiKey }
    for (let asked = 0; asked < 30; asked++) expect(await ask(key)).toEqual([400, "30"])
    expect(await ask(key)).toEqual([429, "30"])
    await server.close()
  })
})
