// Exports the CSV of a run with 1,000,000 people with curl into a file, compared with psql's
// `\copy` of the same stored rows into a file. Also measures the growth of the server's memory.
// Only the server neutralizes formulas and looks up names. BENCH_EXPORT_ROWS sets another size.
import pg from "pg"
import { execFile } from "node:child_process"
import { randomUUID } from "node:crypto"
import { mkdtemp, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import type { BenchPostgres } from "./database.ts"
import { makeFixture, secret } from "./fixture.ts"
import { freePort, median, memoryMiB, ready, serverBin, start, stop } from "./processes.ts"
import type { Row } from "./report.ts"

const rowsOfExport = Number(process.env["BENCH_EXPORT_ROWS"] ?? 1_000_000)
const rounds = 5
const topics = [
  { topicId: 3, topicName: "Payroll Software", type: "b2b", industry: "x", category: "y" },
  { topicId: 7, topicName: "Freight", type: "b2b", industry: "x", category: "y" },
]

export const exportCsv = async (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> => {
  const database = await postgres.database("bench_export")
  const { apiKey, organizationId } = await makeFixture(database)
  const directory = await mkdtemp(join(tmpdir(), "footfall-bench-"))
  const path = await fillRun(database, organizationId, rowsOfExport)
  const port = await freePort()
  const server = start([serverBin, "start", "--json", "--no-workers"], {
    DATABASE_URL: database,
    DATA_DIR: directory,
    FOOTFALL_SECRET: secret,
    RATE_LIMITS: "off",
    LOG_LEVEL: "error",
    PORT: String(port),
  })
  try {
    await ready(port, 0)
    const ours = () => download(`http://127.0.0.1:${port}${path}`, apiKey, join(directory, "ours"))
    const floor = () => copied(database, organizationId, join(directory, "floor"))
    // Run each once first, to load and compile code.
    await ours()
    await floor()
    const before = memoryMiB(server.pid!, { alone: true })
    const sampled: Array<number> = []
    const sampling = setInterval(() => sampled.push(memoryMiB(server.pid!, { alone: true })), 50)
    const speeds: Array<{ ours: number; floor: number }> = []
    for (let round = 0; round < rounds; round++) {
      speeds.push({ ours: await ours(), floor: await floor() })
    }
    clearInterval(sampling)
    const growth = Math.max(...sampled) - before
    const [oursMedian, floorMedian] = [
      median(speeds.map((speed) => speed.ours)),
      median(speeds.map((speed) => speed.floor)),
    ]
    const size = rowsOfExport.toLocaleString("en")
    return [
      {
        name: `export of ${size} people as CSV / \\copy, MB/s`,
        floor: `${floorMedian.toFixed(0)} MB/s`,
        ours: `${oursMedian.toFixed(0)} MB/s`,
        ratio: oursMedian / floorMedian,
        bar: { atLeast: 0.8 },
      },
      {
        name: `export of ${size} people: memory of the server grows by, MiB`,
        floor: "-",
        ours: `${growth.toFixed(0)} MiB`,
        ratio: growth,
        bar: { atMost: 64 },
      },
    ]
  } finally {
    await stop(server)
    await postgres.drop("bench_export")
    await rm(directory, { recursive: true, force: true })
  }
}

/** Creates a completed run. Returns the path of its CSV. */
export const fillRun = async (
  database: string,
  organizationId: string,
  rowCount: number,
): Promise<string> => {
  const [audienceId, runId] = [randomUUID(), randomUUID()]
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  await client.query(
    `insert into audience (organization_id, id, name, status, config)
     values ($1, $2, 'Bench', 'active', '{}')`,
    [organizationId, audienceId],
  )
  await client.query(
    `insert into audience_run (organization_id, id, audience_id, status, run_type, config, config_hash,
       topics, data_date, has_signals, candidate_count, result_count, idempotency_key, completed_at)
     values ($1, $2, $3, 'completed', 'manual', '{}', '', $4, '2026-03-10', true, $5, $5, 'bench', now())`,
    [organizationId, runId, audienceId, JSON.stringify(topics), rowCount],
  )
  await client.query(
    `insert into run_result (organization_id, run_id, position, hashed_email, first_name, last_name, email,
       business_email, email_status, phone, linkedin_url, headline, job_title, seniority, department,
       company_name, company_domain, company_industry, company_revenue_range, company_size, city, state,
       country, age_range, gender, is_b2b, score, topic_overlap, matched_topics)
     select $1, $2, n, sha256(n::text::bytea), 'First' || n % 1000, 'Last' || n % 5000,
       'person' || n || '@company' || n % 3000 || '.example', 'person' || n || '@company' || n % 3000 || '.example',
       'valid', '+4917012345' || n % 10000, 'https://www.linkedin.com/in/person-' || n,
       'Head of things, ' || n % 100, 'Head of Things', 'head', 'operations', 'Company "' || n % 3000 || '" Ltd',
       'company' || n % 3000 || '.example', 'software', '1 million to 5 million', '51-200', 'Berlin', 'BE', 'DE',
       '35-44', 'F', 'y', 100 - n * 50 / ${rowCount + 1}, 2, array[3, 7]
     from generate_series(1, ${rowCount}) as n`,
    [organizationId, runId],
  )
  await client.query("vacuum analyze run_result")
  await client.end()
  return `/v1/intent/audiences/${audienceId}/runs/${runId}/export.csv`
}

/** MB/s, by curl: a client in Node would take a third of the two cores. */
const download = async (url: string, apiKey: string, file: string): Promise<number> => {
  const begin = performance.now()
  await promisify(execFile)("curl", [
    ...["--silent", "--show-error", "--fail"],
    ...["--header", `x-api-key: ${apiKey}`],
    ...["--output", file, url],
  ])
  return speedOf(file, begin)
}

const copied = async (database: string, organizationId: string, file: string): Promise<number> => {
  const statement = `select * from run_result where organization_id = '${organizationId}' order by position`
  const begin = performance.now()
  await promisify(execFile)("psql", [
    "-X",
    "-q",
    database,
    "-c",
    `\\copy (${statement}) to '${file}' csv`,
  ])
  return speedOf(file, begin)
}

const speedOf = async (file: string, begin: number): Promise<number> => {
  const seconds = (performance.now() - begin) / 1000
  return (await stat(file)).size / 1_000_000 / seconds
}
