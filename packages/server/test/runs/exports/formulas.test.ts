// CSV cells that a spreadsheet would take for formulas (spec 2.13), checked with LibreOffice if it is installed.
import { parse } from "csv-parse/sync"
import { execFile } from "node:child_process"
import { mkdtemp, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { startServer, type TestServer } from "../../support/server.ts"
import { exportCsv, putRun } from "./support.ts"
import { needs } from "../../../../../scripts/test-run/programs.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer({ workers: false })
})
afterAll(() => server.close())

/** The rows as a parser reads them, by column name. */
const parsed = (text: string): ReadonlyArray<Readonly<Record<string, string>>> =>
  parse(text, { columns: true, relax_quotes: false, skip_empty_lines: false })

/** Cells that a spreadsheet would run. */
const formulas = [
  "=1+1",
  "+1+1",
  "-1+1",
  "@SUM(1,1)",
  "\t=1+1",
  "\r=1+1",
  '=HYPERLINK("http://evil.example";"click")',
  "=cmd|' /C calc'!A0",
  "-2+3+cmd|' /C calc'!A0",
  '=1+1";=1+1',
  "=1+1,=1+1",
  "=1+1\n=1+1",
  '@"=1+1"',
  "+49 170 1234567",
]
/** Not formulas to a spreadsheet, so they stay. */
const harmless = [
  "\n=1+1",
  "＝1+1",
  "＋1",
  "－1",
  "＠SUM(1)",
  " =1+1",
  "'=1+1",
  "a=1+1",
  '"=1+1"',
  "1-1",
]

describe("cells that look like formulas (K1)", () => {
  const rows = [...formulas, ...harmless].map((text) => ({
    first_name: text,
    headline: text,
    company_name: text,
  }))
  const topics = [{ topicId: 1, topicName: "=1+1" }]

  it("start with an apostrophe in every text column; other cells stay the same", async () => {
    const run = await putRun(server, server, { topics, rows })

    const found = parsed((await exportCsv(server, run)).text)

    const expected = [...formulas.map((text) => `'${text}`), ...harmless]
    for (const column of ["firstName", "fullName", "headline", "company.name"]) {
      expect(found.map((row) => row[column])).toEqual(expected)
    }
    expect(new Set(found.map((row) => row["intent.matchedTopics"]))).toEqual(new Set(["'=1+1"]))
  })

  it("are not changed with raw=true, for pipelines", async () => {
    const run = await putRun(server, server, { topics, rows })

    const found = parsed((await exportCsv(server, run, "?raw=true")).text)

    expect(found.map(({ headline }) => headline)).toEqual([...formulas, ...harmless])
    expect(found[0]?.["intent.matchedTopics"]).toBe("=1+1")
  })

  it(
    "are not evaluated by LibreOffice, which does evaluate the raw ones",
    { timeout: 120_000, ...needs("soffice") },
    async () => {
      const directory = await mkdtemp(join(inject("temporaryDirectory"), "office-"))
      const run = await putRun(server, server, { topics, rows })
      const formulasIn = async (name: string, text: string) => {
        const file = join(directory, `${name}.csv`)
        await writeFile(file, text)
        // 44: comma, 34: quote, 76: UTF-8, 1: from the first line on; the last switch: evaluate formulas.
        const filter = "CSV:44,34,76,1,,0,false,true,false,false,false,0,true"
        await promisify(execFile)("soffice", [
          `-env:UserInstallation=file://${directory}/profile`,
          "--headless",
          `--infilter=${filter}`,
          ...["--convert-to", "fods", "--outdir", directory, file],
        ])
        const sheet = await readFile(join(directory, `${name}.fods`), "utf8")
        return [...sheet.matchAll(/table:formula=/g)].length
      }

      const raw = await formulasIn("raw", (await exportCsv(server, run, "?raw=true")).text)
      const defused = await formulasIn("defused", (await exportCsv(server, run)).text)

      expect(raw).toBeGreaterThan(rows.length)
      expect(defused).toBe(0)
    },
  )
})
