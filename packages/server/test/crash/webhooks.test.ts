// Two servers that send webhooks are killed in turn with kill -9, with a ledger at the receiver: every event arrives, a
// repeated event has the same `webhook-id` and body, and the counters are exact. The test ends the leases of killed
// servers, as if 30 seconds had passed. FOOTFALL_SOAK=1 for the full number of kills.
import { randomUUID } from "node:crypto"
import pg from "pg"
import { afterAll, expect, it, vi } from "vitest"
import { seal } from "../../src/platform/secrets/sealing.ts"
import { sealingOf } from "../../src/activation/webhooks/signing-secrets.ts"
import { dataKeysIn } from "../support/data-keys.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { killLeftServers, makeServerHome, ServerProcess } from "../support/server-process.ts"
import { testSecret } from "../support/server.ts"
import { type Receiver, startReceiver, verify } from "../webhooks/receiver.ts"

const isSoak = process.env["FOOTFALL_SOAK"] === "1"
const kills = isSoak ? 50 : 2
const events = isSoak ? 20_000 : 2_000
/** The number of events about companies. */
const companies = events / 10
const timeoutMs = isSoak ? 900_000 : 120_000
const organizationId = randomUUID()
const webhookId = randomUUID()
const webhookSecret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`

afterAll(killLeftServers)

const prepare = async (pool: pg.Pool, receiver: Receiver): Promise<void> => {
  const dataKeys = await dataKeysIn(async (text) => (await pool.query(text)).rows, testSecret)
  const secret = seal(dataKeys, sealingOf({ organizationId, webhookId }), webhookSecret)
  const pixelId = randomUUID()
  await pool.query("insert into organization (id, name, slug) values ($1, 'T', 'tidewater')", [
    organizationId,
  ])
  await pool.query(
    "insert into pixel (organization_id, id, domain, name) values ($1, $2, 'a.example', 'A')",
    [organizationId, pixelId],
  )
  await pool.query(
    `insert into webhook (organization_id, id, name, url, trigger, status, timeout_ms, secret)
     values ($1, $2, 'CRM', $3, 'first_match', 'active', 5000, $4)`,
    [organizationId, webhookId, receiver.url, secret],
  )
  await pool.query(
    `with companies as (
       insert into company (organization_id, domain, sessions, anonymous_sessions, first_seen_at,
         last_seen_at)
       select $1, 'company' || n || '.example', 1, 1, now(), now()
       from generate_series(1, $4::int) as n
       returning domain
     )
     insert into webhook_delivery (organization_id, id, webhook_id, event, trigger, pixel_id,
       company_domain, next_attempt_at)
     select $1, gen_random_uuid(), $2, 'company.identified', 'company_seen', $3, domain, now()
     from companies`,
    [organizationId, webhookId, pixelId, companies],
  )
  await pool.query(
    `with people as (
       insert into visitor (organization_id, id, email, email_hash, first_seen_at, last_seen_at)
       select $1, gen_random_uuid(), 'person' || n || '@acme.example', md5(n::text) || md5(n::text),
         now(), now()
       from generate_series(1, $4::int) as n
       returning id, email_hash
     )
     insert into webhook_delivery (organization_id, id, webhook_id, event, trigger, pixel_id,
       visitor_id, visitor_hash, next_attempt_at)
     select $1, gen_random_uuid(), $2, 'visitor.identified', 'first_match', $3, id, email_hash, now()
     from people`,
    [organizationId, webhookId, pixelId, events - companies],
  )
}

it(
  "every event arrives, if repeated with the same id and body, and is counted once",
  async () => {
    const database = await testDatabaseUrl()
    const pool = new pg.Pool({ connectionString: database.url, max: 2 })
    const receiver = await startReceiver()
    receiver.answer = (_, response) => {
      setTimeout(() => response.writeHead(204).end(), 20)
    }
    await prepare(pool, receiver)
    const environment = {
      DATABASE_URL: database.url,
      FOOTFALL_SECRET: testSecret,
      ALLOW_PRIVATE_WEBHOOKS: "on",
    }
    const homes = [await makeServerHome(environment), await makeServerHome(environment)]
    const servers = await Promise.all(homes.map((home) => ServerProcess.start(home)))
    const endLeases = () =>
      pool.query(
        "update webhook_delivery set leased_until = now() - interval '1s' where leased_until < now() + interval '26s'",
      )

    for (let kill = 0; kill < kills; kill++) {
      await receiver.waitFor(Math.ceil((events / (kills + 1)) * (kill + 0.5)))
      const turn = kill % 2
      await servers[turn]!.kill()
      servers[turn] = await ServerProcess.start(homes[turn]!)
    }
    const settled = async () => {
      await endLeases()
      const { rows } = await pool.query<{ status: string; count: number }>(
        "select status, count(*)::int as count from webhook_delivery group by status",
      )
      expect(rows).toEqual([{ status: "succeeded", count: events }])
    }
    await vi.waitFor(settled, { timeout: 60_000, interval: 500 })

    const ledger = Map.groupBy(receiver.received, ({ headers }) => String(headers["webhook-id"]))
    expect(ledger.size).toBe(events)
    for (const requests of ledger.values()) {
      expect(new Set(requests.map(({ body }) => body)).size).toBe(1)
      verify(webhookSecret, requests[0]!)
    }
    const { rows } = await pool.query("select succeeded::int, failed::int from webhook")
    expect(rows).toEqual([{ succeeded: events, failed: 0 }])
    // The events in progress when a server was killed, and no more.
    expect(receiver.received.length - events).toBeLessThanOrEqual(kills * 100)

    await Promise.all(servers.map((server) => server.stop()))
    await receiver.close()
    await pool.end()
    await database.drop()
  },
  timeoutMs,
)
