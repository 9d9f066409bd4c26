// `footfall companies` as a user runs it: the requests and the output.

import type { Company } from "@footfall/sdk"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { companyColumns } from "../src/companies/companies.ts"
import { FakeApi } from "./fixtures/fake-api.ts"
import { footfall } from "./fixtures/footfall.ts"
import { apiKey, jane, session } from "./fixtures/records.ts"

const company: Company = {
  domain: "harbor-logistics.example",
  name: "Harbor Logistics",
  industry: "maritime transportation",
  employeeCount: 340,
  totalRevenue: "50 million to 100 million",
  linkedinUrl: null,
  city: "Oakland",
  state: "California",
  country: "US",
  firstSeenAt: "2026-03-09T15:12:40.120Z",
  lastSeenAt: "2026-03-11T08:42:10.500Z",
  sessions: 5,
  anonymousSessions: 3,
  pageviews: 11,
  pricingPageViews: 2,
  demoPageViews: 0,
  peopleCount: 1,
  suppressedPeopleCount: 0,
  landingPage: null,
  referrerDomain: null,
  utmSource: null,
  utmMedium: null,
  utmCampaign: null,
  suppressed: false,
  score: { total: 48, fit: 60, interest: 36, hot: false },
}
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
  })
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
})
