// Audiences and destinations by name, and the latest run: what is looked up before a command runs, and what is
// said where a name is nobody's, or of several.

import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { FakeApi } from "./fixtures/fake-api.ts"
import { footfall } from "./fixtures/footfall.ts"
import { run } from "./fixtures/run-records.ts"
import { apiKey } from "./fixtures/records.ts"

const { audienceId } = run
const destinationId = "72c2caee-8b8d-4561-a8f3-fa549b992a9d"
const audiences = "/v1/intent/audiences"
const one = `${audiences}/${audienceId}`
const meta = { total: 1, limit: 100, offset: 0, hasMore: false, nextCursor: null }
let api: FakeApi

beforeEach(async () => {
  api = await FakeApi.start()
  api.on(`GET ${audiences}`, () => ({
    data: [
      { id: "b5a4cbb2-52a0-4a59-8ec5-1d1f2e0b1c33", name: "Twice" },
      { id: audienceId, name: "Freight readers" },
      { id: "0d0b6a33-9d1c-4f0e-8f55-2f3a6bd8e5a1", name: "twice" },
    ],
    meta,
  }))
  api.on(`GET ${one}`, () => ({ data: { id: audienceId, name: "Freight readers" } }))
  api.on(`GET ${one}/runs`, () => ({ data: [run], meta }))
  api.on(`GET ${one}/runs/${run.id}`, () => ({ data: run }))
  api.on(`GET ${one}/destinations`, () => ({
    data: { destinations: [{ id: destinationId, name: "This computer" }], total: 1 },
  }))
  api.on(`GET ${one}/destinations/${destinationId}`, () => ({
    data: { destination: { id: destinationId, name: "This computer" } },
  }))
})

afterEach(() => api[Symbol.asyncDispose]())

const said = (...words: ReadonlyArray<string>) =>
  footfall([...words, "--json"], {
    environment: { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey },
  })

describe("an audience", () => {
  test.each(["Freight readers", "  freight   READERS "])(
    "is found by its name %j",
    async (name) => {
      const { exitCode, stdout } = await said("audiences", "get", name)

      expect(JSON.parse(stdout).data.id).toBe(audienceId)
      expect(exitCode).toBe(0)
    },
  )

  test("by its id costs no request more, in capitals neither", async () => {
    await said("audiences", "get", audienceId.toUpperCase())

    expect(api.seen(`GET ${audiences}`)).toHaveLength(0)
    expect(api.seen(`GET ${one}`)).toHaveLength(1)
  })

  test("of no such name is not found: 5, and what lists them", async () => {
    const { exitCode, stderr } = await said("runs", "list", "Freight")

    expect(JSON.parse(stderr).error).toMatchObject({
      code: "NOT_FOUND",
      message: expect.stringContaining("No audience found with the name Freight."),
    })
    expect(exitCode).toBe(5)
  })

  test("of a name of several is a usage error that gives their ids", async () => {
    const { exitCode, stderr } = await said("audiences", "get", "twice")

    expect(stderr).toContain("2 audiences have the name twice.")
    expect(exitCode).toBe(2)
  })

  test("by name needs credentials: 4", async () => {
    const { exitCode } = await footfall(["audiences", "get", "Freight readers"], {
      environment: { FOOTFALL_BASE_URL: api.baseUrl },
    })

    expect(exitCode).toBe(4)
  })
})

describe("`latest`", () => {
  test("is the newest completed run of the audience, which may be named", async () => {
    const { stdout } = await said("runs", "get", "Freight readers", "latest")

    expect(JSON.parse(stdout).data.id).toBe(run.id)
    expect(api.seen(`GET ${one}/runs`)[0]?.url.searchParams.get("status")).toBe("completed")
  })

  test("of an audience whose runs have not completed is not found: 5", async () => {
    api.on(`GET ${one}/runs`, () => ({ data: [], meta }))

    const { exitCode, stderr } = await said("runs", "get", audienceId, "latest")

    expect(stderr).toContain("This audience has no completed run.")
    expect(exitCode).toBe(5)
  })
})

describe("a destination", () => {
  test("is found by its name, in an audience by its own", async () => {
    const { stdout } = await said("destinations", "get", "Freight readers", "this computer")

    expect(JSON.parse(stdout).data.id).toBe(destinationId)
  })

  test("of no such name is not found: 5", async () => {
    const { exitCode, stderr } = await said("destinations", "get", audienceId, "CRM")

    expect(stderr).toContain("No destination found with the name CRM.")
    expect(exitCode).toBe(5)
  })
})
