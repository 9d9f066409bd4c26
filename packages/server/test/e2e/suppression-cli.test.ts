// The built command line against the real server, for suppression rules: the server stores exactly the rules that were
// typed or in a file, even if the command is killed.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { setTimeout as wait } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
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

/** `input`: null leaves standard input open. */
const start = (words: ReadonlyArray<string>, input: string | null = "", baseUrl = server.url) => {
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
  if (input !== null) child.stdin.end(input)
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

/** Plans that wait on the server. */
const waiting = async (): Promise<number> => {
  const rows = await server.sql("select from staged_import where ended_at is null")
  return rows.length
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
  it("stays a rule when a file spells it otherwise", async () => {
    write("unicode.csv", "email\ngro@blåbær.example\n")
    write("ascii.csv", "email\ngro@xn--blbr-roah.example\n")
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
      },
    })
    expect(read("list.csv.rejected.csv")).toBe(
      "line,type,value,reason,message\r\n" +
        "6,email,not an address,invalid_email,\r\n" +
        "8,colour,red,invalid_type,\r\n",
    )
    expect(readdirSync(directory).toSorted()).toEqual(["list.csv", "list.csv.rejected.csv"])
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

  it("changes nothing with --dry-run, nor without confirmation, and leaves no plan behind", async () => {
    write("list.txt", "a.example\nb.example\n")

    const dry = await suppression(["import", "list.txt", "--dry-run"])
    const unasked = await suppression(["import", "list.txt"])

    expect(dry.data).toMatchObject({ dryRun: true, rules: 2, preview: { wouldAdd: 2 } })
    expect(dry.exitCode).toBe(0)
    expect(unasked.exitCode).toBe(2)
    expect(await stored()).toEqual([])
    expect(await waiting()).toBe(0)
  })

  it("reads UTF-16 and gzip, and from standard input", async () => {
    const utf16 = Buffer.from("\uFEFFdomain\na.example\n", "utf16le")
    write("list.csv", gzipSync(utf16))

    await suppression(["import", "list.csv", "--yes"])
    await suppression(["import", "-", "--yes"], "b.example\nc.example\n")

    expect(await stored()).toEqual(["domain a.example", "domain b.example", "domain c.example"])
  })

  it.each([
    ["a workbook", Buffer.from("PK\u0003\u0004rest"), "list.csv is a ZIP archive or a workbook"],
    ["no text", Buffer.from([1, 0, 0, 0, 2, 3, 0, 5]), "list.csv is not a text file in UTF-8"],
    ["cut-off gzip", gzipSync("a.example\n").subarray(0, 20), "ends in the middle of its gzip"],
    ["an open quote", 'type,value\ndomain,"a.example\n', "a quote is not closed"],
    ["a row of 100 KiB", `a.example\n${"b".repeat(100 * 1024)}\n`, "line 2: the row is longer"],
    [
      "two columns that fit",
      "Id,Ansprechpartner-Mail,Website\n1,ida@kite.example,kite.example\n",
      "--column Website --type company_domain, or --column Ansprechpartner-Mail --type email.",
    ],
    ["no known column", "Firma,Ort\nKite,Oslo\n", "Add --column"],
    ["no rows", "email,name\n", "list.csv is empty: it has no rows"],
  ])("of a file with %s exits with 2 and changes nothing", async (_what, content, message) => {
    write("list.csv", content)

    const { exitCode, stderr } = await suppression(["import", "list.csv", "--yes"])

    expect(JSON.parse(stderr).error.message).toContain(message)
    expect(exitCode).toBe(2)
    expect(await stored()).toEqual([])
    expect(await waiting()).toBe(0)
  })

  it("of a file that is refused at its start does not send the rest of it", async () => {
    write("list.csv", `Firma,Ort\n${"Kite,Oslo\n".repeat(5_000_000)}`)

    const { exitCode, stderr } = await suppression(["import", "list.csv", "--yes"])

    expect(JSON.parse(stderr).error.message).toContain("Add --column")
    expect(exitCode).toBe(2)
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
  const rows = 30_000
  const kills = isSoak ? 30 : 6
  let watching: Server
  let onRequest: (path: string) => void = () => undefined

  beforeAll(async () => {
    watching = createServer((request, response) => {
      onRequest(new URL(request.url ?? "", server.url).pathname)
      server.embedded.listener(request, response)
    }).listen(0, "127.0.0.1")
    await once(watching, "listening")
  })
  afterAll(() => watching.close())

  it(`${kills} times has changed everything or nothing, and ends with exactly the right rules`, async () => {
    // A socket that listens on TCP has an address of this form.
    const url = `http://127.0.0.1:${(watching.address() as AddressInfo).port}`
    const bad = (index: number): boolean => index % 1_000 === 999
    const values = Array.from({ length: rows }, (_, index) =>
      bad(index) ? `bad ${index}` : `p${index}@acme.example`,
    )
    const good = values.filter((_, index) => !bad(index))
    const all = good.map((value) => `email ${value}`).toSorted()
    write("people.csv", `email\n${values.join("\n")}\n`)
    const words = ["import", "people.csv", "--yes"]

    for (let kill = 0; kill < kills; kill += 1) {
      const child = start(words, "", url)
      const closed = once(child, "close")
      // In the middle of the file, while the server compares it, and while it applies the plan.
      const fatal = ["plan", "plan", "apply"][kill % 3]!
      const delays = kill % 3 === 1 ? 300 : 10 * Math.floor(kill / 3)
      onRequest = (path) => {
        if (path.endsWith(`/${fatal}`)) setTimeout(() => child.kill("SIGKILL"), delays)
      }
      await closed
      onRequest = () => undefined
      await ended()
      expect([0, all.length]).toContain((await stored()).length)
      await server.sdk.suppression.replace({ rules: [], confirmClearAll: true })
    }
    const { exitCode, data } = await suppression(words, "", url)

    expect(exitCode).toBe(3)
    expect(data).toMatchObject({ rows, rejectedCount: 30, added: good.length, total: good.length })
    expect(await stored()).toEqual(all)
    const again = await suppression(words, "", url)
    expect(again.data).toMatchObject({ added: 0, duplicates: good.length, total: good.length })
    expect(read("people.csv.rejected.csv").trimEnd().split("\r\n")).toEqual([
      "line,type,value,reason,message",
      ...values.flatMap((value, index) =>
        bad(index) ? [`${index + 2},email,${value},invalid_email,`] : [],
      ),
    ])
  }, 180_000)

  it("with Ctrl-C while it sends ends with 130, says so, and leaves nothing on the server", async () => {
    // A command that was killed before it applied its plan leaves it for an hour.
    await server.sql("update staged_import set ended_at = now() where ended_at is null")
    const child = start(["import", "-", "--yes"], null)
    child.stdin.write("email\n" + "a@a.example\n".repeat(100_000))
    await until(async () => (await waiting()) === 1)

    child.kill("SIGINT")
    const [stderr, [exitCode]] = await Promise.all([text(child.stderr), once(child, "close")])

    expect(stderr).toContain("Interrupted. Nothing was changed. Run the command again.")
    expect(exitCode).toBe(130)
    await until(async () => (await waiting()) === 0)
    expect(await stored()).toEqual([])
  }, 30_000)
})

/** Waits until the server has ended what a killed command began. */
const ended = () =>
  until(async () => {
    const rows = await server.sql(
      "select from pg_stat_activity where datname = current_database() and state = 'active' and pid <> pg_backend_pid()",
    )
    return rows.length === 0
  })

const until = async (isSo: () => Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await wait(20)
}

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

  it("of 120,000 domains is compared and applied at once", async () => {
    const domains = Array.from({ length: 120_000 }, (_, index) => `d${index}.example`)
    write("domains.txt", domains.join("\n"))
    await suppression(["import", "domains.txt", "--yes"])
    const wanted = [...domains.slice(100), "new.example"]
    write("domains.txt", wanted.join("\n"))

    const plan = await suppression(["plan", "domains.txt", "--types", "domain"])
    const applied = await suppression(["apply", "domains.txt", "--types", "domain", "--yes"])

    expect(plan.data).toMatchObject({
      method: "replace",
      byType: { domain: { additions: 1, removals: 100 } },
    })
    expect(applied.exitCode).toBe(0)
    expect(await stored()).toEqual(wanted.map((value) => `domain ${value}`).toSorted())
  }, 60_000)

  it("that loses its rules is applied only with the number of removals", async () => {
    const domains = Array.from({ length: 101 }, (_, index) => `d${index}.example`)
    await server.sdk.suppression.add(domains.map((value) => ({ type: "domain", value }) as const))
    write("half.txt", domains.slice(0, 50).join("\n"))
    write("trades.csv", "type,value\nindustry,toys\n")

    const half = await suppression(["apply", "half.txt", "--yes"])
    const trades = await suppression(["apply", "trades.csv", "--yes"])

    expect(half.stderr).toContain("51 of 101 rules would be removed")
    expect(trades.stderr).toContain("because the file has other types than the list")
    expect([half.exitCode, trades.exitCode]).toEqual([2, 2])
    expect(await stored()).toHaveLength(101)
    const words = ["half.txt", "--yes", "--allow-removals", "51"]
    expect((await suppression(["apply", ...words])).exitCode).toBe(0)
    expect(await stored()).toHaveLength(50)
  })

  it("without some rules of a file is what `remove --file` leaves", async () => {
    await suppression(["add", "domain", "a.example", "b.example", "c.example"])
    write("left.csv", "Domain;x\nhttps://A.example/;1\nnowhere.example;2\nnot one;3\n")

    const { data, exitCode, stderr } = await suppression(["remove", "--file", "left.csv", "--yes"])

    expect(data).toMatchObject({ deleted: 1, missing: 1, total: 2 })
    expect(stderr).toContain('left.csv line 4: not a host name: "not one"')
    expect(exitCode).toBe(3)
    expect(await stored()).toEqual(["domain b.example", "domain c.example"])
  })
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
