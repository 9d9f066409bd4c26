// Exports as a user creates them, lists them and gets a link: the requests, the output, and the errors.

import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { FakeApi } from "./fixtures/fake-api.ts"
import { footfall } from "./fixtures/footfall.ts"
import { apiKey } from "./fixtures/records.ts"
import { exportBegun, exportWithLink, run, runExport } from "./fixtures/run-records.ts"

const runs = `/v1/intent/audiences/${run.audienceId}/runs`
const all = `${runs}/${run.id}/exports`
const one = `${all}/${runExport.id}`
const ofRun = [run.audienceId, run.id]
let api: FakeApi

beforeEach(async () => {
  api = await FakeApi.start()
  const meta = { total: 1, limit: 25, offset: 0, hasMore: false, nextCursor: null }
  api.on(`GET ${runs}`, () => ({ data: [run], meta }))
  api.on(`GET ${all}`, () => ({ data: [runExport], meta }))
  api.on(`POST ${all}`, () => ({ data: exportWithLink }))
  api.on(`GET ${one}`, () => ({ data: exportWithLink }))
})

afterEach(() => api[Symbol.asyncDispose]())

const exports = (...words: ReadonlyArray<string>) =>
  footfall(["exports", ...words], {
    environment: { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey },
  })

test("list prints the exports as JSON, as CSV and as a table", async () => {
  const json = await exports("list", ...ofRun)
  const csv = await exports("list", ...ofRun, "--output", "csv")
  const table = await exports("list", ...ofRun, "--output", "table")

  expect(JSON.parse(json.stdout)).toMatchObject({ data: [runExport], meta: { total: 1 } })
  expect(csv.stdout.split("\r\n")[1]).toMatch(
    `${runExport.id},csv,completed,text/csv; charset=utf-8,1536,2,freight-readers-2026-03-10.csv,`,
  )
  expect(table.stdout).toContain(runExport.id)
  expect(table.stdout).toContain("1 export\n")
})

test("list accepts `latest` as the run, and says how to create the first export", async () => {
  api.on(`GET ${all}`, () => ({
    data: [],
    meta: { total: 0, limit: 25, offset: 0, hasMore: false, nextCursor: null },
  }))

  const { stdout } = await exports("list", run.audienceId, "latest", "--output", "table")

  expect(stdout).toContain("Run: footfall exports create <audience-id> <run-id>")
  expect(api.seen(`GET ${all}`)).toHaveLength(1)
})

test("get prints the export with its link, or only the link", async () => {
  const json = await exports("get", ...ofRun, runExport.id.toUpperCase())
  const link = await exports("get", ...ofRun, runExport.id, "--fields", "downloadUrl")

  expect(JSON.parse(json.stdout)).toEqual({ data: exportWithLink })
  expect(JSON.parse(link.stdout)).toEqual({ data: { downloadUrl: exportWithLink.downloadUrl } })
})

describe("create", () => {
  test("sends the key of --idempotency-key", async () => {
    await exports("create", ...ofRun, "--idempotency-key", "monday")

    const request = api.requests.find(({ method }) => method === "POST")
    expect(request?.headers["idempotency-key"]).toBe("monday")
  })

  test("prints an existing export without waiting", async () => {
    const { exitCode, stdout } = await exports("create", ...ofRun)

    expect(JSON.parse(stdout)).toEqual({ data: exportWithLink })
    expect(api.seen(`GET ${one}`)).toHaveLength(0)
    expect(exitCode).toBe(0)
  })

  test("waits for the file", async () => {
    const answers = [exportBegun, exportWithLink]
    api.on(`POST ${all}`, () => ({ data: exportBegun }))
    api.on(`GET ${one}`, () => ({ data: answers.shift() }))

    const { exitCode, stdout } = await exports("create", ...ofRun)

    expect(JSON.parse(stdout)).toEqual({ data: exportWithLink })
    expect(api.seen(`GET ${one}`)).toHaveLength(2)
    expect(exitCode).toBe(0)
  })

  test("with --no-wait sends no further request", async () => {
    api.on(`POST ${all}`, () => ({ data: exportBegun }))

    const { exitCode, stdout } = await exports("create", ...ofRun, "--no-wait")

    expect(JSON.parse(stdout)).toEqual({ data: exportBegun })
    expect(api.seen(`GET ${one}`)).toHaveLength(0)
    expect(exitCode).toBe(0)
  })

  test("exits with 1 if the server cannot write the file", async () => {
    const failed = { ...exportBegun.export, status: "failed", errorCode: "STORAGE_FULL" }
    api.on(`POST ${all}`, () => ({ data: exportBegun }))
    api.on(`GET ${one}`, () => ({ data: { ...exportBegun, export: failed } }))

    const { exitCode, stdout } = await exports("create", ...ofRun)

    expect(JSON.parse(stdout)).toMatchObject({ data: { export: { status: "failed" } } })
    expect(exitCode).toBe(1)
  })

  test("of an uncompleted run exits with 6, and says where to look", async () => {
    api.on(`POST ${all}`, () => ({
      status: 409,
      error: { code: "RUN_NOT_COMPLETED", message: "No.", details: { status: "running" } },
    }))

    const { exitCode, stderr } = await exports("create", ...ofRun)

    expect(stderr).toContain(`footfall runs get ${run.audienceId} ${run.id}`)
    expect(exitCode).toBe(6)
  })
})

test("an unknown export exits with 5 and an invalid id with 2; both name the command that lists exports", async () => {
  api.on(`GET ${one}`, () => ({ status: 404, error: { code: "NOT_FOUND", message: "No." } }))

  const gone = await exports("get", ...ofRun, runExport.id)
  const wrong = await exports("get", ...ofRun, "first")

  expect(gone.stderr).toContain("footfall exports list <audience-id> <run-id>")
  expect(gone.exitCode).toBe(5)
  expect(wrong.stderr).toContain("footfall exports list <audience-id> <run-id>")
  expect(wrong.exitCode).toBe(2)
})
