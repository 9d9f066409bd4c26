// Daily runs (spec 4.2): once per data date for each audience with daily refresh, from the first date after its
// activation, with any number of servers. A run in progress comes first.
import { Effect } from "effect"
import pg from "pg"
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import { DailyRuns } from "../../src/intent/runs/daily/daily-runs.ts"
import { daysAgo, putSignals, putTopics, shared } from "../audiences/support.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { ask, ended, makeAudience, onServices, type RunAnswer, startRun } from "./support.ts"

let server: TestServer

beforeAll(async () => {
  server = await startServer({ workers: false })
  await putTopics(server, [5])
})

afterAll(() => server.close())

beforeEach(async () => {
  await server.sql("truncate audience, signal, signal_date cascade")
  await load(daysAgo(3))
})

/** Writes a finished import. */
const load = (date: string) =>
  putSignals(server, shared, [{ email: "jane@acme.example", topicId: 5, score: 80 }], { date })

const activate = () => makeAudience(server, { topicIds: [5] })

const dailyRuns = async (audienceId: string): Promise<ReadonlyArray<RunAnswer>> => {
  const { data } = await ask<ReadonlyArray<RunAnswer>>(server, "GET", `/${audienceId}/runs`)
  return data.filter(({ runType }) => runType === "daily")
}

/** Runs the scheduler on this many servers. */
const look = (count = 1) =>
  onServices(
    server,
    Effect.flatMap(DailyRuns, ({ start }) =>
      Effect.all(
        Array.from({ length: count }, () => start),
        { concurrency: "unbounded" },
      ),
    ),
  )

it("a client's key that looks like that of a daily run does not prevent the daily run", async () => {
  const audienceId = await activate()
  const key = `daily:${audienceId}:${daysAgo(2)}`
  const client = await ask<RunAnswer>(server, "POST", `/${audienceId}/runs`, {
    headers: { "idempotency-key": key },
  })
  await server.sql("update audience_run set status = 'completed'")

  await load(daysAgo(2))
  await look()

  expect(await dailyRuns(audienceId)).toMatchObject([{ idempotencyKey: key, status: "queued" }])
  const replayed = await ask<RunAnswer>(server, "POST", `/${audienceId}/runs`, {
    headers: { "idempotency-key": key },
  })
  expect([replayed.status, replayed.data.id]).toEqual([200, client.data.id])
})

it("a newly activated audience gets no run for the current date, and one for the next", async () => {
  const audienceId = await activate()

  await look()
  expect(await dailyRuns(audienceId)).toEqual([])

  await load(daysAgo(2))
  await look()
  const runs = await dailyRuns(audienceId)
  expect(runs).toMatchObject([
    {
      status: "queued",
      dataDate: daysAgo(2),
      attempts: 0,
      idempotencyKey: `daily:${audienceId}:${daysAgo(2)}`,
    },
  ])
})

it("an audience that is only renamed on the next date gets its run for it", async () => {
  const audienceId = await activate()
  await load(daysAgo(2))

  const renamed = await ask(server, "PATCH", `/${audienceId}`, { body: { name: "Renamed" } })
  await look()

  expect(renamed.status).toBe(200)
  expect(await dailyRuns(audienceId)).toMatchObject([{ dataDate: daysAgo(2) }])
})

it("of four servers at once one starts it, and loading a date again starts none", async () => {
  const audienceId = await activate()
  await load(daysAgo(2))

  await look(4)
  await load(daysAgo(2))
  await server.sql("update audience_run set status = 'completed'")
  await look(4)

  expect(await dailyRuns(audienceId)).toHaveLength(1)
})

it("waits while a manual run is in progress", async () => {
  const audienceId = await activate()
  const { id } = await startRun(server, audienceId)
  await server.sql(
    "update audience_run set status = 'running', leased_until = now() + interval '1 hour' where id = $1",
    [id],
  )
  await load(daysAgo(2))

  await look()
  expect(await dailyRuns(audienceId)).toEqual([])

  await server.sql("update audience_run set status = 'failed', leased_until = null where id = $1", [
    id,
  ])
  await look()
  expect(await dailyRuns(audienceId)).toHaveLength(1)
})

it.each([
  ["paused", "status = 'paused', daily_refresh_enabled = false"],
  ["with access to one run", "access_type = 'one_shot', daily_refresh_enabled = false"],
  ["deleted", "deleted_at = now(), daily_refresh_enabled = false"],
])("an audience that is %s gets no daily run", async (_, columns) => {
  const audienceId = await activate()
  await server.sql(`update audience set ${columns} where id = $1`, [audienceId])
  await load(daysAgo(2))

  await look()

  const rows = await server.sql("select 1 from audience_run where audience_id = $1", [audienceId])
  expect(rows).toEqual([])
})

it("a refresh that is switched off while the scheduler waits for the audience starts no run", async () => {
  const audienceId = await activate()
  await load(daysAgo(2))
  const switching = new pg.Client(server.databaseUrl)
  await switching.connect()
  await switching.query("begin")
  await switching.query("update audience set daily_refresh_enabled = false where id = $1", [
    audienceId,
  ])

  // The scheduler finds the audience as it was before, and then waits for the change.
  const looking = look()
  await expect
    .poll(
      () =>
        server.sql(
          `select from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`,
        ),
      { timeout: 30_000 },
    )
    .toHaveLength(1)
  await switching.query("commit")
  await switching.end()
  await looking

  expect(await dailyRuns(audienceId)).toEqual([])
})

it("an audience activated again waits for the next date", async () => {
  const audienceId = await activate()
  await ask(server, "PATCH", `/${audienceId}`, { body: { status: "paused" } })
  await load(daysAgo(2))
  await ask(server, "PATCH", `/${audienceId}`, { body: { status: "active" } })

  await look()

  expect(await dailyRuns(audienceId)).toEqual([])
})

it("a server looks when it starts, and starts a due run", async () => {
  const audienceId = await activate()
  await load(daysAgo(2))

  const worker = await startServer({ beside: server })
  await expect.poll(() => dailyRuns(audienceId), { timeout: 30_000 }).toHaveLength(1)
  const [run] = await dailyRuns(audienceId)

  expect(await ended(server, run!)).toMatchObject({ status: "completed", resultCount: 1 })
  await worker.close()
})
