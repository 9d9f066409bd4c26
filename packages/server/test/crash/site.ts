// An organization with two pixels on its own server, which can be killed. Reads its database directly.
import { Footfall, type Visitor } from "@footfall/sdk"
import { execFile } from "node:child_process"
import { randomUUID } from "node:crypto"
import { promisify } from "node:util"
import pg from "pg"
import { vi } from "vitest"
import type { CollectedEvent } from "../../src/collect/visits/collected-event.ts"
import {
  embeddedPostgres,
  makeServerHome,
  runCommand,
  ServerProcess,
  type ServerHome,
} from "../support/server-process.ts"

/** Time limit for a killed server to be back. */
const backWithinMs = 10_000
const drainedWithinMs = 180_000

export interface SitePixel {
  readonly id: string
  readonly domain: string
}

export class Site {
  readonly url: string
  readonly home: ServerHome
  readonly pixels: ReadonlyArray<SitePixel>
  readonly apiKey: string
  readonly sdk: Footfall
  readonly owner: Owner
  server: ServerProcess

  private constructor(
    fields: Pick<Site, "url" | "home" | "pixels" | "sdk" | "apiKey" | "owner" | "server">,
  ) {
    this.url = fields.url
    this.apiKey = fields.apiKey
    this.home = fields.home
    this.pixels = fields.pixels
    this.sdk = fields.sdk
    this.owner = fields.owner
    this.server = fields.server
  }

  /** Default: its own data directory. One address sends everything, so there are no rate limits. */
  static async open(given?: ServerHome): Promise<Site> {
    const home = given ?? (await makeServerHome({ RATE_LIMITS: "off" }))
    const server = await ServerProcess.start(home)
    const { url } = await server.ready
    const account = ["--organization", "Tidewater", "--email", "owner@tidewater.example"]
    const made = await runCommand(home, "footfall-server", "init", "--json", ...account)
    if (made.exitCode !== 0) throw new Error(`init failed: ${made.stderr}`)
    const { organizationId, apiKey, owner } = JSON.parse(made.stdout) as InitResult
    const pixels = ["tidewater.example", "quay.example"].map((domain) => ({
      id: randomUUID(),
      domain,
    }))
    const sdk = new Footfall({ baseUrl: url, apiKey })
    const site = new Site({ url, home, pixels, sdk, apiKey, owner, server })
    await site.sql(
      `insert into pixel (organization_id, id, domain, name)
       select $1, id, domain, domain from jsonb_to_recordset($2) as p (id uuid, domain text)`,
      [organizationId, JSON.stringify(pixels)],
    )
    return site
  }

  /** Every process of the embedded Postgres. Without all of them, no part can finish its work. */
  async postgresProcesses(): Promise<ReadonlyArray<number>> {
    const { processId } = await embeddedPostgres(this.home)
    const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid="])
    const pairs = stdout.split("\n").map((line) => line.trim().split(/\s+/).map(Number))
    const children = pairs.filter(([, parent]) => parent === processId).map(([child]) => child ?? 0)
    return [processId, ...children]
  }

  /** Resolves once the server has started its Postgres again. A killed one leaves its file. */
  postgresIsBack(): Promise<unknown> {
    return vi.waitFor(() => this.sql("select 1"), { timeout: backWithinMs, interval: 50 })
  }

  async startAgain(): Promise<void> {
    this.server = await ServerProcess.start(this.home)
  }

  /** Resolves once every stored event has been identified. */
  drain(): Promise<void> {
    return vi.waitFor(
      async () => {
        const [inbox] = await this.sql<{ waiting: number }>(
          "select count(*)::int as waiting from event_inbox",
        )
        if (inbox?.waiting !== 0) throw new Error(`${inbox?.waiting} events wait`)
      },
      { timeout: drainedWithinMs, interval: 100 },
    )
  }

  /** Resolves when an identification pass has written counters, as soon as another session can see them. */
  nextCount(): Promise<void> {
    return this.#connected(async (client) => {
      const counted = async () => (await client.query("select sum(pageviews) from session")).rows
      const before = JSON.stringify(await counted())
      while (JSON.stringify(await counted()) === before);
    })
  }

  /** Every counted event, by time of occurrence. */
  async events(): Promise<ReadonlyArray<CollectedEvent>> {
    return await this.sql<CollectedEvent>(
      `select organization_id as "organizationId", pixel_id as "pixelId", id,
         round(extract(epoch from received_at) * 1000)::float8 as "receivedAt",
         anonymous_id as "anonymousId", type,
         round(extract(epoch from occurred_at) * 1000)::float8 as "occurredAt", url, payload
       from event order by occurred_at, id`,
    )
  }

  /** Every visitor as the API lists them. */
  async visitors(): Promise<ReadonlyArray<Visitor>> {
    const visitors: Array<Visitor> = []
    for await (const visitor of this.sdk.visitors.list({ timeframe: "all" })) visitors.push(visitor)
    return visitors
  }

  sql<Row extends object>(
    statement: string,
    values: ReadonlyArray<unknown> = [],
  ): Promise<ReadonlyArray<Row>> {
    return this.#connected(async (client) => (await client.query<Row>(statement, [...values])).rows)
  }

  async #connected<A>(work: (client: pg.Client) => Promise<A>): Promise<A> {
    const client = new pg.Client((await embeddedPostgres(this.home)).connection)
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }
}

interface Owner {
  readonly email: string
  readonly password: string
}

interface InitResult {
  readonly owner: Owner
  readonly organizationId: string
  readonly apiKey: string
}

/** Kills all of them with kill -9, before anything else in this process runs. */
export const killAll = (processIds: ReadonlyArray<number>): void => {
  for (const processId of processIds) {
    try {
      process.kill(processId, "SIGKILL")
    } catch (error) {
      // It may have ended since it was listed.
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error
    }
  }
}
