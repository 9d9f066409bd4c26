// The search for topics as clients use it (spec 5.7). search-index.test.ts tests typos and ranking; this file tests
// the request and the database.
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Topic } from "../../src/intent/topics/topic.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { askPublic, putDays, putTopics, topic } from "./topics.ts"

const topics = [
  topic(1, "Warehouse Automation"),
  topic(2, "Data Warehouse", { type: "both", industry: "Software" }),
  topic(3, "Warehouse Club", { type: "b2c", industry: "retail" }),
  topic(4, "Fleet Insurance", { industry: "insurance", category: "services" }),
]

let server: TestServer
let ask: ReturnType<typeof askPublic>
beforeAll(async () => {
  server = await startServer({ workers: false })
  ask = askPublic(server)
  await putTopics(server, topics)
})
afterAll(() => server.close())

const search = async (query: string) => {
  const { body, status } = await ask(`/v1/intent/topics/search?${query}`)
  return { status, ...body }
}
const ids = async (query: string) => {
  const { data }: { readonly data: ReadonlyArray<Topic> } = await search(query)
  return data.map(({ topicId }) => topicId)
}

describe("GET /v1/intent/topics/search", () => {
  it("returns whole topics, best match first", async () => {
    expect(await search("q=warehouse+club")).toEqual({
      status: 200,
      data: [topics[2]],
      meta: { timestamp: expect.any(String), request_id: expect.any(String) },
    })
    expect((await ids("q=Warehouse")).at(-1)).toBe(2)
  })

  it.each([
    ["a typo", "warehouze automation", 1],
    ["two letters swapped", "flete insurance", 4],
    ["a letter missing", "fleet insurace", 4],
    ["another order of words", "warehouse data", 2],
    ["a beginning", "fle", 4],
  ])("finds by %s", async (_, q, topicId) => {
    expect((await ids(`q=${encodeURIComponent(q)}`))[0]).toBe(topicId)
  })

  it("returns nothing if nothing matches", async () => {
    expect(await search("q=xylophone")).toMatchObject({ status: 200, data: [] })
    expect(await search("q=!!")).toMatchObject({ status: 200, data: [] })
  })

  it("filters by type, including topics of both types, and by industry, ignoring case", async () => {
    expect(await ids("q=warehouse&type=b2c")).toEqual([3, 2])
    expect(await ids("q=warehouse&type=both")).toEqual([2])
    expect(await ids("q=warehouse&industry=RETAIL")).toEqual([3])
  })

  it.each([
    ["", "required"],
    ["q=", "min_length"],
    ["q=%20%20", "min_length"],
    [`q=${"a".repeat(101)}`, "max_length"],
    ["q=a&q=b", "repeated_parameter"],
  ])("rejects the query %j", async (query, code) => {
    expect(await search(query)).toMatchObject({
      status: 400,
      error: { code: "VALIDATION_ERROR", details: { issues: [{ path: "/query/q", code }] } },
    })
  })

  it("accepts 1 and 100 characters", async () => {
    expect((await search("q=w")).status).toBe(200)
    expect((await search(`q=${"a ".repeat(49)}ab`)).status).toBe(200)
  })

  it.each(["limit=0", "limit=51", "limit=ten", "type=b2g", `industry=${"a".repeat(101)}`])(
    "refuses %s",
    async (query) => {
      expect((await search(`q=warehouse&${query}`)).status).toBe(400)
    },
  )

  it("ignores an unknown parameter", async () => {
    expect(await ids("q=fleet&colour=red")).toEqual([4])
  })
})

it("limit is 10 by default, and 1 to 50", async () => {
  const many = Array.from({ length: 60 }, (_, at) => topic(at + 100, `Solar ${at}`))
  await putTopics(server, many)

  expect(await ids("q=solar")).toHaveLength(10)
  expect(await ids("q=solar&limit=1")).toHaveLength(1)
  expect(await ids("q=solar&limit=50")).toHaveLength(50)
})

it("among equal matches, the topic with the larger audience on the newest date comes first", async () => {
  await putTopics(
    server,
    [201, 202, 203].map((topicId) => topic(topicId, `Rail ${topicId}`)),
  )
  expect(await ids("q=rail")).toEqual([201, 202, 203])

  await putDays(server, [
    { topicId: 201, date: "2024-02-01", audience: 90 },
    { topicId: 202, date: "2024-02-01", audience: 10 },
    { topicId: 203, date: "2024-02-01", audience: 20 },
  ])
  expect(await ids("q=rail")).toEqual([201, 203, 202])

  await putDays(server, [
    { topicId: 202, date: "2024-02-02", audience: 2 },
    { topicId: 203, date: "2024-02-02", audience: 1 },
  ])
  expect(await ids("q=rail")).toEqual([202, 203, 201])
})

it("the server answers other requests while it builds the index of a large catalog", async () => {
  await putTopics(
    server,
    Array.from({ length: 20_000 }, (_, at) => topic(at + 1000, `Topic ${at} of ${at % 97}`)),
  )
  const order: Array<string> = []
  const built = ids("q=topic+7").then(() => order.push("search"))
  // The search is requested first and waits. A later request gets its response before it.
  await Promise.all(
    Array.from({ length: 5 }, () =>
      fetch(`${server.url}/healthz`).then(() => order.push("health")),
    ),
  )
  await built

  expect(order.at(-1)).toBe("search")
})
