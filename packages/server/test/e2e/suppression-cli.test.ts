// The built command line against the real server, for suppression rules: the server stores exactly the rules that were
// typed or in a file, even if the command is killed repeatedly.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import disposableDomains from "disposable-email-domains" with { type: "json" }
import mailChecker from "mailchecker"
import { isSoak } from "../soak/size.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { insertPerson } from "../suppression/visitors.ts"
import { temporaryFolder } from "../../../../scripts/test-run/temporary-folder.ts"

const footfallPath = fileURLToPath(new URL("../../../cli/bin/footfall.js", import.meta.url))

let server: TestServer
let directory: string

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

beforeEach(async () => {
  directory = temporaryFolder("e2e")
  await server.sdk.suppression.replace({ rules: [], confirmClearAll: true })
})

const start = (words: ReadonlyArray<string>, input = "", baseUrl = server.url) => {
  const child = spawn(process.execPath, [footfallPath, "suppression", ...words], {
    cwd: directory,
    env: {
      PATH: process.env["PATH"],
      TMPDIR: process.env["TMPDIR"],
      HOME: process.env["HOME"],
      FOOTFALL_CONFIG_DIR: directory,
      FOOTFALL_BASE_URL: baseUrl,
      FOOTFALL_API_KEY: server.apiKey,
    },
  })
  // A command that doesn't read its input closes it.
  child.stdin.on("error", () => undefined)
  child.stdin.end(input)
  return child
}

const suppression = async (words: ReadonlyArray<string>, input = "", baseUrl = server.url) => {
  const child = start(words, input, baseUrl)
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

const write = (name: string, content: string | Buffer): void =>
  writeFileSync(join(directory, name), content)
const read = (name: string): string => readFileSync(join(directory, name), "utf8")

describe("rules on the command line", () => {
  it("are added in normal form, and an invalid one stops no other and exits with 3", async () => {
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

  it("with an invisible character are rejected with its name", async () => {
    const message = "Expected no invisible character, received U+200B (zero width space)."

    const { data } = await suppression(["add", "domain", "ac\u200bme.example"])

    expect(data.rejected).toMatchObject([{ reason: "invalid_domain", message }])
  })

  it("are added from standard input, line by line", async () => {
    const lines = "jane@acme.example\r\n\r\n  lee@acme.example\n"

    const { exitCode } = await suppression(["add", "--type", "email", "-"], lines)

    expect(await stored()).toEqual(["email jane@acme.example", "email lee@acme.example"])
    expect(exitCode).toBe(0)
  })

  it("for free-mail domains are added with a warning", async () => {
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

  it("are not removed without confirmation", async () => {
    await suppression(["add", "domain", "a.example"])

    const { exitCode } = await suppression(["remove", "--type", "domain", "a.example"])

    expect(exitCode).toBe(2)
    expect(await stored()).toEqual(["domain a.example"])
  })
})

describe("the existing list", () => {
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

  it("is explained for a person, and exits with 5 for an unknown hash", async () => {
    const email = "jane@acme.example"
    await insertPerson(server, server, { emails: [email] })
    await suppression(["add", "email", email.toUpperCase()])

    const why = await suppression(["why", email])

    expect(why.data).toMatchObject({ rules: [{ type: "email", value: email }] })
    expect((await suppression(["why", "0".repeat(64)])).exitCode).toBe(5)
  })

  it("is explained for an address without a visitor: by the rules that match it", async () => {
    await suppression(["add", "domain", "acme.example", "mail.acme.example", "bücher.example"])
    await suppression(["add", "email", "lee@harbor.example"])
    const why = async (address: string) => (await suppression(["why", address])).data

    expect(await why("nobody@ACME.example")).toMatchObject({
      known: false,
      suppressed: true,
      rules: [{ type: "domain", value: "acme.example" }],
    })
    expect(await why("lee@harbor.example")).toMatchObject({
      suppressed: true,
      rules: [{ type: "email", value: "lee@harbor.example" }],
    })
    expect(await why("x@bücher.example")).toMatchObject({ suppressed: true })
    expect(await why("x@sub.acme.example")).toMatchObject({ suppressed: false, rules: [] })
    expect((await suppression(["why", "nobody@nowhere.example"])).exitCode).toBe(0)
  })
})

describe("an international address", () => {
  const spellings = (count: number) => ({
    unicode: `email\n${numbered(count)}gro@blåbær.example\n`,
    ascii: `email\n${numbered(count)}gro@xn--blbr-roah.example\n`,
  })
  const numbered = (count: number) =>
    Array.from({ length: count }, (_, number) => `b${number}@bulk.example\n`).join("")

  it.each([
    ["the whole list in one request", 1],
    ["more rules than fit one request", 25_000],
  ])("stays a rule when a file spells it otherwise: %s", async (_, count) => {
    const { ascii, unicode } = spellings(count)
    write("unicode.csv", unicode)
    write("ascii.csv", ascii)
    expect((await suppression(["import", "unicode.csv", "--yes"])).exitCode).toBe(0)

    const applied = await suppression(["apply", "ascii.csv", "--yes"])

    expect(applied.data).toMatchObject({ method: "none" })
    expect((await suppression(["why", "gro@blåbær.example"])).data).toMatchObject({
      suppressed: true,
      rules: [{ value: "gro@xn--blbr-roah.example" }],
    })
  })

  it("needs no change once a file with both spellings was applied", async () => {
    write("both.csv", "email\ngro@blåbær.example\ngro@xn--blbr-roah.example\nliv@ｑuay.example\n")
    await suppression(["apply", "both.csv", "--yes"])

    expect((await suppression(["plan", "both.csv"])).data).toMatchObject({ method: "none" })
    const { data } = await suppression(["list", "--search", "blåbær.example"])
    expect(data.map(({ value }: { value: string }) => value)).toEqual(["gro@xn--blbr-roah.example"])
    expect((await suppression(["why", "liv@quay.example"])).data.suppressed).toBe(true)
  })
})

describe("an import", () => {
  it("adds valid rules, reports invalid rows with their line, and exits with 3", async () => {
    await suppression(["add", "domain", "there.example"])
    await insertPerson(server, server, { emails: ["lee@new.example"] })
    write(
      "list.csv",
      "\uFEFFNote;Type;Value\r\n" +
        'a;domain;"https://www.New.example/path"\r\n' +
        '"two\r\nlines";domain;THERE.example\r\n' +
        "b;domain;new.example\r\n" +
        "c;email;not an address\r\n" +
        "d;email;Joe@Acme.example\r\n" +
        "e;colour;red\r\n",
    )

    const { exitCode, data } = await suppression(["import", "list.csv", "--yes"])

    expect(exitCode).toBe(3)
    expect(await stored()).toEqual([
      "domain new.example",
      "domain there.example",
      "email joe@acme.example",
    ])
    expect(data).toMatchObject({
      rows: 6,
      rules: 3,
      repeated: 1,
      rejectedCount: 2,
      rejectedByReason: { invalid_email: 1, invalid_type: 1 },
      added: 2,
      duplicates: 1,
      total: 3,
      preview: {
        wouldAdd: 2,
        newByType: { email: 1, domain: 1 },
        affectedVisitors: 1,
        affectedByType: { domain: 1 },
        isExact: true,
      },
    })
    expect(read("list.csv.rejected.csv")).toBe(
      "line,type,value,reason,message\r\n" +
        "6,email,not an address,invalid_email,\r\n" +
        "8,colour,red,invalid_type,\r\n",
    )
    expect(existsSync(join(directory, "list.csv.footfall-import.json"))).toBe(false)
    expect(existsSync(join(directory, "list.csv.footfall-import.rules"))).toBe(false)
  })

  it("of an export adds nothing: every value is the same", async () => {
    const values = [
      ...['health, "wellness"', "=1+1", "+1", "-x", "@home", "two  spaces", "ärzte"],
      ...["'=1+1", "''+1", "'quoted'"],
    ]
    await server.sdk.suppression.add(values.map((value) => ({ type: "industry", value }) as const))
    const before = await stored()
    await suppression(["export", "rules.csv"])

    const { data, exitCode } = await suppression(["import", "rules.csv", "--yes"])

    expect(data).toMatchObject({ rules: 10, added: 0, duplicates: 10 })
    expect(await stored()).toEqual(before)
    expect(exitCode).toBe(0)
  })

  it("sends nothing with --dry-run, nor without confirmation", async () => {
    write("list.txt", "a.example\nb.example\n")

    const dry = await suppression(["import", "list.txt", "--dry-run"])
    const unasked = await suppression(["import", "list.txt"])

    expect(dry.data).toMatchObject({ dryRun: true, rules: 2, preview: { wouldAdd: 2 } })
    expect(dry.exitCode).toBe(0)
    expect(unasked.exitCode).toBe(2)
    expect(await stored()).toEqual([])
  })

  it("of 100,000 rows respects the server's limit", async () => {
    const limited = await startServer({ beside: server, rateLimits: true })
    try {
      const rows = Array.from(
        { length: 100_000 },
        (_, index) => `p${index}@d${index % 997}.example`,
      )
      write("people.csv", `email\n${rows.join("\n")}\n`)

      const { exitCode, data } = await suppression(
        ["import", "people.csv", "--yes"],
        "",
        limited.url,
      )

      expect(data).toMatchObject({ rules: 100_000, added: 100_000, total: 100_000 })
      expect(exitCode).toBe(0)
      expect(await stored()).toEqual(rows.map((row) => `email ${row}`).toSorted())
    } finally {
      await limited.close()
    }
  }, 120_000)
})

describe("an import that is killed", () => {
  const rows = 3_000
  const rowsPerRequest = 50
  const kills = isSoak ? 20 : 6
  let counting: Server
  let writes = 0
  let onWrite: () => void = () => undefined

  beforeAll(async () => {
    counting = createServer((request, response) => {
      if (request.method === "POST" && !request.url?.endsWith("/preview")) {
        writes += 1
        onWrite()
      }
      server.embedded.listener(request, response)
    }).listen(0, "127.0.0.1")
    await once(counting, "listening")
  })
  afterAll(() => counting.close())

  it(`${kills} times ends with exactly the right rules, and repeats no answered request`, async () => {
    // A socket that listens on TCP has an address of this form.
    const url = `http://127.0.0.1:${(counting.address() as AddressInfo).port}`
    const bad = (index: number): boolean => index % 100 === 99
    const values = Array.from({ length: rows }, (_, index) =>
      bad(index) ? `bad ${index}` : `p${index}@acme.example`,
    )
    write("people.csv", `email\n${values.join("\n")}\n`)
    const words = [
      ...["import", "people.csv", "--resume", "--yes"],
      ...["--rows-per-request", String(rowsPerRequest)],
    ]

    for (let kill = 0; kill < kills; kill += 1) {
      const child = start(words, "", url)
      const closed = once(child, "close")
      // In the middle of the first, second or third request of this run, or between two of them.
      const fatal = writes + 1 + (kill % 3)
      onWrite = () => {
        if (writes === fatal) setTimeout(() => child.kill("SIGKILL"), kill % 4)
      }
      const [, signal] = await closed
      expect(signal).toBe("SIGKILL")
    }
    onWrite = () => undefined
    const { exitCode, data } = await suppression(words, "", url)

    const good = values.filter((_, index) => !bad(index))
    expect(exitCode).toBe(3)
    expect(data).toMatchObject({ rules: good.length, rejectedCount: 30, total: good.length })
    expect(data.added + data.duplicates).toBe(good.length)
    expect(await stored()).toEqual(good.map((value) => `email ${value}`).toSorted())
    // A kill loses the responses of the two requests in progress.
    expect(writes).toBeLessThanOrEqual(Math.ceil(good.length / rowsPerRequest) + 2 * kills)
    expect(read("people.csv.rejected.csv").trimEnd().split("\r\n")).toEqual([
      "line,type,value,reason,message",
      ...values.flatMap((value, index) =>
        bad(index) ? [`${index + 2},email,${value},invalid_email,`] : [],
      ),
    ])
  }, 180_000)
})

describe("a desired list", () => {
  it("is planned without a change, and applied at once", async () => {
    await suppression(["add", "domain", "old.example", "kept.example"])
    await suppression(["add", "email", "jane@acme.example"])
    write("wanted.csv", "type,value\ndomain,kept.example\ndomain,new.example\n")

    const plan = await suppression(["plan", "wanted.csv"])
    const before = await stored()
    const applied = await suppression(["apply", "wanted.csv", "--yes"])
    const again = await suppression(["apply", "wanted.csv", "--yes"])

    expect(plan.data).toMatchObject({
      method: "replace",
      atomic: true,
      applied: false,
      byType: {
        domain: { present: 2, wanted: 2, additions: 1, removals: 1 },
        email: { present: 1, wanted: 0, additions: 0, removals: 1 },
      },
      firstAdditions: [{ type: "domain", value: "new.example" }],
    })
    expect(plan.exitCode).toBe(0)
    expect(before).toHaveLength(3)
    expect(applied.exitCode).toBe(0)
    expect(await stored()).toEqual(["domain kept.example", "domain new.example"])
    expect(again.data).toMatchObject({ method: "none" })
  })

  it("with --types leaves other types alone and accepts no rows of them", async () => {
    await suppression(["add", "email", "jane@acme.example"])
    await suppression(["add", "domain", "old.example"])
    write("wanted.csv", "type,value\ndomain,new.example\nemail,lee@acme.example\n")

    const { data, exitCode } = await suppression([
      ...["apply", "wanted.csv", "--types", "domain", "--yes"],
    ])

    expect(data.rejectedByReason).toEqual({ type_not_in_types: 1 })
    expect(exitCode).toBe(3)
    expect(await stored()).toEqual(["domain new.example", "email jane@acme.example"])
  })

  it("that is empty clears the list with a warning, and not without confirmation", async () => {
    await suppression(["add", "domain", "old.example"])
    write("header.csv", "type,value\n")
    write("wanted.csv", "")

    expect((await suppression(["apply", "header.csv", "--yes"])).exitCode).toBe(2)
    expect((await suppression(["apply", "wanted.csv", "--allow-empty"])).exitCode).toBe(2)
    expect((await suppression(["apply", "wanted.csv", "--yes"])).exitCode).toBe(2)
    expect(await stored()).toHaveLength(1)
    const { exitCode, stderr } = await suppression([
      ...["apply", "wanted.csv", "--yes", "--allow-empty"],
    ])

    expect(stderr).toContain("warning: The file is empty: every rule will be removed.")
    expect(exitCode).toBe(0)
    expect(await stored()).toEqual([])
  })

  it("is applied from a plan file, and not once the list has changed", async () => {
    await suppression(["add", "domain", "old.example", "kept.example"])
    write("wanted.csv", "type,value\ndomain,kept.example\ndomain,new.example\n")
    await suppression(["plan", "wanted.csv", "--out", "first.plan"])
    await suppression(["plan", "wanted.csv", "--out", "second.plan"])
    write("wanted.csv", "")

    expect((await suppression(["apply", "first.plan", "--yes"])).exitCode).toBe(0)
    expect(await stored()).toEqual(["domain kept.example", "domain new.example"])
    const again = await suppression(["apply", "second.plan", "--yes"])
    expect(again.stderr).toContain("The list has changed since second.plan was created")
    expect(again.exitCode).toBe(2)
    const unchanged = ["plan", "wanted.csv", "--exit-code", "--quiet"]
    expect((await suppression(unchanged)).exitCode).toBe(7)
  })

  it("of 120,000 domains is applied by adding and removing, and says that this is not atomic", async () => {
    const domains = Array.from({ length: 120_000 }, (_, index) => `d${index}.example`)
    write("domains.txt", domains.join("\n"))
    await suppression(["import", "domains.txt", "--yes"])
    const wanted = [...domains.slice(100), "new.example"]
    write("domains.txt", wanted.join("\n"))

    const plan = await suppression(["plan", "domains.txt", "--types", "domain"])
    const applied = await suppression(["apply", "domains.txt", "--types", "domain", "--yes"])

    expect(plan.data).toMatchObject({
      method: "add_and_remove",
      atomic: false,
      byType: { domain: { additions: 1, removals: 100 } },
    })
    expect(applied.exitCode).toBe(0)
    expect(await stored()).toEqual(wanted.map((value) => `domain ${value}`).toSorted())
  }, 180_000)
})

describe("the lists published on npm", () => {
  const lists = {
    "disposable.txt": disposableDomains,
    "mailchecker.txt": [...mailChecker.blacklist()],
  }

  it("of over 100,000 domains are imported together, listed, and take effect", async () => {
    for (const [name, domains] of Object.entries(lists)) write(name, domains.join("\n"))
    const known = lists["disposable.txt"][4_000]!
    await insertPerson(server, server, { emails: [`jane@${known}`] })
    await insertPerson(server, server, { emails: ["joe@harbor.example"] })

    const files = Object.keys(lists)
    const imported = await suppression(["import", ...files, "--type", "domain", "--yes"])
    const { data: found } = await suppression(["list", "--search", known, "--limit", "1000"])
    const why = await suppression(["why", `jane@${known}`])

    const rules = await stored()
    const sent = new Set(Object.values(lists).flat())
    expect(imported.exitCode).toBe(3)
    expect(sent.size).toBeGreaterThan(100_000)
    expect(rules.length).toBeGreaterThan(100_000)
    expect(imported.data).toMatchObject({ added: rules.length })
    // The file names the reason for each rule that isn't stored: public suffixes, and invalid hosts.
    const { data: rejected } = imported
    expect(sent.size - rules.length).toBeLessThan(100)
    expect(rejected.rejectedByReason).toHaveProperty("public_suffix")
    expect(found.map(({ value }: { value: string }) => value)).toContain(known)
    expect(why.data.rules).toMatchObject([{ type: "domain", value: known }])
  }, 180_000)
})
