// `topics` and `topic-lists` as a user runs them: the requests with and without credentials, each output format, and
// how topics are named.

import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { FakeApi } from "./fixtures/fake-api.ts"
import { footfall } from "./fixtures/footfall.ts"
import {
  analysis,
  comparisons,
  crm,
  facets,
  freight,
  movers,
  trend,
  warehouse,
} from "./fixtures/intent-records.ts"
import { apiKey } from "./fixtures/records.ts"

let api: FakeApi
let anyone: NodeJS.ProcessEnv

const searchRoute = "GET /v1/intent/topics/search"

beforeEach(async () => {
  api = await FakeApi.start()
  anyone = { FOOTFALL_BASE_URL: api.baseUrl }
  api.on(searchRoute, () => ({ data: [warehouse, freight, crm] }))
})

afterEach(() => api[Symbol.asyncDispose]())

const run = (...words: ReadonlyArray<string>) => footfall(words, { environment: anyone })

const runWithKey = (...words: ReadonlyArray<string>) =>
  footfall(words, { environment: { ...anyone, FOOTFALL_API_KEY: apiKey } })

const queryOf = (route: string): unknown =>
  Object.fromEntries(api.seen(route).at(-1)?.url.searchParams ?? [])

const sent = (route: string): unknown => JSON.parse(api.seen(route).at(-1)?.body ?? "null")

describe("credentials", () => {
  beforeEach(() => api.on("GET /v1/intent/topics/facets", () => ({ data: facets })))

  test("are optional, and are not sent if there are none", async () => {
    const { exitCode, stdout } = await run("topics", "facets")

    const [asked] = api.requests
    expect(asked?.headers).not.toHaveProperty("x-api-key")
    expect(asked?.headers).not.toHaveProperty("authorization")
    expect(JSON.parse(stdout).data).toEqual(facets)
    expect(exitCode).toBe(0)
  })

  test("are sent if there are any", async () => {
    await runWithKey("topics", "facets")

    expect(api.requests[0]?.headers["x-api-key"]).toBe(apiKey)
  })

  test("that are invalid exit with 4", async () => {
    const error = { code: "AUTHENTICATION_ERROR", message: "The API key is not valid." }
    api.on("GET /v1/intent/topics/facets", () => ({ status: 401, error }))

    const { exitCode, stderr } = await runWithKey("topics", "facets")

    expect(stderr).toContain("To use another key: footfall profiles update")
    expect(exitCode).toBe(4)
  })
})

describe("topics list", () => {
  const route = "GET /v1/intent/topics"
  const meta = { total: 3, page: 1, pageSize: 2, hasMore: true, nextCursor: "c2" }

  beforeEach(() => {
    api.on(route, ({ url }) =>
      url.searchParams.has("cursor")
        ? { data: [crm], meta: { ...meta, page: 2, hasMore: false, nextCursor: null } }
        : { data: [warehouse, freight], meta },
    )
  })

  test("requests one page, with its filter", async () => {
    const words = ["--type", "b2b", "--industry", "i", "--category", "c", "--search", "ware"]
    const { stdout } = await run("topics", "list", ...words)

    expect(queryOf(route)).toEqual({
      type: "b2b",
      industry: "i",
      category: "c",
      q: "ware",
      pageSize: "50",
    })
    expect(JSON.parse(stdout)).toMatchObject({
      data: [{ topicId: 1204 }, { topicId: 3377 }],
      meta: { total: 3, hasMore: true },
    })
  })

  test("--all requests pages of the maximum size", async () => {
    const { stdout } = await run("topics", "list", "--all", "--output", "csv")

    expect(api.seen(route)[0]?.url.searchParams.get("pageSize")).toBe("500")
    expect(stdout.split("\r\n")).toEqual([
      "topicId,topicName,type,industry,category",
      "1204,Warehouse Management Software,b2b,logistics,software",
      "3377,Freight Visibility,b2b,logistics,operations",
      "12,CRM Software,both,technology,software",
      "",
    ])
  })

  test("requests no more than --limit", async () => {
    const { stdout } = await run("topics", "list", "--limit", "1", "--output", "ndjson")

    expect(queryOf(route)).toEqual({ pageSize: "1" })
    expect(
      stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([warehouse])
  })
})

test("topics search sends all words", async () => {
  const words = ["search", "warehouse", "managment", "--type", "both", "--limit", "3"]
  const { stdout } = await run("topics", ...words)

  expect(queryOf(searchRoute)).toEqual({ q: "warehouse managment", type: "both", limit: "3" })
  expect(JSON.parse(stdout)).toEqual({ data: [warehouse, freight, crm] })
})

test("topics facets are rows in CSV", async () => {
  api.on("GET /v1/intent/topics/facets", () => ({ data: facets }))

  const { stdout } = await run("topics", "facets", "--output", "csv")

  const lines = stdout.split("\r\n")
  expect(lines.slice(0, 2)).toEqual(["facet,value,count", "type,b2b,250"])
  expect(lines.at(-2)).toBe("category,software,340")
})

describe("topics trend", () => {
  const route = "GET /v1/intent/topics/1204/trend"

  beforeEach(() => api.on(route, () => ({ data: trend })))

  test("by id sends one request, for the given days", async () => {
    const words = ["1204", "--from", "2026-02-09", "--to", "2026-03-10"]
    const { stdout } = await run("topics", "trend", ...words)

    expect(api.requests).toHaveLength(1)
    expect(queryOf(route)).toEqual({ from: "2026-02-09", to: "2026-03-10" })
    expect(JSON.parse(stdout).data).toEqual(trend)
  })

  test("by name looks the topic up, whatever the case", async () => {
    const { exitCode } = await run("topics", "trend", " warehouse  management SOFTWARE ")

    expect(queryOf(searchRoute)).toMatchObject({ q: "warehouse  management SOFTWARE" })
    expect(api.seen(route)).toHaveLength(1)
    expect(exitCode).toBe(0)
  })

  test("by part of a name suggests the closest names, and exits with 5", async () => {
    const { exitCode, stderr } = await run("topics", "trend", "warehouse")

    expect(JSON.parse(stderr).error).toMatchObject({
      code: "NOT_FOUND",
      message:
        "No topic found with the name warehouse. Closest: 1204 Warehouse Management Software, " +
        "3377 Freight Visibility, 12 CRM Software. Use an id or a full name.",
    })
    expect(exitCode).toBe(5)
  })

  test("by a name without similar ones says where to look", async () => {
    api.on(searchRoute, () => ({ data: [] }))

    const { exitCode, stderr } = await run("topics", "trend", "xyzzy")

    expect(stderr).toContain("footfall topics list")
    expect(exitCode).toBe(5)
  })

  test("by an ambiguous name asks for an id", async () => {
    api.on(searchRoute, () => ({ data: [crm, { ...crm, topicId: 13 }] }))

    const { exitCode, stderr } = await run("topics", "trend", "crm software")

    expect(stderr).toContain("12 CRM Software, 13 CRM Software")
    expect(exitCode).toBe(2)
  })

  test("that does not exist exits with 5", async () => {
    const error = { code: "NOT_FOUND", message: "Topic not found." }
    api.on("GET /v1/intent/topics/99/trend", () => ({ status: 404, error }))

    const { exitCode, stderr } = await run("topics", "trend", "99")

    expect(stderr).toContain("To list them: footfall topics list")
    expect(exitCode).toBe(5)
  })

  test.each(["yesterday", "2026-02-30", "2026-2-3", "2026-13-01"])(
    "rejects the day %s before sending a request",
    async (date) => {
      const { exitCode, stderr } = await run("topics", "trend", "1204", "--from", date)

      expect(stderr).toContain("YYYY-MM-DD")
      expect(api.requests).toEqual([])
      expect(exitCode).toBe(2)
    },
  )
})

describe("topics compare", () => {
  const route = "POST /v1/intent/topics/compare"

  beforeEach(() => api.on(route, () => ({ data: comparisons })))

  test("requests each topic once, by id and by name", async () => {
    const { stdout } = await run("topics", "compare", "1204", "freight visibility", "1204")

    expect(sent(route)).toEqual({ topicIds: [1204, 3377] })
    expect(JSON.parse(stdout).data).toEqual(comparisons)
  })

  test("has one row per day and topic in CSV", async () => {
    const { stdout } = await run("topics", "compare", "1204", "3377", "--output", "csv")

    const lines = stdout.trim().split("\r\n")
    expect(lines).toHaveLength(61)
    expect(lines[1]).toMatch(/^3377,Freight Visibility,2026-02-09,40,/)
  })

  test("accepts at most ten topics", async () => {
    const ids = Array.from({ length: 11 }, (_, index) => `${index + 1}`)

    const { exitCode, stderr } = await run("topics", "compare", ...ids)

    expect(stderr).toContain("At most 10 topics.")
    expect(api.requests).toEqual([])
    expect(exitCode).toBe(2)
  })
})

test("topics movers sends only the given options", async () => {
  const route = "GET /v1/intent/topics/movers"
  api.on(route, () => ({ data: movers }))

  const words = ["--direction", "down", "--type", "b2c", "--industry", "i", "--limit", "5"]
  const { stdout } = await run("topics", "movers", ...words)

  expect(queryOf(route)).toEqual({ direction: "down", type: "b2c", industry: "i", limit: "5" })
  expect(JSON.parse(stdout).data).toEqual(movers)
})

describe("topics analyze", () => {
  const route = "POST /v1/intent/topics/analyze"

  test.each([
    ["harbor-logistics.example", "https://harbor-logistics.example"],
    ["http://harbor-logistics.example/freight", "http://harbor-logistics.example/freight"],
  ])("reads %s", async (given, url) => {
    api.on(route, () => ({ data: analysis }))

    const { stdout, exitCode } = await run("topics", "analyze", given)

    expect(sent(route)).toEqual({ url })
    expect(JSON.parse(stdout).data).toEqual(analysis)
    expect(exitCode).toBe(0)
  })

  test("for a site that cannot be read says why and what to try", async () => {
    const details = { reason: "not_html" }
    const error = { code: "SITE_UNREADABLE", message: "The site cannot be read.", details }
    api.on(route, () => ({ status: 422, error }))

    const { exitCode, stderr } = await run("topics", "analyze", "harbor-logistics.example")

    expect(JSON.parse(stderr).error).toMatchObject({
      code: "SITE_UNREADABLE",
      message: "The site cannot be read. Try the home page of the site.",
      status: 422,
    })
    expect(exitCode).toBe(1)
  })

  test("waits for the rate limit, and says so", async () => {
    let asked = 0
    api.answer = (request, response) => {
      asked += 1
      if (asked > 1) return api.answerAsUsual(request, response)
      const error = { code: "RATE_LIMITED", message: "Too many requests." }
      response.writeHead(429, { "content-type": "application/json", "retry-after": "1" })
      response.end(JSON.stringify({ error, meta: {} }))
    }
    api.on(route, () => ({ data: analysis }))

    const { exitCode, stderr } = await run("topics", "analyze", "harbor-logistics.example")

    expect(stderr).toBe("Rate limit reached: continuing in 1s.\n")
    expect(exitCode).toBe(0)
  })
})

test("topics analyses lists the saved analyses of the organization", async () => {
  const { contentHash: _hash, ...kept } = analysis
  const stored = {
    ...kept,
    id: "6c1f0a52-7f43-4a5e-9d0c-0d8f3c3b9a11",
    url: "https://harbor-logistics.example",
    createdAt: "2026-03-11T08:00:00.000Z",
  }
  const meta = { total: 1, limit: 20, offset: 0, hasMore: false, nextCursor: null }
  api.on("GET /v1/intent/site-topics", () => ({ data: [stored], meta }))

  const unknown = await run("topics", "analyses")
  const { stdout, exitCode } = await runWithKey("topics", "analyses")

  expect(unknown.exitCode).toBe(4)
  expect(JSON.parse(stdout)).toMatchObject({ data: [stored], meta: { total: 1 } })
  expect(exitCode).toBe(0)
})

describe("topic-lists", () => {
  const topicList = {
    id: "6c1f0a52-7f43-4a5e-9d0c-0d8f3c3b9a11",
    organizationId: "3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f",
    name: "Warehouse",
    topicIds: [1204, 3377],
    createdAt: "2026-03-11T08:00:00.000Z",
    updatedAt: "2026-03-11T08:00:00.000Z",
  }
  const lists = "/v1/intent/topic-lists"
  const one = `${lists}/${topicList.id}`

  test("need credentials", async () => {
    const { exitCode, stderr } = await run("topic-lists", "list")

    expect(stderr).toContain("No API key found, and you are not signed in")
    expect(exitCode).toBe(4)
  })

  test("are listed and shown", async () => {
    const meta = { total: 1, limit: 50, offset: 0, hasMore: false, nextCursor: null }
    api.on(`GET ${lists}`, () => ({ data: [topicList], meta }))
    api.on(`GET ${one}`, () => ({ data: topicList }))

    const all = await runWithKey("topic-lists", "list")
    const csv = await runWithKey("topic-lists", "list", "--output", "csv")
    const shown = await runWithKey("topic-lists", "get", topicList.id)

    expect(JSON.parse(all.stdout)).toMatchObject({ data: [topicList], meta: { total: 1 } })
    expect(csv.stdout).toContain("Warehouse,1204|3377,")
    expect(JSON.parse(shown.stdout)).toEqual({ data: topicList })
  })

  test("are created from ids and names", async () => {
    api.on(`POST ${lists}`, () => ({ data: topicList }))

    await runWithKey("topic-lists", "create", "Warehouse", "1204", "Freight Visibility")

    expect(sent(`POST ${lists}`)).toEqual({ name: "Warehouse", topicIds: [1204, 3377] })
  })

  test.each([
    [["--name", "New"], { name: "New" }],
    [["--topics", "12", "freight visibility"], { topicIds: [12, 3377] }],
  ])("are updated with %j", async (words, changes) => {
    api.on(`PATCH ${one}`, () => ({ data: topicList }))

    await runWithKey("topic-lists", "update", topicList.id, ...words)

    expect(sent(`PATCH ${one}`)).toEqual(changes)
  })

  test("without a change are a usage error", async () => {
    const { exitCode, stderr } = await runWithKey("topic-lists", "update", topicList.id)

    expect(stderr).toContain("Add --name or --topics.")
    expect(exitCode).toBe(2)
  })

  test("require confirmation for deletion", async () => {
    api.on(`DELETE ${one}`, () => ({ data: { deleted: true } }))

    const unasked = await runWithKey("topic-lists", "delete", topicList.id)
    const asked = await runWithKey("topic-lists", "delete", topicList.id, "--yes")

    expect(unasked.exitCode).toBe(2)
    expect(JSON.parse(asked.stdout).data).toEqual({ id: topicList.id, deleted: true })
    expect(api.seen(`DELETE ${one}`)).toHaveLength(1)
  })
})
