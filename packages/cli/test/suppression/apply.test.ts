// `suppression apply` as a user runs it: a misread file, or the wrong one, doesn't empty the list. The server's package
// tests it against the real server.

import { once } from "node:events"
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { stripVTControlCharacters } from "node:util"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { FakeApi } from "../fixtures/fake-api.ts"
import { configDirectory, footfall, footfallOnTerminal, hasScript } from "../fixtures/footfall.ts"
import { account, apiKey } from "../fixtures/records.ts"

const listRoute = "GET /v1/data/suppression-rules"
const replaceRoute = "PUT /v1/data/suppression-rules"

let api: FakeApi
let environment: NodeJS.ProcessEnv
let directory: string

beforeEach(async () => {
  api = await FakeApi.start()
  environment = { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey }
  directory = configDirectory()
  api.on("GET /v1/data/account", () => ({ data: account }))
  api.on(replaceRoute, ({ body }) => ({
    data: { ...nothing, added: JSON.parse(body).rules.length },
  }))
  present(3)
})

afterEach(() => api[Symbol.asyncDispose]())

const nothing = { added: 0, removed: 0, duplicates: 0, rejectedCount: 0, rejected: [], total: 0 }

const address = (index: number): string => `keep${index}@x.example`

/** The list has this many addresses. */
const present = (count: number): void =>
  presentRules(Array.from({ length: count }, (_, index) => address(index)))

const presentRules = (values: ReadonlyArray<string>, count = values.length): void =>
  api.on(listRoute, () => ({
    data: {
      rules: values.map((value, index) => ({
        id: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
        type: "email",
        value,
        createdAt: "2026-03-11T08:00:00.000Z",
      })),
      ...{ counts: { email: count, domain: 0, company_domain: 0, industry: 0 } },
      ...{ total: count, filteredTotal: count, limit: 5_000, offset: 0, hasMore: false },
    },
    meta: { hasMore: false, nextCursor: null },
  }))

const emptyPage = {
  ...{ counts: { email: 3, domain: 0, company_domain: 0, industry: 0 } },
  ...{ total: 3, filteredTotal: 0, limit: 1, offset: 0, hasMore: false, nextCursor: null },
}

const otherAccount = {
  ...account,
  organization: { ...account.organization, id: "6a1c2f0e-5b7d-4e9a-8c3b-0d1e2f3a4b5c" },
}

const file = (content: string): string => {
  const path = join(directory, "rules.csv")
  writeFileSync(path, content)
  return path
}

const run = (command: string, words: ReadonlyArray<string>, input = "") =>
  footfall(["suppression", command, ...words], { environment, input })

/** Every rule that was sent, as `type value`. Undefined if none was. */
const sent = (): ReadonlyArray<string> | undefined => {
  const [request] = api.seen(replaceRoute)
  if (request === undefined) return undefined
  const rules: ReadonlyArray<{ type: string; value: string }> = JSON.parse(request.body).rules
  return rules.map(({ type, value }) => `${type} ${value}`)
}

const wanted = (from: number, to: number): string =>
  [
    "type,value",
    ...Array.from({ length: to - from }, (_, index) => `email,${address(from + index)}`),
  ]
    .join("\n")
    .concat("\n")

test("an older server's list in another spelling of the file's addresses needs no change", async () => {
  presentRules(["liv@Zürich.example".toLowerCase(), "kim@quay.example"])

  const { exitCode } = await run("apply", [
    file("email\nliv@xn--zrich-kva.example\nliv@zürich.example\nkim@quay.example\n"),
    "--yes",
  ])

  expect([exitCode, sent()]).toEqual([0, undefined])
})

describe("no row is lost because of a file's format", () => {
  test("a header with known names is trusted even if rows differ in length", async () => {
    const rows =
      "email,keep0@x.example\nemail,keep1@x.example,a note,and more\nemail,keep2@x.example,\n"

    const { exitCode } = await run("apply", [
      file(`type,value,note\n${rows}domain,a.example\n`),
      "--yes",
    ])

    expect(sent()).toEqual([
      "email keep0@x.example",
      "email keep1@x.example",
      "email keep2@x.example",
      "domain a.example",
    ])
    expect(exitCode).toBe(0)
  })

  test("a first row with a value is not a header", async () => {
    const { exitCode } = await run("apply", [
      file("email,keep1@x.example\nemail,keep2@x.example\ndomain,a.example,note\n"),
      "--yes",
    ])

    expect(sent()).toEqual(["email keep1@x.example", "email keep2@x.example", "domain a.example"])
    expect(exitCode).toBe(0)
  })

  test("a comment may precede the header", async () => {
    await run("apply", [file("# our list, of May\ntype,value\nemail,keep1@x.example\n"), "--yes"])

    expect(sent()).toEqual(["email keep1@x.example"])
  })
})

describe("a file with content but no valid rule is rejected, and nothing is sent", () => {
  test.each([
    ["only rejected rows", "email\nkeep1.x.example\nkeep2\n", "2 rows, but no valid rule"],
    ["only a header", "type,value\n", "rules.csv is empty: it has no rows"],
    ["only comments", "# keep1@x.example\n", "rules.csv is empty: it has no rows"],
    ["0 bytes", "", "add --allow-empty"],
    ["blank lines", "\n \n", "add --allow-empty"],
    ["a byte order mark alone", "\uFEFF", "add --allow-empty"],
  ])("%s", async (_what, content, message) => {
    const { exitCode, stderr } = await run("apply", [file(content), "--yes"])

    expect(JSON.parse(stderr.slice(stderr.indexOf("{"))).error.message).toContain(message)
    expect(sent()).toBeUndefined()
    expect(exitCode).toBe(2)
  })

  test("also if --types excludes all of its rows", async () => {
    const { exitCode } = await run("apply", [
      ...[file("type,value\ndomain,a.example\n"), "--types", "email", "--yes"],
    ])

    expect(sent()).toBeUndefined()
    expect(exitCode).toBe(2)
  })

  test("and `plan` says so", async () => {
    const { exitCode, stderr } = await run("plan", [file("type,value\nemail,keep1\n")])

    expect(stderr).toContain("apply will reject this file")
    expect((await run("plan", [file("type,value\n")])).stderr).toContain(
      "apply needs --allow-empty",
    )
    expect(exitCode).toBe(3)
  })
})

describe("more than half of a list of over 100 rules", () => {
  test("is not removed with only --yes", async () => {
    present(101)

    const { exitCode, stderr } = await run("apply", [file(wanted(0, 50)), "--yes"])

    expect(JSON.parse(stderr).error.message).toContain("51 of 101 rules would be removed")
    expect(stderr).toContain("--allow-removals 51")
    expect(sent()).toBeUndefined()
    expect(exitCode).toBe(2)
  })

  test.each([
    ["51", 0],
    ["1000", 0],
    ["50", 2],
    ["0", 2],
  ])("with --allow-removals %s exits with %i", async (allowed, code) => {
    present(101)

    const { exitCode } = await run("apply", [
      ...[file(wanted(0, 50)), "--yes", "--allow-removals", allowed],
    ])

    expect(sent()?.length).toBe(code === 0 ? 50 : undefined)
    expect(exitCode).toBe(code)
  })

  test("is not removed by an empty file either", async () => {
    present(101)

    const { exitCode } = await run("apply", [file(""), "--yes", "--allow-empty"])

    expect(sent()).toBeUndefined()
    expect(exitCode).toBe(2)
  })

  test.each([
    [102, 51, "half of a list is no more than half"],
    [100, 1, "a list of 100 is not a long one"],
  ])("of %i rules, all but %i can be removed without --allow-removals: %s", async (count, kept) => {
    present(count)

    const { exitCode } = await run("apply", [file(wanted(0, kept)), "--yes"])

    expect(sent()).toHaveLength(kept)
    expect(exitCode).toBe(0)
  })

  test("is reported by `plan`", async () => {
    present(101)

    const { stderr } = await run("plan", [file(wanted(0, 50))])

    expect(stderr).toContain("apply needs --allow-removals 51")
  })
})

describe("a list of other types than the file's, however short", () => {
  const trades = "type,value\nindustry,toys\n"

  test("is not replaced with only --yes", async () => {
    const { exitCode, stderr } = await run("apply", [file(trades), "--yes"])

    const error: string = JSON.parse(stderr).error.message
    expect(error).toContain("3 of 3 rules would be removed, because the file has other types")
    expect(error).toContain("--allow-removals 3")
    expect(sent()).toBeUndefined()
    expect(exitCode).toBe(2)
  })

  test("is replaced with --allow-removals, and `plan` says so", async () => {
    const path = file(trades)

    expect((await run("plan", [path])).stderr).toContain("apply needs --allow-removals 3")
    const { exitCode } = await run("apply", [path, "--yes", "--allow-removals", "3"])

    expect(sent()).toEqual(["industry toys"])
    expect(exitCode).toBe(0)
  })

  test("is changed without --allow-removals if the file only lacks a type, or only adds one", async () => {
    const more = `${wanted(0, 3)}industry,toys\n`

    expect((await run("apply", [file(more), "--yes"])).exitCode).toBe(0)
  })

  test("is not touched with --types", async () => {
    const words = [file(trades), "--types", "industry", "--yes"]
    api.on(listRoute, () => ({ data: { ...emptyPage, rules: [] }, meta: emptyPage }))

    expect((await run("apply", words)).exitCode).toBe(0)
  })
})

describe("a plan file", () => {
  const planned = async (content: string): Promise<string> => {
    const path = join(directory, "rules.plan")
    const { exitCode, stderr } = await run("plan", [file(content), "--out", path])
    expect(exitCode).toBe(0)
    expect(stderr).toContain(`footfall suppression apply ${path}`)
    return path
  }

  test("is applied without reading the file or more than the newest rule of the list", async () => {
    const path = await planned(wanted(1, 4))
    rmSync(join(directory, "rules.csv"))
    const before = api.seen(listRoute).length

    const { exitCode, stdout } = await run("apply", [path, "--yes"])

    expect(sent()).toEqual([
      "email keep1@x.example",
      "email keep2@x.example",
      "email keep3@x.example",
    ])
    expect(
      api
        .seen(listRoute)
        .slice(before)
        .map(({ url }) => url.search),
    ).toEqual(["?limit=1"])
    expect(JSON.parse(stdout).data).toMatchObject({ applied: true, method: "replace" })
    expect(exitCode).toBe(0)
  })

  test.each([
    ["is empty", "", [], "is empty", 0],
    ["has no valid rule", "domain\nnot valid !!\n", ["--types", "domain"], "no valid rule", 3],
  ])(
    "of a file that %s is refused like the file, so that no list is emptied by mistake",
    async (_what, content, options, message, planExit) => {
      present(3)
      const path = join(directory, "rules.plan")
      const made = await run("plan", [file(content), ...options, "--out", path])
      expect(made.exitCode).toBe(planExit)

      const { exitCode, stderr } = await run("apply", [path, "--yes"])

      expect(stderr).toContain(message)
      expect(sent()).toBeUndefined()
      expect(exitCode).toBe(2)
    },
  )

  test("of an empty file is applied with --allow-empty", async () => {
    present(3)
    const path = join(directory, "rules.plan")
    await run("plan", [file(""), "--out", path])

    const { exitCode, stderr } = await run("apply", [path, "--yes", "--allow-empty"])

    expect(stderr).not.toContain("error")
    expect(sent()).toEqual([])
    expect(exitCode).toBe(0)
  })

  test("can be read only by its owner", async () => {
    expect(statSync(await planned(wanted(1, 4))).mode & 0o777).toBe(0o600)
  })

  test.each([
    ["a rule was added or removed", () => present(4), "The list has changed since"],
    [
      "the organization is another",
      () => api.on("GET /v1/data/account", () => ({ data: otherAccount })),
      "is a plan for",
    ],
  ])("is refused if %s", async (_what, change, message) => {
    const path = await planned(wanted(1, 4))
    change()

    const { exitCode, stderr } = await run("apply", [path, "--yes"])

    expect(JSON.parse(stderr).error.message).toContain(message)
    expect(sent()).toBeUndefined()
    expect(exitCode).toBe(2)
  })

  test.each([
    ["its end is missing", (text: string) => text.slice(0, -40)],
    ["a rule is missing", (text: string) => text.replace(/^\["wanted".*\n/m, "")],
    ["a rule was changed", (text: string) => text.replace("keep3@x", "keep9@x")],
    ["a value is no rule", (text: string) => text.replace('"keep3@x.example"', '"keep3"')],
    ["more follows its end", (text: string) => `${text}["removals","email","keep1@x.example"]\n`],
    ["its version is another", (text: string) => text.replace(":1,", ":2,")],
    [
      "its first line is not a plan",
      (text: string) => text.replace(/^.*\n/, '{"footfallPlan":1}\n'),
    ],
  ])("is refused if %s", async (_what, damage) => {
    const path = await planned(wanted(1, 4))
    writeFileSync(path, damage(readFileSync(path, "utf8")))

    const { exitCode, stderr } = await run("apply", [path, "--yes"])

    expect(JSON.parse(stderr).error.message).toContain("footfall suppression plan")
    expect(sent()).toBeUndefined()
    expect(exitCode).toBe(2)
  })

  test("keeps the guards: more than half of a long list needs --allow-removals", async () => {
    present(101)
    const path = await planned(wanted(0, 50))

    expect((await run("apply", [path, "--yes"])).stderr).toContain("--allow-removals 51")
    expect(sent()).toBeUndefined()
  })

  test("replaces only an older plan", async () => {
    const path = await planned(wanted(1, 4))

    expect((await run("plan", [join(directory, "rules.csv"), "--out", path])).exitCode).toBe(0)
    const { exitCode, stderr } = await run("plan", [
      path.replace(".plan", ".csv"),
      "--out",
      file(wanted(0, 1)),
    ])
    expect(JSON.parse(stderr).error.message).toContain("it is not a plan")
    expect(exitCode).toBe(2)
  })

  test("takes no options that say how to read a file", async () => {
    const path = await planned(wanted(1, 4))

    expect((await run("apply", [path, "--yes", "--types", "email"])).exitCode).toBe(2)
  })
})

test.each([
  ["changes", wanted(1, 4), 7],
  ["no changes", wanted(0, 3), 0],
  ["changes and rejected rows", `${wanted(1, 4)}email,none\n`, 7],
  ["rejected rows only", `${wanted(0, 3)}email,none\n`, 3],
])("plan --exit-code tells %s", async (_what, content, code) => {
  expect((await run("plan", [file(content), "--exit-code"])).exitCode).toBe(code)
})

describe("--quiet", () => {
  test("prints nothing if nothing is wrong, also for rows that are rejected", async () => {
    const path = file(`${wanted(1, 4)}email,none\ndomain,gmail.com\n`)

    expect(await run("plan", [path, "--quiet"])).toMatchObject({ stdout: "", stderr: "" })
    expect(await run("apply", [path, "--quiet", "--yes"])).toMatchObject({
      stdout: "",
      stderr: "",
      exitCode: 3,
    })
  })

  test("prints errors, and a result in a format that was asked for", async () => {
    expect((await run("apply", [file(""), "--quiet", "--yes"])).stderr).toContain("is empty")
    expect((await run("plan", [file(wanted(1, 4)), "-q", "--json"])).stdout).toContain('"method"')
  })
})

test("a result lists at most 10 rejected rows, and counts all", async () => {
  const rows = Array.from({ length: 200 }, (_none, index) => `email,none${index}\n`).join("")

  const { stdout } = await run("apply", [file(`${wanted(1, 4)}${rows}`), "--yes"])

  const { data } = JSON.parse(stdout)
  expect(data.rejected).toHaveLength(10)
  expect(data.rejectedCount).toBe(200)
  expect(stdout.split("\n").length).toBeLessThan(200)
})

test("an empty file with --allow-empty and --yes clears a short list, with a warning", async () => {
  const { exitCode, stderr } = await run("apply", [file("\n"), "--yes", "--allow-empty"])

  expect(stderr).toContain("warning: The file is empty")
  expect(sent()).toEqual([])
  expect(exitCode).toBe(0)
})

describe.skipIf(!hasScript)("on a terminal, the user types the number of removals", () => {
  test.each([
    ["51\r", 0],
    ["y\r", 1],
    ["50\r", 1],
    ["\r", 1],
  ])("%j exits with %i", async (answer, code) => {
    present(101)
    const path = file(wanted(0, 50))
    const screen = footfallOnTerminal(["suppression", "apply", path], { environment, columns: 100 })
    let shown = ""
    const closed = once(screen, "close")
    screen.stdout.on("data", (chunk: Buffer) => {
      if (shown.includes("Type 51")) return
      shown += stripVTControlCharacters(chunk.toString())
      if (shown.includes("Type 51")) screen.stdin.write(answer)
    })

    const [, [exitCode]] = await Promise.all([text(screen.stdout), closed])

    expect(sent()?.length).toBe(code === 0 ? 50 : undefined)
    expect(exitCode).toBe(code)
  })
})
