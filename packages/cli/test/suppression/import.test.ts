// `suppression import` as a user runs it: what it sends, what it does with the server's plan, and what happens if
// something fails on the way. The server's package tests it against the real server.

import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { FakeApi, sendError, sendJson, meta } from "../fixtures/fake-api.ts"
import { configDirectory, footfall } from "../fixtures/footfall.ts"
import { account, apiKey } from "../fixtures/records.ts"
import {
  applied,
  applyRoute,
  dropRoute,
  importPlan,
  planRoute,
  planWithRejected,
  rejectedRoute,
  serveImports,
} from "../fixtures/rule-imports.ts"

let api: FakeApi
let environment: NodeJS.ProcessEnv
let directory: string

beforeEach(async () => {
  api = await FakeApi.start()
  environment = { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey }
  directory = configDirectory()
  serveImports(api)
})

afterEach(() => api[Symbol.asyncDispose]())

const file = (name: string, content: string): string => {
  const path = join(directory, name)
  writeFileSync(path, content)
  return path
}

const run = (words: ReadonlyArray<string>, input = "") =>
  footfall(["suppression", "import", ...words], { environment, input })

const sent = () =>
  api.seen(planRoute).map(({ body, url }) => ({ body, ...Object.fromEntries(url.searchParams) }))

const { importId } = importPlan()

test("a file is sent as it is, and its plan applied", async () => {
  const path = file("list.csv", "Work e-mail;x\r\njane@a.example;1\r\n")

  const { exitCode, stdout } = await run([
    ...[path, "--column", "Work e-mail", "--type", "email", "--yes"],
  ])

  expect(sent()).toEqual([
    {
      body: "Work e-mail;x\r\njane@a.example;1\r\n",
      ...{ mode: "add", type: "email", column: "Work e-mail", name: "list.csv" },
    },
  ])
  expect(applied(api)).toEqual([{ importId, allowRemovals: 0, allowEmpty: false }])
  expect(api.seen(dropRoute)).toEqual([])
  expect(JSON.parse(stdout).data).toMatchObject({
    ...{ rows: 2, rules: 2, rejectedCount: 0, added: 2, duplicates: 0, total: 5, dryRun: false },
    preview: { wouldAdd: 2, newByType: { domain: 2 }, affectedVisitors: 7 },
    files: [{ file: path, reading: "a list of email domains", rejectedFile: null }],
  })
  expect(exitCode).toBe(0)
})

test.each([
  ["rules.ndjson", "application/x-ndjson"],
  ["rules.jsonl.gz", "application/x-ndjson"],
  ["rules.txt", "text/csv"],
])("%s is sent as %s", async (name, type) => {
  await run([file(name, "{}\n"), "--yes"])

  expect(api.seen(planRoute)[0]?.headers["content-type"]).toBe(type)
})

test("standard input is sent as it is", async () => {
  const { exitCode } = await run(["-", "--yes"], "a.example\n")

  expect(sent()).toEqual([{ body: "a.example\n", mode: "add", name: "standard input" }])
  expect(exitCode).toBe(0)
})

test("several files are one import, which is applied once", async () => {
  const two = { ...importPlan().files[0]!, name: "two" }
  serveImports(api, ({ url }) =>
    importPlan(url.searchParams.has("importId") ? { files: [...importPlan().files, two] } : {}),
  )

  await run([file("one.txt", "a.example\n"), file("two.txt", "b.example\n"), "--yes"])

  expect(sent()).toMatchObject([{ body: "a.example\n" }, { body: "b.example\n", importId }])
  expect(sent()[0]).not.toHaveProperty("importId")
  expect(applied(api)).toHaveLength(1)
})

describe("nothing is applied, and the plan is dropped", () => {
  test("with --dry-run", async () => {
    const { exitCode, stdout } = await run([file("list.txt", "a.example\n"), "--dry-run"])

    expect(JSON.parse(stdout).data).toMatchObject({ dryRun: true, added: 0, total: null })
    expect([applied(api).length, api.seen(dropRoute).length, exitCode]).toEqual([0, 1, 0])
  })

  test("if there is nothing new", async () => {
    serveImports(api, () => importPlan({ new: 0, present: 2 }))

    const { exitCode, stdout } = await run([file("list.txt", "a.example\n"), "--yes"])

    expect(JSON.parse(stdout).data).toMatchObject({ added: 0, duplicates: 2, total: 3 })
    expect([applied(api).length, api.seen(dropRoute).length, exitCode]).toEqual([0, 1, 0])
  })

  test("if a file is empty, unless that is right", async () => {
    const empty = { name: "list.txt", reading: "an empty file", rows: 0, rejected: 0 }
    const guard = { reason: "empty", removals: 0, present: 3 } as const
    serveImports(api, () => importPlan({ rows: 0, rules: 0, new: 0, guard, files: [empty] }))
    const path = file("list.txt", "")

    const { exitCode, stderr } = await run([path, "--yes"])
    const allowed = await run([path, "--yes", "--allow-empty"])

    expect(JSON.parse(stderr).error.message).toBe(
      `${path} is empty: it has no rows. Nothing was changed. If that is right, add --allow-empty.`,
    )
    expect([exitCode, allowed.exitCode, applied(api).length]).toEqual([2, 0, 0])
    expect(api.seen(dropRoute)).toHaveLength(2)
  })
})

describe("a file that the server can't read", () => {
  test.each([
    [
      { choices: [{ column: "Website", type: "domain" }], missing: ["column", "type"] },
      "Add --column Website --type domain.",
    ],
    [
      {
        choices: [
          { column: "Customer's", type: "email" },
          { column: "2", type: "domain" },
        ],
        missing: [],
      },
      "Add --column 'Customer'\\''s' --type email, or --column 2 --type domain.",
    ],
    [{ choices: [], missing: ["column"] }, "Add --column with a name or a number."],
    [
      { choices: [], missing: ["column", "type"] },
      "Add --column with a name or a number, and --type.",
    ],
    [{ choices: [], missing: ["type"] }, "Add --type email, domain, company_domain or industry."],
    [{ hint: "Save it as CSV in UTF-8.", issues: [] }, "Save it as CSV in UTF-8."],
  ])("exits with 2 and says what to do: %j", async (details, advice) => {
    const code = "missing" in details ? "COLUMN_UNKNOWN" : "VALIDATION_ERROR"
    api.on(planRoute, () => ({
      status: 400,
      error: { code, message: "crm.csv line 1: which column?", details },
    }))

    const { exitCode, stderr } = await run([file("crm.csv", "Website\n"), "--yes"])

    expect(JSON.parse(stderr).error).toMatchObject({
      code: "USAGE_ERROR",
      message: `crm.csv line 1: which column? ${advice}`,
    })
    expect([exitCode, applied(api).length]).toEqual([2, 0])
  })

  test("does not leave the file before it on the server", async () => {
    api.answer = (request, response) => {
      const isSecond = request.url.searchParams.has("importId")
      if (!isSecond) return api.answerAsUsual(request, response)
      sendError(response, 413, { code: "PAYLOAD_TOO_LARGE", message: "two.txt is too large." })
    }

    const { exitCode } = await run([file("one.txt", "a\n"), file("two.txt", "b\n"), "--yes"])

    expect([exitCode, applied(api).length, api.seen(dropRoute).length]).toEqual([2, 0, 1])
  })
})

test("a server without imports of files is named as what it is", async () => {
  api.on(planRoute, () => ({ status: 404, error: { code: "NOT_FOUND", message: "Not found." } }))

  const { exitCode, stderr } = await run([file("list.txt", "a.example\n"), "--yes"])

  expect(JSON.parse(stderr).error).toMatchObject({
    code: "SERVER_TOO_OLD",
    message: expect.stringContaining("It needs Footfall 0.3.0 or newer."),
  })
  expect(exitCode).toBe(1)
})

test.each([
  ["that does not exist", "/nowhere/list.csv", "File not found: /nowhere/list.csv"],
  ["that is a folder", "/", "/ is a folder"],
])("a file %s exits with 2 before anything is sent", async (_what, path, message) => {
  const { exitCode, stderr } = await run([path, "--yes"])

  expect(stderr).toContain(message)
  expect([exitCode, api.requests.length]).toEqual([2, 0])
})

describe("if the server fails", () => {
  const fail = (route: string, isNow: (nth: number) => boolean, status: number) => {
    api.answer = (request, response) => {
      const isRoute = `${request.method} ${request.url.pathname}` === route
      if (!isRoute || !isNow(api.seen(route).length)) return api.answerAsUsual(request, response)
      if (status === 429) response.setHeader("retry-after", "1")
      sendError(response, status, { code: "OOPS", message: "Oops" })
    }
  }

  test("at the start, it waits and tries again", async () => {
    fail("GET /v1/data/account", (nth) => nth === 1, 503)

    const { exitCode, stderr } = await run([file("list.txt", "a.example\n"), "--yes"])

    expect(stderr).toContain("Can't reach the server: trying again in 1s.")
    expect([exitCode, applied(api).length]).toEqual([0, 1])
  })

  test("for a moment at the second file, it sends both again, as a new import", async () => {
    fail(planRoute, (nth) => nth === 2, 503)
    const two = { ...importPlan().files[0]!, name: "two" }
    api.on(planRoute, () => ({ data: importPlan({ files: [...importPlan().files, two] }) }))

    const { exitCode } = await run([file("one.txt", "a\n"), file("two.txt", "b\n"), "--yes"])

    expect(sent().map(({ body }) => body)).toEqual(["a\n", "b\n", "a\n", "b\n"])
    expect(sent()[2]).not.toHaveProperty("importId")
    expect(api.seen(dropRoute)).toHaveLength(1)
    expect([exitCode, applied(api).length]).toEqual([0, 1])
  })

  test("because of the rate limit at the second file, it waits and sends only that again", async () => {
    fail(planRoute, (nth) => nth === 2, 429)
    const two = { ...importPlan().files[0]!, name: "two" }
    api.on(planRoute, () => ({ data: importPlan({ files: [...importPlan().files, two] }) }))

    const { exitCode, stderr } = await run([
      ...[file("one.txt", "a\n"), file("two.txt", "b\n"), "--yes"],
    ])

    expect(stderr).toContain("Rate limit reached: continuing in 1s.")
    expect(sent().map(({ body }) => body)).toEqual(["a\n", "b\n", "b\n"])
    expect([exitCode, applied(api).length]).toEqual([0, 1])
  })

  test("while it reads a file, nothing was changed, and the command says so", async () => {
    fail(planRoute, () => true, 500)

    const { exitCode, stderr } = await run([file("list.txt", "a.example\n"), "--yes"])

    expect(JSON.parse(stderr).error).toMatchObject({
      code: "IMPORT_INTERRUPTED",
      message: "Oops. Nothing was changed. Run the command again.",
    })
    expect([exitCode, applied(api).length]).toEqual([1, 0])
  })

  test("standard input is not sent twice", async () => {
    fail(planRoute, () => true, 503)

    const { exitCode } = await run(["-", "--yes"], "a.example\n")

    expect([exitCode, sent().length]).toEqual([1, 1])
  })

  test("while it applies the plan, the command says that it is applied as a whole or not", async () => {
    fail(applyRoute, () => true, 500)

    const { exitCode, stderr } = await run([file("list.txt", "a.example\n"), "--yes"])

    expect(JSON.parse(stderr).error.message).toContain("as a whole, or not at all")
    // If the plan still waits, the server need not keep it.
    expect([exitCode, applied(api).length, api.seen(dropRoute).length]).toEqual([1, 1, 1])
  })

  test("because the list has changed, that is a conflict", async () => {
    api.on(applyRoute, () => ({
      status: 409,
      error: { code: "LIST_CHANGED", message: "The list has changed since the plan." },
    }))

    const { exitCode, stderr } = await run([file("list.txt", "a.example\n"), "--yes"])

    expect(JSON.parse(stderr).error.message).toContain("Run the command again")
    expect(exitCode).toBe(6)
  })
})

describe("rejected rows", () => {
  const rows = "line,type,value,reason,message\r\n3,domain,bad_,invalid_domain,\r\n"

  beforeEach(() => {
    serveImports(api, () => planWithRejected)
    api.answer = (request, response) => {
      if (`${request.method} ${request.url.pathname}` !== rejectedRoute) {
        return api.answerAsUsual(request, response)
      }
      response.writeHead(200, { "content-type": "text/csv" }).end(rows)
    }
  })

  test("are written to a file that only its owner can read, and exit with 3", async () => {
    const path = file("list.txt", "a.example\nb.example\nbad_\n")

    const { exitCode, stdout } = await run([path, "--yes"])

    expect(readFileSync(`${path}.rejected.csv`, "utf8")).toBe(rows)
    expect(statSync(`${path}.rejected.csv`).mode & 0o777).toBe(0o600)
    expect(api.seen(rejectedRoute)[0]?.url.search).toBe("?file=0")
    expect(JSON.parse(stdout).data).toMatchObject({
      rejectedCount: 1,
      rejectedByReason: { invalid_domain: 1 },
      rejected: [{ file: path, line: 3, type: "domain", value: "bad_", reason: "invalid_domain" }],
      files: [{ rejectedCount: 1, rejectedFile: `${path}.rejected.csv` }],
    })
    expect(exitCode).toBe(3)
  })

  test("replace those of an earlier run, and are deleted with them", async () => {
    const path = file("list.txt", "bad_\n")
    await run([path, "--yes"])
    serveImports(api)

    await run([path, "--yes"])

    expect(readdirSync(directory)).toEqual(["list.txt"])
  })

  test("do not replace another file", async () => {
    const path = file("list.txt", "bad_\n")
    const others = file("list.txt.rejected.csv", "mine\n")

    const { exitCode } = await run([path, "--yes"])

    expect(readFileSync(others, "utf8")).toBe("mine\n")
    expect([exitCode, sent().length]).toEqual([2, 0])
  })

  test("only, exit with 1 and print the result too", async () => {
    const only = { rules: 0, new: 0, rows: 1 }
    serveImports(api, () => ({ ...planWithRejected, ...only }))

    const { exitCode, stdout } = await run([file("list.txt", "bad_\n"), "--yes"])

    expect(JSON.parse(stdout).data).toMatchObject({ rules: 0, added: 0, rejectedCount: 1 })
    expect(exitCode).toBe(1)
  })
})

test("--resume of older scripts is accepted: an import starts over in any case", async () => {
  const { exitCode } = await run([file("list.txt", "a.example\n"), "--resume", "--yes"])

  expect([exitCode, applied(api).length]).toEqual([0, 1])
})

test.each([
  [["list.csv"], "this is not a terminal"],
  [["one.csv", "two.csv", "--rejected", "x.csv", "--yes"], "--rejected works with one file only"],
  [["list.csv", "--type", "colour", "--yes"], "Use one of: email"],
])("%j is a usage error", async (words, message) => {
  const { exitCode, stderr } = await run(words)

  expect(stderr).toContain(message)
  expect([exitCode, api.requests.length]).toEqual([2, 0])
})

describe.skipIf(!existsSync("/proc/self/status"))("memory", () => {
  test("does not grow with the file", async () => {
    const path = file("list.txt", "a.example\n".repeat(10_000_000))
    // Reads the file and keeps nothing of it.
    const reader = createServer((request, response) => {
      const isPlan = request.url?.includes("/plan") === true
      request.resume().on("end", () => {
        sendJson(response, 200, { data: isPlan ? importPlan({ new: 0 }) : account, meta })
      })
    }).listen(0, "127.0.0.1")
    await once(reader, "listening")
    // A server that listens on a port has an address of this form.
    const { port } = reader.address() as AddressInfo
    try {
      const { exitCode, stderr } = await footfall(["suppression", "import", path, "--yes"], {
        environment: {
          ...environment,
          FOOTFALL_BASE_URL: `http://127.0.0.1:${port}`,
          NODE_OPTIONS: printPeakMemory,
        },
      })

      expect(Number(/memory (\d+)/.exec(stderr)?.[1]) / 1024).toBeLessThan(110)
      expect(exitCode).toBe(0)
    } finally {
      reader.close()
    }
  })
})

/** Prints the peak memory of the process at the end, in KiB. */
const printPeakMemory = `--import=data:text/javascript,${encodeURIComponent(`
  import { readFileSync } from "node:fs"
  process.on("exit", () => {
    const [, peak] = /VmHWM:\\s+(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))
    process.stderr.write("memory " + peak + "\\n")
  })`)}`
