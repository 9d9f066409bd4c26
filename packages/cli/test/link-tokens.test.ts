// Tokens for mail links as a user creates them: how people are named, each output format, and errors before anything is
// sent.

import { afterEach, beforeEach, expect, test } from "vitest"
import { FakeApi } from "./fixtures/fake-api.ts"
import { footfall } from "./fixtures/footfall.ts"
import { apiKey } from "./fixtures/records.ts"

const route = "POST /v1/data/link-tokens"
const hash = "930ddda806d63038cb481e4c43e2c0a5a0d3aa0698d51b2aab83dd91808dd0f9"
const expiresAt = "2026-06-09T09:00:00.000Z"
const batch = {
  tokens: [
    { emailHash: "a".repeat(64), token: "t0k".repeat(50) },
    { emailHash: hash, token: "T1k".repeat(50) },
  ],
  expiresAt,
}
let api: FakeApi

beforeEach(async () => {
  api = await FakeApi.start()
  api.on(route, () => ({ data: batch }))
})

afterEach(() => api[Symbol.asyncDispose]())

const create = (words: ReadonlyArray<string>, input = "") =>
  footfall(["link-tokens", "create", ...words], {
    input,
    environment: { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey },
  })

const sent = () => api.seen(route).map(({ body }) => JSON.parse(body))

test("accepts addresses and hashes, and prints the response", async () => {
  const { exitCode, stdout } = await create(["jane@acme.example", hash])

  expect(sent()).toEqual([{ people: [{ email: "jane@acme.example" }, { emailHash: hash }] }])
  expect(JSON.parse(stdout)).toEqual({ data: batch })
  expect(exitCode).toBe(0)
})

test("`-` reads them from standard input, and CSV and NDJSON pair each token with its person", async () => {
  const people = `jane@acme.example\r\n\n${hash}\n`
  const csv = await create(["-", "--expires-in-days", "30", "--output", "csv"], people)
  const ndjson = await create(["-", "--output", "ndjson", "--fields", "person,token"], people)

  expect(sent()[0]).toEqual({
    people: [{ email: "jane@acme.example" }, { emailHash: hash }],
    expiresInDays: 30,
  })
  expect(csv.stdout.split("\r\n")).toEqual([
    "person,emailHash,token,expiresAt",
    `jane@acme.example,${"a".repeat(64)},${"t0k".repeat(50)},${expiresAt}`,
    `${hash},${hash},${"T1k".repeat(50)},${expiresAt}`,
    "",
  ])
  expect(JSON.parse(ndjson.stdout.split("\n")[0] ?? "")).toEqual({
    person: "jane@acme.example",
    token: "t0k".repeat(50),
  })
})

test("on a terminal each token is on its own line, in full, with its expiry time", async () => {
  const { stdout } = await create(["jane@acme.example", hash, "--output", "table"])

  expect(stdout.split("\n").slice(0, 2)).toEqual([
    "jane@acme.example",
    `  ?_vid=${"t0k".repeat(50)}`,
  ])
  expect(stdout).toContain("Expires 2026-06-09 09:00.\n")
})

test.each([
  [[], "", "Missing required argument"],
  [["-"], "\n", "No value given."],
  [["-"], "a@b.example\n".repeat(1_001), "At most 1,000 people at a time."],
  [["-"], "a".repeat(300_000), "At most 1,000 people at a time."],
  [["-", "--api-key-stdin"], "", "Can't read both"],
  [["a@b.example", "--expires-in-days", "366"], "", "Expected a whole number from 1 to 365."],
])("%j is a usage error, and nothing is sent", async (words, input, message) => {
  const { exitCode, stdout, stderr } = await create(words, input)

  expect(stderr).toContain(message)
  expect(stdout).toBe("")
  expect(exitCode).toBe(2)
  expect(sent()).toEqual([])
})

test("an invalid address that the server rejects is named in the error", async () => {
  const issues = [{ path: "people.1.email", code: "format", message: "Expected an email address." }]
  api.on(route, () => ({
    status: 400,
    error: { code: "VALIDATION_ERROR", message: "Invalid.", details: { issues } },
  }))

  const { exitCode, stderr } = await create(["jane@acme.example", "jane"])

  expect(stderr).toContain("people.1.email: Expected an email address.")
  expect(exitCode).toBe(1)
})
