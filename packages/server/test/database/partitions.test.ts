// The daily partitions of events, created when they are first needed.
import { assert, layer } from "@effect/vitest"
import { PgClient } from "@effect/sql-pg"
import { Effect, Exit, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Partitions } from "../../src/platform/database/partitions.ts"
import { TestDatabase } from "../support/database.ts"

const partitions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ name: string; bounds: string }>`
    select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bounds
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'event'::regclass
    order by c.relname`
  return rows.map(({ name, bounds }) => `${name} ${bounds}`)
})

const addEvent = (day: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`
      insert into event (organization_id, received_on, pixel_id, id, received_at, type, occurred_at, payload)
      values (gen_random_uuid(), ${day}::date, gen_random_uuid(), gen_random_uuid(), now(), 'pageview', now(), '{}')`
  })

/** A client of the same database with its own sessions, which fails on a lock at once. */
const otherSession = Layer.unwrap(
  Effect.map(PgClient.PgClient, ({ config }) =>
    PgClient.layer({ url: config.url, startupParameters: { lock_timeout: "100ms" } }),
  ),
)

/** Each test starts with an empty memory, as a new process does. */
const replica = Partitions.layer.pipe(Layer.fresh)

const fresh = Layer.provideMerge(replica, TestDatabase.layer).pipe(Layer.fresh)

layer(Layer.empty)("partitions", (it) => {
  it.effect("hold the UTC day they are named after, also across the end of a year", () =>
    Effect.gen(function* () {
      yield* (yield* Partitions).ensure(["2024-02-28", "2024-02-29", "2026-12-31"])

      assert.deepStrictEqual(yield* partitions, [
        "event_20240228 FOR VALUES FROM ('2024-02-28') TO ('2024-02-29')",
        "event_20240229 FOR VALUES FROM ('2024-02-29') TO ('2024-03-01')",
        "event_20261231 FOR VALUES FROM ('2026-12-31') TO ('2027-01-01')",
      ])
      yield* addEvent("2026-12-31")
      assert.isTrue(Exit.isFailure(yield* Effect.exit(addEvent("2027-01-01"))))
    }).pipe(Effect.provide(fresh)),
  )

  it.effect("are dropped if they are empty and old, and created again when needed", () =>
    Effect.gen(function* () {
      const { dropEmpty, ensure } = yield* Partitions
      yield* ensure(["2026-01-01", "2026-01-02", "2026-01-03", "2026-01-04"])
      yield* addEvent("2026-01-02")

      yield* dropEmpty("2026-01-04")

      const names = Effect.map(partitions, (rows) => rows.map((row) => row.split(" ")[0]))
      assert.deepStrictEqual(yield* names, ["event_20260102", "event_20260104"])
      yield* ensure(["2026-01-01"])
      yield* addEvent("2026-01-01")
    }).pipe(Effect.provide(fresh)),
  )

  it.effect("are skipped while they are in use", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { dropEmpty, ensure } = yield* Partitions
      yield* ensure(["2026-01-01", "2026-01-02"])

      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`select from event_20260101`
          yield* Effect.provide(
            Effect.flatMap(Partitions, (other) => other.dropEmpty("2026-01-03")),
            Layer.provide(replica, otherSession),
          )
        }),
      )

      const [left = "", ...rest] = yield* partitions
      assert.match(left, /^event_20260101 /)
      assert.strictEqual(rest.length, 0)
      yield* dropEmpty("2026-01-03")
      assert.strictEqual((yield* partitions).length, 0)
    }).pipe(Effect.provide(fresh)),
  )

  it.effect("are dropped without a deadlock with someone who is about to read them", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* (yield* Partitions).ensure(["2026-01-01", "2026-01-02"])
      const waiting = sql<{ pid: number }>`
        select pid from pg_locks
        where relation = 'event'::regclass and mode = 'AccessExclusiveLock' and not granted
          and database = (select oid from pg_database where datname = current_database())`

      const dropping = yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`lock table only event in access share mode`
          const fiber = yield* Effect.forkDetach(
            Effect.provide(
              Effect.flatMap(Partitions, (other) => other.dropEmpty("2026-01-02")),
              Layer.provide(replica, otherSession),
            ),
          )
          const [dropper] = yield* Effect.repeat(waiting, { until: (rows) => rows.length > 0 })
          const held = yield* sql`
            select from pg_locks
            where pid = ${dropper!.pid} and relation = 'event_20260101'::regclass
              and mode = 'AccessExclusiveLock'`
          assert.strictEqual(held.length, 0)
          return fiber
        }),
      )

      yield* Fiber.join(dropping)
    }).pipe(Effect.provide(fresh)),
  )

  it.effect("are kept if their first row is written while they are about to be dropped", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* (yield* Partitions).ensure(["2026-01-01"])
      const waiting = sql`
        select from pg_locks
        where relation = 'event'::regclass and mode = 'AccessExclusiveLock' and not granted
          and database = (select oid from pg_database where datname = current_database())`

      const dropping = yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* addEvent("2026-01-01")
          // In another session, which does not see the row yet and waits for this transaction.
          const fiber = yield* Effect.forkDetach(
            Effect.provide(
              Effect.flatMap(Partitions, (other) => other.dropEmpty("2026-01-02")),
              Layer.provide(replica, otherSession),
            ),
          )
          yield* Effect.repeat(waiting, { until: (rows) => rows.length > 0 })
          return fiber
        }),
      )

      yield* Fiber.join(dropping)
      assert.strictEqual((yield* partitions).length, 1)
      assert.strictEqual((yield* sql`select from event`).length, 1)
    }).pipe(Effect.provide(fresh)),
  )

  it.effect("refuse a repeated event of the same day", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* (yield* Partitions).ensure(["2026-01-01"])
      yield* addEvent("2026-01-01")

      const repeated = sql`insert into event select * from event`

      const error = yield* Effect.flip(repeated)
      assert.strictEqual(error.reason._tag, "UniqueViolation")
    }).pipe(Effect.provide(fresh)),
  )

  it.effect("are created once when many replicas need the same days at once", () =>
    Effect.gen(function* () {
      const days = ["2026-01-01", "2026-01-02", "2026-01-03"]

      yield* Effect.all(
        Array.from({ length: 8 }, () =>
          Effect.flatMap(Partitions, (one) => one.ensure(days)).pipe(
            Effect.provide(replica, { local: true }),
          ),
        ),
        { concurrency: "unbounded" },
      )

      assert.strictEqual((yield* partitions).length, 3)
    }).pipe(Effect.provide(fresh)),
  )

  it.effect("cost no statement once the process remembers them", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const one = yield* Partitions
      yield* one.ensure(["2026-01-01"])
      yield* sql`drop table event_20260101`

      yield* one.ensure(["2026-01-01"])

      assert.deepStrictEqual(yield* partitions, [])
    }).pipe(Effect.provide(fresh)),
  )

  it.effect("are not remembered from a transaction that was rolled back", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const one = yield* Partitions
      yield* Effect.flip(
        sql.withTransaction(
          Effect.andThen(one.ensure(["2026-01-01"]), Effect.fail("rolled back" as const)),
        ),
      )
      assert.deepStrictEqual(yield* partitions, [])

      yield* one.ensure(["2026-01-01"])

      assert.strictEqual((yield* partitions).length, 1)
    }).pipe(Effect.provide(fresh)),
  )

  it.effect("do not block the writers of other days while one is created", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const one = yield* Partitions
      yield* one.ensure(["2026-01-01"])

      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* addEvent("2026-01-01")
          // In another session, while the transaction above still holds its lock on the table.
          yield* Effect.flatMap(Partitions, (other) => other.ensure(["2026-01-02"])).pipe(
            Effect.provide(Layer.provide(replica, otherSession), { local: true }),
          )
        }),
      )

      assert.strictEqual((yield* partitions).length, 2)
    }).pipe(Effect.provide(fresh)),
  )

  for (const day of ["2026-1-1", "20260101", "2026-01-01'; drop table event; --", ""])
    it.effect(`accept no other text as a day: ${JSON.stringify(day)}`, () =>
      Effect.gen(function* () {
        const exit = yield* Effect.exit((yield* Partitions).ensure([day]))

        assert.isTrue(Exit.hasDies(exit))
      }).pipe(Effect.provide(fresh)),
    )
})
