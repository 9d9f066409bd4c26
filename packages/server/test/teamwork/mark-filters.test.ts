// Owners and tags in lists and in rules (spec 3.3.7, 5.20.2). Random rules with them: visitors/query/model.test.ts.
import type { Footfall } from "@footfall/sdk"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"
import { hashOf } from "../visitors/query/put-people.ts"
import { settle, someone } from "../visitors/query/scene.ts"
import { hourAgo, makeScene } from "./scene.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer({ workers: false })
})
afterAll(() => server.close())

let scene: Awaited<ReturnType<typeof makeScene>>
let footfall: Footfall
beforeEach(async () => {
  scene = await makeScene(server)
  footfall = scene.footfall
})

describe("lists", () => {
  it("of people are narrowed by owner and tag, in their order, with their total", async () => {
    const people = Array.from({ length: 5 }, (_, at) => someone([hourAgo - at * 1_000]))
    await settle(server, scene.organization, people)
    const { userId } = await scene.member()
    const [first, second, third] = people.map(hashOf)
    await footfall.visitors.update(third!, { ownerId: userId, tags: ["Q3"] })
    await footfall.visitors.update(first!, { ownerId: userId, tags: ["q3", "b"] })
    await footfall.visitors.update(second!, { tags: ["Q3"] })
    const listed = async (params: Parameters<typeof footfall.visitors.list>[0]) => {
      const { data, meta } = await footfall.visitors.list({ timeframe: "all", ...params })
      return [data.map(({ emailHash }) => emailHash), meta.total]
    }

    expect(await listed({ ownerId: userId })).toEqual([[first, third], 2])
    expect(await listed({ tag: " q3 " })).toEqual([[first, second, third], 3])
    expect(await listed({ tag: "Q3", ownerId: "none" })).toEqual([[second], 1])
    expect(await listed({ tag: "Q3", ownerId: "none", sort: "score" })).toEqual([[second], 1])
    expect(await listed({ ownerId: randomUUID() })).toEqual([[], 0])
    expect(await listed({ tag: "Q" })).toEqual([[], 0])
    const rest = []
    for await (const { emailHash } of footfall.visitors.list({
      timeframe: "all",
      tag: "Q3",
      limit: 1,
    })) {
      rest.push(emailHash)
    }
    expect(rest).toEqual([first, second, third])
  })

  it("of companies are narrowed by owner and tag, also by score", async () => {
    const [one, two] = (await scene.companies(2)).map(({ domain }) => domain)
    const { userId } = await scene.member()
    await footfall.companies.update(one!, { ownerId: userId, tags: ["Target"] })
    const listed = async (params: Parameters<typeof footfall.companies.list>[0]) => {
      const { data, meta } = await footfall.companies.list({ timeframe: "all", ...params })
      return [data.map(({ domain }) => domain), meta.total]
    }

    expect(await listed({ ownerId: userId })).toEqual([[one], 1])
    expect(await listed({ tag: "TARGET", sort: "score" })).toEqual([[one], 1])
    expect(await listed({ ownerId: "none", sort: "score" })).toEqual([[two], 1])
    expect((await footfall.companies.list({ timeframe: "all", ownerId: userId })).data[0]).toEqual(
      await footfall.companies.update(one!, {}),
    )
  })

  it("say why they are empty", async () => {
    await scene.seen(1)

    const { meta } = await footfall.visitors.list({ tag: "no one" })
    expect(meta.hint).toContain("owner or tag")
    const found = await footfall.companies.list({ tag: "no one" })
    expect(found.meta.hint).toContain("owner or tag")
  })

  it.each([
    ["ownerId=sam", "/query/ownerId"],
    ["tag=", "/query/tag"],
    [`tag=${"x".repeat(51)}`, "/query/tag"],
    [`email=a@b.example&tag=x`, "/query/tag"],
    [`email=a@b.example&ownerId=none`, "/query/ownerId"],
  ])("refuse %s", async (query, path) => {
    const response = await fetch(`${server.url}/v1/data?${query}`, {
      headers: { "x-api-key": scene.organization.apiKey },
    })

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { details: { issues: [{ path }] } } })
  })
})

describe("rules", () => {
  it("find people by their own tags and owner, and by those of their company", async () => {
    const [one] = await scene.seen(1)
    const { domain, person: two } = await scene.company()
    const { userId } = await scene.member()
    await footfall.visitors.update(hashOf(one!), { tags: ["Buyer"] })
    await footfall.companies.update(`www.${domain}`, { ownerId: userId, tags: ["Target"] })
    const found = async (field: string, op: string, value: unknown) => {
      const ruleAst = { version: 1, window: "all", rule: { field, op, value } } as never
      const { data } = await footfall.visitors.query({ ruleAst })
      return data.map(({ emailHash }) => emailHash)
    }

    expect(await found("contact.tags", "any_in", ["buyer", "x"])).toEqual([hashOf(one!)])
    expect(await found("contact.tags", "none_in", ["buyer"])).toEqual([hashOf(two)])
    expect(await found("company.owner", "eq", userId)).toEqual([hashOf(two)])
    expect(await found("company.owner", "exists", false)).toEqual([hashOf(one!)])
    expect(await found("company.tags", "any_starts_with", "tar")).toEqual([hashOf(two)])
    const companies = await footfall.companies.query({
      ruleAst: {
        version: 1,
        window: "all",
        rule: { field: "company.owner", op: "in", value: [userId] },
      },
    })
    expect(companies.data.map(({ domain }) => domain)).toEqual([domain])
  })

  it("note that the scores of the person, of the company and of its people are stale", async () => {
    const { domain, person } = await scene.company()
    const stale = async () => [
      await server.sql("select from score_stale where visitor_id = $1", [person.id]),
      await server.sql("select from score_stale_company where domain = $1", [domain]),
    ]
    const clear = async () => {
      await server.sql("delete from score_stale where visitor_id = $1", [person.id])
      await server.sql("delete from score_stale_company where domain = $1", [domain])
    }
    await clear()

    await footfall.visitors.update(hashOf(person), { tags: ["x"] })
    expect((await stale()).map(({ length }) => length)).toEqual([1, 0])
    await clear()
    await footfall.companies.update(domain, { tags: ["x"] })
    expect((await stale()).map(({ length }) => length)).toEqual([1, 1])
  })
})
