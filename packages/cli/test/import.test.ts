// `import` as a user runs it: the bytes it sends, the rejected rows, and the exit code.

import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { FakeApi } from "./fixtures/fake-api.ts"
import { configDirectory, footfall } from "./fixtures/footfall.ts"

let api: FakeApi
let environment: NodeJS.ProcessEnv
let directory: string
let file: string

const route = "POST /v1/admin/import/people"
const rows = "email,firstName\njane@tidewater.example,Jane\nlee@tidewater.example,Lee\n"

const result = {
  kind: "people",
  received: 2,
  inserted: 2,
  updated: 0,
  unchanged: 0,
  rejectedCount: 0,
  rejected: [],
}

const rejecting = {
  ...result,
  inserted: 0,
  rejectedCount: 2,
  rejected: [
    { row: 1, field: "email", reason: "invalid_value" },
    { row: 2, field: null, reason: "unreadable_row" },
  ],
}

beforeEach(async () => {
  api = await FakeApi.start()
  environment = {
    FOOTFALL_BASE_URL: api.baseUrl,
    FOOTFALL_ACCESS_TOKEN: "header.claims.signature",
  }
  directory = configDirectory()
  file = join(directory, "people.csv")
  writeFileSync(file, rows)
  api.on(route, () => ({ data: result }))
})

afterEach(() => api[Symbol.asyncDispose]())

const run = (words: ReadonlyArray<string>, input = "") =>
  footfall(["import", ...words], { environment, input })

test("sends the file unchanged, with the content type of its extension", async () => {
  const { exitCode, stdout, stderr } = await run(["people", file])

  const [asked] = api.seen(route)
  expect(asked?.body).toBe(rows)
  expect(asked?.headers["content-type"]).toBe("text/csv")
  expect(asked?.url.search).toBe("?shared=false")
  expect(JSON.parse(stdout).data).toEqual(result)
  expect(stderr).toBe("")
  expect(exitCode).toBe(0)
})

test("sends a large file whole", async () => {
  const large = `{"email":"jane@tidewater.example"}\n`.repeat(100_000)
  const lines = join(directory, "people.ndjson")
  writeFileSync(lines, large)

  await run(["people", lines, "--shared"])

  const [asked] = api.seen(route)
  expect(asked?.body === large).toBe(true)
  expect(asked?.headers["content-type"]).toBe("application/x-ndjson")
  expect(asked?.url.search).toBe("?shared=true")
})

test("sends standard input in the format of --format", async () => {
  await run(["people", "-", "--format", "csv"], rows)

  expect(api.seen(route)[0]?.body).toBe(rows)
})

test.each([
  ["topics", "topics"],
  ["signals", "signals"],
  ["identity-links", "identity-links"],
  ["links", "identity-links"],
])("%s are sent to the import of %s", async (kind, path) => {
  api.on(`POST /v1/admin/import/${path}`, () => ({ data: { ...result, kind: path } }))

  const { exitCode, stdout } = await run([kind, file])

  expect(api.seen(`POST /v1/admin/import/${path}`)).toHaveLength(1)
  expect(JSON.parse(stdout).data.kind).toBe(path)
  expect(exitCode).toBe(0)
})

test("exits with 3 if some rows were rejected, and writes them to the given file", async () => {
  const partly = { ...rejecting, received: 3, inserted: 1 }
  api.on(route, () => ({ data: partly }))
  const rejected = join(directory, "rejected.csv")

  const { exitCode, stdout } = await run(["people", file, "--rejected", rejected])

  expect(JSON.parse(stdout).data).toEqual(partly)
  expect(readFileSync(rejected, "utf8")).toBe(
    "row,field,reason\r\n1,email,invalid_value\r\n2,,unreadable_row\r\n",
  )
  expect(exitCode).toBe(3)
})

test("exits with 1 if every row was rejected, because nothing was imported", async () => {
  api.on(route, () => ({ data: { ...rejecting, inserted: 0, updated: 0, unchanged: 0 } }))

  expect((await run(["people", file])).exitCode).toBe(1)
})

test.each([
  [["people", "nowhere.csv"], "File not found: "],
  [["people", "."], "--format"],
  [["people", ".", "--format", "csv"], "is a directory"],
  [["people", "-"], "--format"],
  [["visitors", "x.csv"], "Use one of: topics, signals, people, identity-links"],
])("%j is a usage error", async (words, message) => {
  const { exitCode, stderr } = await run(words)

  expect(stderr).toContain(message)
  expect(api.requests).toEqual([])
  expect(exitCode).toBe(2)
})

test("a broken connection says that the import can be repeated", async () => {
  api.answer = (_request, response) => response.destroy()

  const { exitCode, stderr } = await run(["people", file])

  expect(JSON.parse(stderr).error).toMatchObject({
    code: "IMPORT_INTERRUPTED",
    message: expect.stringContaining("Run the same command again"),
  })
  expect(exitCode).toBe(1)
})
