// Cancels and claims the same run at the same time, repeatedly: each run ends as cancelled or completed, never both.
// FOOTFALL_SOAK=1 for the full number of races.
import { afterAll, beforeAll, expect, it } from "vitest"
import { random } from "../identification/simulation.ts"
import { putSignals, putTopics, shared } from "../audiences/support.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { type Answered, ask, type RunAnswer } from "./support.ts"

const races = process.env["FOOTFALL_SOAK"] === "1" ? 1_000 : 100
const cancelsAtOnce = 4

let server: TestServer

beforeAll(async () => {
  server = await startServer({ workers: false })
  await putTopics(server, [5])
  await putSignals(server, shared, [{ email: "jane@acme.example", topicId: 5, score: 80 }])
})

afterAll(() => server.close())

/** Queues one run in each of this many audiences. */
const putRuns = async () => {
  const config = { topicIds: [5], minScore: 70, maxScore: 100, minTopicOverlap: 1, filters: {} }
  const topics = [{ topicId: 5, topicName: "5", type: "b2b", industry: "i", category: "c" }]
  await server.sql(
    `insert into audience (organization_id, id, name, status, config)
     select $1, gen_random_uuid(), 'Buyers', 'active', $3 from generate_series(1, $2::int)`,
    [server.organizationId, races, JSON.stringify(config)],
  )
  await server.sql(
    `insert into audience_run (organization_id, id, audience_id, run_type, config, config_hash,
       topics, data_date, has_signals, idempotency_key)
     select organization_id, gen_random_uuid(), id, 'manual', config, '', $1, current_date, true, 'k'
     from audience`,
    [JSON.stringify(topics)],
  )
  return (await server.sql(
    "select id, audience_id from audience_run order by created_at, id",
  )) as unknown as ReadonlyArray<{ readonly id: string; readonly audience_id: string }>
}

it("each run ends cancelled or completed, never both", async () => {
  const runs = await putRuns()
  const answers = new Map<string, Answered<RunAnswer>>()
  const below = random(10)
  const left = runs.map((run) => [below(1_000_000), run] as const).toSorted(([a], [b]) => a - b)
  const cancelAll = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const [, { audience_id: audienceId, id }] = next
      answers.set(id, await ask(server, "DELETE", `/${audienceId}/runs/${id}`))
    }
  }

  const worker = await startServer({ beside: server })
  await Promise.all(Array.from({ length: cancelsAtOnce }, cancelAll))
  await expect
    .poll(
      () => server.sql("select 1 from audience_run where status in ('queued', 'running') limit 1"),
      { timeout: 30_000 },
    )
    .toEqual([])
  await worker.close()

  const ended = await server.sql(
    `select run.id, run.status, run.attempts, run.started_at is not null as started,
       run.cancelled_at is not null and run.completed_at = run.cancelled_at as "isCancelled",
       exists (select from run_result where run_id = run.id) as "hasResults"
     from audience_run as run`,
  )
  const seen = { cancelled: 0, completed: 0 }
  for (const { id, ...run } of ended) {
    const { error, status } = answers.get(String(id))!
    const wasCancelled = run["status"] === "cancelled"
    expect(run).toEqual({
      status: wasCancelled ? "cancelled" : "completed",
      attempts: wasCancelled ? 0 : 1,
      started: !wasCancelled,
      isCancelled: wasCancelled,
      hasResults: !wasCancelled,
    })
    expect([status, error?.code]).toEqual(wasCancelled ? [200, undefined] : [409, "RUN_NOT_QUEUED"])
    seen[wasCancelled ? "cancelled" : "completed"] += 1
  }
  // Otherwise the two did not race.
  expect(Math.min(seen.cancelled, seen.completed)).toBeGreaterThan(races / 50)
}, 120_000)
