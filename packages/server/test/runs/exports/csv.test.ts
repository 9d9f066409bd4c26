// The CSV of a run (spec 2.13, 5.9), read by two independent parsers. For formulas see formulas.test.ts.
// FOOTFALL_SOAK=1 for 100,000 rows.
import { parse } from "csv-parse/sync"
import papaparse from "papaparse"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "../../support/server.ts"
import { ask } from "../support.ts"
import { exportCsv, people, putRun, type PutRow, runPath } from "./support.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer({ workers: false })
})
afterAll(() => server.close())

const columns =
  "hashedEmail,firstName,lastName,fullName,email,businessEmail,personalEmail,primaryContactEmail,emailStatus," +
  "phone,linkedinUrl,headline,jobTitle,seniority,department,company.name,company.domain,company.industry," +
  "company.industryGroup,company.revenueRange,company.size,company.linkedinUrl,geo.city,geo.state,geo.country," +
  "demographics.ageRange,demographics.gender,isB2b,intent.score,intent.topicOverlap,intent.matchedTopics"

/** The rows as a parser reads them, by column name. */
const parsed = (text: string): ReadonlyArray<Readonly<Record<string, string>>> =>
  parse(text, { columns: true, relax_quotes: false, skip_empty_lines: false })

describe("the form", () => {
  it("is UTF-8 without a byte order mark, lines end with CR and LF, and the columns are the paths in order", async () => {
    const run = await putRun(server, server, { rows: people(2) })

    const { response, text } = await exportCsv(server, run)

    expect(response.status).toBe(200)
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8")
    expect(response.headers.get("content-disposition")).toBe(
      'attachment; filename="buyers-2026-03-10.csv"',
    )
    expect(response.headers.get("cache-control")).toBe("no-store")
    expect(response.headers.get("x-content-type-options")).toBe("nosniff")
    expect(text.split("\r\n")).toEqual([
      columns,
      expect.stringMatching(/^[0-9a-f]{64},First 1,Last,First 1 Last,,person1@acme\.example/),
      expect.stringMatching(/^[0-9a-f]{64},First 2,/),
      "",
    ])
    expect(text.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/)
  })

  it("has the values of the results, row by row in the same order", async () => {
    const topics = [
      { topicId: 7, topicName: 'Heat "pumps", $1 & more' },
      { topicId: 3, topicName: "Solar" },
    ]
    const rows: ReadonlyArray<PutRow> = [
      {
        first_name: "Zoë",
        business_email: "zoe@acme.example",
        personal_email: "zoe@home.example",
        email: "zoe@acme.example",
        company_name: "Acme, Inc.",
        company_size: "51-200",
        score: 97,
        topic_overlap: 2,
        matched_topics: [3, 7],
      },
      { last_name: "Park", personal_email: "park@home.example", matched_topics: [7] },
      { matched_topics: [] },
    ]
    const run = await putRun(server, server, { topics, rows })
    const { data } = await ask<{ results: ReadonlyArray<Readonly<Record<string, unknown>>> }>(
      server,
      "GET",
      `${runPath(run)}/results`,
    )

    const found = parsed((await exportCsv(server, run)).text)

    const valueAt = (row: unknown, path: string): unknown =>
      path.split(".").reduce((value, name) => (value as Record<string, unknown>)[name], row)
    expect(data.results).toHaveLength(3)
    expect(found).toEqual(
      data.results.map((row) =>
        Object.fromEntries(
          columns.split(",").map((path) => {
            const value = valueAt(row, path)
            return [
              path,
              Array.isArray(value)
                ? value.map(({ topicName }: { topicName: string }) => topicName).join("|")
                : String(value ?? ""),
            ]
          }),
        ),
      ),
    )
  })

  it("is just the header if the run found no one", async () => {
    const run = await putRun(server, server)

    expect((await exportCsv(server, run)).text).toBe(`${columns}\r\n`)
  })

  it.each([
    ["Buyers of Freight", "buyers-of-freight"],
    ["  --Größe & Mehr!--  ", "gr-e-mehr"],
    ["東京", "audience"],
    [`${"a".repeat(59)} b`, "a".repeat(59)],
    ["../../etc/passwd", "etc-passwd"],
    ['x"\r\nSet-Cookie: a=b', "x-set-cookie-a-b"],
  ])("names the file for %j %s", async (name, slug) => {
    const run = await putRun(server, server, { name })

    const { response } = await exportCsv(server, run)

    expect(response.headers.get("content-disposition")).toBe(
      `attachment; filename="${slug}-2026-03-10.csv"`,
    )
  })

  it("is compressed for clients that accept gzip or br", async () => {
    const run = await putRun(server, server, { rows: people(5_000) })
    const encodingFor = async (accepted: string) => {
      const { response, text } = await exportCsv(server, run, "", { "accept-encoding": accepted })
      expect(text.split("\r\n")).toHaveLength(5_002)
      expect(response.headers.get("vary")).toBe("Accept-Encoding")
      return response.headers.get("content-encoding")
    }

    expect(await encodingFor("br;q=0.5, gzip")).toBe("gzip")
    expect(await encodingFor("gzip, br")).toBe("br")
    expect(await encodingFor("gzip;q=0, br;q=0")).toBeNull()
  })

  it("returns only the headers for HEAD", async () => {
    const run = await putRun(server, server, { rows: people(3) })

    const response = await fetch(`${server.url}/v1/intent/audiences${runPath(run)}/export.csv`, {
      method: "HEAD",
      headers: { "x-api-key": server.apiKey },
    })

    expect(response.status).toBe(200)
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8")
    expect(await response.text()).toBe("")
  })

  it.each(["queued", "running", "failed", "cancelled"])(
    "is a conflict for a %s run",
    async (status) => {
      const run = await putRun(server, server, { status })

      const { response, text } = await exportCsv(server, run)

      expect(response.status).toBe(409)
      expect(JSON.parse(text)).toMatchObject({
        error: { code: "RUN_NOT_COMPLETED", details: { status } },
      })
    },
  )
})

describe("values that need escaping (K2)", () => {
  const hard = [
    'quote " inside',
    '"quoted"',
    '""',
    '"',
    "comma, comma",
    "line\nfeed",
    "carriage\rreturn",
    "both\r\nof them",
    '",\r\n"',
    "\\",
    "\\N",
    "\\.",
    "|a|b|",
    " spaces ",
    "Ω≈ç√∫˜µ≤≥÷",
    "田中さんにあげて下さい",
    "😍 👩🏽‍🚒",
    "ثم نفس سقطت وبالتحديد",
    "̡͓̞ͅI̗̘̦͝n͇͇͙v̮̫ok̲̫̙͈i̖͙̭̹̠̞n̡̻̮̣̺g̲͈͙̭͙̬͎",
    "NULL",
    "undefined",
    "1E+02",
    "<script>alert(1)</script>",
    "'; drop table run_result; --",
    "$1 $$ ${x} %s {0}",
    "\u200b\ufeff",
    "x".repeat(2_000),
  ]

  it("are the same after parsing with two parsers", async () => {
    const count = process.env["FOOTFALL_SOAK"] === "1" ? 100_000 : 3_000
    const rows = Array.from({ length: count }, (_, at) => ({
      headline: hard[at % hard.length],
      company_name: `${at} ${hard[(at * 7) % hard.length]}`,
    }))
    const run = await putRun(server, server, { rows })

    const { text } = await exportCsv(server, run)

    const expected = rows.map(({ company_name, headline }) => [headline, company_name])
    const cells = (row: Readonly<Record<string, string>>) => [row["headline"], row["company.name"]]
    expect(parsed(text).map(cells)).toEqual(expected)
    const { data, errors } = papaparse.parse<Record<string, string>>(text, {
      header: true,
      newline: "\r\n",
      skipEmptyLines: "greedy",
    })
    expect(errors).toEqual([])
    expect(data.map(cells)).toEqual(expected)
  })
})
