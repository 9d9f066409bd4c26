// `doctor` as a user runs it: its requests and its exit code. The diagnosis has tests of its own.

import { afterEach, beforeEach, expect, test } from "vitest"
import { FakeApi, type RouteAnswer } from "./fixtures/fake-api.ts"
import { footfall } from "./fixtures/footfall.ts"
import { account, apiKey, pixel } from "./fixtures/records.ts"

let api: FakeApi
let environment: NodeJS.ProcessEnv

beforeEach(async () => {
  api = await FakeApi.start()
  environment = { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey }
  api.on("GET /v1/data/account", () => ({
    data: { ...account, intent: { ...account.intent, dataDate: "2026-03-10" } },
  }))
  api.on("GET /v1/intent/topics/facets", () => ({
    data: { types: [], industries: [], categories: [], total: 438 },
  }))
  api.on("GET /v1/data/companies", () => ({ data: [], meta: { total: 31 } }))
  api.on("GET /v1/data/pixels", () => ({ data: [pixel] }))
})

afterEach(() => api[Symbol.asyncDispose]())

const examined = async (...words: ReadonlyArray<string>) => {
  const { exitCode, stdout } = await footfall(["doctor", ...words], { environment })
  const { data } = JSON.parse(stdout)
  const codes = data.checks.map(({ code }: { readonly code: string }) => code)
  return {
    exitCode,
    healthy: data.healthy,
    problems: codes.filter((code: string) => code !== "ok"),
  }
}

const wellOff = { exitCode: 0, healthy: true, problems: [] }
const ill = (...problems: ReadonlyArray<string>) => ({ exitCode: 1, healthy: false, problems })

test("exits with 0 if there are no problems", async () => {
  expect(await examined()).toEqual(wellOff)
})

test("no companies are a note, not a problem", async () => {
  api.on("GET /v1/data/companies", () => ({ data: [], meta: { total: 0 } }))

  expect(await examined()).toEqual({ ...wellOff, problems: ["no_companies"] })
  expect(api.seen("GET /v1/data/companies").map(({ url }) => url.search)).toEqual([
    "?timeframe=all&suppressed=include&limit=1",
  ])
})

test.each([
  [404, "NOT_FOUND"],
  [429, "RATE_LIMITED"],
  [503, "SERVICE_UNAVAILABLE"],
])("a %i response for companies and topics is not a finding", async (status, code) => {
  const refusal = { status, error: { code, message: "No." } }
  api.on("GET /v1/data/companies", () => refusal)
  api.on("GET /v1/intent/topics/facets", () => refusal)

  expect(await examined()).toEqual(wellOff)
})

test("examines the given window and site", async () => {
  expect(await examined("--domain", "https://tidewater.example", "--timeframe", "24h")).toEqual(
    wellOff,
  )
  expect(api.seen("GET /v1/data").map(({ url }) => url.search)).toEqual([
    "?domain=tidewater.example&timeframe=24h&suppressed=exclude",
  ])
})

test.each([
  ["--domain", "other.example"],
  ["--pixel", "6b0e6e0a-5a3f-4a51-9d3e-0f5f6a0f2f10"],
])("%s %s of another organization is reported as such", async (...words) => {
  expect(await examined(...words)).toEqual(ill("pixel_not_of_this_organization"))
})

test("a pixel that never received an event is verified", async () => {
  api.on("GET /v1/data/pixels", () => ({ data: [{ ...pixel, lastEventAt: null }] }))
  const verification = { verified: false, verifiedAt: null, lastEventAt: null, findings: [] }
  api.on(`POST /v1/data/pixels/${pixel.id}/verify`, () => ({
    data: { ...verification, reason: "script_missing" },
  }))

  expect(await examined()).toEqual(ill("pixel_never_seen_script_missing"))
})

test("having only suppressed people is reported differently from having no visitors", async () => {
  const visitors: { include: number } = { include: 4 }
  api.on("GET /v1/data", ({ url }): RouteAnswer => {
    const total = url.searchParams.get("suppressed") === "include" ? visitors.include : 0
    const scope = { pixels: 1, activePixels: 1, lastEventAt: null }
    return { data: [], meta: { page: 1, hasMore: false, nextCursor: null, total, scope } }
  })

  expect(await examined()).toEqual(ill("visitors_suppressed_only"))
  visitors.include = 0
  expect(await examined()).toEqual(ill("no_visitors"))
})

test("if the organization is not active, it requests nothing else", async () => {
  const expired = { ...account.organization, status: "expired" }
  api.on("GET /v1/data/account", () => ({ data: { ...account, organization: expired } }))

  expect(await examined()).toEqual(ill("organization_expired"))
  expect(api.requests).toHaveLength(1)
})

test("a rejected key is a finding", async () => {
  api.on("GET /v1/data/account", () => ({
    status: 401,
    error: { code: "AUTHENTICATION_ERROR", message: "No." },
  }))

  expect(await examined()).toEqual(ill("key_refused"))
})

test("an unreachable server is a finding", async () => {
  await using closed = await FakeApi.start()
  const { baseUrl } = closed
  await closed[Symbol.asyncDispose]()

  expect(await examined("--base-url", baseUrl)).toEqual(ill("server_unreachable"))
})

test("a server that fails is an error, not a finding", async () => {
  api.on("GET /v1/data/pixels", () => ({
    status: 500,
    error: { code: "INTERNAL_ERROR", message: "Something broke." },
  }))

  const { exitCode, stderr } = await footfall(["doctor"], { environment })

  expect(JSON.parse(stderr).error.code).toBe("INTERNAL_ERROR")
  expect(exitCode).toBe(1)
})
