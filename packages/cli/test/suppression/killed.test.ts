// What an import leaves behind after `kill -9`: a journal only if there is something to resume. The next command
// removes drafts and folders.

import { once } from "node:events"
import { spawn } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { FakeApi } from "../fixtures/fake-api.ts"
import { configDirectory, footfall, footfallPath, isolated } from "../fixtures/footfall.ts"
import { account, apiKey } from "../fixtures/records.ts"

const rulesRoute = "POST /v1/data/suppression-rules"

let api: FakeApi
let directory: string
let temporary: string
let environment: NodeJS.ProcessEnv

beforeEach(async () => {
  api = await FakeApi.start()
  directory = configDirectory()
  temporary = join(directory, "tmp")
  mkdirSync(temporary)
  environment = { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey, TMPDIR: temporary }
  api.on("GET /v1/data/account", () => ({ data: account }))
  api.on(rulesRoute, ({ body }) => ({
    data: { ...nothing, added: JSON.parse(body).rules.length },
  }))
  api.on(`${rulesRoute}/preview`, () => ({
    data: { ...nothing, wouldAdd: 0, affectedVisitors: 0, affectedByType: counts },
  }))
  api.on("GET /v1/data/suppression-rules", () => ({
    data: { rules: [], counts, total: 0, filteredTotal: 0, limit: 1, offset: 0, hasMore: false },
    meta: { hasMore: false, nextCursor: null },
  }))
  writeFileSync(join(directory, "list.txt"), "a.example\nb.example\nc.example\n")
})

afterEach(() => api[Symbol.asyncDispose]())

const counts = { email: 0, domain: 0, company_domain: 0, industry: 0 }
const nothing = { added: 0, removed: 0, duplicates: 0, rejectedCount: 0, rejected: [], total: 0 }
const words = () => ["import", join(directory, "list.txt"), "--yes", "--rows-per-request", "1"]

/** Runs until the `nth` request for `route`, then kills the command. */
const killed = async (
  command: ReadonlyArray<string>,
  route: string,
  nth: number,
): Promise<void> => {
  const child = spawn(process.execPath, [footfallPath, "suppression", ...command], {
    env: isolated(environment),
    stdio: "ignore",
  })
  const closed = once(child, "close")
  api.answer = (request, response) => {
    const isNow =
      `${request.method} ${request.url.pathname}` === route && api.seen(route).length === nth
    if (isNow) child.kill("SIGKILL")
    else api.answerAsUsual(request, response)
  }
  const [, signal] = await closed
  expect(signal).toBe("SIGKILL")
  api.answer = null
}

const run = (command: ReadonlyArray<string>) =>
  footfall(["suppression", ...command], { environment })

const leftOver = (): ReadonlyArray<string> =>
  readdirSync(directory).filter((name) => name.startsWith("list.txt."))

test("killed before it sent anything, it can be run again and leaves nothing behind", async () => {
  await killed(words(), rulesRoute, 1)

  const { exitCode } = await run(words())

  expect(exitCode).toBe(0)
  expect(leftOver()).toEqual([])
})

test("killed in the middle, it leaves its journal for --resume, which cleans up", async () => {
  // Two requests are in flight at a time: the third is sent once the first is in the journal.
  await killed(words(), rulesRoute, 3)
  expect(leftOver()).toContain("list.txt.footfall-import.json")
  expect((await run(words())).exitCode).toBe(2)

  const { exitCode } = await run([...words(), "--resume"])

  expect(exitCode).toBe(0)
  expect(leftOver()).toEqual([])
})

test("a journal older than a week does not block an import", async () => {
  await killed(words(), rulesRoute, 3)
  const weekAgo = Date.now() / 1000 - 8 * 24 * 60 * 60
  utimesSync(join(directory, "list.txt.footfall-import.json"), weekAgo, weekAgo)

  const { exitCode } = await run(words())

  expect(exitCode).toBe(0)
  expect(leftOver()).toEqual([])
})

test("the next import deletes temporary files of killed processes", async () => {
  const gone = await deadProcess()
  for (const name of [`footfall-import.json.${gone}`, `rejected.csv.${gone}.part`]) {
    writeFileSync(join(directory, `list.txt.${name}`), "")
  }

  await run(words())

  expect(leftOver()).toEqual([])
})

test("the next command deletes the folder of a killed command, but not of a running one", async () => {
  await killed(["plan", join(directory, "list.txt")], "GET /v1/data/suppression-rules", 1)
  expect(readdirSync(temporary)).toHaveLength(1)
  const others = join(temporary, `footfall-plan-${process.pid}-abcdef`)
  mkdirSync(others)

  const { exitCode } = await run(["plan", join(directory, "list.txt")])

  expect(exitCode).toBe(0)
  expect(readdirSync(temporary)).toEqual([`footfall-plan-${process.pid}-abcdef`])
  expect(existsSync(others)).toBe(true)
})

/** The pid of a process that has ended. */
const deadProcess = async (): Promise<number> => {
  const child = spawn(process.execPath, ["--version"], { stdio: "ignore" })
  await once(child, "close")
  return child.pid ?? 0
}
