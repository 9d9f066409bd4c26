// Several servers, each a separate process of the built command, on one Postgres behind a round-robin proxy: an
// installation as in docs/operations/scale-out.md, with one organization. No other test uses this Postgres, so it can
// be paused, killed and started again.
import { Effect, Redacted } from "effect"
import type { ChildProcess } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { mkdtemp, readFile, realpath } from "node:fs/promises"
import { join } from "node:path"
import pg from "pg"
import { inject, onTestFinished } from "vitest"
import { url as addressOf } from "../../src/platform/database/embedded/address.ts"
import type { SitePixel } from "../crash/site.ts"
import { otherOwner } from "../support/database-directory.ts"
import {
  embeddedPostgres,
  makeServerHome,
  runCommand,
  type ServerHome,
  ServerProcess,
} from "../support/server-process.ts"
import { testSecret } from "../support/server.ts"
import { RoundRobin } from "./round-robin.ts"

export interface ClusterOptions {
  readonly servers: number
  /** Added to the environment of every server of the cluster. */
  readonly environment?: Readonly<Record<string, string>>
  /** How the servers reach the database. Default: its own address. */
  readonly through?: (database: SoakDatabase) => Promise<string>
  /** For the proxy. */
  readonly checkEveryMs?: number | undefined
  /** The database creates its directory here. Default: the run's temporary directory. */
  readonly databaseParent?: string
}

/** One Postgres in a separate process. Its directory outlives it. */
export class SoakDatabase {
  readonly dataDir: string
  #owner: ChildProcess

  private constructor(dataDir: string, owner: ChildProcess) {
    this.dataDir = dataDir
    this.#owner = owner
  }

  static async start(parent = inject("temporaryDirectory")): Promise<SoakDatabase> {
    const dataDir = join(await realpath(await mkdtemp(join(parent, "soak-"))), "data")
    return new SoakDatabase(dataDir, await Effect.runPromise(otherOwner(dataDir)))
  }

  async connection() {
    const { connection } = await this.#postgres()
    return { ...connection, host: connection.host! }
  }

  async address(): Promise<string> {
    return Redacted.value(addressOf(await this.connection()))
  }

  /** Its postmaster and every process below it. */
  async processIds(): Promise<ReadonlyArray<number>> {
    const { processId } = await this.#postgres()
    const children = `/proc/${processId}/task/${processId}/children`
    const below = (await readFile(children, "utf8")).trim().split(" ").map(Number)
    return [processId, ...below.filter((child) => child > 0)]
  }

  /** Like `pg_ctl restart -m immediate`, with a pause in between. */
  async restart(pauseMs = 0): Promise<void> {
    const { processId } = await this.#postgres()
    const stopped = once(this.#owner, "exit")
    process.kill(processId, "SIGQUIT")
    this.#owner.kill("SIGKILL")
    await stopped
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    this.#owner = await Effect.runPromise(otherOwner(this.dataDir))
  }

  async stop(): Promise<void> {
    const stopped = once(this.#owner, "exit")
    this.#owner.kill("SIGINT")
    await stopped
  }

  #postgres() {
    return embeddedPostgres({
      dataDir: this.dataDir,
      configDirectory: "",
      port: 0,
      environment: {},
    })
  }
}

export class Cluster {
  readonly database: SoakDatabase
  readonly homes: ReadonlyArray<ServerHome>
  readonly servers: Array<ServerProcess>
  readonly proxy: RoundRobin
  readonly organizationId: string
  readonly apiKey: string
  readonly pixels: ReadonlyArray<SitePixel>
  readonly #pool: pg.Pool

  private constructor(
    fields: Pick<
      Cluster,
      "database" | "homes" | "servers" | "proxy" | "organizationId" | "apiKey" | "pixels"
    >,
    pool: pg.Pool,
  ) {
    this.database = fields.database
    this.homes = fields.homes
    this.servers = fields.servers
    this.proxy = fields.proxy
    this.organizationId = fields.organizationId
    this.apiKey = fields.apiKey
    this.pixels = fields.pixels
    this.#pool = pool
  }

  /** Closed when the test has ended, whatever its result. */
  static async open(options: ClusterOptions): Promise<Cluster> {
    const database = await SoakDatabase.start(options.databaseParent)
    const environment = {
      DATABASE_URL: (await options.through?.(database)) ?? (await database.address()),
      FOOTFALL_SECRET: testSecret,
      ALLOW_PRIVATE_WEBHOOKS: "on",
      TRUSTED_PROXIES: "127.0.0.1",
      HOST: "127.0.0.1",
      BASE_URL: "http://footfall.example",
      // One address sends everything here.
      RATE_LIMITS: "off",
      LOG_LEVEL: "warn",
      ...options.environment,
    }
    const homes = await Promise.all(
      Array.from({ length: options.servers }, () => makeServerHome(environment)),
    )
    const servers = await Promise.all(homes.map((home) => ServerProcess.start(home)))
    const account = ["--organization", "Tidewater", "--email", "owner@tidewater.example"]
    const made = await runCommand(homes[0]!, "footfall-server", "init", "--json", ...account)
    if (made.exitCode !== 0) throw new Error(`init failed: ${made.stderr}`)
    const { apiKey, organizationId } = JSON.parse(made.stdout) as {
      readonly organizationId: string
      readonly apiKey: string
    }
    const pool = new pg.Pool({ ...(await database.connection()), max: 2 })
    pool.on("error", () => undefined)
    const pixels = ["tidewater.example", "quay.example"].map((domain) => ({
      id: randomUUID(),
      domain,
    }))
    await pool.query(
      `insert into pixel (organization_id, id, domain, name)
       select $1, id, domain, domain from jsonb_to_recordset($2) as p (id uuid, domain text)`,
      [organizationId, JSON.stringify(pixels)],
    )
    const ports = homes.map(({ port }) => port)
    const proxy = await RoundRobin.start({ ports, checkEveryMs: options.checkEveryMs })
    const fields = { database, homes, servers, proxy, organizationId, apiKey, pixels }
    const cluster = new Cluster(fields, pool)
    onTestFinished(() => cluster.#close(), 60_000)
    return cluster
  }

  /** The proxy's. */
  get url(): string {
    return this.proxy.url
  }

  /** An access token of the owner, for what a key may not do. */
  async token(): Promise<string> {
    const options = ["--email", "owner@tidewater.example", "--json"]
    const made = await runCommand(this.homes[0]!, "footfall-server", "token", ...options)
    return (JSON.parse(made.stdout) as { readonly accessToken: string }).accessToken
  }

  /** Starts the server of a place again, and waits until it is ready. */
  async replace(place: number): Promise<void> {
    this.servers[place] = await ServerProcess.start(this.homes[place]!)
  }

  /** Queries the database directly. */
  async sql<Row extends object>(
    statement: string,
    values: ReadonlyArray<unknown> = [],
  ): Promise<ReadonlyArray<Row>> {
    return (await this.#pool.query<Row>(statement, [...values])).rows
  }

  async #close(): Promise<void> {
    await this.proxy.close()
    await Promise.all(this.servers.map((server) => server.hasEnded || server.kill()))
    await this.#pool.end()
    await this.database.stop()
  }
}
