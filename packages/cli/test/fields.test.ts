// `--fields` for lists and single records, in every form.

import { afterEach, beforeEach, expect, test } from "vitest"
import { FakeApi } from "./fixtures/fake-api.ts"
import { footfall } from "./fixtures/footfall.ts"
import { account, apiKey } from "./fixtures/records.ts"

let api: FakeApi
let environment: NodeJS.ProcessEnv

beforeEach(async () => {
  api = await FakeApi.start()
  api.visitorsTotal = 60
  environment = { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey }
  api.on("GET /v1/data/account", () => ({ data: account }))
})

afterEach(() => api[Symbol.asyncDispose]())

const run = (...words: ReadonlyArray<string>) => footfall(words, { environment })

test("a list in JSON has only these fields, and its meta", async () => {
  const { stdout } = await run("visitors", "list", "--fields", "email,emailHashes.md5")

  const { data, meta } = JSON.parse(stdout)
  expect(data).toHaveLength(50)
  expect(data[0]).toEqual({
    email: "jane.mercer@harbor-logistics.example",
    emailHashes: { md5: "72d6f2b9f41ce626e22f9cef1cf84541" },
  })
  expect(meta.total).toBe(60)
})

test("NDJSON and CSV have them in the requested order, on every page", async () => {
  const fields = ["--all", "--fields", "companyName,emails"]
  const csv = await run("visitors", "list", "--output", "csv", ...fields)
  const ndjson = await run("visitors", "list", "--output", "ndjson", ...fields)

  expect(csv.stdout.split("\r\n").slice(0, 2)).toEqual([
    "companyName,emails",
    "Harbor Logistics,jane.mercer@harbor-logistics.example|jane.mercer@mail.example",
  ])
  expect(csv.stdout.trim().split("\r\n")).toHaveLength(61)
  expect(ndjson.stdout.trim().split("\n")).toHaveLength(60)
  expect(ndjson.stdout).toMatch(/^\{"companyName":"Harbor Logistics","emails":\[/)
})

test("a table has one column per field", async () => {
  const { stdout } = await run(
    ...["visitors", "list", "--limit", "1", "--output", "table", "--fields", "email,pageviews"],
  )

  expect(stdout).toMatch(
    /^email +pageviews\n─+ +─+\njane\.mercer@harbor-logistics\.example +\d+\n$/,
  )
})

test("single objects and unpaged lists support them too", async () => {
  const one = await run("account", "--fields", "credits.remaining")
  const whole = await run("pixels", "list", "--fields", "domain,status")

  expect(JSON.parse(one.stdout)).toEqual({
    data: { credits: { remaining: account.credits.remaining } },
  })
  expect(Object.keys(JSON.parse(whole.stdout).data[0])).toEqual(["domain", "status"])
})

test.each([
  [["visitors", "list", "--fields", "nmae"], "Unknown field: nmae"],
  [["visitors", "list", "--fields", "email,"], "has an empty field name"],
  [["account", "--fields", "credit"], "Available: healthy, organization.id,"],
  [["pixels", "list", "--output", "csv", "--fields", "x"], "domain, name, status"],
])("%j is a usage error with nothing on standard output", async (words, message) => {
  const { exitCode, stdout, stderr } = await run(...words)

  expect(stderr).toContain(message)
  expect(stdout).toBe("")
  expect(exitCode).toBe(2)
})
