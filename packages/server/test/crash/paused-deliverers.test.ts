// Workers are stopped (SIGSTOP) while they deliver until another has their work, and then continued: their late writes
// are refused, the counters are exact, and whatever arrives twice has the same webhook-id. The test ends leases in
// their rows. FOOTFALL_SOAK=1 waits for the first ones for real.
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { afterAll, expect, it } from "vitest"
import { leaseSeconds } from "../../src/platform/jobs/queue.ts"
import { ledgerOf } from "../deliveries/ledger.ts"
import { queueDelivery } from "../deliveries/queued-delivery.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { killLeftServers, makeServerHome, ServerProcess } from "../support/server-process.ts"
import { testSecret } from "../support/server.ts"
import { startReceiver } from "../webhooks/receiver.ts"

const isSoak = process.env["FOOTFALL_SOAK"] === "1"
const contacts = isSoak ? 100_000 : 5_000
const stops = isSoak ? 30 : 3
const stopsInRealTime = isSoak ? 3 : 0
const batchSize = 100

afterAll(killLeftServers)

it("a worker suspended for longer than its lease writes nothing when it resumes (B2)", async () => {
  const database = await testDatabaseUrl()
  const pool = new pg.Pool({ connectionString: database.url, max: 2 })
  const receiver = await startReceiver()
  // Keeps contacts waiting at each stop, however fast the machine is.
  receiver.answer = (_, response) => void setTimeout(() => response.writeHead(204).end(), 5)
  const { deliveryId } = await queueDelivery(
    async (text, values) => (await pool.query(text, [...values])).rows,
    {
      url: `${receiver.url}/hook`,
      contacts,
    },
  )
  const start = async () => {
    const home = await makeServerHome({
      DATABASE_URL: database.url,
      FOOTFALL_SECRET: testSecret,
      ALLOW_PRIVATE_WEBHOOKS: "on",
      LOG_LEVEL: "info",
    })
    const server = await ServerProcess.start(home, "--workers-only")
    // Whichever comes first when it resumes: the results of its contacts, or the renewal of its lease.
    const lines = [
      server.linesWith("another process took over the delivery"),
      server.linesWith("lease lost"),
    ]
    return { server, refusals: () => lines.flat().length }
  }
  const stored = async () =>
    (await pool.query("select * from delivery where id = $1", [deliveryId])).rows[0]
  const somePosts = async () => {
    const before = receiver.received.length
    await expect
      .poll(() => receiver.received.length, { timeout: 30_000, interval: 5 })
      .toBeGreaterThan(before + 130)
  }
  const endLease = async () => {
    // A worker stopped in the middle of a transaction holds the row itself, so its write is not stale.
    await pool.query("set lock_timeout = '300ms'")
    const { rowCount } = await pool
      .query(
        `update delivery set leased_until = clock_timestamp() - interval '1 second'
         where id = $1 and status = 'processing' and claim = $2`,
        [deliveryId, (await stored()).claim],
      )
      .catch(() => ({ rowCount: 0 }))
    return rowCount === 1
  }

  // The first has the work before there is a second, so its holder is known from then on.
  let holder = await start()
  await expect.poll(async () => (await stored()).status, { timeout: 30_000 }).toBe("processing")
  let other = await start()
  let refused = 0
  for (let stop = 0; stop < stops;) {
    await somePosts()
    const { claim } = await stored()
    holder.server.pause()
    if (stop < stopsInRealTime) await sleep(leaseSeconds * 1500)
    else if (!(await endLease())) {
      holder.server.resume()
      continue
    }
    await expect
      .poll(async () => (await stored()).claim, { timeout: 30_000, interval: 20 })
      .not.toBe(claim)
    await somePosts()
    const before = holder.refusals()
    holder.server.resume()
    await expect
      .poll(() => holder.refusals(), { timeout: 30_000, interval: 20 })
      .toBeGreaterThan(before)
    refused += 1
    stop += 1
    ;[holder, other] = [other, holder]
  }
  await expect
    .poll(async () => (await stored()).status, { timeout: 240_000, interval: 100 })
    .toBe("completed")

  expect(refused).toBe(stops)
  const { failed_count, sent_count, skipped_count, source_count } = await stored()
  expect([source_count, sent_count, skipped_count, failed_count]).toEqual([
    contacts,
    contacts,
    0,
    0,
  ])
  const { otherIds, people, posts } = ledgerOf(receiver.received)
  expect([people.size, otherIds]).toEqual([contacts, 0])
  expect(posts - contacts).toBeLessThanOrEqual(stops * batchSize)
  const { rows } = await pool.query("select total_synced::int as synced from destination")
  expect(rows).toEqual([{ synced: contacts }])

  await Promise.all([holder, other].map(({ server }) => server.kill()))
  await receiver.close()
  await pool.end()
  await database.drop()
}, 1_200_000)
