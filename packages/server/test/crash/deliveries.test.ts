// Workers killed with kill -9 while they deliver (reliability.md B1): nothing is lost, what comes twice has the
// same webhook-id, and the counters are exact. That a lease is over is said by its row, so that nobody waits
// for it; whoever still holds it is fenced off (B2). FOOTFALL_SOAK=1 runs the full size.
import { createHash, randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { Effect, Redacted } from "effect"
import pg from "pg"
import { afterAll, expect, it } from "vitest"
import { configHash } from "../../src/destinations/destination.ts"
import { sealSecret } from "../../src/destinations/webhook-secret.ts"
import { Secrets } from "../../src/http/secrets.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { killLeftServers, makeServerHome, ServerProcess } from "../support/server-process.ts"
import { testSecret } from "../support/server.ts"
import { startReceiver } from "../webhooks/receiver.ts"

const isSoak = process.env["FOOTFALL_SOAK"] === "1"
const contacts = isSoak ? 100_000 : 10_000
const kills = isSoak ? 50 : 10
const workers = 3
const batchSize = 100
const eventTypes = ["intent.audience.contact.upserted"] as const

afterAll(killLeftServers)

it("nothing is lost and nothing counted twice by workers that are killed (B1)", async () => {
  const database = await testDatabaseUrl()
  const pool = new pg.Pool({ connectionString: database.url, max: 2 })
  const receiver = await startReceiver()
  const deliveryId = await queueDelivery(pool, `${receiver.url}/hook`)
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
  const ids = new Map<string, string>()
  for (const { event, headers } of receiver.received) {
    const { contact } = event["data"] as { readonly contact: { readonly hashedEmail: string } }
    const id = String(headers["webhook-id"])
    expect(ids.get(contact.hashedEmail) ?? id).toBe(id)
    ids.set(contact.hashedEmail, id)
  }
  expect(ids.size).toBe(contacts)
  expect(new Set(ids.values()).size).toBe(contacts)
  expect(receiver.received.length - contacts).toBeLessThanOrEqual(kills * batchSize)
  const { rows } = await pool.query(
    "select count(*)::int as n, (select total_synced from destination)::int as synced from destination_contact",
  )
  expect(rows).toEqual([{ n: contacts, synced: contacts }])

  await Promise.all(running.map((server) => server.kill()))
  await receiver.close()
  await pool.end()
  await database.drop()
}, 600_000)

const queueDelivery = async (pool: pg.Pool, url: string): Promise<string> => {
  const [organizationId, audienceId, destinationId, runId, deliveryId] = Array.from(
    { length: 5 },
    () => randomUUID(),
  ) as [string, string, string, string, string]
  const secrets = await Effect.runPromise(
    Effect.provide(
      Effect.map(Secrets, (given) => given),
      Secrets.layer([Redacted.make(testSecret)]),
    ),
  )
  const secret = `whsec_${createHash("sha256").update("test").digest("base64")}`
  const config = { url, eventTypes, timeoutMs: 10_000 }
  await pool.query("insert into organization (id, name, slug) values ($1, 'T', 'killed')", [
    organizationId,
  ])
  await pool.query(
    `insert into audience (organization_id, id, name, status, config)
     values ($1, $2, 'Buyers', 'active', '{}')`,
    [organizationId, audienceId],
  )
  await pool.query(
    `insert into destination (organization_id, id, audience_id, name, destination_type, status,
       validation_policy, config, approved_config_hash, secret)
     values ($1, $2, $3, 'CRM', 'webhook', 'active', 'none', $4, $5, $6)`,
    [
      organizationId,
      destinationId,
      audienceId,
      JSON.stringify(config),
      configHash({ destinationType: "webhook", ...config }),
      Buffer.from(sealSecret(secrets, { organizationId, destinationId }, secret)),
    ],
  )
  await pool.query(
    `insert into audience_run (organization_id, id, audience_id, status, run_type, config,
       config_hash, topics, data_date, has_signals, result_count, idempotency_key, completed_at)
     values ($1, $2, $3, 'completed', 'manual', '{}', '', '[]', '2026-03-10', true, $4, 'one', now())`,
    [organizationId, runId, audienceId, contacts],
  )
  await pool.query(
    `insert into run_result (organization_id, run_id, position, hashed_email, email, score,
       topic_overlap, matched_topics)
     select $1, $2, n, sha256(('p' || n || '@harbor.example')::bytea), 'p' || n || '@harbor.example',
       90, 1, '{}'
     from generate_series(1, $3::int) as n`,
    [organizationId, runId, contacts],
  )
  await pool.query(
    `insert into delivery (organization_id, id, audience_id, destination_id,
       destination_config_revision, source_run_id, mode)
     values ($1, $2, $3, $4, 1, $5, 'initial')`,
    [organizationId, deliveryId, audienceId, destinationId, runId],
  )
  return deliveryId
}
