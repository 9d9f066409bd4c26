// Two servers on one database, with an organization and its pixel, for alerts whose servers are killed in turn.
import { randomUUID } from "node:crypto"
import pg from "pg"
import { expect, vi } from "vitest"
import { sealingOf } from "../../src/activation/webhooks/signing-secrets.ts"
import { seal } from "../../src/platform/secrets/sealing.ts"
import { dataKeysIn } from "../support/data-keys.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { makeServerHome, ServerProcess } from "../support/server-process.ts"
import { testSecret } from "../support/server.ts"
import { browser } from "../webhooks/site.ts"

export interface Prepared {
  readonly organizationId: string
  readonly webhookId: string
  /** Sealed, for the webhook. */
  readonly secret: Uint8Array
}

export class AlertServers {
  readonly pool: pg.Pool
  readonly #database: Awaited<ReturnType<typeof testDatabaseUrl>>
  readonly #homes: ReadonlyArray<Awaited<ReturnType<typeof makeServerHome>>>
  readonly #servers: Array<ServerProcess>
  readonly #pixelId: string

  private constructor(
    database: Awaited<ReturnType<typeof testDatabaseUrl>>,
    pool: pg.Pool,
    pixelId: string,
    homes: ReadonlyArray<Awaited<ReturnType<typeof makeServerHome>>>,
    servers: ReadonlyArray<ServerProcess>,
  ) {
    this.#database = database
    this.pool = pool
    this.#pixelId = pixelId
    this.#homes = homes
    this.#servers = [...servers]
  }

  /** `prepare`: inserts the webhook, and what it needs, before the servers start. */
  static async start(
    more: Readonly<Record<string, string>>,
    prepare: (pool: pg.Pool, prepared: Prepared) => Promise<void>,
  ): Promise<AlertServers> {
    const database = await testDatabaseUrl()
    const pool = new pg.Pool({ connectionString: database.url, max: 2 })
    const [organizationId, webhookId, pixelId] = [randomUUID(), randomUUID(), randomUUID()]
    const dataKeys = await dataKeysIn(async (text) => (await pool.query(text)).rows, testSecret)
    const plain = `whsec_${Buffer.alloc(32, 7).toString("base64")}`
    const secret = seal(dataKeys, sealingOf({ organizationId, webhookId }), plain)
    await pool.query("insert into organization (id, name, slug) values ($1, 'T', 'tidewater')", [
      organizationId,
    ])
    await pool.query(
      "insert into pixel (organization_id, id, domain, name) values ($1, $2, 'a.example', 'A')",
      [organizationId, pixelId],
    )
    await prepare(pool, { organizationId, webhookId, secret })
    const environment = { DATABASE_URL: database.url, FOOTFALL_SECRET: testSecret, ...more }
    const homes = [await makeServerHome(environment), await makeServerHome(environment)]
    const servers = await Promise.all(homes.map((home) => ServerProcess.start(home)))
    return new AlertServers(database, pool, pixelId, homes, servers)
  }

  /** So many people identify themselves and view pricing, four at a time, whichever servers run. */
  async visits(count: number): Promise<void> {
    for (let place = 0; place < count; place += 4) {
      await Promise.all([0, 1, 2, 3].map((offset) => this.#visit(place + offset)))
    }
  }

  /** Sends one batch as a browser does: the same body until it was taken. */
  async #visit(place: number): Promise<void> {
    const body = bodyOf(place)
    await vi.waitFor(
      async () => {
        const { port } = this.#homes[place % 2]!
        const answer = await fetch(`http://127.0.0.1:${port}/p/${this.#pixelId}/e`, {
          method: "POST",
          headers: { "content-type": "text/plain", "user-agent": browser },
          body,
        })
        if (answer.status !== 204 && answer.status !== 202) throw new Error(await answer.text())
      },
      { timeout: 60_000, interval: 100 },
    )
  }

  /** Kills the servers in turn, each when `done` has reached the next part of `all`. */
  async killInTurn(kills: number, all: number, done: () => Promise<number>): Promise<void> {
    for (let kill = 0; kill < kills; kill++) {
      const enough = Math.ceil((all / (kills + 1)) * (kill + 0.5))
      await vi.waitFor(async () => expect(await done()).toBeGreaterThanOrEqual(enough), {
        timeout: 90_000,
        interval: 1,
      })
      const turn = kill % 2
      await this.#servers[turn]!.kill()
      this.#servers[turn] = await ServerProcess.start(this.#homes[turn]!)
    }
  }

  /** A statement's only number. */
  async number(statement: string): Promise<number> {
    const { rows } = await this.pool.query<{ readonly count: number }>(statement)
    return rows[0]!.count
  }

  /** Resolves once so many deliveries have succeeded, and there are no others. */
  async allSucceed(count: number): Promise<void> {
    await vi.waitFor(
      async () => {
        await this.pool.query(
          "update webhook_delivery set leased_until = now() - interval '1s' where leased_until < now() + interval '26s'",
        )
        const { rows } = await this.pool.query<{ status: string; count: number }>(
          "select status, count(*)::int as count from webhook_delivery group by status",
        )
        expect(rows).toEqual([{ status: "succeeded", count }])
      },
      { timeout: 90_000, interval: 500 },
    )
    const { rows } = await this.pool.query("select succeeded::int, failed::int from webhook")
    expect(rows).toEqual([{ succeeded: count, failed: 0 }])
  }

  async stop(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.stop()))
    await this.pool.end()
    await this.#database.drop()
  }
}

const bodyOf = (place: number): string => {
  const time = new Date().toISOString()
  const event = (type: string, path: string, more: object = {}) => ({
    id: randomUUID(),
    type,
    time,
    url: `https://a.example${path}`,
    ...more,
  })
  return JSON.stringify({
    v: 1,
    sentAt: time,
    anonymousId: randomUUID(),
    consent: "granted",
    events: [
      event("page", "/"),
      event("identify", "/", { email: `person${place}@acme.example` }),
      event("page", "/pricing"),
    ],
  })
}

/** Everyone was sent, each with one `webhook-id`, however often. */
export const expectEachOnce = (
  received: ReadonlyArray<{
    readonly event: Readonly<Record<string, unknown>>
    readonly headers: Readonly<Record<string, unknown>>
  }>,
  count: number,
): void => {
  const requestsOf = Map.groupBy(
    received,
    ({ event }) => (event["visitor"] as { readonly email: string }).email,
  )
  expect(requestsOf.size).toBe(count)
  for (const requests of requestsOf.values()) {
    expect(new Set(requests.map(({ headers }) => headers["webhook-id"])).size).toBe(1)
  }
}
