// Imports 1,000,000 rules as CSV with the command line, measured as the whole command with rate limits off, compared
// with `\copy` of the same file into a bare table with the same unique index. Also measures the command's peak memory.
import pg from "pg"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createWriteStream, readFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { BenchPostgres } from "./database.ts"
import { makeFixture, secret } from "./fixture.ts"
import { cliBin, freePort, ready, serverBin, start, stop } from "./processes.ts"
import type { Row } from "./report.ts"

const rowCount = 1_000_000

export const suppressionUpload = async (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> => {
  const database = await postgres.database("bench_upload")
  const { apiKey, organizationId } = await makeFixture(database)
  const directory = await mkdtemp(join(tmpdir(), "footfall-bench-"))
  const file = join(directory, "rules.csv")
  await pipeline(Readable.from(lines()), createWriteStream(file))
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  const port = await freePort()
  const server = start([serverBin, "start", "--json", "--no-workers"], {
    DATABASE_URL: database,
    FOOTFALL_SECRET: secret,
    RATE_LIMITS: "off",
    LOG_LEVEL: "error",
    PORT: String(port),
  })
  try {
    await ready(port, 0)
    const copySeconds = await copy(client, database, organizationId, file)
    const { peakMiB, seconds } = await upload(file, {
      FOOTFALL_CONFIG_DIR: directory,
      FOOTFALL_API_KEY: apiKey,
      FOOTFALL_BASE_URL: `http://127.0.0.1:${port}`,
    })
    const { rows } = await client.query<{ count: number }>(
      "select count(*)::int as count from suppression_rule where removed_at is null",
    )
    if (rows[0]?.count !== rowCount) throw new Error(`${rows[0]?.count} rules`)
    return [
      {
        name: "suppression: 1,000,000 rows through the command line / \\copy, seconds",
        floor: `${copySeconds.toFixed(1)} s`,
        ours: `${seconds.toFixed(1)} s`,
        ratio: seconds / copySeconds,
        bar: { atMost: 3 },
      },
      {
        name: "suppression: peak memory of that command, MiB",
        floor: "–",
        ours: peakMiB.toFixed(0),
        ratio: peakMiB,
        bar: { atMost: 100 },
      },
    ]
  } finally {
    await stop(server)
    await client.end()
    await rm(directory, { recursive: true, force: true })
  }
}

function* lines(): Generator<string> {
  yield "type,value\n"
  for (let n = 0; n < rowCount; n++) yield `domain,host${n}.company${n % 977}.example\n`
}

const copy = async (
  client: pg.Client,
  database: string,
  organizationId: string,
  file: string,
): Promise<number> => {
  await client.query(
    `create table bare (organization_id uuid not null default '${organizationId}',
       type text collate "C", value text collate "C", unique (organization_id, type, value))`,
  )
  const begin = performance.now()
  const psql = spawn("psql", [
    database,
    "-qc",
    `\\copy bare (type, value) from '${file}' with (format csv, header)`,
  ])
  const [code] = await once(psql, "exit")
  if (code !== 0) throw new Error(`psql ended with ${String(code)}`)
  return (performance.now() - begin) / 1000
}

const upload = async (file: string, environment: Readonly<Record<string, string>>) => {
  const begin = performance.now()
  const child = spawn(
    process.execPath,
    [cliBin, "suppression", "import", file, "--yes", "--json"],
    { env: { ...process.env, ...environment }, stdio: ["ignore", "ignore", "inherit"] },
  )
  let peakMiB = 0
  const watch = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8")
      peakMiB = Math.max(peakMiB, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
    } catch {
      // It has just exited.
    }
  }, 100)
  const [code] = await once(child, "exit")
  clearInterval(watch)
  if (code !== 0) throw new Error(`the command ended with ${String(code)}`)
  return { seconds: (performance.now() - begin) / 1000, peakMiB }
}
