// A large import with the built operator's command: its memory doesn't grow with the file, it resumes after a kill,
// and it reports progress and exit codes (spec 5.14). FOOTFALL_SOAK=1 for 200,000 rows.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createWriteStream } from "node:fs"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest"
import { run, type Environment } from "../commands/command.ts"
import { isSoak } from "../soak/size.ts"
import { testDatabaseUrl } from "../support/database.ts"

/** Too many for a heap of 128 MiB. */
const rowCount = isSoak ? 200_000 : 50_000
const program = fileURLToPath(new URL("../../bin/footfall-server.js", import.meta.url))
const file = (name: string) => join(inject("temporaryDirectory"), name)

let database: Awaited<ReturnType<typeof testDatabaseUrl>>
let pool: pg.Pool
let environment: Environment
beforeAll(async () => {
  database = await testDatabaseUrl()
  pool = new pg.Pool({ connectionString: database.url, max: 1 })
  pool.on("error", () => undefined)
  environment = {
    DATABASE_URL: database.url,
    FOOTFALL_SECRET: "a secret of at least 32 characters.",
  }
  await pool.query(
    `insert into organization (id, name, slug, is_operator)
     values ('3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f', 'Operator', 'operator', true)`,
  )
  await writePeople(file("people.ndjson"))
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const writePeople = async (path: string) => {
  const stream = createWriteStream(path)
  for (let row = 0; row < rowCount; row++) {
    const line = JSON.stringify({
      email: `person.${row}@company-${row % 5_000}.example`,
      emails: [`p${row}@mail.example`],
      firstName: "Person",
      lastName: `Number ${row}`,
      phones: ["+14155550134"],
      phonesDnc: false,
      jobTitle: "VP Operations",
      seniority: "vp",
      department: "operations",
      company: {
        name: `Company ${row % 5_000}`,
        domain: `company-${row % 5_000}.example`,
        employeeCount: row,
      },
      geo: { city: "San Francisco", state: "California", country: "US" },
    })
    if (!stream.write(`${line}\n`)) await once(stream, "drain")
  }
  stream.end()
  await once(stream, "finish")
}

const count = async (): Promise<number> =>
  (await pool.query<{ count: number }>("select count(*)::int as count from person")).rows[0]!.count

/** Runs the command with a small heap, so that it fails if memory grows with the file. */
const importWithin = (heapMegabytes: number) =>
  spawn(
    process.execPath,
    [
      `--max-old-space-size=${heapMegabytes}`,
      program,
      "import",
      "people",
      file("people.ndjson"),
      "--json",
    ],
    {
      env: { PATH: process.env["PATH"], TMPDIR: process.env["TMPDIR"], ...environment },
      stdio: "pipe",
    },
  )

describe(`an import of ${rowCount} rows`, { timeout: 300_000 }, () => {
  it("resumes after a kill, in a heap of 128 MiB", async () => {
    const killed = importWithin(128)
    const ended = once(killed, "exit")
    await vi.waitFor(async () => expect(await count()).toBeGreaterThan(0), {
      timeout: 60_000,
      interval: 20,
    })
    killed.kill("SIGKILL")
    await ended
    const kept = await vi.waitFor(async () => {
      const { rows } = await pool.query(
        "select 1 from pg_stat_activity where application_name = 'footfall import' and datname = current_database()",
      )
      expect(rows).toEqual([])
      return count()
    }, 30_000)
    expect(kept).toBeGreaterThan(0)
    expect(kept).toBeLessThan(rowCount)

    const child = importWithin(128)
    const [stdout, stderr] = [text(child.stdout), text(child.stderr)]
    const [code] = await once(child, "close")

    expect(await stderr).toBe("")
    expect(JSON.parse(await stdout)).toEqual({
      read: rowCount,
      inserted: rowCount - kept,
      updated: 0,
      unchanged: kept,
      rejectedCount: 0,
      rejected: [],
    })
    expect(code).toBe(0)
    expect(await count()).toBe(rowCount)
  })
})

describe("footfall-server import", () => {
  const csv = "email,firstName\nann@b.example,Ann\nbad,Bob\n"

  it("reads a file by name, gzipped or not, and exits with 3 if rows were rejected", async () => {
    await writeFile(file("people.csv"), csv)
    await writeFile(file("people.csv.gz"), gzipSync(csv))

    const plain = await run(["import", "people", file("people.csv"), "--json"], environment)
    const packed = await run(["import", "people", file("people.csv.gz")], environment)

    expect(plain.code).toBe(3)
    expect(JSON.parse(plain.stdout)).toEqual({
      read: 2,
      inserted: 1,
      updated: 0,
      unchanged: 0,
      rejectedCount: 1,
      rejected: [{ row: 2, field: "email", reason: "invalid_value" }],
    })
    expect(packed.stdout).toContain("2 rows: 0 inserted, 0 updated, 1 unchanged, 1 rejected")
    expect(packed.stdout).toContain("row 2: invalid_value (email)")
    expect(packed.stderr).toBe("")
  })

  it("reads links from standard input in the format of --format", async () => {
    const line = JSON.stringify({ kind: "external_id", value: "x", emailHash: "a".repeat(64) })
    const result = await run(
      ["import", "links", "-", "--format", "ndjson", "--shared", "--json"],
      environment,
      line,
    )
    expect([result.code, JSON.parse(result.stdout)]).toEqual([
      0,
      { read: 1, inserted: 1, updated: 0, unchanged: 0, rejectedCount: 0, rejected: [] },
    ])
  })

  it.each([
    [["import", "people", "none.csv"], 1, "none.csv cannot be read"],
    [["import", "people", "-"], 1, "Can't tell the format"],
    [["import", "people", "people.txt", "--format", "csv"], 1, "people.txt cannot be read"],
    [["import", "companies", "people.csv"], 2, "companies"],
    [["import", "people", "x.csv", "--format", "xml"], 2, "xml"],
    [
      [
        "import",
        "people",
        "-",
        "--format",
        "csv",
        "--organization",
        "99999999-9999-4999-8999-999999999999",
      ],
      1,
      "No organization found",
    ],
    [["import", "people", "-", "--format", "csv"], 1, "Expected a header row"],
  ] as const)("%j exits with %i and prints why", async (args, code, message) => {
    const result = await run(args, environment)
    expect([result.code, result.stdout]).toEqual([code, ""])
    expect(result.stderr).toContain(message)
  })
})
