// Workers are killed with kill -9 while they deliver: nothing is lost, whatever arrives twice has the same webhook-id,
// and the counters are exact. The test ends leases in their rows instead of waiting. A worker that still holds one can
// no longer write (B2). FOOTFALL_SOAK=1 runs the full size.
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { afterAll, expect, it } from "vitest"
import { ledgerOf } from "../deliveries/ledger.ts"
import { queueDelivery } from "../deliveries/queued-delivery.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { killLeftServers, makeServerHome, ServerProcess } from "../support/server-process.ts"
import { testSecret } from "../support/server.ts"
import { startReceiver } from "../webhooks/receiver.ts"

const isSoak = process.env["FOOTFALL_SOAK"] === "1"
const contacts = isSoak ? 100_000 : 2_000
const kills = isSoak ? 50 : 2
const workers = 3
const batchSize = 100

afterAll(killLeftServers)

it("killed workers lose nothing and count nothing twice (B1)", async () => {
  const database = await testDatabaseUrl()
  const pool = new pg.Pool({ connectionString: database.url, max: 2 })
  const receiver = await startReceiver()
  const { deliveryId } = await queueDelivery(
    async (text, values) => (await pool.query(text, [...values])).rows,
    {
      url: `${receiver.url}/hook`,
      contacts,
    },
  )
  const home = () =>
    makeServerHome({
      DATABASE_URL: database.url,
      FOOTFALL_SECRET: testSecret,
      ALLOW_PRIVATE_WEBHOOKS: "on",
      LOG_LEVEL: "silent",
    })
  const running = await Promise.all(
    Array.from({ length: workers }, async () =>
      ServerProcess.start(await home(), "--workers-only"),
    ),
  )
  const delivery = async () =>
    (await pool.query("select * from delivery where id = $1", [deliveryId])).rows[0]

  for (let kill = 0; kill < kills; kill++) {
    const before = receiver.received.length
    await expect
      .poll(() => receiver.received.length, { timeout: 30_000 })
      .toBeGreaterThan(Math.min(before + 150, contacts - 1))
    const place = kill % workers
    await running[place]!.kill()
    await pool.query(
      `update delivery set leased_until = clock_timestamp() - interval '1 second'
       where id = $1 and status = 'processing'`,
      [deliveryId],
    )
    running[place] = ServerProcess.launch(await home(), "--workers-only")
    await sleep(50)
  }
  await expect
    .poll(async () => (await delivery()).status, { timeout: 240_000, interval: 200 })
    .toBe("completed")

  const stored = await delivery()
  expect([stored.source_count, stored.sent_count]).toEqual([contacts, contacts])
  expect([stored.skipped_count, stored.failed_count]).toEqual([0, 0])
  const { otherIds, people, posts } = ledgerOf(receiver.received)
  expect([people.size, otherIds]).toEqual([contacts, 0])
  expect(posts - contacts).toBeLessThanOrEqual(kills * batchSize)
  const { rows } = await pool.query(
    "select count(*)::int as n, (select total_synced from destination)::int as synced from destination_contact",
  )
  expect(rows).toEqual([{ n: contacts, synced: contacts }])

  await Promise.all(running.map((server) => server.kill()))
  await receiver.close()
  await pool.end()
  await database.drop()
}, 600_000)
