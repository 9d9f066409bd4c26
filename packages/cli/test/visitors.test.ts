// The visitor and pixel commands as a user runs them, against a real HTTP server: the requests, the output, and the
// errors.

import { once } from "node:events"
import { spawn } from "node:child_process"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { FakeApi } from "./fixtures/fake-api.ts"
import { footfall, footfallPath, isolated } from "./fixtures/footfall.ts"
import { apiKey, jane, pixel, visitorWithJourney } from "./fixtures/records.ts"

let api: FakeApi
let environment: NodeJS.ProcessEnv

beforeEach(async () => {
  api = await FakeApi.start()
  environment = { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey }
})

afterEach(() => api[Symbol.asyncDispose]())

const queries = (): ReadonlyArray<string> => api.requests.map(({ url }) => url.search)

describe("visitors list", () => {
  test("prints the API's response as one JSON document, because the output is a pipe", async () => {
    const { exitCode, stdout, stderr } = await footfall(["visitors", "list"], { environment })

    const { data, meta } = JSON.parse(stdout)
    expect(data).toEqual([{ ...jane, emailHash: "0".repeat(64) }])
    expect(meta).toMatchObject({ page: 1, hasMore: false, nextCursor: null, total: 1 })
    expect(meta.request_id).toBe("req_0123456789abcdefghijklmnop")
    expect(stderr).toBe("")
    expect(exitCode).toBe(0)
  })

  test("sends the key in a header, and the endpoint's defaults", async () => {
    await footfall(["visitors", "list"], { environment })

    expect(queries()).toEqual(["?timeframe=7d&suppressed=exclude"])
    expect(api.requests[0]?.headers["x-api-key"]).toBe(apiKey)
  })

  test("sends window, scope, filter and page", async () => {
    const words = ["--timeframe", "30d", "--suppressed", "only", "--page", "2"]

    await footfall(["visitors", "list", ...words, "--domain", "a.example"], { environment })
    await footfall(["visitors", "list", ...words, "--pixel", pixel.id.toUpperCase()], {
      environment,
    })

    const asked = api.requests.map(({ url }) => Object.fromEntries(url.searchParams))
    const question = { timeframe: "30d", suppressed: "only", page: "2" }
    expect(asked).toEqual([
      { ...question, domain: "a.example" },
      { ...question, pixelId: pixel.id },
    ])
  })

  test("sends days instead of the default window, and not both", async () => {
    const days = ["--from", "2026-03-01", "--to", "2026-03-31"]

    await footfall(["visitors", "list", ...days], { environment })
    const both = await footfall(["visitors", "list", ...days, "--timeframe", "7d"], { environment })

    expect(queries()).toEqual(["?from=2026-03-01&to=2026-03-31&suppressed=exclude"])
    expect(both.exitCode).toBe(2)
    expect(both.stderr).toContain("--timeframe")
  })

  test("reads one page by default", async () => {
    api.visitorsTotal = 120

    const { stdout } = await footfall(["visitors", "list"], { environment })

    expect(JSON.parse(stdout).data).toHaveLength(50)
    expect(JSON.parse(stdout).meta).toMatchObject({ hasMore: true, nextCursor: "2" })
    expect(api.requests).toHaveLength(1)
  })

  test("reads every page with --all", async () => {
    api.visitorsTotal = 120

    const { stdout } = await footfall(["visitors", "list", "--all"], { environment })

    expect(JSON.parse(stdout).data).toHaveLength(120)
    expect(JSON.parse(stdout).meta).toMatchObject({ page: 1, hasMore: false, nextCursor: null })
    expect(api.requests).toHaveLength(3)
  })

  test.each([
    { limit: 49, requests: 1, hasMore: true },
    { limit: 50, requests: 1, hasMore: true },
    { limit: 51, requests: 2, hasMore: true },
    { limit: 100, requests: 2, hasMore: false },
    { limit: 101, requests: 2, hasMore: false },
  ])("stops at --limit $limit of 100 after $requests requests", async (expected) => {
    api.visitorsTotal = 100

    const words = ["visitors", "list", "--limit", String(expected.limit)]
    const { stdout } = await footfall(words, { environment })

    expect(JSON.parse(stdout).data).toHaveLength(Math.min(expected.limit, 100))
    expect(JSON.parse(stdout).meta.hasMore).toBe(expected.hasMore)
    expect(api.requests).toHaveLength(expected.requests)
  })

  test("prints NDJSON with one row per line", async () => {
    api.visitorsTotal = 60

    const words = ["visitors", "list", "--all", "--output", "ndjson"]
    const { stdout } = await footfall(words, { environment })

    const lines = stdout.trimEnd().split("\n")
    expect(lines).toHaveLength(60)
    expect(JSON.parse(lines[0] ?? "").email).toBe(jane.email)
  })

  test("prints CSV with a header and the fields of spec 2.1", async () => {
    const words = ["visitors", "list", "--output", "csv"]
    const { stdout } = await footfall(words, { environment })

    const [header, row, end] = stdout.split("\r\n")
    expect(header).toMatch(
      /^email,emailHash,emailHashes\.sha256,.*,suppressed,score\.total,score\.fit,score\.interest,score\.hot,score\.top\.code,owner\.id,owner\.name,owner\.email,tags$/,
    )
    expect(row).toContain("jane.mercer@harbor-logistics.example|jane.mercer@mail.example")
    expect(row).toContain(`,'+14155550134,`)
    expect(end).toBe("")
  })

  test("prints a table without color to a pipe with --output table", async () => {
    const words = ["visitors", "list", "--output", "table"]
    const { stdout } = await footfall(words, { environment })

    expect(stdout).toContain("Jane Mercer")
    expect(stdout).toContain("1 visitor in the last 7 days")
    expect(stdout).not.toContain("\u001B")
  })

  test("succeeds silently if the reader closes the pipe", async () => {
    api.visitorsTotal = 5_000
    const child = spawn(
      process.execPath,
      [footfallPath, "visitors", "list", "--all", "--output", "ndjson"],
      { env: isolated(environment) },
    )
    let stderr = ""
    child.stderr.on("data", (chunk) => (stderr += chunk))

    await once(child.stdout, "data")
    child.stdout.destroy()
    const [exitCode] = await once(child, "close")

    expect(stderr).toBe("")
    expect(exitCode).toBe(0)
  })

  test("exits with 130 on Ctrl-C", async () => {
    const asked = Promise.withResolvers<void>()
    api.answer = () => asked.resolve()
    const child = spawn(process.execPath, [footfallPath, "visitors", "list"], {
      env: isolated(environment),
    })

    await asked.promise
    child.kill("SIGINT")

    expect(await once(child, "close")).toEqual([130, null])
  })
})

describe("visitors get", () => {
  test("searches the whole history", async () => {
    const { stdout } = await footfall(["visitors", "get", "jane@x.example"], { environment })

    expect(queries()).toEqual(["?email=jane%40x.example&timeframe=all&suppressed=include"])
    expect(JSON.parse(stdout)).toEqual({ data: visitorWithJourney })
  })

  test("rejects an invalid address before sending a request", async () => {
    const { exitCode, stderr } = await footfall(["visitors", "get", "jane"], { environment })

    expect(JSON.parse(stderr).error.message).toContain("Expected an email address.")
    expect(exitCode).toBe(2)
    expect(api.requests).toEqual([])
  })
})

describe("pixels list", () => {
  test.each([
    ["json", (text: string) => JSON.parse(text).data],
    ["ndjson", (text: string) => [JSON.parse(text)]],
  ] as const)("prints every pixel as %s", async (format, read) => {
    const words = ["pixels", "list", "--output", format]
    const { exitCode, stdout } = await footfall(words, { environment })

    expect(read(stdout)).toEqual([pixel])
    expect(exitCode).toBe(0)
  })

  test("prints CSV with the settings in one cell", async () => {
    const { stdout } = await footfall(["pixels", "list", "--output", "csv"], { environment })

    expect(stdout).toContain(`${pixel.id},tidewater.example,Tidewater,active,,,,"{""consent"":null`)
  })
})
