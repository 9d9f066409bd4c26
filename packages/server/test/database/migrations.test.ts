// The schema is brought up to date once, whoever starts at the same time, and never half way.
import { assert, layer } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Layer, Option, Redacted, Schedule } from "effect"
import { PgClient } from "@effect/sql-pg"
import { SqlClient } from "effect/sql"
import { Database } from "../../src/database/database.ts"
import { DatabaseConfig } from "../../src/database/database-config.ts"
import { Migrations } from "../../src/database/migrations.ts"
import { testDatabaseUrl } from "../support/database.ts"

/** The address of an empty database, dropped with the scope. */
const emptyDatabase = Effect.acquireRelease(
  Effect.promise(() => testDatabaseUrl()),
  ({ drop }) => Effect.promise(drop),
).pipe(
  Effect.tap((database) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`drop schema public cascade`
      yield* sql`create schema public`
    }).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(database.url) }))),
  ),
  Effect.map(({ url }) => url),
)

/** A server of its own on the database. */
const replica = (url: string) =>
  Database.layer.pipe(
    Layer.provide(
      Layer.succeed(DatabaseConfig, { url: Option.some(Redacted.make(url)), dataDir: "unused" }),
    ),
  )

layer(Layer.empty, { excludeTestServices: true })("migrations", (it) => {
  it.effect("run once when five replicas start on an empty database together", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabase

      const runs = yield* Effect.all(
        Array.from({ length: 5 }, () => Effect.provide(Migrations.run, replica(url))),
        { concurrency: "unbounded" },
      )

      assert.deepStrictEqual(runs.flat(), ["1_visitors"])
    }),
  )

  it.effect("leave nothing when the process running them dies, and run in the next", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabase

      // The session ends while the migration's transaction is open, as with kill -9 of the server.
      yield* Effect.gen(function* () {
        const watching = yield* SqlClient.SqlClient
        const dying = yield* Effect.forkChild(Effect.provide(Migrations.run, replica(url)))
        const found = yield* watching<{ pid: number }>`
          select pid from pg_locks where locktype = 'advisory' and granted`.pipe(
          Effect.repeat({
            until: (rows) => rows.length > 0,
            schedule: Schedule.spaced("1 millis"),
          }),
        )
        yield* watching`select pg_terminate_backend(${found[0]?.pid ?? 0})`
        assert.isTrue(Exit.isFailure(yield* Fiber.await(dying)))
        assert.isFalse(yield* Migrations.isCurrent)
        assert.deepStrictEqual(yield* Migrations.run, ["1_visitors"])
        assert.isTrue(yield* Migrations.isCurrent)
      }).pipe(Effect.provide(replica(url)))
    }),
  )

  it.effect("say whether the schema is current", () =>
    Effect.gen(function* () {
      assert.isFalse(yield* Migrations.isCurrent)

      yield* Migrations.run

      assert.isTrue(yield* Migrations.isCurrent)
      assert.deepStrictEqual(yield* Migrations.run, [])
    }).pipe(Effect.provide(Layer.unwrap(Effect.map(emptyDatabase, replica)))),
  )

  it.effect("refuse to start on a schema newer than the code, which goes on serving", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* Migrations.run
      yield* sql`insert into schema_migration (migration_id, name) values (999, 'later')`

      const exit = yield* Effect.exit(Migrations.run)

      assert(Exit.isFailure(exit))
      const error = Option.getOrThrow(Cause.findErrorOption(exit.cause))
      assert.strictEqual(error._tag, "SchemaNewer")
      assert.include(error.message, "has schema 999")
      assert.include(error.message, "Start a newer version")
      assert.isTrue(yield* Migrations.isCurrent)
    }).pipe(Effect.provide(Layer.unwrap(Effect.map(emptyDatabase, replica)))),
  )

  it.effect("wait for each other longer than the statement of a request may take", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabase
      const hurried = PgClient.layer({
        url: Redacted.make(url),
        startupParameters: { statement_timeout: "50ms", lock_timeout: "50ms" },
      })

      // The lock is the migrations' own; it is let go when the other has waited for a while.
      const done = yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const waiting = yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`select pg_advisory_xact_lock(4100000001)`
            const waiting = yield* Effect.forkChild(
              Effect.provide(Migrations.run, hurried, { local: true }),
            )
            yield* sql`select pg_sleep(0.3)`
            return waiting
          }),
        )
        return yield* Fiber.join(waiting)
      }).pipe(Effect.provide(replica(url)))

      assert.deepStrictEqual(done, ["1_visitors"])
    }),
  )
})
