// The built command line against the real server, for suppression rules: what is typed or stands in a
// file is what the server stores, also when the command is killed again and again.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"
import { insertPerson } from "../suppression/visitors.ts"

const footfallPath = fileURLToPath(new URL("../../../cli/bin/footfall.js", import.meta.url))

let server: TestServer
let directory: string

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "footfall-e2e-"))
  await server.sdk.suppression.replace({ rules: [], confirmClearAll: true })
})

const start = (words: ReadonlyArray<string>, input = "") => {
  const child = spawn(process.execPath, [footfallPath, "suppression", ...words], {
    cwd: directory,
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      FOOTFALL_CONFIG_DIR: directory,
      FOOTFALL_BASE_URL: server.url,
      FOOTFALL_API_KEY: server.apiKey,
    },
  })
  // A command that does not read its input closes it.
  child.stdin.on("error", () => undefined)
  child.stdin.end(input)
  return child
}

const suppression = async (words: ReadonlyArray<string>, input = "") => {
  const child = start(words, input)
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ])
  return { exitCode, stdout, stderr, ...(stdout.startsWith("{\n") && JSON.parse(stdout)) }
}

/** Every stored rule as `type value`, sorted. */
const stored = async (): Promise<ReadonlyArray<string>> => {
  const rows = await server.sql(
    `select type || ' ' || value as rule from suppression_rule
     where organization_id = $1 and removed_at is null`,
    [server.organizationId],
  )
  return rows.map(({ rule }) => String(rule)).toSorted()
}

describe("rules by hand", () => {
  it("are added in normal form, and a bad one stops no other and ends with 3", async () => {
    const { exitCode, data } = await suppression([
      "add",
      "domain",
      "https://www.Acme.example/about",
      "acme.example",
      "co.uk",
    ])

    expect(data).toMatchObject({ added: 1, duplicates: 1, rejectedCount: 1, total: 1 })
    expect(data.rejected).toEqual([
      { index: 2, type: "domain", value: "co.uk", reason: "public_suffix" },
    ])
    expect(await stored()).toEqual(["domain acme.example"])
    expect(exitCode).toBe(3)
  })

  it("are added from lines of standard input", async () => {
    const lines = "jane@acme.example\r\n\r\n  lee@acme.example\n"

    const { exitCode } = await suppression(["add", "--type", "email", "-"], lines)

    expect(await stored()).toEqual(["email jane@acme.example", "email lee@acme.example"])
    expect(exitCode).toBe(0)
  })

  it("for free mail are taken with a warning", async () => {
    const { exitCode, stderr } = await suppression(["add", "domain", "Gmail.com", "acme.example"])

    expect(stderr).toContain("warning: gmail.com is a free-mail domain")
    expect(await stored()).toEqual(["domain acme.example", "domain gmail.com"])
    expect(exitCode).toBe(0)
  })

  it("are removed by any form of their value, and by id", async () => {
    await suppression(["add", "domain", "a.example", "b.example", "c.example"])
    const { data } = await suppression(["list", "--search", "C.EX"])

    const byValue = await suppression(
      ["remove", "--type", "domain", "-", "--yes"],
      "https://A.example/\nnowhere.example\n",
    )
    const byId = await suppression(["remove", data[0].id, "--yes"])
    const again = await suppression(["remove", data[0].id, "--yes"])

    expect(byValue.stderr).toBe("")
    expect(byValue.data).toEqual({ deleted: 1, total: 2 })
    expect(byId.data).toEqual({ deleted: 1, total: 1 })
    expect(again.exitCode).toBe(5)
    expect(await stored()).toEqual(["domain b.example"])
  })

  it("are not removed unasked", async () => {
    await suppression(["add", "domain", "a.example"])

    const { exitCode } = await suppression(["remove", "--type", "domain", "a.example"])

    expect(exitCode).toBe(2)
    expect(await stored()).toEqual(["domain a.example"])
  })
})

describe("what there is", () => {
  const domains = Array.from({ length: 120 }, (_, index) => `d${index}.example`)

  it("is listed by type and text, over pages, with the counts of the whole list", async () => {
    await server.sdk.suppression.add([
      ...domains.map((value) => ({ type: "domain", value }) as const),
      { type: "email", value: "jane@d1.example" },
    ])

    const page = await suppression(["list"])
    const found = await suppression(["list", "--type", "domain", "--search", "D11", "--all"])

    expect(page.data).toHaveLength(50)
    expect(page.meta).toMatchObject({ total: 121, hasMore: true })
    expect(found.data).toHaveLength(11)
    expect(found.meta).toMatchObject({
      filteredTotal: 11,
      counts: { email: 1, domain: 120, company_domain: 0, industry: 0 },
    })
  })

  it("is exported to a file that can be imported, and to standard output", async () => {
    await suppression(["add", "industry", 'health, "wellness"', "robotics"])

    const { data } = await suppression(["export", "rules.csv"])
    const refused = await suppression(["export", "rules.csv"])
    const { stdout } = await suppression(["export", "-", "--format", "ndjson"])

    expect(data).toMatchObject({ file: "rules.csv", rules: 2 })
    expect(refused.exitCode).toBe(2)
    expect(stdout.trim().split("\n")).toHaveLength(2)
  })

  it("is explained for a person, and 5 is for nobody", async () => {
    const email = "jane@acme.example"
    await insertPerson(server, server, { emails: [email] })
    await suppression(["add", "email", email.toUpperCase()])

    const why = await suppression(["why", email])

    expect(why.data).toMatchObject({ rules: [{ type: "email", value: email }] })
    expect((await suppression(["why", "nobody@nowhere.example"])).exitCode).toBe(5)
  })
})
