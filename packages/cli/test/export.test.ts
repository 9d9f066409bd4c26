// `visitors export` as a user runs it: it writes a whole file or none, resumes after any interruption, and says when it
// waits.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { FakeApi, sendError } from "./fixtures/fake-api.ts"
import { configDirectory, footfall, footfallPath, isolated } from "./fixtures/footfall.ts"
import { apiKey } from "./fixtures/records.ts"

let api: FakeApi
let environment: NodeJS.ProcessEnv
let directory: string
let file: string
let journal: string

beforeEach(async () => {
  api = await FakeApi.start()
  api.visitorsTotal = 220
  environment = { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey }
  directory = configDirectory()
  file = join(directory, "visitors.csv")
  journal = `${file}.footfall-export.json`
})

afterEach(() => api[Symbol.asyncDispose]())

const run = (...words: ReadonlyArray<string>) =>
  footfall(["visitors", "export", ...words], { environment })

/** The complete export, in one run. */
const wholeText = async (): Promise<string> => {
  const { stdout } = await run("-", "--format", "csv")
  return stdout
}

/** Answers this many pages as usual, then differently. */
const afterPages = (count: number, then: FakeApi["answer"]): void => {
  let given = 0
  api.answer = (request, response) => {
    given += 1
    if (given <= count) api.answerAsUsual(request, response)
    else then?.(request, response)
  }
}

const refuseAway: FakeApi["answer"] = (_request, response) =>
  sendError(response, 500, { code: "INTERNAL_ERROR", message: "Something broke." })

test("writes every page and says what the file contains", async () => {
  const { exitCode, stdout, stderr } = await run(file)

  expect(JSON.parse(stdout).data).toMatchObject({ file, format: "csv", rows: 220 })
  expect(readFileSync(file, "utf8")).toBe(await wholeText())
  expect(readFileSync(file, "utf8").split("\r\n")).toHaveLength(222)
  expect(readdirSync(directory)).toEqual(["visitors.csv"])
  expect(stderr).toBe("")
  expect(exitCode).toBe(0)
})

test("the file name determines the format", async () => {
  const lines = join(directory, "visitors.ndjson")
  await run(lines)

  const rows = readFileSync(lines, "utf8").trimEnd().split("\n")
  expect(rows).toHaveLength(220)
  expect(JSON.parse(rows[219] ?? "").emailHash).toBe((219).toString(16).padStart(64, "0"))
})

test("exports the whole history unless a window is given", async () => {
  await run(file)
  await run("-", "--timeframe", "24h", "--suppressed", "only")

  expect(api.requests[0]?.url.search).toBe("?timeframe=all&suppressed=exclude")
  expect(api.requests.at(-1)?.url.searchParams.get("timeframe")).toBe("24h")
})

test("without visitors the file has only its header", async () => {
  api.visitorsTotal = 0

  await run(file)

  expect(readFileSync(file, "utf8")).toMatch(/^email,emailHash,.*\r\n$/)
})

test("an existing file is not replaced without --overwrite", async () => {
  writeFileSync(file, "mine")

  const refused = await run(file)
  expect(refused.stderr).toContain("Add --overwrite")
  expect(refused.exitCode).toBe(2)
  expect(readFileSync(file, "utf8")).toBe("mine")

  expect((await run(file, "--overwrite")).exitCode).toBe(0)
  expect(readFileSync(file, "utf8")).toBe(await wholeText())
})

describe("an export that stopped", () => {
  const stopped = async (): Promise<void> => {
    afterPages(2, refuseAway)
    await run(file)
    api.answer = null
    api.requests.length = 0
  }

  test("exits with 3 if the server becomes unreachable, and keeps what is written", async () => {
    afterPages(2, refuseAway)

    const { exitCode, stderr } = await run(file)

    expect(JSON.parse(stderr).error).toMatchObject({
      code: "EXPORT_INCOMPLETE",
      message: expect.stringMatching(
        /^Stopped after 100 of 220 rows: .* To continue, run the same command with --resume\.$/,
      ),
    })
    expect(exitCode).toBe(3)
    expect(existsSync(file)).toBe(false)
    expect(JSON.parse(readFileSync(journal, "utf8"))).toMatchObject({ cursor: "3", rows: 100 })
  })

  test("says how many rows it has if counting all of them took too long", async () => {
    api.isTotalKnown = false
    afterPages(2, refuseAway)

    const { stderr } = await run(file)

    api.isTotalKnown = true
    expect(JSON.parse(stderr).error.message).toMatch(/^Stopped after 100 rows: /)
  })

  test("exits like any command if the server rejects it before anything is written", async () => {
    api.answer = refuseAway

    const { exitCode } = await run(file)

    expect(exitCode).toBe(1)
  })

  test("is not started over by mistake", async () => {
    await stopped()

    const { exitCode, stderr } = await run(file)

    expect(stderr).toContain("stopped after 100 of 220 rows")
    expect(stderr).toContain("Add --resume to continue, or --restart to start over.")
    expect(exitCode).toBe(2)
    expect(api.requests).toEqual([])
  })

  test("resumes after its last page with --resume", async () => {
    await stopped()

    const { exitCode, stdout } = await run(file, "--resume")

    expect(api.requests.map(({ url }) => url.searchParams.get("cursor"))).toEqual(["3", "4", "5"])
    expect(JSON.parse(stdout).data).toMatchObject({ rows: 220, rowsResumedFrom: 100 })
    expect(readFileSync(file, "utf8")).toBe(await wholeText())
    expect(readdirSync(directory)).toEqual(["visitors.csv"])
    expect(exitCode).toBe(0)
  })

  test("drops rows that were written after the last journal entry", async () => {
    await stopped()
    writeFileSync(`${file}.footfall-export.part`, "half a row ".repeat(100_000), { flag: "a" })

    await run(file, "--resume")

    expect(readFileSync(file, "utf8")).toBe(await wholeText())
  })

  test("starts over with --restart", async () => {
    await stopped()

    const { stdout } = await run(file, "--restart")

    expect(JSON.parse(stdout).data).toMatchObject({ rows: 220, rowsResumedFrom: 0 })
    expect(api.requests[0]?.url.searchParams.get("cursor")).toBeNull()
    expect(readFileSync(file, "utf8")).toBe(await wholeText())
  })

  test("is not resumed with other options, and shows the original ones", async () => {
    await stopped()

    const { exitCode, stderr } = await run(file, "--resume", "--timeframe", "7d")

    expect(JSON.parse(stderr).error.message).toContain(`"timeframe":"all"`)
    expect(exitCode).toBe(2)
  })

  test.each([
    [24 * 60, 2],
    [23 * 60 + 59, 0],
  ])("that is %i minutes old exits with %i", async (minutes, exitCodeExpected) => {
    await stopped()
    const kept = JSON.parse(readFileSync(journal, "utf8"))
    const cursorAt = new Date(Date.now() - minutes * 60_000).toISOString()
    writeFileSync(journal, JSON.stringify({ ...kept, cursorAt }))

    const { exitCode, stderr } = await run(file, "--resume")

    if (exitCodeExpected === 2) expect(stderr).toMatch(/more than 24 hours ago.*Add --restart/)
    expect(exitCode).toBe(exitCodeExpected)
  })

  test("with an expired cursor says to start over", async () => {
    await stopped()
    api.answer = (_request, response) =>
      sendError(response, 400, { code: "INVALID_CURSOR", message: "Expired." })

    const { exitCode, stderr } = await run(file, "--resume")

    expect(stderr).toContain("Add --restart to start over.")
    expect(exitCode).toBe(2)
  })

  test.each([
    ["journal", "is not an export journal", () => writeFileSync(journal, "{}")],
    [
      "part",
      "is shorter than recorded in its journal",
      () => writeFileSync(`${file}.footfall-export.part`, "x"),
    ],
  ])("with a damaged %s is reported", async (_what, message, spoil) => {
    await stopped()
    spoil()

    const { exitCode, stderr } = await run(file, "--resume")

    expect(stderr).toContain(message)
    expect(exitCode).toBe(2)
  })

  test("--resume starts a new export if there is nothing to resume", async () => {
    expect((await run(file, "--resume")).exitCode).toBe(0)
    expect(readFileSync(file, "utf8")).toBe(await wholeText())
  })
})

describe("interrupted", () => {
  /** An export that waits for its third page. */
  const waiting = async () => {
    const asked = Promise.withResolvers<void>()
    afterPages(2, () => asked.resolve())
    const child = spawn(process.execPath, [footfallPath, "visitors", "export", file], {
      env: isolated(environment),
    })
    let stderr = ""
    child.stderr.on("data", (chunk) => (stderr += chunk))
    const closed = once(child, "close")
    await asked.promise
    return { child, closed, said: () => stderr }
  }

  test.each([
    ["SIGINT", [130, null]],
    ["SIGKILL", [null, "SIGKILL"]],
  ] as const)("after %s it resumes to the same bytes", async (signal, ending) => {
    const { child, closed, said } = await waiting()

    child.kill(signal)

    expect(await closed).toEqual(ending)
    if (signal === "SIGINT")
      expect(said()).toMatch(/^Interrupted after 100 of 220 rows\. To continue/)
    api.answer = null
    expect((await run(file, "--resume")).exitCode).toBe(0)
    expect(readFileSync(file, "utf8")).toBe(await wholeText())
    expect(readdirSync(directory)).toEqual(["visitors.csv"])
  })

  test("two exports to one file do not mix", async () => {
    const { child, closed } = await waiting()

    const second = await run(file, "--restart")

    expect(second.stderr).toContain("Another export")
    expect(second.exitCode).toBe(2)
    child.kill("SIGKILL")
    await closed
  })
})

test("waits for a rate limit and reports the wait", async () => {
  let refused = false
  api.answer = (request, response) => {
    if (request.url.searchParams.get("cursor") !== "2" || refused) {
      return api.answerAsUsual(request, response)
    }
    refused = true
    response.setHeader("Retry-After", "1")
    sendError(response, 429, { code: "RATE_LIMITED", message: "Too many requests." })
  }

  const { exitCode, stderr } = await run(file)

  expect(stderr).toBe("50 of 220 rows. Rate limit reached: continuing in 1s.\n")
  expect(readFileSync(file, "utf8")).toBe(await wholeText())
  expect(exitCode).toBe(0)
})

test
  .skipIf(!existsSync("/dev/full"))
  .each([
    ["visitors export -"],
    ["suppression export -"],
    ["suppression list --all"],
    ["suppression list --all --json"],
  ])(
  "a full disk behind the standard output of `%s` is reported as such, without a stack",
  async (command) => {
    api.on("GET /v1/data/suppression-rules", () => ({
      data: {
        rules: [
          { id: "1", type: "domain", value: "a.example", createdAt: "2026-03-11T08:00:00.000Z" },
        ],
        total: 1,
        countsByType: { email: 0, domain: 1, company_domain: 0, industry: 0 },
      },
      meta: { limit: 100, offset: 0, total: 1, hasMore: false, nextCursor: null },
    }))
    const output = openSync("/dev/full", "w")
    const child = spawn(process.execPath, [footfallPath, ...command.split(" ")], {
      env: isolated(environment),
      stdio: ["ignore", output, "pipe"],
    })
    if (child.stderr === null) throw new Error("Standard error is not a pipe")
    const [stderr, [exitCode]] = await Promise.all([text(child.stderr), once(child, "close")])
    closeSync(output)

    expect(stderr).toContain("no space left on the device")
    expect(stderr).not.toContain("    at ")
    expect(stderr).not.toContain("bug")
    expect(exitCode).toBe(1)
  },
)

test("if the reader closes the pipe, an export to standard output ends silently", async () => {
  api.visitorsTotal = 5_000
  const child = spawn(process.execPath, [footfallPath, "visitors", "export", "-"], {
    env: isolated(environment),
  })
  let stderr = ""
  child.stderr.on("data", (chunk) => (stderr += chunk))

  await once(child.stdout, "data")
  child.stdout.destroy()

  expect(await once(child, "close")).toEqual([0, null])
  expect(stderr).toBe("")
})
