// The real server in this process: `createFootfall` on a separate database, behind a real socket, with one
// organization, API key and pixel. Black-box tests use HTTP or the SDK and query its database with `sql`. `close` stops
// everything and drops the database.
import { Footfall } from "@footfall/sdk"
import { Effect, Layer, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import pg from "pg"
import { inject, vi } from "vitest"
import { AccessConfig } from "../../src/access/access-config.ts"
import { apiKeyDigest, makeApiKey } from "../../src/access/api-key.ts"
import type { OrganizationStatus } from "../../src/access/organization.ts"
import type { Role } from "../../src/access/role.ts"
import { AccessTokens } from "../../src/access/tokens/access-tokens.ts"
import { ExternalKeys } from "../../src/access/tokens/external-keys.ts"
import { Secrets } from "../../src/platform/secrets/secrets.ts"
import {
  createFootfall,
  type Footfall as Embedded,
  type FootfallOptions,
} from "../../src/app/index.ts"
import { testDatabaseUrl } from "./database.ts"
import { makeErrorWatch } from "./documented-errors.ts"

export interface TestServerOptions {
  /** Default: false, so that a test may send any number of requests. */
  readonly rateLimits?: boolean
  /** Default: 15,000. */
  readonly inboundPerMinute?: number
  /** Default: true. */
  readonly workers?: boolean
  /** Default: none. */
  readonly resolvers?: FootfallOptions["resolvers"]
  /** Runs a second server on the database and with the public URL of this one, which drops the database. */
  readonly beside?: TestServer
  /** An existing database, which is kept. Default: a new one, dropped at the end. */
  readonly databaseUrl?: string
  /** A replica of it. Default: none. */
  readonly databaseReadUrl?: string
  /** Default: `testSecret`. */
  readonly secret?: string
  /** The directory of export files. Default: a new one. */
  readonly dataDir?: string
  /** Whether tools at `/mcp` may change something. Default: false. */
  readonly mcpWrites?: boolean
  /** Whether it may read sites and call webhooks on this computer. Default: false. */
  readonly allowPrivateWebhooks?: boolean
  /** Default: no mail is sent. */
  readonly smtpUrl?: string
  /** Default: all signals are in Postgres. */
  readonly clickhouseUrl?: string
  readonly clickhouseCluster?: string | undefined
  /** Default: no events move there. */
  readonly eventArchiveDays?: number
  /** Default: 1,000, so that a test may create any number of organizations. */
  readonly organizationsPerUser?: number
  /** Default: true. */
  readonly console?: boolean
}

export interface TestOrganization {
  readonly organizationId: string
  readonly apiKeyId: string
  readonly apiKey: string
  /** An active pixel for `domain`. */
  readonly pixelId: string
}

/** A user without a password, and an access token for the organization. */
export interface TestUser {
  readonly userId: string
  readonly email: string
  readonly accessToken: string
}

export interface TestServer extends TestOrganization {
  /** The address of the listening socket, without a trailing slash. */
  readonly url: string
  readonly databaseUrl: string
  /** The server as an application embeds it. */
  readonly embedded: Embedded
  readonly sdk: Footfall
  /** Fetches a path with the organization's API key. */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>
  /** Sends one batch to the pixel as the script does. */
  collect(batch: unknown): Promise<Response>
  /** Resolves once every collected event has been identified. Needs workers. */
  drain(): Promise<void>
  /** Runs one statement as the owner of the database. Returns its rows. */
  sql(
    text: string,
    values?: ReadonlyArray<unknown>,
  ): Promise<ReadonlyArray<Record<string, unknown>>>
  makeOrganization(status?: OrganizationStatus): Promise<TestOrganization>
  /** A new user who is a member of the organization. Default: the server's organization. */
  makeUser(role: Role, organizationId?: string): Promise<TestUser>
  close(): Promise<void>
}

export const testSecret = "the secret of the tests: not a secret at all"
export const domain = "tidewater.example"

export async function startServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { beside, rateLimits = false, secret = testSecret, workers = true } = options
  const given = beside?.databaseUrl ?? options.databaseUrl
  const database = given === undefined ? await testDatabaseUrl() : undefined
  const databaseUrl = given ?? database!.url
  // Idle connections stay open, because on a busy machine a client may use one that the server has just closed.
  const socket = createServer({ keepAliveTimeout: 0 })
  const url = await listen(socket)
  const baseUrl = beside?.url ?? url
  const embedded = await createFootfall({
    resolvers: options.resolvers,
    databaseUrl,
    databaseReadUrl: options.databaseReadUrl,
    secret,
    dataDir: options.dataDir ?? join(inject("temporaryDirectory"), `data-${randomUUID()}`),
    smtpUrl: options.smtpUrl,
    mcpWrites: options.mcpWrites,
    organizationsPerUser: options.organizationsPerUser ?? 1_000,
    allowPrivateWebhooks: options.allowPrivateWebhooks,
    clickhouseUrl: options.clickhouseUrl,
    clickhouseCluster: options.clickhouseCluster,
    eventArchiveDays: options.eventArchiveDays,
    console: options.console,
    rateLimits,
    inboundPerMinute: options.inboundPerMinute,
    workers,
    baseUrl, // Vitest sets its own BASE_URL.
  })
  const errors = makeErrorWatch()
  socket.on("request", errors.watch)
  socket.on("request", embedded.listener)
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
  // The database is dropped only after idle connections were ended.
  pool.on("error", () => undefined)
  const sql: TestServer["sql"] = async (text, values = []) =>
    (await pool.query(text, [...values])).rows
  const makeOrganization = (status: OrganizationStatus = "active") => insert(sql, status)
  const organization = beside ?? (await makeOrganization())
  const { apiKey, apiKeyId, organizationId, pixelId } = organization

  return {
    organizationId,
    apiKeyId,
    apiKey,
    pixelId,
    url,
    databaseUrl,
    embedded,
    sdk: new Footfall({ baseUrl: url, apiKey }),
    get: (path, headers = {}) =>
      fetch(url + path, { headers: { "x-api-key": apiKey, ...headers } }),
    collect: (batch) =>
      fetch(`${url}/p/${pixelId}/e`, {
        method: "POST",
        headers: { "content-type": "text/plain", "user-agent": browser },
        body: JSON.stringify(batch),
      }),
    drain: () =>
      vi.waitFor(
        async () => {
          const [inbox] = await sql("select count(*)::int as waiting from event_inbox")
          if (inbox?.["waiting"] !== 0) throw new Error(`${inbox?.["waiting"]} events wait`)
        },
        { timeout: 30_000, interval: 25 },
      ),
    sql,
    makeOrganization,
    makeUser: (role, at = organization.organizationId) =>
      insertUser(sql, { role, organizationId: at, secret, baseUrl }),
    close: async () => {
      socket.close()
      socket.closeAllConnections()
      await embedded.close()
      await pool.end()
      await database?.drop()
      errors.check()
    },
  }
}

/** A browser's user agent, because a program's requests count as a bot's. */
const browser = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/145.0"

const listen = (server: Server): Promise<string> =>
  new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      // A socket that listens on TCP has an address of this form.
      const { port } = server.address() as AddressInfo
      resolve(`http://127.0.0.1:${port}`)
    })
  })

const insert = async (
  sql: TestServer["sql"],
  status: OrganizationStatus,
): Promise<TestOrganization> => {
  const organizationId = randomUUID()
  const apiKeyId = randomUUID()
  const pixelId = randomUUID()
  const key = makeApiKey()
  const apiKey = Redacted.value(key)
  await sql("insert into organization (id, name, slug, status) values ($1, 'Tidewater', $2, $3)", [
    organizationId,
    `tidewater-${organizationId.slice(0, 8)}`,
    status,
  ])
  await sql(
    `insert into api_key (organization_id, id, name, prefix, last4, digest)
     values ($1, $2, 'Test', $3, $4, $5)`,
    [organizationId, apiKeyId, apiKey.slice(0, 7), apiKey.slice(-4), apiKeyDigest(key)],
  )
  await sql("insert into pixel (organization_id, id, domain, name) values ($1, $2, $3, $3)", [
    organizationId,
    pixelId,
    domain,
  ])
  return { organizationId, apiKeyId, apiKey, pixelId }
}

const insertUser = async (
  sql: TestServer["sql"],
  options: {
    readonly role: Role
    readonly organizationId: string
    readonly secret: string
    readonly baseUrl: string
  },
): Promise<TestUser> => {
  const { baseUrl, organizationId, role, secret } = options
  const userId = randomUUID()
  const email = `${role}-${userId.slice(0, 8)}@tidewater.example`
  await sql("insert into user_account (id, email) values ($1, $2)", [userId, email])
  await sql("insert into member (organization_id, user_id, role) values ($1, $2, $3)", [
    organizationId,
    userId,
    role,
  ])
  const { accessToken } = await AccessTokens.pipe(
    Effect.flatMap((tokens) => tokens.issue({ userId, organizationId, role })),
    Effect.provide(Layer.provide(AccessTokens.layer, Layer.mock(ExternalKeys, {}))),
    Effect.provide(
      Layer.merge(
        Secrets.layer(secret.split(",").map((value) => Redacted.make(value))),
        Layer.succeed(AccessConfig, { baseUrl, externalIssuer: undefined, hasConsole: true }),
      ),
    ),
    Effect.runPromise,
  )
  return { userId, email, accessToken: Redacted.value(accessToken) }
}
