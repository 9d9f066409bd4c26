// The database stops immediately (like `pg_ctl restart -m immediate`) and starts again while contacts are delivered:
// nothing is lost, the counters are exact, and workers continue by themselves as soon as it is back. FOOTFALL_SOAK=1
// runs the full size.
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { once } from "node:events"
import { mkdtemp } from "node:fs/promises"
import { join } from "node:path"
import pg from "pg"
import { afterAll, expect, inject, it } from "vitest"
import { url } from "../../src/platform/database/embedded/address.ts"
import { Migrations } from "../../src/platform/database/migrations.ts"
import { ledgerOf } from "../deliveries/ledger.ts"
import { queueDelivery } from "../deliveries/queued-delivery.ts"
import { otherOwner } from "../support/database-directory.ts"
import {
  embeddedPostgres,
  killLeftServers,
  makeServerHome,
  ServerProcess,
} from "../support/server-process.ts"
import { testSecret } from "../support/server.ts"
import { startReceiver } from "../webhooks/receiver.ts"

const isSoak = process.env["FOOTFALL_SOAK"] === "1"
const contacts = isSoak ? 100_000 : 2_000
const restarts = isSoak ? 8 : 2
const batchSize = 100
/** From the database's return to the next contact. */
const recoveryMsMax = 10_000

afterAll(killLeftServers)

it("a delivery survives restarts of its database (B3)", async () => {
  const dataDir = join(await mkdtemp(join(inject("temporaryDirectory"), "restart-")), "data")
  const start = () => Effect.runPromise(otherOwner(dataDir))
  let owner = await start()
  const postgres = () =>
    embeddedPostgres({ dataDir, configDirectory: "", port: 0, environment: {} })
  const { connection } = await postgres()
  const address = url({ ...connection, host: connection.host! })
  await Effect.runPromise(
    Effect.provide(Migrations.run, PgClient.layer({ url: address, maxConnections: 1 })),
  )
  const pool = new pg.Pool({ ...connection, max: 2 })
  pool.on("error", () => undefined)
  const receiver = await startReceiver()
  const { deliveryId } = await queueDelivery(
    async (text, values) => (await pool.query(text, [...values])).rows,
    {
      url: `${receiver.url}/hook`,
      contacts,
    },
  )
  const servers = await Promise.all(
    [1, 2].map(async () =>
      ServerProcess.start(
        await makeServerHome({
          DATABASE_URL: Redacted.value(address),
          FOOTFALL_SECRET: testSecret,
          ALLOW_PRIVATE_WEBHOOKS: "on",
          LOG_LEVEL: "silent",
        }),
        "--workers-only",
      ),
    ),
  )
  const posted = async (count: number, timeout: number) => {
    await expect
      .poll(() => receiver.received.length, { timeout, interval: 5 })
      .toBeGreaterThan(count)
  }

  for (let restart = 0; restart < restarts; restart++) {
    await posted(receiver.received.length + 250, 30_000)
    const { processId } = await postgres()
    const stopped = once(owner, "exit")
    process.kill(processId, "SIGQUIT")
    owner.kill("SIGKILL")
    await stopped
    owner = await start()
    await posted(receiver.received.length, recoveryMsMax)
  }
  const stored = async () =>
    (await pool.query("select * from delivery where id = $1", [deliveryId])).rows[0]
  await expect
    .poll(async () => (await stored()).status, { timeout: 240_000, interval: 100 })
    .toBe("completed")

  const { failed_count, sent_count, skipped_count, source_count } = await stored()
  expect([source_count, sent_count, skipped_count, failed_count]).toEqual([
    contacts,
    contacts,
    0,
    0,
  ])
  const { otherIds, people, posts } = ledgerOf(receiver.received)
  expect([people.size, otherIds]).toEqual([contacts, 0])
  expect(posts - contacts).toBeLessThanOrEqual(restarts * batchSize)
  const { rows } = await pool.query("select total_synced::int as synced from destination")
  expect(rows).toEqual([{ synced: contacts }])

  await Promise.all(servers.map((server) => server.kill()))
  await receiver.close()
  await pool.end()
  owner.kill("SIGINT")
  await once(owner, "exit")
}, 600_000)
