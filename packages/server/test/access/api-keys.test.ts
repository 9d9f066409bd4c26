// Keys on running servers: what is stored about them, and how soon a change takes effect (spec 5.13, 7).
import { NodeServices } from "@effect/platform-node"
import { Effect, Layer, Option, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { ApiKeys } from "../../src/access/api-keys.ts"
import { Audit } from "../../src/access/audit/audit.ts"
import { AuditStore } from "../../src/access/audit/store.ts"
import { AlreadyInstalled, Installation } from "../../src/access/installation.ts"
import { OrganizationStore } from "../../src/access/organizations/store.ts"
import { AccessStore } from "../../src/access/store.ts"
import { Database } from "../../src/platform/database/database.ts"
import { DatabaseConfig } from "../../src/platform/database/database-config.ts"
import { KeyedLists } from "../../src/platform/lists/keyed-lists.ts"
import { Secrets } from "../../src/platform/secrets/secrets.ts"
import { startServer, type TestServer, testSecret } from "../support/server.ts"
import { testDatabaseUrl } from "../support/database.ts"

const actor = { type: "operator" } as const

const servicesAt = (url: string) =>
  Installation.layer.pipe(
    Layer.provideMerge(ApiKeys.layer),
    Layer.provideMerge(Layer.merge(Audit.layer, KeyedLists.layer)),
    Layer.provideMerge(
      Layer.mergeAll(
        AccessStore.layer,
        AuditStore.layer,
        OrganizationStore.layer,
        Secrets.layer([Redacted.make(testSecret)]),
      ),
    ),
    Layer.provideMerge(SecureRandom.layerWebCrypto),
    Layer.provideMerge(Database.layer),
    Layer.provide(
      Layer.succeed(DatabaseConfig, { url: Option.some(Redacted.make(url)), dataDir: "unused" }),
    ),
    Layer.provide(NodeServices.layer),
  )

const run = <A, E>(
  url: string,
  effect: Effect.Effect<A, E, ApiKeys | Installation | AccessStore>,
) => Effect.runPromise(Effect.provide(effect, servicesAt(url)))

describe("on a running server", () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ workers: false })
  })
  afterAll(() => server.close())

  const statusOf = async (apiKey: string) =>
    (await server.get("/v1/data/pixels", { "x-api-key": apiKey })).status

  const makeKey = (organizationId = server.organizationId) =>
    run(
      server.databaseUrl,
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        const { apiKey, secret } = yield* keys.create({ organizationId, name: "Reports", actor })
        return { id: apiKey.id, apiKey: Redacted.value(secret) }
      }),
    )

  /** spec 5.13 says 5 seconds. The rest is for a busy machine. */
  const refusedWithin = { timeout: 30_000, interval: 100 }

  it("a new key works at once, even if it was tried before it existed", async () => {
    const { apiKey } = await makeKey()

    expect(await statusOf(apiKey)).toBe(200)
  })

  it("a key's rejection is not cached", async () => {
    const { apiKey, id } = await makeKey()
    await server.sql("update api_key set revoked_at = now() where id = $1", [id])
    expect(await statusOf(apiKey)).toBe(401)

    await server.sql("update api_key set revoked_at = null where id = $1", [id])

    expect(await statusOf(apiKey)).toBe(200)
  })

  it("a revoked key is rejected within 5 seconds, also on a server that has cached it", async () => {
    const { apiKey, id } = await makeKey()
    expect(await statusOf(apiKey)).toBe(200)

    await run(
      server.databaseUrl,
      Effect.flatMap(ApiKeys, (keys) => keys.revokeAny(id)),
    )

    await vi.waitFor(async () => expect(await statusOf(apiKey)).toBe(401), refusedWithin)
  })

  it("an expired key is rejected within 5 seconds", async () => {
    const { apiKey, id } = await makeKey()
    expect(await statusOf(apiKey)).toBe(200)

    await server.sql("update api_key set expires_at = now() where id = $1", [id])

    await vi.waitFor(async () => expect(await statusOf(apiKey)).toBe(401), refusedWithin)
  })

  it("a key used just before its expiry is rejected a second after it", async () => {
    const { apiKey, id } = await makeKey()
    await server.sql("update api_key set expires_at = now() + interval '2 seconds' where id = $1", [
      id,
    ])
    expect(await statusOf(apiKey)).toBe(200)

    await server.sql(
      "select pg_sleep_until(expires_at + interval '1 second') from api_key where id = $1",
      [id],
    )

    expect(await statusOf(apiKey)).toBe(401)
  })

  it("a key that expires later works", async () => {
    const { apiKey, id } = await makeKey()
    await server.sql("update api_key set expires_at = now() + interval '1 hour' where id = $1", [
      id,
    ])

    expect(await statusOf(apiKey)).toBe(200)
  })

  it("a suspended organization is rejected within 5 seconds", async () => {
    const { apiKey, organizationId } = await server.makeOrganization()
    expect(await statusOf(apiKey)).toBe(200)

    await server.sql("update organization set status = 'suspended' where id = $1", [organizationId])

    await vi.waitFor(async () => expect(await statusOf(apiKey)).toBe(403), refusedWithin)
  })

  it("the plaintext of a key is nowhere in the database", async () => {
    const { apiKey } = await makeKey()
    await statusOf(apiKey)
    const tables = await server.sql(
      "select table_name from information_schema.tables where table_schema = 'public'",
    )

    expect(tables.length).toBeGreaterThan(10)
    for (const { table_name: table } of tables) {
      const rows = await server.sql(
        `select 1 from "${String(table)}" as t where t::text like '%' || $1 || '%'`,
        [apiKey.slice(8, -4)],
      )
      expect(rows, String(table)).toEqual([])
    }
    const [stored] = await server.sql(
      "select prefix, last4, encode(digest, 'hex') as digest from api_key where last4 = $1",
      [apiKey.slice(-4)],
    )
    expect(stored).toEqual({
      prefix: apiKey.slice(0, 7),
      last4: apiKey.slice(-4),
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })

  it("last_used_at is accurate to the minute", async () => {
    const { apiKey, id } = await makeKey()
    const read = async () => {
      const [row] = await server.sql(
        "select last_used_at is null as never, now() - last_used_at < interval '1 minute' as recent from api_key where id = $1",
        [id],
      )
      return row
    }

    expect(await read()).toEqual({ never: true, recent: null })
    await statusOf(apiKey)
    expect(await read()).toEqual({ never: false, recent: true })
  })

  it("another organization's key sees none of this one's data", async () => {
    const { apiKey, pixelId } = await server.makeOrganization()
    const list = await server.get("/v1/data/pixels", { "x-api-key": apiKey })
    const foreign = await server.get(`/v1/data?pixelId=${server.pixelId}`, { "x-api-key": apiKey })

    expect(await list.json()).toMatchObject({ data: [{ id: pixelId }] })
    expect(foreign.status).toBe(404)
  })
})

describe("10,000 keys with a wrong checksum", () => {
  it("are rejected without one SQL statement", async () => {
    let statements = 0
    const store = new Proxy({} as AccessStore["Service"], {
      get: () => () => {
        statements++
        return Effect.die("asked")
      },
    })
    const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    const random = (index: number) => digits[index % 62]! + digits[(index * 7) % 62]!

    const refused = await Effect.runPromise(
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        return yield* Effect.forEach(Array.from({ length: 10_000 }), (_, index) =>
          keys
            .authenticate(Redacted.make(`sk_${random(index)}${"a".repeat(35)}zzzzzz`))
            .pipe(Effect.flip),
        )
      }).pipe(
        Effect.provide(ApiKeys.layer),
        Effect.provideService(AccessStore, store),
        Effect.provide(Layer.mergeAll(Layer.mock(Audit, {}), Layer.mock(KeyedLists, {}))),
        Effect.provide(SecureRandom.layerWebCrypto),
      ),
    )

    expect(refused.every(({ _tag }) => _tag === "KeyRefused")).toBe(true)
    expect(statements).toBe(0)
  })
})

describe("the first start", () => {
  const create = Effect.flatMap(Installation, (installation) =>
    installation.create({ organizationName: "Tidewater", email: " Owner@Tidewater.Example " }),
  )

  it("twice at the same time creates one organization; the other call gets its name in the error", async () => {
    const database = await testDatabaseUrl()

    const results = await Promise.all([1, 2].map(() => run(database.url, Effect.result(create))))
    const organizations = await run(
      database.url,
      Effect.flatMap(Installation, (installation) => installation.organizations),
    )
    await database.drop()

    expect(results.map(({ _tag }) => _tag).toSorted()).toEqual(["Failure", "Success"])
    expect(organizations).toHaveLength(1)
    const refusal = results.find(({ _tag }) => _tag === "Failure")
    expect(refusal).toMatchObject({ failure: expect.any(AlreadyInstalled) })
    expect(refusal).toMatchObject({
      failure: { organizationId: organizations[0]?.id, name: "Tidewater" },
    })
  })

  it("creates organization, owner and key together, with the address in lower case", async () => {
    const database = await testDatabaseUrl()
    const made = await run(
      database.url,
      Effect.gen(function* () {
        const installed = yield* create
        const keys = yield* ApiKeys
        const caller = yield* keys.authenticate(installed.apiKey)
        return { ...installed, caller, keys: yield* keys.all(installed.organizationId) }
      }),
    )
    await database.drop()

    expect(made.owner.email).toBe("owner@tidewater.example")
    expect(made.caller).toMatchObject({
      organizationId: made.organizationId,
      organizationStatus: "active",
    })
    expect(made.keys).toEqual([
      expect.objectContaining({ name: "First key", last4: Redacted.value(made.apiKey).slice(-4) }),
    ])
  })
})

describe("revoking", () => {
  it("a key twice is not an error and keeps the first time; an unknown id is an error", async () => {
    const server = await startServer({ workers: false })
    const revoke = (id: string) =>
      run(server.databaseUrl, Effect.result(Effect.flatMap(ApiKeys, (keys) => keys.revokeAny(id))))
    const revokedAt = async () =>
      (await server.sql("select revoked_at from api_key where id = $1", [server.apiKeyId]))[0]

    expect(await revoke(server.apiKeyId)).toMatchObject({ _tag: "Success" })
    const first = await revokedAt()
    expect(await revoke(server.apiKeyId)).toMatchObject({ _tag: "Success" })
    expect(await revokedAt()).toEqual(first)
    await server.sql("update api_key set revoked_at = null where id = $1", [server.apiKeyId])
    expect(await revoke(server.apiKeyId.toUpperCase())).toMatchObject({ _tag: "Success" })
    expect(await revokedAt()).not.toEqual({ revoked_at: null })
    expect(await server.sql("select distinct target_id from audit_entry")).toEqual([
      { target_id: server.apiKeyId },
    ])
    for (const id of ["88ac470a-224f-4bdb-a28b-577d65372edd", "no-uuid"]) {
      expect(await revoke(id)).toMatchObject({ failure: { _tag: "KeyNotFound", apiKeyId: id } })
    }
    await server.close()
  })
})
