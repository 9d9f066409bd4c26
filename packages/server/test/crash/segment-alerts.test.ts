// Two servers that look who enters a segment and send it are killed in turn with kill -9, while visits arrive (spec 8.7.6):
// everyone who enters is sent, and no one twice. One that was sent while a server died is sent again with the same
// `webhook-id`. FOOTFALL_SOAK=1 for the full number of kills.
import { randomUUID } from "node:crypto"
import pg from "pg"
import { afterAll, expect, it, vi } from "vitest"
import { seal } from "../../src/platform/secrets/sealing.ts"
import { sealingOf } from "../../src/activation/webhooks/signing-secrets.ts"
import { dataKeysIn } from "../support/data-keys.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { killLeftServers, makeServerHome, ServerProcess } from "../support/server-process.ts"
import { testSecret } from "../support/server.ts"
import { startReceiver } from "../webhooks/receiver.ts"
import { browser } from "../webhooks/site.ts"

const isSoak = process.env["FOOTFALL_SOAK"] === "1"
const kills = isSoak ? 30 : 2
const people = isSoak ? 6_000 : 200
const timeoutMs = isSoak ? 900_000 : 300_000
const organizationId = randomUUID()
const webhookId = randomUUID()
const segmentId = randomUUID()
const pixelId = randomUUID()

afterAll(killLeftServers)

const prepare = async (pool: pg.Pool, url: string): Promise<void> => {
  const dataKeys = await dataKeysIn(async (text) => (await pool.query(text)).rows, testSecret)
  const secret = seal(
    dataKeys,
    sealingOf({ organizationId, webhookId }),
    `whsec_${Buffer.alloc(32, 7).toString("base64")}`,
  )
  await pool.query("insert into organization (id, name, slug) values ($1, 'T', 'tidewater')", [
    organizationId,
  ])
  await pool.query(
    "insert into pixel (organization_id, id, domain, name) values ($1, $2, 'a.example', 'A')",
    [organizationId, pixelId],
  )
  await pool.query(
    `insert into segment (organization_id, id, name, rule_ast)
     values ($1, $2, 'Pricing readers', $3)`,
    [
      organizationId,
      segmentId,
      JSON.stringify({
        version: 1,
        rule: { field: "behavior.visited_paths", op: "any_starts_with", value: "/pricing" },
      }),
    ],
  )
  await pool.query(
    `insert into webhook (organization_id, id, name, url, trigger, segment_id, status, timeout_ms,
       secret)
     values ($1, $2, 'Pricing', $3, 'entered_segment', $4, 'active', 5000, $5)`,
    [organizationId, webhookId, url, segmentId, secret],
  )
}

/** A person who views pricing. */
const bodyOf = (place: number): string => {
  const now = Date.now()
  const event = (type: string, path: string, more: object = {}) => ({
    id: randomUUID(),
    type,
    time: new Date(now).toISOString(),
    url: `https://a.example${path}`,
    ...more,
  })
  return JSON.stringify({
    v: 1,
    sentAt: new Date(now).toISOString(),
    anonymousId: randomUUID(),
    consent: "granted",
    events: [
      event("page", "/"),
      event("identify", "/", { email: `person${place}@acme.example` }),
      event("page", "/pricing"),
    ],
  })
}

it(
  "everyone who enters is sent, and no one twice",
  async () => {
    const database = await testDatabaseUrl()
    const pool = new pg.Pool({ connectionString: database.url, max: 2 })
    const receiver = await startReceiver()
    await prepare(pool, receiver.url)
    const environment = {
      DATABASE_URL: database.url,
      FOOTFALL_SECRET: testSecret,
      ALLOW_PRIVATE_WEBHOOKS: "on",
    }
    const homes = [await makeServerHome(environment), await makeServerHome(environment)]
    const servers = await Promise.all(homes.map((home) => ServerProcess.start(home)))

    /** Sends one batch to a server that runs, as a browser does: the same body until it was taken. */
    const visit = async (place: number): Promise<void> => {
      const body = bodyOf(place)
      await vi.waitFor(
        async () => {
          const { port } = homes[place % 2]!
          const answer = await fetch(`http://127.0.0.1:${port}/p/${pixelId}/e`, {
            method: "POST",
            headers: { "content-type": "text/plain", "user-agent": browser },
            body,
          })
          if (answer.status !== 204 && answer.status !== 202) throw new Error(await answer.text())
        },
        { timeout: 60_000, interval: 100 },
      )
    }
    const sent = async () => {
      for (let place = 0; place < people; place += 4) {
        await Promise.all([0, 1, 2, 3].map((offset) => visit(place + offset)))
      }
    }
    await vi.waitFor(
      async () => {
        const { rows } = await pool.query(
          "select from segment_watch where verified_from is not null",
        )
        expect(rows).toHaveLength(1)
      },
      { timeout: 60_000, interval: 50 },
    )
    const visits = sent()
    for (let kill = 0; kill < kills; kill++) {
      const enough = Math.ceil((people / (kills + 1)) * (kill + 0.5))
      await vi.waitFor(
        async () => {
          const { rows } = await pool.query<{ count: number }>(
            "select count(*)::int as count from segment_member where is_in",
          )
          expect(rows[0]!.count).toBeGreaterThanOrEqual(enough)
        },
        { timeout: 60_000, interval: 5 },
      )
      const turn = kill % 2
      await servers[turn]!.kill()
      servers[turn] = await ServerProcess.start(homes[turn]!)
    }
    await visits
    await vi.waitFor(
      async () => {
        await pool.query(
          "update webhook_delivery set leased_until = now() - interval '1s' where leased_until < now() + interval '26s'",
        )
        const { rows } = await pool.query<{ status: string; count: number }>(
          "select status, count(*)::int as count from webhook_delivery group by status",
        )
        expect(rows).toEqual([{ status: "succeeded", count: people }])
      },
      { timeout: 90_000, interval: 500 },
    )

    const ids = Map.groupBy(receiver.received, ({ event }) => {
      const { email } = event["visitor"] as { readonly email: string }
      return email
    })
    expect(ids.size).toBe(people)
    for (const requests of ids.values()) {
      expect(new Set(requests.map(({ headers }) => headers["webhook-id"])).size).toBe(1)
    }
    const { rows } = await pool.query("select succeeded::int, failed::int from webhook")
    expect(rows).toEqual([{ succeeded: people, failed: 0 }])

    await Promise.all(servers.map((server) => server.stop()))
    await receiver.close()
    await pool.end()
    await database.drop()
  },
  timeoutMs,
)
