// `suppression import` as a user runs it: which rules it sends, what it rejects before it sends
// anything, and what happens if the server becomes unreachable. The server's package tests it
// against the real server.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { FakeApi, sendError, sendJson } from "../fixtures/fake-api.ts"
import { configDirectory, footfall } from "../fixtures/footfall.ts"
import { account, apiKey } from "../fixtures/records.ts"

const rulesRoute = "POST /v1/data/suppression-rules"
const previewRoute = "POST /v1/data/suppression-rules/preview"

let api: FakeApi
let environment: NodeJS.ProcessEnv
let directory: string

beforeEach(async () => {
  api = await FakeApi.start()
  environment = { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey }
  directory = configDirectory()
  api.on("GET /v1/data/account", () => ({ data: account }))
  api.on(rulesRoute, ({ body }) => {
    const added = JSON.parse(body).rules.length
    return { data: { ...nothing, added, total: added } }
  })
  api.on(previewRoute, ({ body }) => ({
    data: { ...preview, wouldAdd: JSON.parse(body).rules.length },
  }))
})

afterEach(() => api[Symbol.asyncDispose]())

const nothing = { added: 0, removed: 0, duplicates: 0, rejectedCount: 0, rejected: [], total: 0 }
const preview = {
  wouldAdd: 0,
  duplicates: 0,
  rejectedCount: 0,
  rejected: [],
  affectedVisitors: 0,
  affectedByType: { email: 0, domain: 0, company_domain: 0, industry: 0 },
}

const file = (name: string, content: string | Buffer): string => {
  const path = join(directory, name)
  writeFileSync(path, content)
  return path
}

const run = (words: ReadonlyArray<string>, input = "", more: NodeJS.ProcessEnv = {}) =>
  footfall(["suppression", "import", ...words], {
    environment: { ...environment, ...more },
    input,
  })

/** Little-endian. */
const utf32 = (text: string): Buffer =>
  Buffer.from(new Uint32Array(Array.from(text, (each) => each.codePointAt(0)!)).buffer)

/** Every rule that was sent, as `type value`. */
const sent = (): ReadonlyArray<string> =>
  api
    .seen(rulesRoute)
    .flatMap(({ body }) => JSON.parse(body).rules)
    .map(({ type, value }) => `${type} ${value}`)

const table = "type,value\r\ndomain,Ä.example\r\nemail,Jane@A.example\r\n"
const rules = ["domain xn--4ca.example", "email jane@a.example"]

describe("the format of a file is detected", () => {
  test.each([
    ["UTF-8", Buffer.from(table)],
    ["UTF-8 with a mark", Buffer.from(`\uFEFF${table}`)],
    ["UTF-16 LE with a mark", Buffer.from(`\uFEFF${table}`, "utf16le")],
    ["UTF-16 LE without one", Buffer.from(table, "utf16le")],
    ["UTF-16 BE with a mark", Buffer.from(`\uFEFF${table}`, "utf16le").swap16()],
    ["UTF-16 BE without one", Buffer.from(table, "utf16le").swap16()],
    ["gzip", gzipSync(table)],
    ["gzip of UTF-16", gzipSync(Buffer.from(`\uFEFF${table}`, "utf16le"))],
  ])("%s", async (_what, content) => {
    const { exitCode } = await run([file("list.csv", content), "--yes"])

    expect(sent()).toEqual(rules)
    expect(exitCode).toBe(0)
  })

  test("standard input, which leaves nothing behind", async () => {
    const { exitCode } = await run(["-", "--yes"], table)

    expect(sent()).toEqual(rules)
    expect(exitCode).toBe(0)
  })

  test("several files; a rule in both is sent once", async () => {
    const one = file("one.txt", "a.example\nb.example\n")
    const two = file("two.txt", "B.example\nc.example\nbad_\n")

    const { exitCode, stdout } = await run([one, two, "--type", "domain", "--yes"])

    expect(sent()).toEqual(["domain a.example", "domain b.example", "domain c.example"])
    expect(JSON.parse(stdout).data).toMatchObject({ rows: 5, rules: 3, repeated: 1 })
    expect(readFileSync(`${two}.rejected.csv`, "utf8")).toContain("3,domain,bad_,invalid_domain")
    expect(readdirSync(directory)).not.toContain("one.txt.rejected.csv")
    expect(exitCode).toBe(3)
  })

  test("an invisible character is named, with its line", async () => {
    const path = file("list.csv", "type,value\nemail,a\u200b@x.example\ndomain,bad_\n")

    const { stdout } = await run([path, "--dry-run"])

    const message = "Expected no invisible character, received U+200B (zero width space)."
    expect(JSON.parse(stdout).data.rejected).toEqual([
      {
        file: path,
        line: 2,
        type: "email",
        value: "a\u200b@x.example",
        reason: "invalid_email",
        message,
      },
      { file: path, line: 3, type: "domain", value: "bad_", reason: "invalid_domain" },
    ])
  })

  test("the file of rejected rows names an invisible character", async () => {
    const path = file("list.csv", "type,value\nemail,a\u200b@x.example\ndomain,good.example\n")

    await run([path, "--yes"])

    expect(readFileSync(`${path}.rejected.csv`, "utf8")).toBe(
      "line,type,value,reason,message\r\n" +
        "2,email,a\u200b@x.example,invalid_email," +
        '"Expected no invisible character, received U+200B (zero width space)."\r\n',
    )
  })

  test("bytes that are not text are rejected, not sent", async () => {
    const latin1 = Buffer.from("type,value\nindustry,h\u00F4tels\nindustry,retail\n", "latin1")

    const { stdout } = await run([file("list.csv", latin1), "--yes"])

    expect(sent()).toEqual(["industry retail"])
    expect(JSON.parse(stdout).data.rejectedByReason).toEqual({ unreadable_text: 1 })
  })
})

describe("nothing is sent from a file", () => {
  test.each([
    ["that does not exist", null, "File not found: nowhere.csv"],
    ["that is a workbook", Buffer.from("PK\u0003\u0004rest"), "is a ZIP archive or a workbook"],
    ["that is not text", Buffer.from([1, 0, 0, 0, 2, 3, 0, 5]), "is not a text file"],
    [
      "in UTF-32, little-endian",
      utf32("\ufeffdomain\nacme.example\n"),
      "list.csv is not a text file in UTF-8 or UTF-16. Save it as CSV in UTF-8.",
    ],
    [
      "in UTF-32, big-endian",
      utf32("\ufeffdomain\nacme.example\n").swap32(),
      "list.csv is not a text file in UTF-8 or UTF-16. Save it as CSV in UTF-8.",
    ],
    [
      "whose gzip is cut off",
      gzipSync(table).subarray(0, 30),
      "list.csv ends in the middle of its gzip data. Create the file again.",
    ],
    [
      "whose gzip is damaged",
      Buffer.concat([gzipSync(table).subarray(0, 10), Buffer.alloc(40, 0x07)]),
      "list.csv has damaged gzip data",
    ],
    ["that is empty", "", "list.csv is empty: it has no rows"],
    ["that has only a header", "email,name\n", "If that is right, add --allow-empty."],
    ["without a header", "12,acme.example,yes\n13,contoso.example,no\n", "line 1: no column"],
    ["with a quote left open", 'type,value\ndomain,"a.example\n', "a quote is not closed"],
  ])("%s", async (_what, content, message) => {
    const path = content === null ? "nowhere.csv" : file("list.csv", content)

    const { exitCode, stderr } = await run([path, "--yes"])

    expect(JSON.parse(stderr).error.message).toContain(message)
    expect(sent()).toEqual([])
    expect(exitCode).toBe(2)
  })

  test.each([
    [
      "Id,Ansprechpartner-Mail,Website\n1,ida@kite.example,kite.example\n",
      [],
      "more than one column fits",
      "Add --column Website --type company_domain, or --column Ansprechpartner-Mail --type email.",
    ],
    [
      "Customer's contact,City\nida@kite.example,Oslo\n",
      [],
      "no column has a known name",
      "Add --column 'Customer'\\''s contact' --type email.",
    ],
    [
      "Company,Industry\nKite,Toys\n",
      [],
      'is "Industry" what you mean?',
      "Add --column Industry --type industry.",
    ],
    [
      "Website,Firma\nkite.example,Kite\n",
      ["--type", "email"],
      "no column for email",
      "Add --column with a name or a number.",
    ],
    [
      "Report of June\n\nEmail,City\nida@kite.example,Oslo\n",
      [],
      "line 3: this line looks like the header",
      "Delete what is above line 3.",
    ],
  ])("if no column is certain: %j with %j", async (content, options, message, advice) => {
    const { exitCode, stderr } = await run([file("crm.csv", content), "--yes", ...options])

    const error: string = JSON.parse(stderr).error.message
    expect(error).toContain(message)
    expect(error).toContain(advice)
    expect(sent()).toEqual([])
    expect(exitCode).toBe(2)
  })

  test.each([
    ["in a folder that does not exist", "/nowhere/list.csv", "File not found: /nowhere/list.csv"],
    ["that is a folder", "/", "/ is a folder"],
  ])("%s", async (_what, path, message) => {
    const { exitCode, stderr } = await run([path, "--yes"])

    expect(JSON.parse(stderr).error).toMatchObject({ code: "USAGE_ERROR" })
    expect(stderr).toContain(message)
    expect(exitCode).toBe(2)
  })

  test.skipIf(!existsSync("/proc/sys/kernel/hostname"))(
    "in a folder where nothing can be written",
    async () => {
      const { exitCode, stderr } = await run(["/proc/sys/kernel/hostname", "--yes"])

      expect(stderr).toContain("Can't write next to /proc/sys/kernel/hostname")
      expect(stderr).toContain("footfall suppression import - < /proc/sys/kernel/hostname")
      expect(stderr).not.toContain("bug")
      expect(exitCode).toBe(2)
    },
  )

  test("with --allow-empty, if it is empty, which is no failure", async () => {
    const { exitCode, stdout } = await run([file("list.csv", "\n"), "--yes", "--allow-empty"])

    expect(JSON.parse(stdout).data).toMatchObject({ rows: 0, added: 0 })
    expect(exitCode).toBe(0)
  })

  test("with a line of 100 MB, which is rejected with its number, in bounded memory", async () => {
    const line = Buffer.alloc(100 * 1024 * 1024, "b")
    const path = file("list.txt", Buffer.concat([Buffer.from("a.example\n"), line]))

    const { exitCode, stderr } = await run([path, "--yes"], "", { NODE_OPTIONS: printPeakMemory })

    const [error = "", memory = ""] = stderr.split("\n")
    expect(JSON.parse(error).error.message).toContain("list.txt line 2: the row is longer than")
    expect(Number(memory.split(" ")[1]) / 1024).toBeLessThan(160)
    expect(sent()).toEqual([])
    expect(exitCode).toBe(2)
  })
})

/**
 * Prints the peak memory of the process at the end, in KiB. On Linux `maxRSS` starts with that of the parent process:
 * this one, with the line still in it.
 */
const printPeakMemory = `--import=data:text/javascript,${encodeURIComponent(`
  import { existsSync, readFileSync } from "node:fs"
  const status = "/proc/self/status"
  process.on("exit", () => {
    const peak = existsSync(status)
      ? /VmHWM:\\s+(\\d+)/.exec(readFileSync(status, "utf8"))[1]
      : process.resourceUsage().maxRSS
    process.stderr.write("memory " + peak + "\\n")
  })`)}`

test.skipIf(!existsSync("/dev/full"))(
  "a full disk under the rules that were read is reported as such, before anything is sent",
  async () => {
    // Every file that the command creates to keep rules in is on a full device.
    const preload = file(
      "full.mjs",
      `import fs from "node:fs"
      import { syncBuiltinESMExports } from "node:module"
      const { openSync } = fs
      fs.openSync = (path, flags, mode) =>
        openSync(flags === "w" && mode === 0o600 ? "/dev/full" : path, flags, mode)
      syncBuiltinESMExports()`,
    )

    const { exitCode, stderr } = await run([file("list.csv", table), "--yes"], "", {
      NODE_OPTIONS: `--import=${preload}`,
    })

    const { code, message } = JSON.parse(stderr).error
    expect(code).toBe("FILE_ERROR")
    expect(message).toContain("no space left on the device")
    expect(message).toContain("set TMPDIR")
    expect(message).not.toContain("bug")
    expect(sent()).toEqual([])
    expect(exitCode).toBe(1)
  },
)

describe("if the server becomes unreachable", () => {
  const words = (path: string, ...more: ReadonlyArray<string>) => [
    ...[path, "--yes", "--rows-per-request", "2", ...more],
  ]
  const lines = ["a", "b", "c", "d", "e"].map((name) => `${name}.example`)

  /** Accepts the first `accepted` requests and refuses all later ones. */
  const refuseAfter = (accepted: number): void => {
    api.answer = (request, response) => {
      const isWrite = `${request.method} ${request.url.pathname}` === rulesRoute
      const isRefused = isWrite && api.seen(rulesRoute).length > accepted
      if (isRefused) sendError(response, 500, { code: "INTERNAL_ERROR", message: "Oops" })
      else api.answerAsUsual(request, response)
    }
  }

  const stopped = async (): Promise<string> => {
    const path = file("list.txt", lines.join("\n"))
    refuseAfter(1)
    const { exitCode, stderr } = await run(words(path))
    expect(JSON.parse(stderr).error).toMatchObject({
      code: "IMPORT_INTERRUPTED",
      message: expect.stringMatching(
        /^Stopped after 2 of 5 rules: .* To continue, run the same command with --resume\.$/,
      ),
    })
    expect(exitCode).toBe(1)
    api.answer = null
    api.requests.length = 0
    return path
  }

  test("at the start, it waits and tries again", async () => {
    const path = file("list.txt", "a.example\n")
    api.answer = (request, response) => {
      const isFirst = api.requests.length === 1
      if (isFirst) sendError(response, 503, { code: "SERVICE_UNAVAILABLE", message: "Starting" })
      else api.answerAsUsual(request, response)
    }

    const { exitCode, stderr } = await run([path, "--yes"])

    expect(stderr).toContain("Can't reach the server: trying again in 1s.")
    expect(sent()).toEqual(["domain a.example"])
    expect(exitCode).toBe(0)
  })

  test("--resume sends the rest and reports the whole", async () => {
    const path = await stopped()

    const { exitCode, stdout } = await run(words(path, "--resume"))

    expect(sent()).toEqual(["domain c.example", "domain d.example", "domain e.example"])
    expect(JSON.parse(stdout).data).toMatchObject({ rules: 5, added: 5, rulesResumedFrom: 2 })
    expect(readdirSync(directory).filter((name) => name.includes("footfall-import"))).toEqual([])
    expect(exitCode).toBe(0)
  })

  test("the same command without --resume is rejected, and --restart starts over", async () => {
    const path = await stopped()

    const again = await run(words(path))
    expect(JSON.parse(again.stderr).error.message).toContain("stopped after 2 of 5 rules")
    expect(again.exitCode).toBe(2)
    expect(sent()).toEqual([])
    await run(words(path, "--restart"))

    expect(sent()).toHaveLength(5)
  })

  test.each([
    [
      "the file has changed",
      "the files have changed or are different",
      () => file("list.txt", "x.example"),
    ],
    [
      "the organization has changed",
      "it went to another organization",
      () =>
        api.on("GET /v1/data/account", () => ({
          data: { ...account, organization: { ...account.organization, id: "other" } },
        })),
    ],
  ])("--resume is rejected if %s", async (_what, message, change) => {
    const path = await stopped()
    change()

    const { exitCode, stderr } = await run(words(path, "--resume"))

    expect(JSON.parse(stderr).error.message).toContain(message)
    expect(sent()).toEqual([])
    expect(exitCode).toBe(2)
  })

  test("--resume starts a new import if there is nothing to resume", async () => {
    const { exitCode } = await run(words(file("list.txt", lines.join("\n")), "--resume"))

    expect(sent()).toHaveLength(5)
    expect(exitCode).toBe(0)
  })

  test("waits for the rate limit and reports the wait", async () => {
    api.answer = (request, response) => {
      const isFirst =
        `${request.method} ${request.url.pathname}` === rulesRoute &&
        api.seen(rulesRoute).length === 1
      if (!isFirst) return api.answerAsUsual(request, response)
      response.setHeader("retry-after", "1")
      sendError(response, 429, { code: "RATE_LIMITED", message: "Too many requests" })
    }

    const { exitCode, stderr } = await run([file("list.txt", lines.join("\n")), "--yes"])

    expect(stderr).toContain("0 of 5 rules. Rate limit reached: continuing in 1s.")
    expect(sent()).toHaveLength(10)
    expect(exitCode).toBe(0)
  })

  test("rows that only the server rejects are reported and written with their lines", async () => {
    api.answer = (request, response) => {
      if (`${request.method} ${request.url.pathname}` !== rulesRoute) {
        return api.answerAsUsual(request, response)
      }
      const rejected = [{ index: 1, type: "domain", value: "d.example", reason: "of_later" }]
      sendJson(response, 200, {
        data: { ...nothing, added: 1, rejectedCount: 1, rejected },
        meta: { timestamp: "2026-03-11T09:00:00.000Z", request_id: "req_0" },
      })
    }
    const path = file("list.txt", "a.example\nbad_\nd.example\n")

    const { exitCode, stdout } = await run([path, "--type", "domain", "--yes"])

    expect(JSON.parse(stdout).data).toMatchObject({ rejectedCount: 2, added: 1 })
    expect(readFileSync(`${path}.rejected.csv`, "utf8")).toBe(
      "line,type,value,reason,message\r\n2,domain,bad_,invalid_domain,\r\n3,domain,d.example,of_later,\r\n",
    )
    expect(exitCode).toBe(3)
  })
})

describe("rejected rows", () => {
  test("replace those of an earlier run, and are deleted with them", async () => {
    const path = file("list.txt", "a.example\nbad_\n")
    await run([path, "--type", "domain", "--yes"])
    expect(readdirSync(directory)).toContain("list.txt.rejected.csv")
    file("list.txt", "a.example\n")

    await run([path, "--type", "domain", "--yes"])

    expect(readdirSync(directory)).not.toContain("list.txt.rejected.csv")
  })

  test("do not replace another file", async () => {
    const path = file("list.txt", "bad_\n")
    const others = file("list.txt.rejected.csv", "mine\n")

    const { exitCode } = await run([path, "--type", "domain", "--yes"])

    expect(readFileSync(others, "utf8")).toBe("mine\n")
    expect(exitCode).toBe(2)
  })
})

test.each([
  [["-", "--resume"], "cannot be resumed"],
  [["list.csv"], "this is not a terminal"],
  [["list.csv", "--resume", "--restart"], "cannot be used with"],
  [["one.csv", "two.csv", "--rejected", "x.csv", "--yes"], "--rejected works with one file only"],
  [["list.csv", "--rows-per-request", "25001", "--yes"], "from 1 to 25000"],
  [["list.csv", "--type", "colour", "--yes"], "Use one of: email"],
])("%j is a usage error", async (words, message) => {
  const { exitCode, stderr } = await run(words)

  expect(stderr).toContain(message)
  expect(api.requests).toEqual([])
  expect(exitCode).toBe(2)
})
