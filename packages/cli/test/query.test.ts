// Rules on the command line: the requests that the options build, and how an invalid rule is shown.

import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { FakeApi } from "./fixtures/fake-api.ts"
import { configDirectory, footfall } from "./fixtures/footfall.ts"
import { apiKey, jane, pixel, segment } from "./fixtures/records.ts"

let api: FakeApi
let environment: NodeJS.ProcessEnv

const listMeta = { total: 1, limit: 50, offset: 0, hasMore: false, nextCursor: null }
const queryMeta = { page: 1, limit: 50, hasMore: false, nextCursor: null, total: 1 }

beforeEach(async () => {
  api = await FakeApi.start()
  environment = { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey }
  api.on("POST /v1/data/query", () => ({ data: [jane], meta: queryMeta }))
  api.on("POST /v1/data/segments/preview", () => ({
    data: { count: 12, sample: [jane], companies: [] },
  }))
  api.on("POST /v1/data/segments", () => ({ data: segment }))
  api.on("GET /v1/data/segments", () => ({ data: [segment], meta: listMeta }))
  api.on(`GET /v1/data/segments/${segment.id}`, () => ({ data: segment }))
  api.on(`PATCH /v1/data/segments/${segment.id}`, () => ({ data: segment }))
  api.on(`DELETE /v1/data/segments/${segment.id}`, () => ({ data: { deleted: true } }))
})

afterEach(() => api[Symbol.asyncDispose]())

const run = (words: ReadonlyArray<string>, input = "") => footfall(words, { environment, input })

const sent = (route: string): unknown => JSON.parse(api.seen(route).at(-1)?.body ?? "null")

const pageviews = { field: "behavior.pageviews", op: "gte", value: 3 }
const seniority = { field: "company.seniority", op: "in", value: ["vp", "director"] }
const predicates = [
  ...["--where", "behavior.pageviews gte 3"],
  ...["--where", "company.seniority in vp,director"],
]

describe("visitors query", () => {
  test.each([
    ["one --where is the rule", predicates.slice(0, 2), pageviews],
    ["several must all match", predicates, { all: [pageviews, seniority] }],
    ["or any of them, with --any", ["--any", ...predicates], { any: [pageviews, seniority] }],
  ])("%s", async (_what, words, rule) => {
    const { exitCode, stdout } = await run(["visitors", "query", ...words])

    expect(sent("POST /v1/data/query")).toEqual({
      ruleAst: { version: 1, rule },
      suppressed: "exclude",
    })
    expect(JSON.parse(stdout)).toMatchObject({ data: [jane], meta: { total: 1 } })
    expect(exitCode).toBe(0)
  })

  test("a list is known by its name: the request has its id", async () => {
    const id = "7c0d5b8e-2f4a-4c61-9e3b-5a8d1c7f2e90"
    const list = { id, name: "Target accounts", subject: "companies", size: 2 }
    const guests = { ...list, id: pixel.id, subject: "people" }
    api.on("GET /v1/data/lists", () => ({ data: [list, guests], meta: listMeta }))
    const where = (condition: string) => run(["visitors", "query", "--where", condition])

    await where("company.list in_list 'target accounts'")
    expect(sent("POST /v1/data/query")).toMatchObject({
      ruleAst: { rule: { field: "company.list", op: "in_list", value: id } },
    })
    await where("contact.list not_in_list Target accounts")
    expect(sent("POST /v1/data/query")).toMatchObject({ ruleAst: { rule: { value: pixel.id } } })
    const asked = api.seen("GET /v1/data/lists").length
    await where(`company.list in_list ${id}`)
    expect(api.seen("GET /v1/data/lists")).toHaveLength(asked)
    const unknown = await where("company.list in_list Prospects")
    expect(unknown.exitCode).toBe(5)
    expect(unknown.stderr).toContain("footfall lists list")
  })

  test("a rule that matches no one suggests other fields for its values, in JSON too", async () => {
    api.on("POST /v1/data/query", () => ({ data: [], meta: { ...queryMeta, total: 0 } }))
    api.on("GET /v1/intent/audiences/filters", () => ({
      data: {
        companyIndustry: ["freight and logistics services"],
        ...{ seniority: [], companySize: [], department: [], state: [], companyRevenueRange: [] },
        ...{ ageRange: [], gender: [], isB2b: [] },
      },
    }))
    api.on("GET /v1/intent/topics/facets", () => ({
      data: {
        types: [],
        industries: [{ value: "logistics", count: 25 }],
        categories: [],
        total: 25,
      },
    }))
    const meanings = [
      "No one has company.industry eq Logistics; topics have this industry: footfall topics list --industry logistics; " +
        "similar values: 'freight and logistics services'.",
    ]
    const words = ["visitors", "query", "--where", "company.industry eq Logistics"]

    const json = await run(words)
    const table = await run([...words, "--output", "table"])

    expect(JSON.parse(json.stdout)).toMatchObject({ data: [], meta: { total: 0, meanings } })
    expect(table.stdout.replaceAll(/\s+/g, " ")).toContain(meanings[0])
    expect(json.exitCode).toBe(0)
  })

  test("an organization without audiences gets only the response", async () => {
    const error = { code: "FORBIDDEN", message: "This organization has no intent data." }
    api.on("POST /v1/data/query", () => ({ data: [], meta: { ...queryMeta, total: 0 } }))
    api.on("GET /v1/intent/audiences/filters", () => ({ status: 403, error }))
    api.on("GET /v1/intent/topics/facets", () => ({ status: 403, error }))

    const { exitCode, stdout } = await run([
      "visitors",
      "query",
      "--where",
      "company.industry eq x",
    ])

    expect(JSON.parse(stdout)).toMatchObject({ data: [], meta: { total: 0 } })
    expect(JSON.parse(stdout).meta).not.toHaveProperty("meanings")
    expect(exitCode).toBe(0)
  })

  const written = JSON.stringify({ version: 1, window: "7d", rule: pageviews })

  test("reads a rule as JSON, from a file or from standard input", async () => {
    const file = join(configDirectory(), "rule.json")
    writeFileSync(file, written)

    for (const [rule, input] of [
      [written, ""],
      [file, ""],
      ["-", written],
    ] as const) {
      await run(["visitors", "query", "--rule", rule], input)

      expect(sent("POST /v1/data/query")).toMatchObject({ ruleAst: JSON.parse(written) })
    }
  })

  test("a single node becomes a rule of version 1", async () => {
    await run(["visitors", "query", "--rule", JSON.stringify({ all: [pageviews] })])

    expect(sent("POST /v1/data/query")).toMatchObject({
      ruleAst: { version: 1, rule: { all: [pageviews] } },
    })
  })

  test("window, pixel, filter and page are sent with the rule", async () => {
    const words = ["--window", "24h", "--pixel", pixel.id, "--suppressed", "exclude", "--page", "2"]
    await run(["visitors", "query", ...predicates.slice(0, 2), ...words])

    expect(sent("POST /v1/data/query")).toEqual({
      ruleAst: { version: 1, rule: pageviews },
      window: "24h",
      pixelId: pixel.id,
      suppressed: "exclude",
      page: 2,
    })
  })

  test("sends a segment's id, and requests large pages for many rows", async () => {
    await run(["visitors", "query", "--segment", segment.id, "--all"])

    expect(sent("POST /v1/data/query")).toEqual({
      segmentId: segment.id,
      suppressed: "exclude",
      limit: 100,
    })
  })

  test("an invalid rule is shown with the node that the server reports", async () => {
    api.on("POST /v1/data/query", () => ({
      status: 400,
      error: {
        code: "INVALID_RULE",
        message: `Unknown operator "atleast".`,
        details: { path: "/rule/all/1/op", reason: "unknown_operator" },
      },
    }))
    const words = [...predicates.slice(0, 2), "--where", "behavior.sessions atleast 2"]

    const { exitCode, stderr } = await run(["visitors", "query", ...words])

    expect(JSON.parse(stderr).error).toMatchObject({
      code: "INVALID_RULE",
      status: 400,
      message:
        `Unknown operator "atleast". The error is at /rule/all/1/op of the rule, in: ` +
        `{"field":"behavior.sessions","op":"atleast","value":2}. Operators of behavior.sessions: eq, neq, ` +
        `gt, gte, lt, lte, between, exists. To list fields and operators: footfall visitors fields. ` +
        `Run: footfall visitors query --help`,
    })
    expect(exitCode).toBe(1)
  })

  test("an unknown field is reported with the closest names", async () => {
    api.on("POST /v1/data/query", () => ({
      status: 400,
      error: {
        code: "INVALID_RULE",
        message: `Unknown field "industry".`,
        details: { path: "/rule/field", reason: "unknown_field" },
      },
    }))

    const { stderr } = await run(["visitors", "query", "--where", "industry eq logistics"])

    expect(JSON.parse(stderr).error.message).toContain("Closest: company.industry")
    expect(JSON.parse(stderr).error.message).toContain("footfall visitors fields")
  })

  test("fields lists every field with its type and operators, without a server", async () => {
    const { stdout } = await run(["visitors", "fields"])

    const { data } = JSON.parse(stdout)
    expect(data).toContainEqual({
      field: "company.industry",
      type: "text",
      operators: expect.arrayContaining(["eq", "contains", "in"]),
    })
    expect(data).toContainEqual({
      field: "timing.is_returning",
      type: "boolean",
      operators: ["eq", "exists"],
    })
    expect(api.requests).toEqual([])
  })

  test.each([
    [[], "Add a rule or a segment"],
    [["--any"], "--any needs a --where"],
    [["--rule", "{"], "is not JSON"],
    [["--rule", "/nowhere/rule.json"], "File not found: "],
    [["--rule", "{}", "--where", "a b c"], "cannot be used with"],
    [["--segment", segment.id, "--where", "a b c"], "cannot be used with"],
    [["--where", "pageviews"], "is not a predicate"],
  ])("%j is rejected before it is sent", async (words, message) => {
    const { exitCode, stderr } = await run(["visitors", "query", ...words])

    expect(stderr).toContain(message)
    expect(api.requests).toEqual([])
    expect(exitCode).toBe(2)
  })
})

describe("segments", () => {
  test("create saves a rule with its window", async () => {
    const words = ["Buyers", ...predicates, "--window", "7d", "--description", "Who may buy"]
    const { stdout } = await run(["segments", "create", ...words])

    expect(sent("POST /v1/data/segments")).toEqual({
      name: "Buyers",
      description: "Who may buy",
      ruleAst: { version: 1, window: "7d", rule: { all: [pageviews, seniority] } },
    })
    expect(JSON.parse(stdout).data).toEqual(segment)
  })

  test("create saves a segment of companies, and says how to list them", async () => {
    api.on("POST /v1/data/segments", () => ({ data: { ...segment, subject: "companies" } }))
    const words = ["create", "Hot", "--subject", "companies", "--where", "score.total gte 60"]
    const { stdout } = await run(["segments", ...words, "--output", "table"])

    expect(sent("POST /v1/data/segments")).toEqual({
      name: "Hot",
      subject: "companies",
      ruleAst: { version: 1, rule: { field: "score.total", op: "gte", value: 60 } },
    })
    expect(stdout).toContain(`footfall companies query --segment ${segment.id}`)
    expect((await run(["segments", "create", "Hot", "--subject", "sites"])).exitCode).toBe(2)
  })

  test("update sends only the given fields; an empty description removes it", async () => {
    await run(["segments", "update", segment.id, "--description", ""])
    expect(sent(`PATCH /v1/data/segments/${segment.id}`)).toEqual({ description: null })

    await run(["segments", "update", segment.id, "--name", "Buyers", "--rule", `{"all":[]}`])
    expect(sent(`PATCH /v1/data/segments/${segment.id}`)).toEqual({
      name: "Buyers",
      ruleAst: { version: 1, rule: { all: [] } },
    })
  })

  test.each([["create", "Buyers"], ["update", segment.id], ["preview"]])(
    "%s without a rule or anything to change is a usage error",
    async (...words) => {
      expect((await run(["segments", ...words])).exitCode).toBe(2)
    },
  )

  test("list and get print the API's response", async () => {
    const list = await run(["segments", "list"])
    expect(JSON.parse(list.stdout)).toMatchObject({ data: [segment], meta: listMeta })

    const get = await run(["segments", "get", segment.id])
    expect(JSON.parse(get.stdout).data).toEqual(segment)
  })

  test("list prints CSV with the rule in one cell", async () => {
    const { stdout } = await run(["segments", "list", "--output", "csv"])

    expect(stdout).toMatch(/^id,name,description,subject,ruleAst,/)
    expect(stdout).toContain(`""behavior.pricing_page_views""`)
  })

  test("preview accepts a rule or a saved segment", async () => {
    const { stdout } = await run(["segments", "preview", "--segment", segment.id])

    const { ruleAst } = segment
    expect(sent("POST /v1/data/segments/preview")).toEqual({ ruleAst, subject: "people" })
    expect(JSON.parse(stdout).data.count).toBe(12)

    const where = ["--where", "behavior.pageviews gte 3"]
    await run(["segments", "preview", "--subject", "companies", ...where])
    expect(sent("POST /v1/data/segments/preview")).toEqual({
      ruleAst: { version: 1, rule: pageviews },
      subject: "companies",
    })
  })

  test("delete needs --yes without a terminal", async () => {
    const refused = await run(["segments", "delete", segment.id])
    expect(refused.stderr).toContain("Add --yes")
    expect(refused.exitCode).toBe(2)
    expect(api.requests).toEqual([])

    const { stdout } = await run(["segments", "delete", segment.id, "--yes"])
    expect(JSON.parse(stdout).data).toEqual({ id: segment.id, deleted: true })
  })

  test("deleting a segment that webhooks use exits with 6 and names them", async () => {
    api.on(`DELETE /v1/data/segments/${segment.id}`, () => ({
      status: 409,
      error: { code: "SEGMENT_IN_USE", message: "In use.", details: { webhookIds: ["w1", "w2"] } },
    }))

    const { exitCode, stderr } = await run(["segments", "delete", segment.id, "--yes"])

    expect(JSON.parse(stderr).error.message).toBe(
      "In use. To see what uses it: footfall webhooks get w1, footfall webhooks get w2",
    )
    expect(exitCode).toBe(6)
  })
})
