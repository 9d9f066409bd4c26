// `footfall lists import`: what is sent, what is printed, and when it asks.

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { FakeApi } from "./fixtures/fake-api.ts"
import { footfall } from "./fixtures/footfall.ts"
import { apiKey } from "./fixtures/records.ts"
import { importPlan } from "./fixtures/rule-imports.ts"

const id = "7c0d5b8e-2f4a-4c61-9e3b-5a8d1c7f2e90"
const path = "/v1/data/import/lists"
const plan = importPlan({
  kind: "lists",
  listId: id,
  types: ["company_domain"],
  affected: null,
  files: [{ name: "accounts.csv", reading: "a list of company domains", rows: 2, rejected: 0 }],
})
let api: FakeApi
let folder: string
let file: string

beforeEach(async () => {
  api = await FakeApi.start()
  folder = await mkdtemp(join(tmpdir(), "lists-"))
  file = join(folder, "accounts.csv")
  await writeFile(file, "acme.com\nglobex.com\n")
  const list = { id, name: "Target accounts", subject: "companies", size: 3 }
  api.on(`GET /v1/data/lists/${id}`, () => ({ data: list }))
  api.on(`POST ${path}/plan`, () => ({ data: plan }))
  api.on(`POST ${path}/apply`, () => ({ data: { added: 2, removed: 0, total: 5 } }))
  api.on(`DELETE ${path}/${plan.importId}`, () => ({ data: { dropped: true } }))
})

afterEach(async () => {
  await api[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const run = (...words: ReadonlyArray<string>) =>
  footfall(["lists", "import", ...words], {
    environment: { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey },
  })
const planned = () => api.seen(`POST ${path}/plan`)[0]!
const applied = () => api.seen(`POST ${path}/apply`).map(({ body }) => JSON.parse(body))

test("sends the file for the list and applies its plan", async () => {
  const { exitCode, stdout } = await run(id, file, "--yes")

  expect(Object.fromEntries(planned().url.searchParams)).toMatchObject({
    list: id,
    mode: "add",
    name: "accounts.csv",
  })
  expect(planned().body).toBe("acme.com\nglobex.com\n")
  expect(applied()).toEqual([{ importId: plan.importId, allowRemovals: 0, allowEmpty: false }])
  expect(JSON.parse(stdout).data).toMatchObject({ listId: id, added: 2, size: 5, dryRun: false })
  expect(exitCode).toBe(0)
})

test("with --dry-run shows the plan, applies nothing and drops it", async () => {
  const { exitCode, stdout } = await run(id, file, "--dry-run", "--replace")

  expect(Object.fromEntries(planned().url.searchParams)).toMatchObject({ mode: "replace" })
  expect(JSON.parse(stdout).data).toMatchObject({ new: 2, added: 0, size: 3, dryRun: true })
  expect(applied()).toEqual([])
  expect(api.seen(`DELETE ${path}/${plan.importId}`)).toHaveLength(1)
  expect(exitCode).toBe(0)
})

test("that would remove most values needs their number", async () => {
  const guard = { reason: "most", removals: 80, present: 120 } as const
  api.on(`POST ${path}/plan`, () => ({ data: { ...plan, mode: "replace", removed: 80, guard } }))

  const refused = await run(id, file, "--replace", "--yes")
  const allowed = await run(id, file, "--replace", "--yes", "--allow-removals", "80")

  expect(refused.exitCode).toBe(2)
  expect(refused.stderr).toContain("80 of 120 values would be removed")
  expect(refused.stderr).toContain("--allow-removals 80")
  expect(allowed.exitCode).toBe(0)
  expect(applied()).toEqual([{ importId: plan.importId, allowRemovals: 80, allowEmpty: false }])
})

test("of a file without rows is an error, and changes nothing", async () => {
  const guard = { reason: "empty", removals: 0, present: 3 } as const
  api.on(`POST ${path}/plan`, () => ({
    data: { ...plan, guard, files: [{ ...plan.files[0], rows: 0 }] },
  }))

  const { exitCode, stderr } = await run(id, file, "--yes")

  expect(exitCode).toBe(2)
  expect(stderr).toContain("--allow-empty")
  expect(applied()).toEqual([])
})

test("writes rejected rows next to the file and exits with 3", async () => {
  const rejected = "line,type,value,reason,message\r\n2,company_domain,co.uk,public_suffix,\r\n"
  api.on(`POST ${path}/plan`, () => ({
    data: { ...plan, rejected: 1, files: [{ ...plan.files[0], rejected: 1 }] },
  }))
  api.answer = (request, response) => {
    if (!request.url.pathname.endsWith("/rejected")) return api.answerAsUsual(request, response)
    response.writeHead(200, { "content-type": "text/csv" }).end(rejected)
  }

  const { exitCode } = await run(id, file, "--yes")

  expect(await readFile(`${file}.rejected.csv`, "utf8")).toBe(rejected)
  expect(exitCode).toBe(3)
})

test("names the column option when the file does not say which column it is", async () => {
  api.on(`POST ${path}/plan`, () => ({
    status: 400,
    error: {
      code: "COLUMN_UNKNOWN",
      message: "Which column?",
      details: {
        missing: ["column"],
        choices: [{ column: "Site", type: "domain" }],
        firstRows: [],
      },
    },
  }))

  const { exitCode, stderr } = await run(id, file, "--yes")

  expect(exitCode).toBe(2)
  expect(stderr).toContain("--column Site")
  expect(stderr).not.toContain("--type")
})
