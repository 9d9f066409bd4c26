// The data keys of an installation: created once, wrapped by FOOTFALL_SECRET, and never stored unwrapped (spec 1.2.6).
// Uses separate databases and the services of a start.
import { Effect, Exit, Layer, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import pg from "pg"
import { afterAll, beforeEach, expect, it } from "vitest"
import { PgClient } from "@effect/sql-pg"
import { DataKeys, dataKeysOf } from "../../src/platform/secrets/data-keys.ts"
import { DataKeyStore } from "../../src/platform/secrets/store.ts"
import { seal, unseal } from "../../src/platform/secrets/sealing.ts"
import { keptPurposes, secretKeysOf, Secrets } from "../../src/platform/secrets/secrets.ts"
import { createFootfall } from "../../src/app/index.ts"
import { FormerInstallation } from "../../src/app/server/sealed-values.ts"
import { sealingOf } from "../../src/activation/webhooks/signing-secrets.ts"
import { dump } from "../erasure/dump.ts"
import { testDatabaseUrl } from "../support/database.ts"

const older = "the older value of FOOTFALL_SECRET"
const newer = "the newer value of FOOTFALL_SECRET"
const foreign = "a value that nothing was made with"
const organizationId = randomUUID()
const webhookId = randomUUID()
const sealing = sealingOf({ organizationId, webhookId })

const dropped: Array<() => Promise<void>> = []
let url: string
let pool: pg.Pool
beforeEach(async () => {
  const database = await testDatabaseUrl()
  url = database.url
  pool = new pg.Pool({ connectionString: url, max: 2 })
  // The database is dropped while connections are idle.
  pool.on("error", () => undefined)
  const opened = pool
  dropped.push(() => opened.end().then(database.drop))
})
afterAll(() => Promise.all(dropped.map((drop) => drop())))

const sql = async (text: string, values: ReadonlyArray<unknown> = []) =>
  (await pool.query(text, [...values])).rows

const secretsOf = (values: ReadonlyArray<string>) => values.map((value) => Redacted.make(value))

/** The services of a start with these values of FOOTFALL_SECRET. */
const started = (...values: ReadonlyArray<string>) =>
  DataKeys.pipe(
    Effect.provide(
      Layer.fresh(DataKeys.layer).pipe(
        Layer.provide(Layer.fresh(Layer.merge(DataKeyStore.layer, FormerInstallation))),
        Layer.provide(Secrets.layer(secretsOf(values))),
        Layer.provide(Layer.fresh(PgClient.layer({ url: Redacted.make(url), maxConnections: 2 }))),
      ),
    ),
    Effect.runPromiseExit,
  )

const keysAfter = async (...values: ReadonlyArray<string>) => {
  const exit = await started(...values)
  if (Exit.isFailure(exit)) throw new Error(String(exit.cause))
  return exit.value
}

const formerOf = (...values: ReadonlyArray<string>) => {
  const secrets = secretKeysOf(secretsOf(values))
  return dataKeysOf((purpose) => secrets.formerKeys(purpose))
}

const exported = (keys: DataKeys["Service"]) =>
  keptPurposes.map((purpose) => keys.keys(purpose).map((key) => key.export().toString("hex")))

/** An organization with a webhook whose secret was sealed by a version without data keys. */
const installFormerly = async (secret: string) => {
  await sql("insert into organization (id, name, slug) values ($1, 'T', 'tidewater')", [
    organizationId,
  ])
  await sql(
    `insert into webhook (organization_id, id, name, url, trigger, status, timeout_ms, secret)
     values ($1, $2, 'CRM', 'https://192.0.2.1/', 'first_match', 'inactive', 1000, $3)`,
    [organizationId, webhookId, seal(formerOf(secret), sealing, "whsec_AAECAwQFBgc=")],
  )
}

const opens = async (keys: DataKeys["Service"]) => {
  const [row] = await sql("select secret from webhook")
  return Effect.runPromise(unseal(keys, sealing, row!["secret"]))
}

it("servers that start at the same time on a new database have one set of random data keys", async () => {
  const all = await Promise.all(Array.from({ length: 5 }, () => keysAfter(newer)))

  const [first, ...others] = all.map(exported)
  for (const other of others) expect(other).toEqual(first)
  expect(first!.flat()).toHaveLength(keptPurposes.length)
  expect(new Set([...first!.flat(), ...exported(formerOf(newer)).flat()]).size).toBe(
    2 * keptPurposes.length,
  )
  expect(exported(await keysAfter(newer))).toEqual(first)
})

it("neither a data key nor its wrapping key is in the database", async () => {
  await installFormerly(older)
  const keys = await keysAfter(newer, older)

  const everything = [...(await dump(sql)).values()].flat().join("\n")
  const wrapping = secretKeysOf(secretsOf([newer, older])).wrappingKeys()
  const secret = [
    ...exported(keys).flat(),
    ...wrapping.map((key) => key.export().toString("hex")),
    ...[newer, older].flatMap((value) => [value, Buffer.from(value).toString("hex")]),
  ]
  expect(secret.filter((text) => everything.includes(text))).toEqual([])
})

it("values encrypted with a secret itself, before data keys existed, can still be read", async () => {
  await installFormerly(older)

  const keys = await keysAfter(newer, older)

  expect(await opens(keys)).toBe("whsec_AAECAwQFBgc=")
  expect(await opens(await keysAfter(newer))).toBe("whsec_AAECAwQFBgc=")
  // A server of the previous version, which may still run for a while, can read values that this one seals.
  const sealed = seal(keys, sealing, "new")
  expect(await Effect.runPromise(unseal(formerOf(newer), sealing, sealed))).toBe("new")
})

it("a secret that opens nothing of an older installation ends the start, and creates no keys", async () => {
  await installFormerly(older)

  const exit = await started(foreign)

  expect(String(exit)).toContain("SecretWrong")
  expect(await sql("select * from data_key")).toEqual([])
  expect(await opens(await keysAfter(older))).toBe("whsec_AAECAwQFBgc=")
})

it("a server with another secret does not start, and says so in one line", async () => {
  await keysAfter(older)

  const start = createFootfall({
    databaseUrl: url,
    secret: foreign,
    baseUrl: "http://localhost:4100",
    workers: false,
  })

  await expect(start).rejects.toThrow(
    /^FOOTFALL_SECRET, or DATA_DIR\/secret, does not open [^\n]*$/,
  )
})

it("a key copied to another purpose does not open", async () => {
  await keysAfter(older)
  await sql(
    `update data_key set wrapped = (select wrapped from data_key where purpose = 'address')
     where purpose = 'tombstone'`,
  )

  expect(String(await started(older))).toContain("SecretWrong")
})

it("a purpose that a later version adds gets its own key", async () => {
  const before = await keysAfter(older)
  await sql("delete from data_key where purpose = 'address'")

  const after = await keysAfter(older)

  expect(after.keys("tombstone")[0]!.equals(before.keys("tombstone")[0]!)).toBe(true)
  expect(after.keys("address")).toHaveLength(1)
})
