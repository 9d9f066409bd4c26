// `footfall suppression imports`: what was imported, and undoing it.

import { afterEach, beforeEach, expect, test } from "vitest"
import { FakeApi } from "../fixtures/fake-api.ts"
import { footfall } from "../fixtures/footfall.ts"
import { apiKey } from "../fixtures/records.ts"

const path = "/v1/data/import/suppression-rules"
const importId = "6f2d8c1a-4b7e-4d3f-9a05-1c2e3f4a5b6c"
const fileImport = {
  importId,
  kind: "suppression-rules",
  listId: null,
  name: "crm.csv",
  note: null,
  mode: "add",
  added: 3,
  removed: 0,
  member: "ana@harbor.example",
  appliedAt: "2026-03-11T09:00:00.000Z",
  undoableUntil: "2026-03-18T09:00:00.000Z",
  undoneAt: null,
}
const meta = { total: 1, limit: 50, offset: 0, hasMore: false, nextCursor: null }
const undoRoute = `POST ${path}/${importId}/undo`
let api: FakeApi

const serve = (more: object = {}) =>
  api.on(`GET ${path}`, () => ({ data: [{ ...fileImport, ...more }], meta }))

beforeEach(async () => {
  api = await FakeApi.start()
  serve()
  api.on(undoRoute, () => ({ data: { added: 0, removed: 2, total: 7 } }))
})

afterEach(() => api[Symbol.asyncDispose]())

const run = (...words: ReadonlyArray<string>) =>
  footfall(["suppression", "imports", ...words], {
    environment: { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey },
  })

test("lists the imports", async () => {
  const { stdout } = await run("list")

  expect(JSON.parse(stdout).data).toEqual([fileImport])
})

test("undoes an import and says what happened", async () => {
  const { exitCode, stdout } = await run("undo", importId, "--yes")

  expect(api.seen(undoRoute)).toHaveLength(1)
  expect(JSON.parse(stdout).data).toEqual({ importId, added: 0, removed: 2, total: 7 })
  expect(exitCode).toBe(0)
})

test("asks first, and without a terminal undoes nothing", async () => {
  const { exitCode } = await run("undo", importId)

  expect(exitCode).toBe(2)
  expect(api.seen(undoRoute)).toEqual([])
})

test.each([
  ["was undone before", { undoableUntil: null, undoneAt: "2026-03-12T09:00:00.000Z" }],
  ["is older than 7 days", { undoableUntil: null }],
])("says that an import %s", async (why, more) => {
  serve(more)

  const { exitCode, stderr } = await run("undo", importId, "--yes")

  expect(exitCode).toBe(2)
  expect(stderr).toContain(`crm.csv ${why}`)
  expect(api.seen(undoRoute)).toEqual([])
})

test("says where to find the id of an import", async () => {
  const { exitCode, stderr } = await run("undo", "0b5f3c1e-2a4d-4c0e-9f6a-1d2e3f4a5b6c", "--yes")

  expect(exitCode).toBe(2)
  expect(stderr).toContain("footfall suppression imports list")
})
