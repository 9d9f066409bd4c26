// The client layer: both kinds of database, the limits of a session, and the error when no database can be used.
import { createServer } from "node:net"
import { once } from "node:events"
import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, Logger, Option, Redacted, Result } from "effect"
import { SqlClient } from "effect/sql"
import { expect, vi } from "vitest"
import { connectionsMax, Database } from "../../src/platform/database/database.ts"
import { DatabaseConfig, DatabaseWaitSeconds } from "../../src/platform/database/database-config.ts"
import { Migrations } from "../../src/platform/database/migrations.ts"
import { askDatabase } from "../../src/platform/database/reachable.ts"
import { TestDatabase, testDatabaseUrl } from "../support/database.ts"
import { usedDataDirectory } from "../support/database-directory.ts"
import { startHalfOpenProxy } from "../support/half-open-proxy.ts"

const at = (url: string) =>
  Layer.succeed(DatabaseConfig, { url: Option.some(Redacted.make(url)), dataDir: "unused" })

const inDirectory = (dataDir: string) =>
  Layer.succeed(DatabaseConfig, { url: Option.none(), dataDir })

layer(TestDatabase.layer, { excludeTestServices: true })("a database at an address", (it) => {
  it.effect("has limits on every session", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const [settings] = yield* sql`
        select
          current_setting('statement_timeout') as statement,
          current_setting('lock_timeout') as lock,
          current_setting('idle_in_transaction_session_timeout') as idle,
          current_setting('application_name') as name,
          current_setting('timezone') as timezone`

      assert.deepStrictEqual(settings, {
        statement: "10s",
        lock: "5s",
        idle: "15s",
        name: "footfall",
        timezone: "UTC",
      })
    }),
  )

  it.effect("opens at most ten connections", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      yield* Effect.all(
        Array.from({ length: 3 * connectionsMax }, () => sql`select pg_sleep(0.3)`),
        { concurrency: "unbounded" },
      )

      const [found] = yield* sql<{ count: number }>`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and application_name = 'footfall'`
      assert.strictEqual(found?.count, connectionsMax)
    }),
  )

  it.effect("is called postgres", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* Database).kind, "postgres")
    }),
  )

  it.effect("does not change keys inside JSON", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const rows = yield* sql`select '{"inner_key": 1}'::jsonb as outer_key`

      assert.deepStrictEqual(rows, [{ outer_key: { inner_key: 1 } }])
    }),
  )
})

layer(NodeServices.layer, { excludeTestServices: true })("the database", (it) => {
  it.effect("is embedded when there is no address, and can be migrated", () =>
    Effect.gen(function* () {
      const directory = yield* usedDataDirectory()

      const kind = yield* Effect.gen(function* () {
        yield* Migrations.run
        return (yield* Database).kind
      }).pipe(Effect.provide(Layer.provide(Database.layer, inDirectory(directory))))

      assert.strictEqual(kind, "embedded")
    }),
  )

  it.effect("is shared by a server and a command", () =>
    Effect.gen(function* () {
      const config = inDirectory(yield* usedDataDirectory())
      const server = Layer.provide(Database.layer, config)
      const command = Layer.provide(Database.layerCommand, config)

      const rows = yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`create table seen (n int)`
        yield* Effect.flatMap(
          SqlClient.SqlClient,
          (other) => other`insert into seen values (1)`,
        ).pipe(Effect.provide(command, { local: true }))
        return yield* sql`table seen`
      }).pipe(Effect.provide(server))

      assert.deepStrictEqual(rows, [{ n: 1 }])
    }),
  )

  it.effect(
    "is named by host, port and database, without credentials, if it does not respond",
    () =>
      Effect.gen(function* () {
        const port = yield* closedPort
        const url = `postgres://operator:hunter2@127.0.0.1:${port}/footfall`

        const error = yield* Effect.flip(started(url))

        assert.strictEqual(error.reason, "Unreachable")
        assert.include(
          error.message,
          `Can't connect to the database at 127.0.0.1:${port}/footfall: `,
        )
        assert.include(error.message, "ECONNREFUSED")
        assert.notInclude(error.message, "hunter2")
      }),
  )

  it.effect("is waited for while nothing listens there yet, and the log says so once", () =>
    Effect.gen(function* () {
      const { url, drop } = yield* Effect.promise(() => testDatabaseUrl())
      const port = yield* closedPort
      const late = new URL(url)
      late.host = `127.0.0.1:${port}`
      late.searchParams.delete("host")
      const entries: Array<unknown> = []
      const log = Logger.layer([Logger.make(({ message }) => void entries.push(message))])

      const starting = yield* Effect.forkChild(
        started(late.href).pipe(
          Effect.provideService(DatabaseWaitSeconds, 60),
          Effect.provide(log),
        ),
      )
      yield* Effect.promise(() => vi.waitFor(() => expect(entries).toHaveLength(1)))
      const proxy = yield* Effect.promise(() => startHalfOpenProxy(url, port))
      yield* Fiber.join(starting)
      yield* Effect.promise(async () => {
        await proxy.close()
        await drop()
      })

      assert.lengthOf(entries, 1)
      assert.match(
        String(entries[0]),
        /^Can't connect to the database at 127\.0\.0\.1:\d+\/footfall_test_\w+ yet: .*ECONNREFUSED.*\. Trying for 60 seconds\.$/,
      )
    }),
  )

  it.effect("is not waited for if it rejects the password or does not exist", () =>
    Effect.gen(function* () {
      const { url, drop } = yield* Effect.promise(() => testDatabaseUrl())
      yield* Effect.promise(drop)

      const error = yield* Effect.flip(
        Effect.provideService(started(url), DatabaseWaitSeconds, 3_600),
      )

      assert.match(error.message, /does not exist$/)
    }),
  )

  it.effect("is named with the message from Postgres if it does not exist", () =>
    Effect.gen(function* () {
      const { url, drop } = yield* Effect.promise(() => testDatabaseUrl())
      yield* Effect.promise(drop)

      const error = yield* Effect.flip(started(url))

      assert.strictEqual(error.reason, "Unreachable")
      assert.match(error.message, /: database "footfall_test_\w+" does not exist$/)
    }),
  )

  for (const url of ["not a url: hunter2", "mysql://operator:hunter2@localhost/footfall"])
    it.effect(`is refused if its address is not a Postgres URL, without repeating it: ${url}`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(started(url))

        assert.strictEqual(error.reason, "Unreachable")
        assert.notInclude(error.message, "hunter2")
      }),
    )

  for (const { version, isRefused } of [
    { version: 140_019, isRefused: true },
    { version: 150_000, isRefused: false },
    { version: 180_004, isRefused: false },
  ])
    it.effect(
      `of version number ${version} is ${isRefused ? "refused as too old" : "accepted"}`,
      () =>
        Effect.gen(function* () {
          // A connection to a kind of server that isn't installed here. It answers only this query.
          const rows = [{ version, processId: 1, settings: {} }]
          const result = { command: "SELECT", rowCount: 1, oid: null, rows, fields: [] }
          const connection = { processId: 1, query: () => Effect.succeed(result) }
          const address = Redacted.make("postgres://localhost/footfall")

          const asked = askDatabase(Effect.succeed(connection), {
            address,
            settings: {},
            waitSeconds: 0,
          })
          const exit = yield* Effect.result(asked)

          assert.strictEqual(Result.isFailure(exit) && exit.failure.reason === "TooOld", isRefused)
        }),
    )
})

/** Starts on the address and stops again. */
const started = (url: string) =>
  Effect.asVoid(Database).pipe(Effect.provide(Layer.provide(Database.layer, at(url))))

const closedPort = Effect.promise(async () => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  return typeof address === "object" && address !== null ? address.port : 0
})
