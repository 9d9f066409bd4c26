// `footfall companies` as a user runs it: the requests and the output.

import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { companyColumns } from "../src/companies/companies.ts"
import { FakeApi } from "./fixtures/fake-api.ts"
import { footfall } from "./fixtures/footfall.ts"
import { apiKey, company, jane, segment, session } from "./fixtures/records.ts"

const meta = {
  page: 1,
  limit: 50,
  hasMore: false,
  nextCursor: null,
  total: 1,
  suppressed: "exclude",
  scope: { pixels: 1, activePixels: 1, lastEventAt: null },
}

let api: FakeApi
let environment: NodeJS.ProcessEnv

beforeEach(async () => {
  api = await FakeApi.start()
  environment = { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey }
})
afterEach(() => api[Symbol.asyncDispose]())

const run = (...words: ReadonlyArray<string>) => footfall(words, { environment })

test("companies query takes a segment by its name, or a rule", async () => {
  const route = "POST /v1/data/companies/query"
  api.on(route, () => ({ data: [company], meta }))
  api.on("GET /v1/data/segments", () => ({
    data: [segment],
    meta: { total: 1, limit: 50, offset: 0, hasMore: false, nextCursor: null },
  }))
  const sent = () => JSON.parse(api.seen(route).at(-1)?.body ?? "null") as unknown

  const { stdout } = await run("companies", "query", "--segment", "buyers")
  expect(sent()).toEqual({ segmentId: segment.id, suppressed: "exclude" })
  expect(JSON.parse(stdout).data).toEqual([company])

  await run("companies", "query", "--where", "score.total gte 60", "--window", "7d")
  const rule = { field: "score.total", op: "gte", value: 60 }
  expect(sent()).toEqual({
    ruleAst: { version: 1, rule },
    window: "7d",
    suppressed: "exclude",
  })
  expect((await run("companies", "query")).exitCode).toBe(2)
})

describe("companies list", () => {
  const route = "GET /v1/data/companies"
  beforeEach(() => api.on(route, () => ({ data: [company], meta })))

  test("sends its filters under the API's names", async () => {
    const { stdout } = await run(
      ...["companies", "list", "--timeframe", "30d", "--search", "harbor"],
      ...["--min-sessions", "3", "--anonymous", "--domain", "tidewater.example"],
      ...["--suppressed", "include"],
    )

    expect(Object.fromEntries(api.seen(route)[0]!.url.searchParams)).toEqual({
      timeframe: "30d",
      q: "harbor",
      minSessions: "3",
      anonymous: "true",
      suppressed: "include",
      domain: "tidewater.example",
    })
    expect(JSON.parse(stdout)).toMatchObject({ data: [company] })
  })

  test("prints every field as CSV", async () => {
    const { stdout } = await run("companies", "list", "--output", "csv")

    expect(stdout.split("\r\n")[0]?.split(",")).toEqual(companyColumns)
    expect([...new Set(companyColumns.map((column) => column.split(".")[0]))]).toEqual(
      Object.keys(company),
    )
  })

  test("draws the name, the numbers and the interest", async () => {
    const { stdout } = await run("companies", "list", "--output", "table")

    expect(stdout).toContain("Harbor Logistics")
    expect(stdout).toMatch(/ 5 +3 +1 +pricing/)
    expect(stdout).toContain("1 company")
    expect(stdout).not.toContain("Score")
  })

  test("sorted by score, draws the score", async () => {
    const { stdout } = await run("companies", "list", "--sort", "score", "--output", "table")

    expect(api.seen(route)[0]?.url.searchParams.get("sort")).toBe("score")
    expect(stdout).toMatch(/Domain +.*Score .*\n.*\n.* 48 /)
  })
})

test("a score says why, without repeating the name of an entry", async () => {
  api.on(`GET /v1/data/companies/${company.domain}/score`, () => ({
    data: {
      total: 48,
      fit: 60,
      interest: 36,
      hot: false,
      computedAt: new Date().toISOString(),
      previous: { dayAgo: 28, monday: null },
      entries: [
        {
          part: "fit",
          name: "Company is known",
          points: 20,
          reason: { code: "company_known", params: {} },
        },
        {
          part: "interest",
          name: "Interested",
          points: 36,
          reason: { code: "visited_pricing", params: { count: 3 } },
        },
      ],
    },
  }))

  const { stdout } = await run("companies", "score", company.domain, "--output", "table")

  expect(stdout).toMatch(/^score +48 · 20 more than yesterday\n/)
  expect(stdout).toMatch(/\+20 +Company is known\n/)
  expect(stdout).toMatch(/\+36 +Interested \(viewed pricing 3 times or more\)\n/)
})

test("companies get shows the company, its people and its sessions", async () => {
  const route = "GET /v1/data/companies/harbor-logistics.example"
  const journey = { firstTouch: null, lastTouch: null, sessions: [session] }
  api.on(route, () => ({ data: { ...company, journey, people: [jane] } }))

  const { stdout } = await run("companies", "get", "harbor-logistics.example", "--timeframe", "7d")

  expect(api.seen(route).map(({ url }) => url.search)).toEqual(["?timeframe=7d"])
  expect(JSON.parse(stdout)).toMatchObject({ data: { domain: company.domain, people: [jane] } })
})

test("companies get says that all people are suppressed, or how many besides the named ones", async () => {
  const route = `GET /v1/data/companies/${company.domain}`
  const journey = { firstTouch: null, lastTouch: null, sessions: [session] }
  const hidden = { ...company, peopleCount: 0, suppressedPeopleCount: 22, suppressed: true }
  api.on(route, () => ({ data: { ...hidden, journey, people: [] } }))
  const all = await run("companies", "get", company.domain, "--output", "table")
  api.on(route, () => ({
    data: { ...company, suppressedPeopleCount: 2, journey, people: [jane] },
  }))
  const some = await run("companies", "get", company.domain, "--output", "table")

  expect(all.stdout).toContain("Harbor Logistics (suppressed)")
  expect(all.stdout).toMatch(/People +22 people, all suppressed/)
  expect(some.stdout).toContain(`${jane.fullName}, 2 suppressed`)
  expect(some.stdout).toMatch(/Score +48\nOwner +Sam Ortiz\nTags +Pilot, Q3\n/)
})
