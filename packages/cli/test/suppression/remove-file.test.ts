// `suppression remove --file` as a user runs it: what it removes, what it refuses, and how it ends. The server's package
// tests it against the real server.

import type { FileImportPlan } from "@footfall/sdk"
import { readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { FakeApi, sendError } from "../fixtures/fake-api.ts"
import { configDirectory, footfall } from "../fixtures/footfall.ts"
import { apiKey } from "../fixtures/records.ts"
import {
  applied,
  dropRoute,
  importPlan,
  planRoute,
  planWithRejected,
  serveImports,
} from "../fixtures/rule-imports.ts"

let api: FakeApi
let directory: string
let plan: FileImportPlan

beforeEach(async () => {
  api = await FakeApi.start()
  directory = configDirectory()
  plan = removal(2)
  serveImports(api, () => plan)
})

afterEach(() => api[Symbol.asyncDispose]())

/** Of a file with two rules. */
const removal = (removed: number, more: Partial<FileImportPlan> = {}) =>
  importPlan({ mode: "remove", new: 0, present: removed, removed, ...more })

const run = (content: string, ...words: ReadonlyArray<string>) => {
  writeFileSync(join(directory, "left.csv"), content)
  return footfall(["suppression", "remove", "--file", join(directory, "left.csv"), ...words], {
    environment: { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey },
  })
}

test("removes every rule in the file at once, and says how many were not found", async () => {
  plan = removal(1)

  const { exitCode, stdout } = await run("Name;E-Mail\nx;a@a.example\n", "--yes")

  expect(api.seen(planRoute)[0]?.body).toBe("Name;E-Mail\nx;a@a.example\n")
  expect(api.seen(planRoute)[0]?.url.searchParams.get("mode")).toBe("remove")
  expect(applied(api)).toMatchObject([{ allowRemovals: 1 }])
  expect(JSON.parse(stdout).data).toMatchObject({ deleted: 1, missing: 1, total: 5, rules: 2 })
  expect(exitCode).toBe(0)
})

test("asks and removes nothing if no rule is on the list", async () => {
  plan = removal(0)

  const { exitCode, stdout } = await run("a.example\n", "--yes")

  expect(JSON.parse(stdout).data).toMatchObject({ deleted: 0, missing: 2, total: 3 })
  expect([exitCode, applied(api).length, api.seen(dropRoute).length]).toEqual([0, 0, 1])
})

test("lists invalid rows with their lines, removes the others, and exits with 3", async () => {
  const { rejected, rejectedByReason, rejectedRows } = planWithRejected
  plan = removal(2, { rejected: rejected + 1, rejectedByReason, rejectedRows })

  const { exitCode, stderr } = await run("a.example\nb.example\nbad_\n?\n", "--yes")

  expect(stderr).toMatch(/left\.csv line 3: not a host name: "bad_"\nand 1 more row\n$/)
  expect(readdirSync(directory)).toEqual(["left.csv"])
  expect([exitCode, applied(api).length]).toEqual([3, 1])
})

test("names the type of a row if it is unknown, and standard input as what it is", async () => {
  const rejectedRows = [
    { file: 0, line: 2, type: "color", value: "red", reason: "invalid_type" as const },
  ]
  plan = removal(1, { rejected: 1, rejectedRows })

  const { stderr } = await footfall(["suppression", "remove", "--file", "-", "--yes"], {
    environment: { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey },
    input: "domain,a.example\ncolor,red\n",
  })

  expect(stderr).toBe('standard input line 2: unknown rule type: "color"\n')
})

test("a file with only rejected rows removes nothing and exits with 1", async () => {
  plan = removal(0, { rules: 0, rejected: 1, rejectedRows: planWithRejected.rejectedRows })

  const { exitCode } = await run("co.uk\n", "--yes")

  expect([exitCode, applied(api).length]).toEqual([1, 0])
})

describe("nothing is removed", () => {
  test.each([
    ["without a terminal and --yes", [], removal(2), "this is not a terminal"],
    [
      "for more than half of a list of over 100 rules",
      ["--yes"],
      removal(51, { guard: { reason: "most", removals: 51, present: 101 } }),
      "--allow-removals 51",
    ],
    [
      "for more than is allowed",
      ["--yes", "--allow-removals", "1"],
      removal(2),
      "--allow-removals is 1",
    ],
    ["if values are given too", ["b.example", "--yes"], removal(2), "not both"],
  ])("%s", async (_what, words, of, message) => {
    plan = of

    const { exitCode, stderr } = await run("a.example\nb.example\n", ...words)

    expect(stderr).toContain(message)
    expect([exitCode, applied(api).length]).toEqual([2, 0])
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
