// The process killed while it writes export files (reliability.md K5): a file that can be downloaded is whole,
// as its record says, and every export is made in the end. FOOTFALL_SOAK=1 for 20 kills.
import { createHash, randomUUID } from "node:crypto"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import pg from "pg"
import { afterAll, expect, it, vi } from "vitest"
import {
  type ExportAnswer,
  putRun,
  type PutRun,
  readExport,
  requestExport,
} from "../runs/exports/support.ts"
import {
  embeddedPostgres,
  killLeftServers,
  makeServerHome,
  runCommand,
  ServerProcess,
} from "../support/server-process.ts"

const isSoak = process.env["FOOTFALL_SOAK"] === "1"
const kills = isSoak ? 20 : 2
const rows = isSoak ? 150_000 : 60_000

afterAll(killLeftServers)

it(
  `of ${kills} kills none leaves half a file under a link`,
  { timeout: kills * 20_000 + 60_000 },
  async () => {
    const home = await makeServerHome({ RATE_LIMITS: "off", LOG_LEVEL: "silent" })
    const init = ["init", "--organization", "Acme", "--email", "o@acme.example", "--json"]
    const { stdout } = await runCommand(home, "footfall-server", ...init)
    const { apiKey, organizationId } = JSON.parse(stdout) as Record<
      "apiKey" | "organizationId",
      string
    >
    const runs: Array<PutRun> = []
    let whole = 0
    let interrupted = 0

    for (let kill = 0; kill <= kills; kill++) {
      const server = await ServerProcess.start(home)
      const { url } = await server.ready
      const client = new pg.Client((await embeddedPostgres(home)).connection)
      client.on("error", () => undefined)
      await client.connect()
      if (kill < kills) runs.push(await largeRun(client, organizationId))

      for (const run of runs) {
        const { data } = await requestExport({ apiKey, url }, run)
        whole += await expectWhole(data)
      }
      if (kill < kills) {
        // At another place in the file each time.
        await wait((kill * 137 + 60) % 900)
        const left = await client.query("select from run_export where status = 'processing'")
        interrupted += left.rowCount ?? 0
        await client.end()
        await server.kill()
        continue
      }
      for (const run of runs) {
        const { data } = await requestExport({ apiKey, url }, run)
        const ended = await vi.waitFor(
          async () => {
            const now = await readExport({ apiKey, url }, run, data.export.id)
            expect(now.data.export.status).toBe("completed")
            return now.data
          },
          { timeout: 45_000, interval: 100 },
        )
        whole += await expectWhole(ended)
      }
      const files = await readdir(join(home.dataDir, "exports", organizationId))
      expect(files.filter((name) => name.endsWith(".csv"))).toHaveLength(runs.length)
      await client.end()
      await server.kill()
    }

    expect(whole).toBeGreaterThanOrEqual(kills)
    // Otherwise nothing was tried.
    expect(interrupted).toBeGreaterThan(0)
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

/** 1 for a link to a whole file, 0 without a link; whatever else is behind a link fails the test. */
const expectWhole = async (answer: ExportAnswer): Promise<0 | 1> => {
  if (answer.downloadUrl === null) return 0
  const bytes = Buffer.from(await (await fetch(answer.downloadUrl)).arrayBuffer())
  expect(answer.export).toMatchObject({
    status: "completed",
    rowCount: rows,
    byteSize: bytes.length,
    contentSha256: createHash("sha256").update(bytes).digest("hex"),
  })
  return 1
}
