// The process is killed while it writes export files: a file that can be downloaded is complete, row for row, and
// matches its record, and every requested export is ready in the end. An export that was interrupted by three kills in
// a row fails, as a run does (spec 4.2), and is requested again. FOOTFALL_SOAK=1 for 50 kills.
import { createHash, randomUUID } from "node:crypto"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import pg from "pg"
import { afterAll, expect, it, vi } from "vitest"
import { type ExportAnswer, putRun, type PutRun, requestExport } from "../runs/exports/support.ts"
import {
  embeddedPostgres,
  killLeftServers,
  makeServerHome,
  runCommand,
  ServerProcess,
} from "../support/server-process.ts"

const isSoak = process.env["FOOTFALL_SOAK"] === "1"
const kills = isSoak ? 50 : 2
const rows = isSoak ? 150_000 : 60_000
/** Writing a file takes about this long, so kills hit every stage. Units: milliseconds. */
const writingTime = isSoak ? 2_000 : 900

interface ExportRecord {
  readonly status: string
  readonly attempts: number
  readonly error: string | null
  readonly sha: string | null
}

afterAll(killLeftServers)

it(
  `of ${kills} kills none leaves an incomplete file behind a link`,
  { timeout: kills * 20_000 + 120_000 },
  async () => {
    const home = await makeServerHome({ RATE_LIMITS: "off", LOG_LEVEL: "silent" })
    const init = ["init", "--organization", "Acme", "--email", "o@acme.example", "--json"]
    const { stdout } = await runCommand(home, "footfall-server", ...init)
    const { apiKey, organizationId } = JSON.parse(stdout) as Record<
      "apiKey" | "organizationId",
      string
    >
    const runs: Array<PutRun> = []
    const wholeFiles = new Set<string>()

    const start = async () => {
      const server = await ServerProcess.start(home)
      const { url } = await server.ready
      const client = new pg.Client((await embeddedPostgres(home)).connection)
      client.on("error", () => undefined)
      await client.connect()
      const asked = async (run: PutRun) => (await requestExport({ apiKey, url }, run)).data
      const kill = async () => {
        await client.end()
        await server.kill()
      }
      return { asked, client, kill }
    }

    for (let kill = 0; kill < kills; kill++) {
      const server = await start()
      runs.push(await largeRun(server.client, organizationId))
      for (const run of runs) {
        const answer = await server.asked(run)
        // A completed record isn't written again. All files are read once more at the end.
        if (answer.downloadUrl === null || wholeFiles.has(answer.export.id)) continue
        await expectWhole(answer)
        wholeFiles.add(answer.export.id)
      }
      // Every second kill happens when a record says that its file exists.
      if (kill % 2 === 1) await completedExport(server.client, runs.at(-1)!)
      else {
        await begunExport(server.client, runs.at(-1)!)
        await wait((kill * 137 + 60) % writingTime)
      }
      await server.kill()
    }

    const { asked, client, kill } = await start()
    // Ends the leases of killed processes now instead of in half a minute. jobs/store.test.ts waits for that.
    await client.query(
      `update run_export set leased_until = clock_timestamp() - interval '1 second'
       where leased_until < clock_timestamp() + interval '29 seconds'`,
    )
    for (const run of runs) {
      const answer = await vi.waitFor(
        async () => {
          const now = await asked(run)
          expect(now.export.status).toBe("completed")
          return now
        },
        { timeout: 60_000, interval: 100 },
      )
      await expectWhole(answer)
    }
    const { rows: records } = await client.query<ExportRecord>(
      "select status, attempts, error_code as error, content_sha256 as sha from run_export",
    )
    // A failed export may have left a whole file, which is deleted within seconds.
    await expect
      .poll(() => wholeNames(join(home.dataDir, "exports", organizationId)), { timeout: 30_000 })
      .toHaveLength(runs.length)
    await kill()

    const givenUp = records.filter(({ status }) => status !== "completed")
    for (const record of givenUp) {
      expect(record).toEqual({ status: "failed", attempts: 3, error: "INTERNAL_ERROR", sha: null })
    }
    const attempts = records.reduce((sum, record) => sum + record.attempts, 0)
    // Otherwise too little was interrupted.
    expect(attempts - runs.length).toBeGreaterThanOrEqual(kills / 4)
  },
)

const largeRun = async (client: pg.Client, organizationId: string): Promise<PutRun> => {
  const sql = async (text: string, values: ReadonlyArray<unknown> = []) =>
    (await client.query(text, [...values])).rows as ReadonlyArray<Record<string, unknown>>
  const run = await putRun({ sql }, { organizationId }, { name: `Buyers ${randomUUID()}` })
  await sql(
    `insert into run_result (organization_id, run_id, position, hashed_email, first_name, headline,
       score, topic_overlap, matched_topics)
     select $1, $2, place, sha256(place::text::bytea), 'First ' || place, repeat('headline ', 20), 90, 1, array[1]
     from generate_series(1, ${rows}) as place`,
    [organizationId, run.runId],
  )
  await sql("update audience_run set result_count = $2 where id = $1", [run.runId, rows])
  return run
}

/** Resolves once a worker has claimed it. Before that there is nothing to interrupt. */
const begunExport = (client: pg.Client, { runId }: PutRun): Promise<void> =>
  vi.waitFor(
    async () => {
      const sql = "select from run_export where run_id = $1 and attempts > 0"
      expect((await client.query(sql, [runId])).rowCount).toBe(1)
    },
    { timeout: 30_000, interval: 1 },
  )

const completedExport = (client: pg.Client, { runId }: PutRun): Promise<void> =>
  vi.waitFor(
    async () => {
      const sql = "select from run_export where run_id = $1 and status = 'completed'"
      expect((await client.query(sql, [runId])).rowCount).toBe(1)
    },
    { timeout: 30_000, interval: 1 },
  )

const sha256 = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest("hex")

/** The digests of complete files. All runs have the same people, so equal files are read once. */
const exact = new Set<string>()

const expectWhole = async (answer: ExportAnswer): Promise<void> => {
  const response = await fetch(String(answer.downloadUrl))
  const bytes = Buffer.from(await response.arrayBuffer())
  const contentSha256 = sha256(bytes)
  expect(response.status).toBe(200)
  expect(answer.export).toMatchObject({
    status: "completed",
    rowCount: rows,
    byteSize: bytes.length,
    contentSha256,
  })
  if (!exact.has(contentSha256)) expectEveryRow(bytes.toString("utf8"))
  exact.add(contentSha256)
}

const expectEveryRow = (text: string): void => {
  const [header = "", ...lines] = text.split("\r\n")
  const cells = header.split(",").length
  expect(lines).toHaveLength(rows + 1)
  expect(lines.pop()).toBe("")
  const wrong = lines.filter((line, at) => {
    const place = String(at + 1)
    return !line.startsWith(`${sha256(place)},First ${place},`) || line.split(",").length !== cells
  })
  expect(wrong).toEqual([])
}

const wholeNames = async (folder: string): Promise<ReadonlyArray<string>> =>
  (await readdir(folder)).filter((name) => name.endsWith(".csv"))
