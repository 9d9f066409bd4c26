// How pausing and deleting an audience affects its runs, and how a completed run changes its audience (spec 4.1, 4.2,
// 5.8). For destinations and deliveries see test/destinations and test/deliveries.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import { ended, startRun } from "../../runs/support.ts"
import { startServer, type TestServer } from "../../support/server.ts"
import { putSignals, putTopics } from "../support.ts"
import { type Keeper, keeper, path, type Saved } from "./support.ts"

let server: TestServer
let worker: TestServer
let ours: Keeper
beforeAll(async () => {
  server = await startServer({ workers: false })
  worker = await startServer({ workers: false, beside: server })
  await putTopics(server, [1])
})
afterAll(async () => {
  await worker.close()
  await server.close()
})
beforeEach(async () => {
  ours = await keeper(server)
  await putSignals(server, ours, [{ email: "jane@acme.example", topicId: 1, score: 90 }])
})

const asked = () => ({ url: server.url, apiKey: ours.apiKey })
const read = async (id: string): Promise<Saved> => (await ours.ask(`GET ${path}/${id}`)).body.data

/** One run of each type for an audience. */
const runs = async (audienceId: string) =>
  Object.fromEntries(
    (
      await server.sql(
        "select run_type as type, status, cancelled_at, completed_at from audience_run where audience_id = $1",
        [audienceId],
      )
    ).map((row) => [row["type"], row]),
  )

/** Does what the scheduler does, but at once. */
const queueDaily = async (runId: string) => {
  await server.sql("update audience_run set run_type = 'daily' where id = $1", [runId])
}

it("PATCH paused: a queued daily run is cancelled", async () => {
  const { id } = await ours.save({ status: "active" })
  await queueDaily((await startRun(asked(), id)).id)

  await ours.patch(id, { status: "paused" })

  expect((await runs(id))["daily"]).toMatchObject({
    status: "cancelled",
    cancelled_at: expect.any(Date),
    completed_at: expect.any(Date),
  })
})

it("PATCH paused: a queued manual run stays, and completes without activating the audience", async () => {
  const { id } = await ours.save({ status: "active" })
  const run = await startRun(asked(), id)

  await ours.patch(id, { status: "paused" })
  expect((await runs(id))["manual"]).toMatchObject({ status: "queued" })
  await worker.embedded.workers.start()
  await ended(asked(), run)
  await worker.embedded.workers.stop()

  expect(await read(id)).toMatchObject({ status: "paused", audienceSize: 1 })
})

it("PATCH paused: a running run continues", async () => {
  const { id } = await ours.save({ status: "active" })
  const run = await startRun(asked(), id)
  await server.sql(
    "update audience_run set status = 'running', run_type = 'daily', leased_until = now() + interval '1 hour' where id = $1",
    [run.id],
  )

  await ours.patch(id, { status: "paused" })

  expect((await runs(id))["daily"]).toMatchObject({ status: "running", cancelled_at: null })
})

it("PATCH paused again, or by another organization, cancels nothing", async () => {
  const { id } = await ours.save({ status: "active" })
  const other = await ours.save({ status: "active" })
  await queueDaily((await startRun(asked(), id)).id)

  await ours.patch(other.id, { status: "paused" })
  await (await keeper(server)).patch(id, { status: "paused" })

  expect((await runs(id))["daily"]).toMatchObject({ status: "queued" })
})

it("DELETE: queued runs are cancelled, whatever their type", async () => {
  const { id } = await ours.save({ status: "active" })
  const other = await ours.save({ status: "active" })
  await startRun(asked(), id)
  await startRun(asked(), other.id)

  await ours.ask(`DELETE ${path}/${id}`)

  expect((await runs(id))["manual"]).toMatchObject({ status: "cancelled" })
  expect((await runs(other.id))["manual"]).toMatchObject({ status: "queued" })
})

it("active (one_shot), its first run completes: paused, with its size, the access used up", async () => {
  await ours.set("intent_slots = 0, one_shot_eligible = true")
  const { id } = await ours.save({ status: "active" })
  const run = await startRun(asked(), id)

  await worker.embedded.workers.start()
  const { completedAt } = await ended(asked(), run)
  await worker.embedded.workers.stop()

  expect(await read(id)).toMatchObject({
    status: "paused",
    accessType: "one_shot",
    audienceSize: 1,
    lastRefreshedAt: completedAt,
    pausedAt: completedAt,
  })
  expect(await ours.intent()).toMatchObject({ oneShotEligible: false })
  expect((await ours.patch(id, { status: "active" })).body.error).toMatchObject({
    code: "SLOTS_FULL",
  })
})
