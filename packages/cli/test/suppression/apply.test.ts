// `suppression plan` and `apply` as a user runs them: a misread file, or the wrong one, doesn't empty the list, and a plan
// file does what was reviewed or nothing. The server's package tests them against the real server.

import type { FileImportPlan } from "@footfall/sdk"
import { once } from "node:events"
import { readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { stripVTControlCharacters } from "node:util"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { FakeApi } from "../fixtures/fake-api.ts"
import { configDirectory, footfall, footfallOnTerminal, hasScript } from "../fixtures/footfall.ts"
import { account, apiKey } from "../fixtures/records.ts"
import {
  applied,
  dropRoute,
  importPlan,
  planRoute,
  planWithRejected,
  removingPlan,
  serveImports,
} from "../fixtures/rule-imports.ts"

let api: FakeApi
let environment: NodeJS.ProcessEnv
let directory: string
let plan: FileImportPlan

beforeEach(async () => {
  api = await FakeApi.start()
  environment = { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey }
  directory = configDirectory()
  plan = removingPlan(1)
  serveImports(api, () => plan)
})

afterEach(() => api[Symbol.asyncDispose]())

const file = (content: string): string => {
  const path = join(directory, "rules.csv")
  writeFileSync(path, content)
  return path
}

const rows = "domain\na.example\nb.example\n"

const run = (command: string, words: ReadonlyArray<string>, input = "") =>
  footfall(["suppression", command, ...words], { environment, input })

const apply = (...words: ReadonlyArray<string>) => run("apply", [file(rows), "--yes", ...words])

const guarded = (reason: "empty" | "no_rules" | "other_types" | "most", present: number) => {
  plan = removingPlan(51, { guard: { reason, removals: 51, present } })
  if (reason !== "empty") return
  const files = [{ name: "rules.csv", reading: "an empty file", rows: 0, rejected: 0 }]
  plan = { ...plan, rows: 0, rules: 0, new: 0, files }
}

test("the list becomes the file in one step, and the result has counts and examples", async () => {
  const { exitCode, stdout } = await apply("--types", "email,domain")

  expect(Object.fromEntries(api.seen(planRoute)[0]!.url.searchParams)).toMatchObject({
    mode: "replace",
    types: "email,domain",
  })
  expect(applied(api)).toMatchObject([{ allowRemovals: 1 }])
  expect(JSON.parse(stdout).data).toMatchObject({
    ...{ organization: "Tidewater", method: "replace", applied: true },
    byType: {
      email: { present: 3, wanted: 0, additions: 0, removals: 1 },
      domain: { present: 0, wanted: 2, additions: 2, removals: 0 },
    },
    firstAdditions: [{ type: "domain", value: "a.example" }],
  })
  expect(exitCode).toBe(0)
})

test("without changes, nothing is applied and nothing is asked", async () => {
  plan = importPlan({ mode: "replace", new: 0 })

  const { exitCode, stdout } = await apply()

  expect(JSON.parse(stdout).data).toMatchObject({ method: "none" })
  expect([exitCode, applied(api).length, api.seen(dropRoute).length]).toEqual([0, 0, 1])
})

describe("the guards", () => {
  test.each([
    ["most", 101, "51 of 101 rules would be removed. ", "--allow-removals 51"],
    ["other_types", 60, "because the file has other types than the list", "--allow-removals 51"],
    ["empty", 60, "rules.csv is empty: it has no rows", "add --allow-empty"],
    ["no_rules", 60, "has 2 rows, but no valid rule", "use an empty file and --allow-empty"],
  ] as const)("%s: --yes is not enough, and nothing changes", async (reason, present, ...words) => {
    guarded(reason, present)

    const { exitCode, stderr } = await apply()

    for (const each of words) expect(JSON.parse(stderr).error.message).toContain(each)
    expect([exitCode, applied(api).length, api.seen(dropRoute).length]).toEqual([2, 0, 1])
  })

  test.each([
    ["most", 101, ["--allow-removals", "51"], 0],
    ["most", 101, ["--allow-removals", "1000"], 0],
    ["most", 101, ["--allow-removals", "50"], 2],
    ["most", 101, ["--allow-removals", "0"], 2],
    ["other_types", 60, ["--allow-removals", "51"], 0],
    ["empty", 60, ["--allow-empty"], 0],
    // The empty file also removes most of a long list.
    ["empty", 101, ["--allow-empty"], 2],
    ["empty", 101, ["--allow-empty", "--allow-removals", "51"], 0],
    ["no_rules", 60, ["--allow-empty", "--allow-removals", "51"], 2],
  ] as const)("%s of %i rules with %j exits with %i", async (reason, present, words, code) => {
    guarded(reason, present)

    const { exitCode } = await apply(...words)

    expect([exitCode, applied(api).length]).toEqual([code, code === 0 ? 1 : 0])
  })

  test("--allow-removals is a limit also where no guard is", async () => {
    plan = removingPlan(2)

    const { exitCode, stderr } = await apply("--allow-removals", "1")

    expect(stderr).toContain("2 rules would be removed, but --allow-removals is 1.")
    expect([exitCode, applied(api).length]).toEqual([2, 0])
  })

  test.each([
    ["most", "More than half of the list would be removed: apply needs --allow-removals 51."],
    ["other_types", "The file has other types than the list: apply needs --allow-removals 51."],
    ["empty", "The file is empty: apply needs --allow-empty."],
    ["no_rules", "apply will reject this file"],
  ] as const)("`plan` warns of %s, and changes nothing", async (reason, warning) => {
    guarded(reason, 101)

    const { exitCode, stderr } = await run("plan", [file(rows)])

    expect(stderr).toContain(`warning: ${warning}`)
    expect([exitCode, applied(api).length, api.seen(dropRoute).length]).toEqual([0, 0, 1])
  })

  test("an empty file with --allow-empty and --yes clears a short list, with a warning", async () => {
    guarded("empty", 60)

    const { stderr } = await apply("--allow-empty")

    expect(stderr).toContain("warning: The file is empty: every rule will be removed.")
    expect(applied(api)).toMatchObject([{ allowEmpty: true, allowRemovals: 51 }])
  })
})

describe("a plan file", () => {
  const planned = async (...words: ReadonlyArray<string>): Promise<string> => {
    const path = join(directory, "rules.plan")
    const { exitCode, stderr } = await run("plan", [file(rows), "--out", path, ...words])
    expect(exitCode).toBe(0)
    expect(stderr).toContain(`footfall suppression apply ${path}`)
    return path
  }

  test("is applied without the file: it has a copy, and how to read it", async () => {
    const path = await planned("--type", "domain", "--column", "1", "--types", "domain")
    rmSync(join(directory, "rules.csv"))

    const { exitCode, stdout } = await run("apply", [path, "--yes"])

    const [first, second] = api.seen(planRoute)
    expect(second?.body).toBe(rows)
    expect(Object.fromEntries(second!.url.searchParams)).toEqual(
      Object.fromEntries(first!.url.searchParams),
    )
    expect(JSON.parse(stdout).data).toMatchObject({ applied: true, method: "replace" })
    expect([exitCode, applied(api).length]).toEqual([0, 1])
  })

  test("can be of standard input and of an empty file", async () => {
    const path = join(directory, "rules.plan")
    for (const input of ["a.example\n", ""]) {
      await run("plan", ["-", "--out", path], input)

      const { exitCode } = await run("apply", [path, "--yes"])

      expect(api.seen(planRoute).at(-1)?.body).toBe(input)
      expect(exitCode).toBe(0)
    }
  })

  test("can be read only by its owner, and leaves no draft behind", async () => {
    expect(statSync(await planned()).mode & 0o777).toBe(0o600)
    expect(readdirSync(directory).toSorted()).toEqual(["rules.csv", "rules.plan"])
  })

  test.each([
    ["the list has changed", () => (plan = { ...plan, listVersion: "later" }), "has changed since"],
    ["it would remove other rules", () => (plan = removingPlan(2)), "has changed since"],
    [
      "the organization is another",
      () => {
        const organization = { ...account.organization, id: "6a1c2f0e-5b7d-4e9a-8c3b-0d1e2f3a4b5c" }
        api.on("GET /v1/data/account", () => ({ data: { ...account, organization } }))
      },
      "is a plan for",
    ],
  ])("is refused if %s", async (_what, change, message) => {
    const path = await planned()
    change()

    const { exitCode, stderr } = await run("apply", [path, "--yes"])

    expect(JSON.parse(stderr).error.message).toContain(message)
    expect([exitCode, applied(api).length]).toEqual([2, 0])
  })

  test.each([
    ["its end is missing", (content: string) => content.slice(0, -40)],
    ["a rule is missing", (content: string) => content.replace("b.example\n", "")],
    ["a rule was changed", (content: string) => content.replace("b.example", "c.example")],
    ["what it says was changed", (content: string) => content.replace('"new":2', '"new":3')],
    ["more follows its end", (content: string) => `${content}["c.example"]\n`],
    ["nothing follows its first line", (content: string) => content.replace(/\n[^]*/, "\n")],
    ["its version is another", (content: string) => content.replace(":2}", ":1}")],
  ])("is refused if %s", async (_what, damage) => {
    const path = await planned()
    writeFileSync(path, damage(readFileSync(path, "utf8")))

    const { exitCode, stderr } = await run("apply", [path, "--yes"])

    expect(JSON.parse(stderr).error.message).toContain("footfall suppression plan")
    expect([exitCode, applied(api).length]).toEqual([2, 0])
  })

  test("keeps the guards: more than half of a long list needs --allow-removals", async () => {
    guarded("most", 101)
    const path = await planned()

    expect((await run("apply", [path, "--yes"])).stderr).toContain("--allow-removals 51")
    expect(applied(api)).toEqual([])
  })

  test("replaces only an older plan", async () => {
    const path = await planned()

    expect((await run("plan", [file(rows), "--out", path])).exitCode).toBe(0)
    const { exitCode, stderr } = await run("plan", [path, "--out", file(rows)])
    expect(JSON.parse(stderr).error.message).toContain("it is not a plan")
    expect(exitCode).toBe(2)
  })

  test("takes no options that say how to read a file", async () => {
    const path = await planned()

    expect((await run("apply", [path, "--yes", "--types", "email"])).exitCode).toBe(2)
  })

  test("is not written if the server can't read the file", async () => {
    api.on(planRoute, () => ({ status: 400, error: { code: "COLUMN_UNKNOWN", message: "Which?" } }))

    await run("plan", [file(rows), "--out", join(directory, "rules.plan")])

    expect(readdirSync(directory)).toEqual(["rules.csv"])
  })
})

test.each([
  ["changes", () => removingPlan(1), 7],
  ["no changes", () => importPlan({ new: 0 }), 0],
  ["changes and rejected rows", () => planWithRejected, 7],
  ["rejected rows only", () => ({ ...planWithRejected, new: 0 }), 3],
])("plan --exit-code tells %s", async (_what, make, code) => {
  plan = make()

  expect((await run("plan", ["-", "--exit-code"], rows)).exitCode).toBe(code)
})

describe("--quiet", () => {
  test("prints nothing if nothing is wrong, also for rows that are rejected", async () => {
    plan = { ...planWithRejected, freeMailDomains: ["gmail.com"] }

    expect(await run("plan", ["-", "--quiet"], rows)).toMatchObject({ stdout: "", stderr: "" })
    expect(await run("apply", ["-", "--quiet", "--yes"], rows)).toMatchObject({
      ...{ stdout: "", stderr: "", exitCode: 3 },
    })
  })

  test("prints errors, and a result in a format that was asked for", async () => {
    guarded("empty", 3)

    expect((await run("apply", ["-", "-q", "--yes"], "")).stderr).toContain("is empty")
    expect((await run("plan", ["-", "-q", "--json"], rows)).stdout).toContain('"method"')
  })
})

test("a result lists at most 10 rejected rows, and counts all", async () => {
  const [row] = planWithRejected.rejectedRows
  const rejectedRows = Array.from({ length: 100 }, (_none, line) => ({ ...row!, line }))
  plan = { ...planWithRejected, rejected: 200, rejectedRows }

  const { data } = JSON.parse((await run("apply", ["-", "--yes"], rows)).stdout)

  expect(data.rejected).toHaveLength(10)
  expect(data.rejectedCount).toBe(200)
})

describe.skipIf(!hasScript)("on a terminal, the user types the number of removals", () => {
  test.each([
    ["51\r", 0],
    ["y\r", 1],
    ["50\r", 1],
    ["\r", 1],
  ])("%j exits with %i", async (answer, code) => {
    guarded("most", 101)
    const screen = footfallOnTerminal(["suppression", "apply", file(rows)], {
      environment,
      columns: 100,
    })
    let shown = ""
    const closed = once(screen, "close")
    screen.stdout.on("data", (chunk: Buffer) => {
      if (shown.includes("Type 51")) return
      shown += stripVTControlCharacters(chunk.toString())
      if (shown.includes("Type 51")) screen.stdin.write(answer)
    })

    const [, [exitCode]] = await Promise.all([text(screen.stdout), closed])

    expect([exitCode, applied(api).length]).toEqual([code, code === 0 ? 1 : 0])
    expect(api.seen(dropRoute)).toHaveLength(code === 0 ? 0 : 1)
  })
})
