// Servers are killed with kill -9 while they work on runs: each run completes with exactly the right people, and an
// interrupted attempt never becomes visible. FOOTFALL_SOAK=1 for 50 kills.
import { randomUUID } from "node:crypto"
import pg from "pg"
import { afterAll, expect, it, vi } from "vitest"
import { random } from "../identification/simulation.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { killLeftServers, makeServerHome, ServerProcess } from "../support/server-process.ts"
import { testSecret } from "../support/server.ts"

const isSoak = process.env["FOOTFALL_SOAK"] === "1"
const kills = isSoak ? 50 : 3
const people = 20_000
const organizationId = randomUUID()

afterAll(killLeftServers)

const topics = [{ topicId: 5, topicName: "5", type: "b2b", industry: "i", category: "c" }]
const config = { topicIds: [5], minScore: 70, maxScore: 100, minTopicOverlap: 1, filters: {} }

const prepare = async (pool: pg.Pool) => {
  await pool.query("insert into organization (id, name, slug) values ($1, 'Tidewater', 't')", [
    organizationId,
  ])
  await pool.query("insert into topic values (5, '5', 'b2b', 'i', 'c')")
  await pool.query(
    `insert into signal_person (email_hash, organization_ids)
     select sha256(('p' || n)::bytea), array[$1::uuid] from generate_series(1, $2::int) as n`,
    [organizationId, people],
  )
  await pool.query(
    `insert into signal (organization_id, date, origin, topic_id, score, people)
     select $1, current_date, 'import', 5, 70 + id % 30, array_agg(id order by id)
     from signal_person group by id % 30`,
    [organizationId],
  )
  await pool.query(
    "insert into signal_date (organization_id, date, origin, signals) values ($1, current_date, 'import', $2)",
    [organizationId, people],
  )
}

const putRun = async (pool: pg.Pool): Promise<string> => {
  const [audienceId, runId] = [randomUUID(), randomUUID()]
  await pool.query(
    "insert into audience (organization_id, id, name, status, config) values ($1, $2, 'B', 'active', $3)",
    [organizationId, audienceId, JSON.stringify(config)],
  )
  await pool.query(
    `insert into audience_run (organization_id, id, audience_id, run_type, config, config_hash, topics,
       data_date, has_signals, idempotency_key)
     values ($1, $2, $3, 'manual', $4, '', $5, current_date, true, 'k')`,
    [organizationId, runId, audienceId, JSON.stringify(config), JSON.stringify(topics)],
  )
  return runId
}

it(
  `after ${kills} kills every run has all its people, once`,
  async () => {
    const database = await testDatabaseUrl()
    const pool = new pg.Pool({ connectionString: database.url, max: 2 })
    pool.on("error", () => undefined)
    await prepare(pool)
    const home = await makeServerHome({ DATABASE_URL: database.url, FOOTFALL_SECRET: testSecret })
    const below = random(4)
    const state = async (runId: string) => {
      const { rows } = await pool.query<{ status: string; rows: number; attempts: number }>(
        `select status, attempts, (select count(*)::int from run_result where run_id = id) as rows
         from audience_run where id = $1`,
        [runId],
      )
      return rows[0]!
    }
    const reached = (runId: string, status: string) =>
      vi.waitFor(async () => expect((await state(runId)).status).toBe(status), {
        timeout: 30_000,
        interval: 2,
      })
    let server = await ServerProcess.start(home)
    let broken = 0

    for (let kill = 0; kill < kills; kill++) {
      const runId = await putRun(pool)
      await vi.waitFor(async () => expect((await state(runId)).status).not.toBe("queued"), {
        timeout: 30_000,
        interval: 2,
      })
      await new Promise((resolve) => setTimeout(resolve, below(250)))
      await server.kill()
      const after = await state(runId)
      expect([after.status, after.rows]).toEqual(
        after.status === "completed" ? ["completed", people] : ["running", 0],
      )
      if (after.status === "running") broken += 1
      // Ends the lease, as if its 30 seconds were over.
      await pool.query("update audience_run set leased_until = now() where leased_until > now()")
      server = await ServerProcess.start(home)
      await reached(runId, "completed")
      expect(await state(runId)).toMatchObject({ rows: people })
    }

    const { rows: odd } = await pool.query(
      `select run.id from audience_run as run
       where run.result_count <> $1 or run.candidate_count <> $1
         or (run.tallies ->> 'intent.topicOverlap')::int <> $1
         or (select count(distinct hashed_email) from run_result where run_id = run.id) <> $1
         or (select max(position) from run_result where run_id = run.id) <> $1`,
      [people],
    )
    expect(odd).toEqual([])
    // Otherwise nothing was interrupted.
    expect(broken).toBeGreaterThan(0)
    expect(await server.stop()).toBe(0)
    await pool.end()
    await database.drop()
  },
  isSoak ? 900_000 : 120_000,
)
