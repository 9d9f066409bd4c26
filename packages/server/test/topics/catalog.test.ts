// The list of topics and its facets (spec 1.6, 2.18, 5.7), with topics for every combination that the filters
// distinguish.
import fc from "fast-check"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { Topic } from "../../src/intent/topics/topic.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { askPublic, putTopics, topic } from "./topics.ts"

let server: TestServer
let ask: ReturnType<typeof askPublic>
beforeAll(async () => {
  server = await startServer({ workers: false })
  ask = askPublic(server)
})
afterAll(() => server.close())
beforeEach(() => server.sql("delete from topic"))

interface Page {
  readonly data: ReadonlyArray<Topic>
  readonly meta: {
    readonly total: number
    readonly page: number
    readonly pageSize: number
    readonly hasMore: boolean
    readonly nextCursor: string | null
  }
}

const list = async (parameters: Record<string, string> = {}): Promise<Page> => {
  const answer = await ask(`/v1/intent/topics?${new URLSearchParams(parameters)}`)
  expect(answer.status).toBe(200)
  return answer.body
}
const ids = ({ data }: Page) => data.map(({ topicId }) => topicId)
const issuesOf = async (path: string) => {
  const { body, status } = await ask(path)
  return { status, ...body }
}
const many = (count: number) =>
  Array.from({ length: count }, (_, at) => topic(count - at, `Topic ${at}`))

describe("GET /v1/intent/topics", () => {
  it("returns the topics in ascending order of their ids, with every field", async () => {
    const topics = [
      topic(30, "Rail", { type: "both", industry: "Transport", category: "" }),
      topic(7, "Ships", { type: "b2c" }),
    ]
    await putTopics(server, topics)

    const answer = await ask("/v1/intent/topics")

    expect(answer.body).toEqual({
      data: topics.toReversed(),
      meta: {
        total: 2,
        page: 1,
        pageSize: 100,
        hasMore: false,
        nextCursor: null,
        timestamp: expect.any(String),
        request_id: answer.headers.get("x-request-id"),
      },
    })
  })

  it("returns an empty list for an empty catalog", async () => {
    await putTopics(server, [])

    expect(await list()).toMatchObject({ data: [], meta: { total: 0, hasMore: false } })
  })

  it("pageSize is 100 by default, and 1 to 500", async () => {
    await putTopics(server, many(501))

    expect((await list()).data).toHaveLength(100)
    expect((await list({ pageSize: "500" })).data).toHaveLength(500)
    expect((await list({ pageSize: "1" })).data).toHaveLength(1)
    for (const pageSize of ["0", "501", "many", "1.5"]) {
      expect((await ask(`/v1/intent/topics?pageSize=${pageSize}`)).status).toBe(400)
    }
    for (const page of ["0", "-1", "one"]) {
      expect((await ask(`/v1/intent/topics?page=${page}`)).status).toBe(400)
    }
  })

  it("pages by number and by cursor give the same topics, each once", async () => {
    await putTopics(server, many(25))
    const all = Array.from({ length: 25 }, (_, at) => at + 1)
    const byNumber: Array<number> = []
    const byCursor: Array<number> = []

    for (let page = 1; page <= 3; page++) {
      const answer = await list({ page: String(page), pageSize: "10" })
      expect(answer.meta).toMatchObject({ total: 25, page, pageSize: 10, hasMore: page < 3 })
      byNumber.push(...ids(answer))
    }
    let cursor: string | null = ""
    for (let page = 1; cursor !== null; page++) {
      const at: Record<string, string> = cursor === "" ? {} : { cursor }
      const answer = await list({ pageSize: "10", ...at })
      expect(answer.meta).toMatchObject({ total: 25, page })
      byCursor.push(...ids(answer))
      cursor = answer.meta.nextCursor
    }

    expect(byNumber).toEqual(all)
    expect(byCursor).toEqual(all)
    expect(await list({ page: "4", pageSize: "10" })).toMatchObject({
      data: [],
      meta: { page: 4, hasMore: false, nextCursor: null },
    })
  })

  it("the page size may change from page to page", async () => {
    await putTopics(server, many(9))

    const { meta } = await list({ pageSize: "4" })
    const rest = await list({ pageSize: "500", cursor: meta.nextCursor! })

    expect(ids(rest)).toEqual([5, 6, 7, 8, 9])
  })

  it("a cursor belongs to one filter, and cannot be combined with page", async () => {
    await putTopics(server, many(3))
    const { meta } = await list({ pageSize: "1", industry: "Logistics" })
    const cursor = encodeURIComponent(meta.nextCursor!)

    expect(
      ids(await list({ pageSize: "1", industry: "LOGISTICS", cursor: meta.nextCursor! })),
    ).toEqual([2])
    expect(await issuesOf(`/v1/intent/topics?cursor=${cursor}`)).toMatchObject({
      status: 400,
      error: { code: "INVALID_CURSOR", details: { reason: "scope" } },
    })
    expect(await issuesOf(`/v1/intent/topics?cursor=${cursor}&page=2`)).toMatchObject({
      status: 400,
      error: { details: { issues: [{ path: "/query/page", code: "mutually_exclusive" }] } },
    })
    expect(await issuesOf("/v1/intent/topics?cursor=nonsense")).toMatchObject({
      status: 400,
      error: { code: "INVALID_CURSOR", details: { reason: "malformed" } },
    })
  })

  it("types b2b and b2c include topics of both types, type both does not", async () => {
    await putTopics(server, [
      topic(1, "A", { type: "b2b" }),
      topic(2, "B", { type: "b2c" }),
      topic(3, "C", { type: "both" }),
    ])

    expect(ids(await list({ type: "b2b" }))).toEqual([1, 3])
    expect(ids(await list({ type: "b2c" }))).toEqual([2, 3])
    expect(ids(await list({ type: "both" }))).toEqual([3])
    expect(await issuesOf("/v1/intent/topics?type=b2g")).toMatchObject({
      status: 400,
      error: {
        details: {
          issues: [{ path: "/query/type", code: "enum", allowed: ["b2b", "b2c", "both"] }],
        },
      },
    })
  })

  it("industry and category match as a whole, ignoring case; q matches part of the name", async () => {
    await putTopics(server, [
      topic(1, "Straßenbau", { industry: "BÄU", category: "Tools" }),
      topic(2, "Road works", { industry: "Construction", category: "tools" }),
    ])

    expect(ids(await list({ industry: "bäu" }))).toEqual([1])
    expect(ids(await list({ industry: "construct" }))).toEqual([])
    expect(ids(await list({ category: " TOOLS " }))).toEqual([1, 2])
    expect(ids(await list({ q: "D WORK" }))).toEqual([2])
    expect(ids(await list({ q: "", industry: "", category: "" }))).toEqual([1, 2])
  })

  it.each(["industry", "category", "q"])("%s has at most 100 characters", async (name) => {
    await putTopics(server, [])

    expect((await ask(`/v1/intent/topics?${name}=${"😀".repeat(100)}`)).status).toBe(200)
    expect(await issuesOf(`/v1/intent/topics?${name}=${"a".repeat(101)}`)).toMatchObject({
      status: 400,
      error: { details: { issues: [{ path: `/query/${name}`, code: "max_length" }] } },
    })
  })

  it("an unknown parameter is ignored, a repeated one gets a 400", async () => {
    await putTopics(server, [topic(1, "A")])

    expect(ids(await list({ colour: "red" }))).toEqual([1])
    expect(await issuesOf("/v1/intent/topics?type=b2b&type=b2c")).toMatchObject({
      status: 400,
      error: { details: { issues: [{ path: "/query/type", code: "repeated_parameter" }] } },
    })
    expect(await issuesOf("/v1/intent/topics?pageSize=1&pageSize=1")).toMatchObject({
      status: 400,
      error: { details: { issues: [{ path: "/query/pageSize", code: "repeated_parameter" }] } },
    })
  })
})

describe("GET /v1/intent/topics/facets", () => {
  it("counts values, the most frequent first, ignoring case", async () => {
    await putTopics(server, [
      topic(1, "A", { type: "both", industry: "Retail", category: "x" }),
      topic(2, "B", { type: "b2b", industry: "retail", category: "y" }),
      topic(3, "C", { type: "b2b", industry: "retail", category: "x" }),
      topic(4, "D", { type: "b2c", industry: "Energy", category: "z" }),
    ])

    const { body } = await ask("/v1/intent/topics/facets?colour=red")

    expect(body.data).toEqual({
      types: [
        { value: "b2b", count: 2 },
        { value: "b2c", count: 1 },
        { value: "both", count: 1 },
      ],
      industries: [
        { value: "retail", count: 3 },
        { value: "Energy", count: 1 },
      ],
      categories: [
        { value: "x", count: 2 },
        { value: "y", count: 1 },
        { value: "z", count: 1 },
      ],
      total: 4,
    })
  })

  it("are empty for an empty catalog", async () => {
    await putTopics(server, [])

    expect((await ask("/v1/intent/topics/facets")).body.data).toEqual({
      types: [],
      industries: [],
      categories: [],
      total: 0,
    })
  })
})

const words = fc.constantFrom("Freight", "freight", "Rail", "Öl", "ÖL", "", "Data lake")
const topics = fc
  .array(
    fc.record({
      topicName: words,
      type: fc.constantFrom("b2b", "b2c", "both"),
      industry: words,
      category: words,
    }),
    { maxLength: 30 },
  )
  .map((all) => all.map((each, at) => ({ topicId: at + 1, ...each })))
const filters = fc.record(
  { type: fc.constantFrom("b2b", "b2c", "both"), industry: words, category: words, q: words },
  { requiredKeys: [] },
)

it("list and facets match a naive filter, for any catalog and filter", async () => {
  const same = (a: string, b: string | undefined) => !b || a.toLowerCase() === b.toLowerCase()

  await fc.assert(
    fc.asyncProperty(topics, filters, async (all, filter) => {
      await server.sql("delete from topic")
      await putTopics(server, all)
      const expected = all.filter(
        ({ category, industry, topicName, type }) =>
          (filter.type === undefined ||
            type === filter.type ||
            (type === "both" && filter.type !== "both")) &&
          same(industry, filter.industry) &&
          same(category, filter.category) &&
          topicName.toLowerCase().includes((filter.q ?? "").toLowerCase()),
      )

      const found = await list({ pageSize: "500", ...filter })
      const facets: Readonly<Record<string, ReadonlyArray<{ value: string; count: number }>>> = (
        await ask("/v1/intent/topics/facets")
      ).body.data

      expect(found.data).toEqual(expected)
      expect(found.meta.total).toBe(expected.length)
      for (const [plural, field] of [
        ["industries", "industry"],
        ["categories", "category"],
      ] as const) {
        for (const { count, value } of facets[plural]!) {
          expect(all.filter((each) => same(each[field] || "none", value || "none"))).toHaveLength(
            count,
          )
        }
        const values = facets[plural]!.map(({ value }) => value.toLowerCase())
        expect(new Set(values)).toEqual(new Set(all.map((each) => each[field].toLowerCase())))
        expect(values).toHaveLength(new Set(values).size)
      }
    }),
    { numRuns: 60 },
  )
})

describe("an import on the same database", () => {
  it("is visible to the next request on every server", async () => {
    const beside = await startServer({ workers: false, beside: server })
    const askBeside = askPublic(beside)
    await putTopics(server, [topic(1, "Freight")])
    const everywhere = async (path: string) =>
      (await Promise.all([ask(path), askBeside(path)])).map(({ body }) => body.data)
    await everywhere("/v1/intent/topics")
    await everywhere("/v1/intent/topics/search?q=rail")

    await putTopics(server, [topic(1, "Rail"), topic(2, "Railway")])

    expect(await everywhere("/v1/intent/topics")).toEqual([
      [topic(1, "Rail"), topic(2, "Railway")],
      [topic(1, "Rail"), topic(2, "Railway")],
    ])
    expect(await everywhere("/v1/intent/topics/search?q=rail")).toEqual([
      [topic(1, "Rail"), topic(2, "Railway")],
      [topic(1, "Rail"), topic(2, "Railway")],
    ])
    expect(await everywhere("/v1/intent/topics/facets")).toMatchObject([{ total: 2 }, { total: 2 }])
    await beside.close()
  })

  it("only an import makes servers reload the catalog", async () => {
    await putTopics(server, [topic(1, "Freight")])
    await list()

    await server.sql("insert into topic select 2, 'Unseen', 'b2b', '', ''")

    expect(ids(await list())).toEqual([1])
  })
})
