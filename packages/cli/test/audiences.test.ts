// `audiences` as a user runs it: the configurations that the options build, and how errors are
// shown.

import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { FakeApi } from "./fixtures/fake-api.ts"
import { configDirectory, footfall } from "./fixtures/footfall.ts"
import { freight, preview, warehouse } from "./fixtures/intent-records.ts"
import { apiKey } from "./fixtures/records.ts"

let api: FakeApi
let environment: NodeJS.ProcessEnv

const route = "POST /v1/intent/audiences/preview"

beforeEach(async () => {
  api = await FakeApi.start()
  environment = { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey }
  api.on(route, () => ({ data: preview }))
  api.on("GET /v1/intent/topics/search", () => ({ data: [freight, warehouse] }))
})

afterEach(() => api[Symbol.asyncDispose]())

const run = (words: ReadonlyArray<string>, input = "") =>
  footfall(["audiences", ...words], { environment, input })

const sent = (): unknown => JSON.parse(api.seen(route).at(-1)?.body ?? "null")

describe("preview", () => {
  test("prints the whole response, and sends no other request", async () => {
    const { exitCode, stdout } = await run(["preview", "--topic", "3377"])

    expect(sent()).toEqual({ topicIds: [3377] })
    expect(JSON.parse(stdout)).toEqual({ data: preview })
    expect(api.requests).toHaveLength(1)
    expect(exitCode).toBe(0)
  })

  test.each([
    ["filters", 503, "SERVICE_UNAVAILABLE"],
    ["facets", 429, "RATE_LIMITED"],
    ["facets", 404, "NOT_FOUND"],
  ])(
    "with no matches is printed even if the %s are rejected with %i",
    async (what, status, code) => {
      const refusal = { status, error: { code, message: "No." } }
      api.on(route, () => ({ data: { ...preview, totalCount: 0 } }))
      api.on("GET /v1/intent/audiences/filters", () =>
        what === "filters" ? refusal : { data: { companyIndustry: ["logistics"] } },
      )
      api.on("GET /v1/intent/topics/facets", () =>
        what === "facets" ? refusal : { data: { industries: [], categories: [], types: [] } },
      )

      const { exitCode, stdout } = await run(["preview", "--topic", "1", "--industry", "logistics"])

      expect(JSON.parse(stdout)).toEqual({ data: { ...preview, totalCount: 0 } })
      expect(exitCode).toBe(0)
    },
  )

  test.each([
    ["topics", ["--topic", "3377", "--topic", "1204"], { topicIds: [3377, 1204] }],
    ["topics together", ["--topic", "3377,1204", "12"], { topicIds: [3377, 1204, 12] }],
    [
      "a segment, without topics",
      ["--segment", "5e65e65e-0000-4000-8000-000000000001"],
      { segmentId: "5e65e65e-0000-4000-8000-000000000001" },
    ],
    ["a topic by name", ["--topic", "freight visibility"], { topicIds: [3377] }],
    [
      "scores and overlap",
      ["--topic", "1,2", "--min-score", "80", "--max-score", "90", "--overlap", "2"],
      { topicIds: [1, 2], minScore: 80, maxScore: 90, minTopicOverlap: 2 },
    ],
    [
      "every filter",
      [
        ...["--topic", "1", "--industry", "glass, ceramics", "--industry", "retail"],
        ...["--seniority", "vp,c_suite", "--company-size", "51-200,201-500"],
        ...["--department", "finance, legal", "--state", "california"],
        ...["--revenue", "1 billion and over", "--age", "35-44", "--gender", "F", "--b2b", "y"],
        ...["--job-title", "buyer, head", "--company-domain", "a.example", "--company-name", "Aco"],
        ...["--has-phone", "--without-linkedin", "--has-business-email"],
        ...["--without-personal-email"],
      ],
      {
        topicIds: [1],
        filters: {
          companyIndustry: ["glass, ceramics", "retail"],
          seniority: ["vp", "c_suite"],
          companySize: ["51-200", "201-500"],
          department: ["finance", "legal"],
          state: "california",
          companyRevenueRange: ["1 billion and over"],
          ageRange: ["35-44"],
          gender: "F",
          isB2b: "y",
          jobTitle: "buyer, head",
          companyDomain: "a.example",
          companyName: "Aco",
          hasPhone: true,
          hasLinkedin: false,
          hasBusinessEmail: true,
          hasPersonalEmail: false,
        },
      },
    ],
  ])("takes %s", async (_what, words, config) => {
    const { exitCode } = await run(["preview", ...words])

    expect(sent()).toEqual(config)
    expect(exitCode).toBe(0)
  })

  describe("takes a whole configuration", () => {
    const config = { topicIds: [3377], minScore: 75, filters: { state: "CA", hasPhone: true } }

    test("from a file, from standard input, or as JSON", async () => {
      const file = join(configDirectory(), "audience.json")
      writeFileSync(file, JSON.stringify(config))

      for (const [given, input] of [
        [file, ""],
        ["-", JSON.stringify(config)],
        [JSON.stringify(config), ""],
      ] as const) {
        await run(["preview", "--config", given], input)
        expect(sent()).toEqual(config)
      }
    })

    test("with options that override it", async () => {
      const words = ["--topic", "1204", "--min-score", "90", "--without-phone"]

      await run(["preview", "--config", JSON.stringify(config), ...words])

      expect(sent()).toEqual({
        topicIds: [1204],
        minScore: 90,
        filters: { state: "CA", hasPhone: false },
      })
    })
  })

  test.each([
    [[], "No topic or segment given."],
    [["--config", "{}"], "No topic or segment given."],
    [["--config", "nowhere.json"], "File not found: "],
    [["--config", "{"], "The configuration is not JSON"],
    [["--topic", "1", "--min-score", "0"], "from 1 to 100"],
    [["--topic", "1", "--max-score", "101"], "from 1 to 100"],
    [["--topic", "1", "--overlap", "11"], "from 1 to 10"],
    [["--topic", "1", "--has-phone", "--without-phone"], "cannot be used with"],
    [["--topic", " "], "One of the topics is empty."],
  ])("%j is a usage error", async (words, message) => {
    const { exitCode, stderr } = await run(["preview", ...words])

    expect(stderr).toContain(message)
    expect(api.seen(route)).toEqual([])
    expect(exitCode).toBe(2)
  })

  test("rejected by the server says what is wrong and what to do", async () => {
    const issue = {
      path: "/body/filters/seniority/0",
      code: "enum",
      message: "Expected one of owner, vp, received boss.",
      allowed: ["owner", "vp"],
    }
    const unknown = { path: "/body/topicIds/0", code: "unknown_topic", message: "No topic." }
    const details = { issues: [issue, unknown], unknownTopicIds: [99] }
    const error = { code: "VALIDATION_ERROR", message: "Invalid request.", details }
    api.on(route, () => ({ status: 400, error }))

    const { exitCode, stderr } = await run(["preview", "--topic", "99", "--seniority", "boss"])

    const { message } = JSON.parse(stderr).error
    expect(message).toBe(
      "Invalid request. /body/filters/seniority/0: Expected one of owner, vp, received " +
        "boss. To list them: footfall topics search <words>",
    )
    expect(exitCode).toBe(1)
  })

  test("asks for an explanation", async () => {
    const explanation = { parts: [{ part: "topics", count: 40 }], scores: [] }
    api.on(route, () => ({ data: { ...preview, explanation } }))

    const { stdout } = await run(["preview", "--topic", "1", "--explain"])

    const [asked] = api.seen(route)
    expect(JSON.parse(asked?.body ?? "")).toEqual({ topicIds: [1], explain: true })
    expect(JSON.parse(stdout).data.explanation).toEqual(explanation)
  })

  test("needs a key", async () => {
    environment = { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_ACCESS_TOKEN: "a.b.c" }

    const { exitCode, stderr } = await run(["preview", "--topic", "1"])

    expect(stderr).toContain("No API key found.")
    expect(exitCode).toBe(4)
  })
})

test("validate shows the normal form, also with a session", async () => {
  const validation = {
    valid: true,
    configHash: preview.configHash,
    normalizedConfig: {
      topicIds: [1],
      minScore: 70,
      maxScore: 100,
      minTopicOverlap: 1,
      filters: {},
    },
    appliedFilters: [],
  }
  api.on("POST /v1/intent/audiences/validate", () => ({ data: validation }))
  environment = { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_ACCESS_TOKEN: "a.b.c" }

  const { exitCode, stdout } = await run(["validate", "--topic", "1", "--state", "ca"])

  const [asked] = api.seen("POST /v1/intent/audiences/validate")
  expect(JSON.parse(asked?.body ?? "")).toEqual({ topicIds: [1], filters: { state: "ca" } })
  expect(JSON.parse(stdout)).toEqual({ data: validation })
  expect(exitCode).toBe(0)
})

describe("filters", () => {
  const filtersRoute = "GET /v1/intent/audiences/filters"
  const names = [
    ...["companyIndustry", "seniority", "companySize", "department", "state"],
    ...["companyRevenueRange", "ageRange", "gender", "isB2b"],
  ]
  const empty = Object.fromEntries(names.map((name) => [name, []]))
  const values = { ...empty, seniority: ["owner", "vp"] }
  const counts = { ...empty, seniority: [{ value: "vp", label: "VP", count: 12 }] }

  beforeEach(() => {
    api.on(filtersRoute, ({ url }) => ({
      data: url.searchParams.get("include") === "counts" ? counts : values,
    }))
  })

  test("are listed, all or one by name", async () => {
    const all = await run(["filters"])
    const one = await run(["filters", "seniority"])

    expect(JSON.parse(all.stdout)).toEqual({ data: values })
    expect(JSON.parse(one.stdout)).toEqual({ data: { seniority: ["owner", "vp"] } })
  })

  test("have counts on request", async () => {
    const { stdout } = await run(["filters", "--counts", "--output", "csv"])

    expect(stdout).toBe("filter,value,label,count\r\nseniority,vp,VP,12\r\n")
  })

  test("are rows in NDJSON", async () => {
    const { stdout } = await run(["filters", "--output", "ndjson"])

    expect(stdout).toBe(
      '{"filter":"seniority","value":"owner"}\n{"filter":"seniority","value":"vp"}\n',
    )
  })

  test("with an unknown name are a usage error", async () => {
    const { exitCode, stderr } = await run(["filters", "country"])

    expect(stderr).toContain("Use one of: companyIndustry, seniority")
    expect(exitCode).toBe(2)
  })
})
