// Lists on the command line: what is sent, what is printed, and exit codes.

import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { FakeApi } from "./fixtures/fake-api.ts"
import { footfall } from "./fixtures/footfall.ts"
import { apiKey } from "./fixtures/records.ts"

const id = "7c0d5b8e-2f4a-4c61-9e3b-5a8d1c7f2e90"
const at = "2026-03-11T09:00:00.000Z"
const list = {
  id,
  organizationId: "3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f",
  name: "Target accounts",
  subject: "companies",
  size: 3,
  createdAt: at,
  updatedAt: at,
}
const written = { added: 2, present: 1, removed: 0, rejectedCount: 0, rejected: [], size: 3 }
const members = `/v1/data/lists/${id}/members`
let api: FakeApi

beforeEach(async () => {
  api = await FakeApi.start()
  const meta = { total: 1, limit: 50, offset: 0, hasMore: false, nextCursor: null }
  api.on("GET /v1/data/lists", () => ({ data: [list], meta }))
  api.on("POST /v1/data/lists", () => ({ data: { ...list, size: 0 } }))
  api.on(`GET /v1/data/lists/${id}`, () => ({ data: list }))
  api.on(`PATCH /v1/data/lists/${id}`, () => ({ data: { ...list, name: "Targets" } }))
  api.on(`DELETE /v1/data/lists/${id}`, () => ({ data: { deleted: true } }))
  api.on(`POST ${members}`, () => ({ data: written }))
  api.on(`PUT ${members}`, () => ({ data: { ...written, removed: 4 } }))
  api.on(`DELETE ${members}`, () => ({ data: { removed: 1, size: 2 } }))
})

afterEach(() => api[Symbol.asyncDispose]())

const run = (words: ReadonlyArray<string>, input = "") =>
  footfall(["lists", ...words], {
    input,
    environment: { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey },
  })
const sent = (route: string) => api.seen(route).map(({ body }) => JSON.parse(body))

describe("create", () => {
  test("makes a list of companies and adds the values", async () => {
    const { exitCode, stdout } = await run(["create", "Target accounts", "acme.com", "globex.com"])

    expect(sent("POST /v1/data/lists")).toEqual([{ name: "Target accounts", subject: "companies" }])
    expect(sent(`POST ${members}`)).toEqual([{ values: ["acme.com", "globex.com"] }])
    expect(JSON.parse(stdout).data).toMatchObject({ id, size: 3, written })
    expect(exitCode).toBe(0)
  })

  test("without values adds none, and `--of people` makes a list of people", async () => {
    await run(["create", "Event guests", "--of", "people"])

    expect(sent("POST /v1/data/lists")).toEqual([{ name: "Event guests", subject: "people" }])
    expect(sent(`POST ${members}`)).toEqual([])
  })
})

describe("values", () => {
  test("are added from standard input, one per line, to a list known by its name", async () => {
    const { exitCode } = await run(["add", "target accounts", "-"], "acme.com\r\n\n globex.com \n")

    expect(sent(`POST ${members}`)).toEqual([{ values: ["acme.com", "globex.com"] }])
    expect(exitCode).toBe(0)
  })

  test("that are rejected are in the output: exit code 3 if others were stored, else 1", async () => {
    const rejected = [{ index: 0, value: "co.uk", reason: "public_suffix" }]
    api.on(`POST ${members}`, () => ({ data: { ...written, rejectedCount: 1, rejected } }))
    const partly = await run(["add", id, "co.uk", "acme.com"])
    api.on(`POST ${members}`, () => ({
      data: { ...written, added: 0, present: 0, rejectedCount: 1, rejected },
    }))
    const none = await run(["add", id, "co.uk"])

    expect(JSON.parse(partly.stdout).data.rejected).toEqual(rejected)
    expect([partly.exitCode, none.exitCode]).toEqual([3, 1])
  })

  test("beyond 25,000 are refused before anything is sent", async () => {
    const lines = Array.from({ length: 25_001 }, (_, n) => `company${n}.example`).join("\n")

    const { exitCode, stderr } = await run(["add", id, "-"], lines)

    expect(stderr).toContain("at most 25,000 values")
    expect(sent(`POST ${members}`)).toEqual([])
    expect(exitCode).toBe(2)
  })

  test("are removed, and what is left is printed", async () => {
    const { stdout } = await run(["remove", id, "acme.com"])

    expect(sent(`DELETE ${members}`)).toEqual([{ values: ["acme.com"] }])
    expect(JSON.parse(stdout).data).toEqual({ removed: 1, size: 2 })
  })

  test("are listed by value, and `--contains` is a search", async () => {
    const meta = { limit: 500, hasMore: false, nextCursor: null }
    api.on(`GET ${members}`, () => ({ data: [{ value: "acme.com", addedAt: at }], meta }))

    const { stdout } = await run(["values", id, "--contains", "acme", "--output", "csv"])

    expect(stdout).toBe(`value,addedAt\r\nacme.com,${at}\r\n`)
    expect(api.seen(`GET ${members}`)[0]?.url.search).toContain("q=acme")
  })
})

describe("a command that could destroy data", () => {
  test("replace refuses without --yes where no one can be asked, and sends nothing", async () => {
    const refused = await run(["replace", id, "acme.com"])
    const replaced = await run(["replace", id, "acme.com", "--yes"])

    expect(refused.stderr).toContain("The 3 values of Target accounts will be replaced by 1.")
    expect(refused.exitCode).toBe(2)
    expect(sent(`PUT ${members}`)).toEqual([{ values: ["acme.com"] }])
    expect(replaced.exitCode).toBe(0)
  })

  test("delete refuses without --yes, and says which segments test the list", async () => {
    const refused = await run(["delete", id])
    expect(refused.exitCode).toBe(2)
    expect(api.seen(`DELETE /v1/data/lists/${id}`)).toEqual([])

    expect((await run(["delete", id, "--yes"])).exitCode).toBe(0)
  })
})

test("rename sends the new name", async () => {
  const { stdout } = await run(["rename", id, "Targets"])

  expect(sent(`PATCH /v1/data/lists/${id}`)).toEqual([{ name: "Targets" }])
  expect(JSON.parse(stdout).data.name).toBe("Targets")
})
