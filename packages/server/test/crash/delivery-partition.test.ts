// The network between a worker and its database breaks silently: the worker sends no more than its current batch and
// stops with its lease, another takes over, and the late writes of the first are refused. The test ends the lease in
// its row. FOOTFALL_SOAK=1 waits for it, with a longer batch.
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { afterAll, expect, it } from "vitest"
import { leaseSeconds } from "../../src/platform/jobs/queue.ts"
import { ledgerOf } from "../deliveries/ledger.ts"
import { queueDelivery } from "../deliveries/queued-delivery.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { startHalfOpenProxy } from "../support/half-open-proxy.ts"
import { killLeftServers, makeServerHome, ServerProcess } from "../support/server-process.ts"
import { testSecret } from "../support/server.ts"
import { startReceiver } from "../webhooks/receiver.ts"

const isSoak = process.env["FOOTFALL_SOAK"] === "1"
const contacts = isSoak ? 200 : 1_000
/** The receiver's delay while the worker is cut off: a batch takes two seconds, or 50. */
const answerMs = isSoak ? 2_500 : 100
const batchSize = 100
const contactsAtOnce = 5

afterAll(killLeftServers)

it("a worker that cannot reach its database stops, and counts nothing twice (B12)", async () => {
  const database = await testDatabaseUrl()
  const proxy = await startHalfOpenProxy(database.url)
  const pool = new pg.Pool({ connectionString: database.url, max: 2 })
  const receiver = await startReceiver()
  receiver.answer = (_, response) => void sleep(answerMs).then(() => response.writeHead(204).end())
  const { deliveryId } = await queueDelivery(
    async (text, values) => (await pool.query(text, [...values])).rows,
    {
      url: `${receiver.url}/hook`,
      contacts,
    },
  )
  const start = async (databaseUrl: string) =>
    ServerProcess.start(
      await makeServerHome({
        DATABASE_URL: databaseUrl,
        FOOTFALL_SECRET: testSecret,
        ALLOW_PRIVATE_WEBHOOKS: "on",
        LOG_LEVEL: "info",
      }),
      "--workers-only",
    )
  const stored = async () =>
    (await pool.query("select * from delivery where id = $1", [deliveryId])).rows[0]

  const cutOff = await start(proxy.url)
  const refusals = cutOff.linesWith("another process took over the delivery")
  const losses = cutOff.linesWith("lease lost")
  await receiver.waitFor(20)
  const before = receiver.received.length
  proxy.freeze()
  const frozen = await stored()
  if (isSoak) {
    await sleep(frozen.leased_until.getTime() - Date.now())
  } else {
    await expect
      .poll(() => Date.now() - receiver.received.at(-1)!.at, { timeout: 30_000 })
      .toBeGreaterThan(10 * answerMs)
  }
  const alone = receiver.received.length
  expect(alone - before).toBeLessThanOrEqual(batchSize + contactsAtOnce)
  if (isSoak) {
    // It stopped before the end of its batch.
    expect(losses.length).toBe(1)
    expect(alone).toBeLessThan(batchSize)
    expect(receiver.received.at(-1)!.at).toBeLessThan(frozen.leased_until.getTime())
  } else {
    await expect
      .poll(
        async () =>
          (
            await pool
              .query(
                `update delivery set leased_until = clock_timestamp() - interval '1 second'
                 where id = $1`,
                [deliveryId],
              )
              .catch(() => ({ rowCount: 0 }))
          ).rowCount,
        { timeout: leaseSeconds * 1000 },
      )
      .toBe(1)
  }
  receiver.answer = (_, response) => void response.writeHead(204).end()

  const other = await start(database.url)
  await receiver.waitFor(alone + 10)
  await expect
    .poll(async () => (await stored()).claim, { timeout: 30_000, interval: 20 })
    .not.toBe(frozen.claim)
  proxy.thaw()
  await expect
    .poll(() => refusals.length + losses.length, { timeout: 30_000, interval: 50 })
    .toBeGreaterThanOrEqual(1)
  await expect
    .poll(async () => (await stored()).status, { timeout: 60_000, interval: 100 })
    .toBe("completed")

  const { failed_count, sent_count, skipped_count } = await stored()
  expect([sent_count, skipped_count, failed_count]).toEqual([contacts, 0, 0])
  const { otherIds, people, posts } = ledgerOf(receiver.received)
  expect([people.size, otherIds]).toEqual([contacts, 0])
  expect(posts - contacts).toBeLessThanOrEqual(batchSize)
  const { rows } = await pool.query("select total_synced::int as synced from destination")
  expect(rows).toEqual([{ synced: contacts }])

  await Promise.all([cutOff, other].map((server) => server.kill()))
  await proxy.close()
  await receiver.close()
  await pool.end()
  await database.drop()
}, 600_000)
