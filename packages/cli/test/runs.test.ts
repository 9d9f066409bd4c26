// Runs as a user runs them: the requests, each output format, waiting, and errors.

import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { FakeApi } from "./fixtures/fake-api.ts"
import { footfall } from "./fixtures/footfall.ts"
import { run, runResult, runStatistics } from "./fixtures/run-records.ts"
import { apiKey } from "./fixtures/records.ts"

const all = `/v1/intent/audiences/${run.audienceId}/runs`
const one = `${all}/${run.id}`
let api: FakeApi

beforeEach(async () => {
  api = await FakeApi.start()
  const meta = { total: 1, limit: 25, offset: 0, hasMore: false, nextCursor: null }
  api.on(`POST ${all}`, () => ({ data: { ...run, status: "queued" } }))
  api.on(`GET ${all}`, () => ({ data: [run], meta }))
  api.on(`GET ${one}`, () => ({ data: run }))
  api.on(`DELETE ${one}`, () => ({ data: { ...run, status: "cancelled" } }))
  api.on(`GET ${one}/stats`, () => ({ data: { run, stats: runStatistics } }))
  api.on(`GET ${one}/results`, () => ({
    data: { run, results: [runResult], total: 1, limit: 50, offset: 0 },
    meta: { hasMore: false, nextCursor: null },
  }))
})

afterEach(() => api[Symbol.asyncDispose]())

const runs = (...words: ReadonlyArray<string>) =>
  footfall(["runs", ...words], {
    environment: { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey },
  })

describe("start", () => {
  test("waits for the run to finish, and prints it", async () => {
    const states = ["queued", "running", "completed"]
    api.on(`GET ${one}`, () => ({ data: { ...run, status: states.shift() } }))

    const { exitCode, stdout } = await runs("start", run.audienceId, "--idempotency-key", "first")

    expect(JSON.parse(stdout)).toMatchObject({ data: { id: run.id, status: "completed" } })
    expect(api.seen(`POST ${all}`)[0]?.headers["idempotency-key"]).toBe("first")
    expect(api.seen(`GET ${one}`)).toHaveLength(3)
    expect(exitCode).toBe(0)
  })

  test("with --no-wait sends no further request", async () => {
    const { stdout } = await runs("start", run.audienceId, "--no-wait")

    expect(JSON.parse(stdout)).toMatchObject({ data: { status: "queued" } })
    expect(api.seen(`GET ${one}`)).toHaveLength(0)
  })

  test.each(["failed", "cancelled"])("exits with 1 if the run %s", async (status) => {
    api.on(`GET ${one}`, () => ({ data: { ...run, status } }))

    const { exitCode, stdout } = await runs("start", run.audienceId)

    expect(JSON.parse(stdout)).toMatchObject({ data: { status } })
    expect(exitCode).toBe(1)
  })

  test("exits with 6 while another run is in progress", async () => {
    const details = { status: "running", runId: "r" }
    api.on(`POST ${all}`, () => ({
      status: 409,
      error: { code: "RUN_IN_PROGRESS", message: "No.", details },
    }))

    const { exitCode, stderr } = await runs("start", run.audienceId)

    expect(stderr).toContain("RUN_IN_PROGRESS")
    expect(exitCode).toBe(6)
  })
})

test("list prints the runs, optionally by status, and as CSV", async () => {
  const json = await runs("list", run.audienceId, "--status", "completed")
  const csv = await runs("list", run.audienceId, "--output", "csv")

  expect(JSON.parse(json.stdout)).toMatchObject({ data: [run], meta: { total: 1 } })
  expect(api.seen(`GET ${all}`)[0]?.url.search).toBe("?status=completed")
  expect(csv.stdout.split("\r\n")[1]).toMatch(`${run.id},completed,manual,2026-03-10,3,2,1,`)
})

test("get and cancel print the run; canceling a run that is not queued exits with 6", async () => {
  const got = await runs("get", run.audienceId, run.id.toUpperCase())
  const cancelled = await runs("cancel", run.audienceId, run.id)
  api.on(`DELETE ${one}`, () => ({
    status: 409,
    error: { code: "RUN_NOT_QUEUED", message: "No.", details: { status: "running" } },
  }))
  const refused = await runs("cancel", run.audienceId, run.id)

  expect(JSON.parse(got.stdout)).toEqual({ data: run })
  expect(JSON.parse(cancelled.stdout)).toMatchObject({ data: { status: "cancelled" } })
  expect(refused.exitCode).toBe(6)
})

test("stats prints the figures with their run", async () => {
  const { stdout } = await runs("stats", run.audienceId, run.id)

  expect(JSON.parse(stdout)).toEqual({ data: { run, stats: runStatistics } })
})

describe("results", () => {
  test("prints the people, or says that there are none yet", async () => {
    const { stdout } = await runs("results", run.audienceId, run.id)
    expect(JSON.parse(stdout)).toMatchObject({ data: [runResult], meta: { total: 1, run } })

    const pending = { ...run, status: "running" }
    api.on(`GET ${one}/results`, () => ({
      data: { run: pending, state: "running", results: [], total: 0, limit: 50, offset: 0 },
      meta: { hasMore: false, nextCursor: null },
    }))
    const early = await runs("results", run.audienceId, run.id)

    expect(early.stderr).toBe("warning: The run is running; there are no people yet.\n")
    expect(early.exitCode).toBe(0)
  })

  test("in CSV, topics are names in one cell", async () => {
    const { stdout } = await runs("results", run.audienceId, run.id, "--output", "csv")

    const [head, row] = stdout.split("\r\n")
    expect(head).toMatch(/^hashedEmail,firstName,.*,intent\.score,intent\.topicOverlap,/)
    expect(row).toMatch(/,91,2,Warehouse Management Software\|Freight Visibility$/)
  })
})

test("anything but a run's id or `latest` is a usage error", async () => {
  const { exitCode, stderr } = await runs("get", run.audienceId, "one")

  expect(stderr).toContain("Expected the id of a run, or `latest`.")
  expect(exitCode).toBe(2)
})
