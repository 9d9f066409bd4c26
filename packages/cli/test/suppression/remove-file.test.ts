// `suppression remove --file` as a user runs it: what it removes, what it rejects before it sends
// anything, and how it ends. The server's package tests it against the real server.

import { readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { FakeApi, sendError } from "../fixtures/fake-api.ts"
import { configDirectory, footfall } from "../fixtures/footfall.ts"
import { apiKey } from "../fixtures/records.ts"

const removeRoute = "DELETE /v1/data/suppression-rules"

let api: FakeApi
let directory: string

beforeEach(async () => {
  api = await FakeApi.start()
  directory = configDirectory()
  api.on(removeRoute, ({ body }) => ({
    data: { deleted: JSON.parse(body).rules.length, total: 7 },
  }))
  present(3)
})

afterEach(() => api[Symbol.asyncDispose]())

/** The list has this many rules. */
const present = (total: number): void =>
  api.on("GET /v1/data/suppression-rules", () => ({
    data: {
      ...{ rules: [], counts: { email: total, domain: 0, company_domain: 0, industry: 0 } },
      ...{ total, filteredTotal: total, limit: 1, offset: 0, hasMore: false },
    },
    meta: { hasMore: false, nextCursor: null },
  }))

const run = (content: string, ...words: ReadonlyArray<string>) => {
  writeFileSync(join(directory, "left.csv"), content)
  return footfall(["suppression", "remove", "--file", join(directory, "left.csv"), ...words], {
    environment: { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey },
  })
}

/** The rules of each request. */
const sent = (): ReadonlyArray<ReadonlyArray<{ type: string; value: string }>> =>
  api.seen(removeRoute).map(({ body }) => JSON.parse(body).rules)

test("removes every rule in the file, 25,000 per request", async () => {
  const rows = Array.from({ length: 25_001 }, (_, index) => `p${index}@a.example`)

  const { exitCode, stdout } = await run(
    `Name;E-Mail\n${rows.map((row) => `x;${row}\n`).join("")}`,
    "--yes",
  )

  expect(sent().map((rules) => rules.length)).toEqual([25_000, 1])
  expect(sent()[1]).toEqual([{ type: "email", value: "p25000@a.example" }])
  expect(JSON.parse(stdout).data).toMatchObject({ deleted: 25_001, missing: 0, rules: 25_001 })
  expect(exitCode).toBe(0)
})

test("lists invalid rows with their lines, removes the others, and exits with 3", async () => {
  const { exitCode, stderr } = await run("a.example\nco.uk\n\nbad_\n", "--type", "domain", "--yes")

  expect(sent()).toEqual([[{ type: "domain", value: "a.example" }]])
  expect(stderr).toMatch(
    /left\.csv line 2: a public suffix.*: "co\.uk"\n.*left\.csv line 4: not a host name: "bad_"\n$/,
  )
  expect(readdirSync(directory).filter((name) => name.startsWith("left."))).toEqual(["left.csv"])
  expect(exitCode).toBe(3)
})

test("a file with only rejected rows removes nothing and exits with 1", async () => {
  const { exitCode } = await run("co.uk\n", "--type", "domain", "--yes")

  expect(sent()).toEqual([])
  expect(exitCode).toBe(1)
})

describe("nothing is sent", () => {
  test.each([
    ["without a terminal and --yes", "a.example\n", [], 3, "this is not a terminal"],
    ["if the type of the values is unclear", "robotics\n", ["--yes"], 3, "Can't tell the type"],
    [
      "for more than half of a list of over 100 rules",
      Array.from({ length: 51 }, (_, index) => `d${index}.example`).join("\n"),
      ["--yes"],
      101,
      "--allow-removals 51",
    ],
    [
      "for more than is allowed",
      "a.example\nb.example\n",
      ["--yes", "--allow-removals", "1"],
      3,
      "--allow-removals is 1",
    ],
    ["if values are given too", "a.example\n", ["b.example", "--yes"], 3, "not both"],
  ])("%s", async (_what, content, words, count, message) => {
    present(count)

    const { exitCode, stderr } = await run(content, ...words)

    expect(stderr).toContain(message)
    expect(sent()).toEqual([])
    expect(exitCode).toBe(2)
  })
})

test("more than 25,000 values on standard input suggest --file and apply", async () => {
  const { exitCode, stderr } = await footfall(
    ["suppression", "remove", "--type", "email", "-", "--yes"],
    {
      environment: { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey },
      input: "a@a.example\n".repeat(25_001),
    },
  )

  expect(stderr).toContain("footfall suppression remove --file")
  expect(stderr).toContain("footfall suppression apply")
  expect(exitCode).toBe(2)
})

test("a command without progress reports how long it waits for the rate limit", async () => {
  api.on("POST /v1/data/suppression-rules", () => ({
    data: { added: 1, removed: 0, duplicates: 0, rejectedCount: 0, rejected: [], total: 1 },
  }))
  let refusals = 0
  api.answer = (request, response) => {
    if (refusals > 0) return api.answerAsUsual(request, response)
    refusals += 1
    response.setHeader("retry-after", "1")
    sendError(response, 429, { code: "RATE_LIMITED", message: "Too many requests" })
  }

  const { exitCode, stderr } = await footfall(["suppression", "add", "domain", "a.example"], {
    environment: { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey },
  })

  expect(stderr).toMatch(/^Rate limit reached: continuing in [12]s\.\n$/)
  expect(exitCode).toBe(0)
})
