// Two servers on one database are killed in turn with kill -9 while people are identified under a credit limit that is
// raised in the meantime. Each person is charged once, the limit is never exceeded, and in the end exactly the billable
// people are charged. FOOTFALL_SOAK=1 for the full number of kills.
import { randomUUID } from "node:crypto"
import pg from "pg"
import { afterAll, expect, it, vi } from "vitest"
import { hashEmail } from "../../src/collect/visits/email-address.ts"
import { random } from "../identification/simulation.ts"
import { suppressionStatements } from "../identification/suppressed.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { killLeftServers, makeServerHome, ServerProcess } from "../support/server-process.ts"
import { testSecret } from "../support/server.ts"
import { type Batch, OfferedLoad } from "./offered-load.ts"

const isSoak = process.env["FOOTFALL_SOAK"] === "1"
const kills = isSoak ? 50 : 4
const timeoutMs = isSoak ? 900_000 : 180_000
const eventsPerSecond = 150
const limits = { first: 40, raised: 90 }
const domain = "tidewater.example"
const organizationId = randomUUID()
const pixelId = randomUUID()
const people = Array.from({ length: 200 }, (_, index) => `person${index}@harbor.example`)
const isSuppressed = (email: string) => people.indexOf(email) % 8 === 0

afterAll(killLeftServers)

/** One identification per batch, mostly of people identified before. */
const identifications = (urls: ReadonlyArray<string>): (() => Batch) => {
  const below = random(17)
  const browsers = people.map(() => randomUUID())
  return () => {
    const index = below(people.length)
    const id = randomUUID()
    const time = new Date().toISOString()
    return {
      url: `${urls[below(urls.length)]}/p/${pixelId}/e`,
      eventIds: [id],
      body: JSON.stringify({
        v: 1,
        sentAt: time,
        anonymousId: browsers[index],
        consent: "granted",
        events: [{ id, type: "identify", time, url: `https://${domain}/`, email: people[index] }],
      }),
    }
  }
}

/** Creates the organization with its pixel, and suppresses some people before they visit. */
const prepare = async (pool: pg.Pool): Promise<void> => {
  await pool.query(
    "insert into organization (id, name, slug, credit_limit) values ($1, 'T', 'tidewater', $2)",
    [organizationId, limits.first],
  )
  await pool.query(
    "insert into pixel (organization_id, id, domain, name) values ($1, $2, $3, 'Site')",
    [organizationId, pixelId, domain],
  )
  for (const email of people.filter(isSuppressed)) {
    const values = [organizationId, randomUUID(), email, hashEmail(email).sha256]
    await pool.query(
      `insert into visitor (organization_id, id, email, email_hash, first_seen_at, last_seen_at)
       values ($1, $2, $3, $4, now(), now())`,
      values,
    )
    await pool.query(
      `insert into visitor_address (organization_id, visitor_id, email, email_hash, first_seen_at)
       values ($1, $2, $3, $4, now())`,
      values,
    )
    const statements = suppressionStatements({ organizationId, email, isSuppressed: true })
    for (const [text, parameters] of statements) await pool.query(text, [...parameters])
  }
}

/** The month's usage, the people charged, the people held back. */
const counts = async (pool: pg.Pool) => {
  const { rows } = await pool.query<{ used: number; charged: number; heldBack: number }>(
    `select
       coalesce((select sum(used)::int from credit_month where organization_id = $1), 0) as used,
       (select count(*)::int from credit where organization_id = $1) as charged,
       (select count(*)::int from visitor where organization_id = $1 and held_back) as "heldBack"`,
    [organizationId],
  )
  return rows[0]!
}

const setLimit = (pool: pg.Pool, limit: number | null) =>
  pool.query("update organization set credit_limit = $2 where id = $1", [organizationId, limit])

it(
  "exactly the billable people are charged, after kill -9 of two servers in turn",
  async () => {
    const database = await testDatabaseUrl()
    const pool = new pg.Pool({ connectionString: database.url, max: 2 })
    await prepare(pool)
    const environment = {
      DATABASE_URL: database.url,
      FOOTFALL_SECRET: testSecret,
      RATE_LIMITS: "off",
    }
    const homes = [await makeServerHome(environment), await makeServerHome(environment)]
    const servers = await Promise.all(homes.map((home) => ServerProcess.start(home)))
    const urls = homes.map(({ port }) => `http://127.0.0.1:${port}`)
    const load = new OfferedLoad(identifications(urls))

    load.start(eventsPerSecond)
    for (let kill = 0; kill < kills; kill++) {
      await load.acknowledgedMore(60 + (kill % 3) * 25)
      const turn = kill % 2
      await servers[turn]!.kill()
      const { charged, used } = await counts(pool)
      expect(used).toBe(charged)
      expect(used).toBeLessThanOrEqual(kill > kills / 2 ? limits.raised : limits.first)
      if (kill === Math.floor(kills / 2)) await setLimit(pool, limits.raised)
      servers[turn] = await ServerProcess.start(homes[turn]!)
    }
    await load.finish()
    await vi.waitFor(
      async () => expect(await counts(pool)).toMatchObject({ used: limits.raised }),
      {
        timeout: 30_000,
        interval: 100,
      },
    )
    await setLimit(pool, null)
    await vi.waitFor(
      async () => {
        const { rows } = await pool.query("select 1 from event_inbox limit 1")
        expect([rows.length, (await counts(pool)).heldBack]).toEqual([0, 0])
      },
      { timeout: 30_000, interval: 100 },
    )

    const { rows: identified } = await pool.query<{ email: string }>(
      "select distinct payload ->> 'e' as email from event where organization_id = $1",
      [organizationId],
    )
    const billable = identified.map(({ email }) => email).filter((email) => !isSuppressed(email))
    const { rows: charged } = await pool.query<{ email: string }>(
      `select email from credit
     join visitor on visitor.organization_id = credit.organization_id and visitor.id = visitor_id
     where credit.organization_id = $1`,
      [organizationId],
    )
    expect(billable.length).toBeGreaterThan(limits.raised)
    expect(charged.map(({ email }) => email).toSorted()).toEqual(billable.toSorted())
    expect((await counts(pool)).used).toBe(billable.length)
    await Promise.all(servers.map((server) => server.stop()))
    await pool.end()
    await database.drop()
  },
  timeoutMs,
)
