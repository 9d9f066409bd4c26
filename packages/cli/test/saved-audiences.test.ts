// Saved audiences as a user runs them: the requests, each output format, and errors.

import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { FakeApi } from "./fixtures/fake-api.ts"
import { configDirectory, footfall } from "./fixtures/footfall.ts"
import { audience, freight } from "./fixtures/intent-records.ts"
import { apiKey } from "./fixtures/records.ts"

const all = "/v1/intent/audiences"
const one = `${all}/${audience.id}`
let api: FakeApi
let environment: NodeJS.ProcessEnv

beforeEach(async () => {
  api = await FakeApi.start()
  environment = { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey }
  const meta = { total: 1, limit: 50, offset: 0, hasMore: false, nextCursor: null }
  api.on(`GET ${all}`, () => ({ data: [audience], meta }))
  api.on(`POST ${all}`, () => ({ data: audience }))
  api.on(`GET ${one}`, () => ({ data: audience }))
  api.on(`PATCH ${one}`, () => ({ data: audience }))
  api.on(`DELETE ${one}`, () => ({ data: { deleted: true } }))
  api.on("GET /v1/intent/topics/search", () => ({ data: [freight] }))
})

afterEach(() => api[Symbol.asyncDispose]())

const run = (words: ReadonlyArray<string>, input = "") =>
  footfall(["audiences", ...words], { environment, input })

const sent = (route: string): unknown => JSON.parse(api.seen(route).at(-1)?.body ?? "null")

const refuse = (route: string, status: number, code: string, details: object) =>
  api.on(route, () => ({ status, error: { code, message: "No.", details } }))

describe("list", () => {
  test("prints the audiences, optionally by status, also with a session", async () => {
    environment = { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_ACCESS_TOKEN: "a.b.c" }

    const { exitCode, stdout } = await run(["list", "--status", "active"])

    expect(JSON.parse(stdout)).toMatchObject({ data: [audience], meta: { total: 1 } })
    expect(api.seen(`GET ${all}`)[0]?.url.search).toBe("?status=active")
    expect(exitCode).toBe(0)
  })

  test("prints CSV with a column for each part of the configuration", async () => {
    const { stdout } = await run(["list", "--output", "csv"])

    const [head, row] = stdout.split("\r\n")
    expect(head).toContain("id,name,status,accessType")
    expect(head).toContain("config.topicIds,config.minScore")
    expect(row).toContain(`${audience.id},Warehouse buyers,active,paid,true,1204,`)
    expect(row).toContain(",1204|3377,70,100,1,")
  })

  test("with an unknown status is a usage error", async () => {
    const { exitCode, stderr } = await run(["list", "--status", "gone"])

    expect(stderr).toContain("draft, active, paused")
    expect(exitCode).toBe(2)
  })
})

describe("get", () => {
  test("prints one audience", async () => {
    const { stdout } = await run(["get", audience.id.toUpperCase()])

    expect(JSON.parse(stdout)).toEqual({ data: audience })
  })

  test("with an unknown id or name exits with 5", async () => {
    refuse(`GET ${one}`, 404, "NOT_FOUND", {})

    for (const reference of ["one", audience.id]) {
      const missing = await run(["get", reference])

      expect(missing.exitCode).toBe(5)
      expect(missing.stderr).toContain("To list them: footfall audiences list")
    }
  })
})

describe("create", () => {
  test("sends name and configuration from options", async () => {
    const words = ["--topic", "Freight Visibility", "--min-score", "80", "--seniority", "vp"]

    const { exitCode, stdout } = await run([
      ...["create", "Buyers", "--source", "https://tidewater.example", ...words],
    ])

    expect(sent(`POST ${all}`)).toEqual({
      name: "Buyers",
      config: {
        topicIds: [3377],
        minScore: 80,
        sourceUrl: "https://tidewater.example",
        filters: { seniority: ["vp"] },
      },
    })
    expect(JSON.parse(stdout)).toEqual({ data: audience })
    expect(exitCode).toBe(0)
  })

  test("reads a configuration from a file or standard input, including one copied from another audience", async () => {
    const file = join(configDirectory(), "audience.json")
    writeFileSync(file, JSON.stringify(audience.config))

    await run(["create", "From a file", "--config", file, "--active"])
    expect(sent(`POST ${all}`)).toEqual({
      name: "From a file",
      status: "active",
      config: audience.config,
    })
    await run(["create", "From input", "--config", "-"], '{"topicIds":[1]}')
    expect(sent(`POST ${all}`)).toEqual({ name: "From input", config: { topicIds: [1] } })
  })

  test("without a topic and a segment is a usage error", async () => {
    const { exitCode, stderr } = await run(["create", "Buyers"])

    expect(stderr).toContain("No topic or segment given.")
    expect(api.seen(`POST ${all}`)).toEqual([])
    expect(exitCode).toBe(2)
  })

  test("without a free slot says how to free one", async () => {
    refuse(`POST ${all}`, 403, "SLOTS_FULL", { used: 2, limit: 2 })

    const { exitCode, stderr } = await run(["create", "Buyers", "--topic", "1", "--active"])

    expect(stderr).toContain("Free a slot: footfall audiences pause <id>")
    expect(exitCode).toBe(4)
  })

  test("at the limit says how to make room", async () => {
    refuse(`POST ${all}`, 409, "AUDIENCE_LIMIT_REACHED", { limit: 50 })

    const { exitCode, stderr } = await run(["create", "Buyers", "--topic", "1"])

    expect(stderr).toContain("Delete one first: footfall audiences delete <id>")
    expect(exitCode).toBe(6)
  })
})

describe("update", () => {
  test("changes only the name", async () => {
    await run(["update", audience.id, "--name", "Other"])

    expect(sent(`PATCH ${one}`)).toEqual({ name: "Other" })
    expect(api.seen(`GET ${one}`)).toEqual([])
  })

  test("changes part of the configuration and resends the rest unchanged", async () => {
    await run(["update", audience.id, "--min-score", "80", "--has-phone"])

    const { topics: _, ...config } = audience.config
    expect(sent(`PATCH ${one}`)).toEqual({
      config: { ...config, minScore: 80, filters: { ...config.filters, hasPhone: true } },
    })
  })

  test("takes a segment instead of topics, and topics instead of a segment", async () => {
    const segmentId = "5e65e65e-0000-4000-8000-000000000001"
    const { topics: _, ...config } = audience.config

    await run(["update", audience.id, "--segment", segmentId, "--no-topic"])
    expect(sent(`PATCH ${one}`)).toEqual({ config: { ...config, segmentId, topicIds: [] } })

    await run(["update", audience.id, "--no-segment"])
    expect(sent(`PATCH ${one}`)).toEqual({ config: { ...config, segmentId: null } })
  })

  test("replaces the whole configuration", async () => {
    await run(["update", audience.id, "--config", '{"topicIds":[7]}'])

    expect(sent(`PATCH ${one}`)).toEqual({ config: { topicIds: [7] } })
    expect(api.seen(`GET ${one}`)).toEqual([])
  })

  test("without a change is a usage error", async () => {
    const { exitCode, stderr } = await run(["update", audience.id])

    expect(stderr).toContain("Nothing to update.")
    expect(exitCode).toBe(2)
  })
})

test.each([
  ["activate", "active"],
  ["pause", "paused"],
])("%s sends the status %s, and prints the audience", async (word, status) => {
  const { exitCode, stdout } = await run([word, audience.id])

  expect(sent(`PATCH ${one}`)).toEqual({ status })
  expect(JSON.parse(stdout)).toEqual({ data: audience })
  expect(exitCode).toBe(0)
})

test.each([
  [[], "every day"],
  [audience.config.topicIds, "for every new day of data"],
])("activate of an audience with the topics %j says that it runs %s", async (topicIds, days) => {
  const active = { ...audience, status: "active", config: { ...audience.config, topicIds } }
  api.on(`PATCH ${one}`, () => ({ data: active }))

  const { stdout } = await run(["activate", audience.id, "--output", "table"])

  expect(stdout).toContain(`It runs automatically ${days}.`)
})

test("pausing a draft is a conflict: exit code 6", async () => {
  refuse(`PATCH ${one}`, 409, "INVALID_TRANSITION", { status: "draft", requested: "paused" })

  expect((await run(["pause", audience.id])).exitCode).toBe(6)
})

test("deleting an audience requires confirmation", async () => {
  const unasked = await run(["delete", audience.id])
  const asked = await run(["delete", audience.id, "--yes"])

  expect(unasked.exitCode).toBe(2)
  expect(JSON.parse(asked.stdout).data).toEqual({ id: audience.id, deleted: true })
  expect(api.seen(`DELETE ${one}`)).toHaveLength(1)
})
