// Every wait for a silent database ends: for one that is stopped, or behind a network that drops packets. Each test
// waits as long as a statement may take, so they run side by side.
import { Cause, Effect, Exit, Fiber, Layer, Logger, Option, Redacted, Schedule } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { expect, it } from "vitest"
import { Copy } from "../../src/platform/database/copy.ts"
import { DatabaseConfig } from "../../src/platform/database/database-config.ts"
import { connectionsMax, Database } from "../../src/platform/database/database.ts"
import { outcomeUnknown } from "../../src/platform/database/silent-database.ts"
import {
  answerGraceMs,
  ConnectionWait,
  statementLimitMs,
} from "../../src/platform/database/statement-limits.ts"
import { transaction } from "../../src/platform/database/transaction.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { startHalfOpenProxy } from "../support/half-open-proxy.ts"

/** Runs code that uses a database through a network that can be frozen. */
const behindProxy = async <A>(
  use: (
    proxy: Awaited<ReturnType<typeof startHalfOpenProxy>>,
  ) => Effect.Effect<A, unknown, SqlClient.SqlClient | Database>,
): Promise<A> => {
  const database = await testDatabaseUrl()
  const proxy = await startHalfOpenProxy(database.url)
  const config = Layer.succeed(DatabaseConfig, {
    url: Option.some(Redacted.make(proxy.url)),
    dataDir: "unused",
  })
  const client = Layer.provide(Database.layer, config).pipe(Layer.provideMerge(Logger.layer([])))
  try {
    return await Effect.runPromise(use(proxy).pipe(Effect.provide(client)) as Effect.Effect<A>)
  } finally {
    await proxy.close()
    await database.drop()
  }
}

/** The operation in which the connection failed. */
const operationOf = (exit: Exit.Exit<unknown, unknown>): string | undefined => {
  if (Exit.isSuccess(exit)) return undefined
  const error = Cause.squash(exit.cause)
  return SqlError.isSqlError(error) && error.reason._tag === "ConnectionError"
    ? error.reason.operation
    : String(error)
}

/** Queries until the database answers. */
const answered = (sql: SqlClient.SqlClient) =>
  Effect.retry(sql`select 1`, Schedule.spaced("50 millis"))

const count = (sql: SqlClient.SqlClient, table: string) =>
  Effect.map(
    sql<{ readonly count: number }>`select count(*)::int as count from ${sql(table)}`,
    ([row]) => row!.count,
  )

const written = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table written (id int)`
  // Opened before the network is frozen.
  yield* together(() => sql`select pg_sleep(0.1)`)
  return sql
})

const together = <A, E, R>(one: (id: number) => Effect.Effect<A, E, R>) =>
  Effect.all(
    Array.from({ length: connectionsMax }, (_, id) => one(id)),
    { concurrency: "unbounded" },
  )

it.concurrent("a statement without a response fails, and succeeds once the database is back", () =>
  behindProxy((proxy) =>
    Effect.gen(function* () {
      const sql = yield* written
      proxy.freeze()

      const [read, change] = yield* Effect.all(
        [
          Effect.exit(sql`select 1`),
          Effect.exit(Effect.uninterruptible(sql`insert into written values (1)`)),
        ],
        { concurrency: "unbounded" },
      )
      const next = yield* Effect.exit(sql`select 1`)

      expect([read, change, next].map(operationOf)).toEqual(["query", outcomeUnknown, "connect"])
      proxy.thaw()
      yield* answered(sql)
      expect(yield* count(sql, "written")).toBe(0)
    }),
  ))

it.concurrent("a transaction fails as not done, unless its commit was under way", () =>
  behindProxy((proxy) =>
    Effect.gen(function* () {
      const sql = yield* written
      const insert = sql`insert into written values (1)`

      const [midway, atTheEnd] = yield* Effect.all(
        [
          insert.pipe(Effect.andThen(Effect.delay(insert, "200 millis")), transaction, Effect.exit),
          insert.pipe(
            Effect.andThen(Effect.delay(Effect.sync(proxy.freeze), "100 millis")),
            transaction,
            Effect.exit,
          ),
        ],
        { concurrency: "unbounded" },
      )

      expect([midway, atTheEnd].map(operationOf)).toEqual(["query", outcomeUnknown])
      proxy.thaw()
      yield* answered(sql)
      expect(yield* count(sql, "written")).toBe(0)
    }),
  ))

it.concurrent("abandoned connections are replaced, and no connection is used twice at the same time", () =>
  behindProxy((proxy) =>
    Effect.gen(function* () {
      const sql = yield* written
      proxy.freeze()
      yield* together((id) =>
        Effect.exit(id % 2 === 0 ? sql`select 1` : transaction(sql`select 1`)),
      )
      proxy.thaw()
      yield* answered(sql)

      const found = yield* together((id) =>
        transaction(
          sql<{ readonly id: number }>`select ${id}::int as id`.pipe(
            Effect.tap(sql`select pg_sleep(0.1)`),
          ),
        ),
      )

      expect(found.map(([row]) => row!.id)).toEqual(found.map((_, id) => id))
    }),
  ))

it.concurrent("a transaction that sets a longer limit in Postgres gets it in the client too", () =>
  behindProxy(() =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* transaction(
        Effect.andThen(
          sql`select set_config('statement_timeout', ${"1min"}, true)`,
          sql`select pg_sleep(${(statementLimitMs + answerGraceMs) / 1_000 + 2})`,
        ),
      )
    }),
  ))

it.concurrent("a caller that waits too long for a connection fails, and the others continue", () =>
  behindProxy(() =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const work = yield* Effect.forkChild(together(() => sql`select pg_sleep(3)`))
      yield* Effect.sleep("1 second")

      const waits = yield* Effect.all(
        [Effect.exit(sql`select 1`), Effect.exit(transaction(sql`select 1`))],
        { concurrency: "unbounded" },
      ).pipe(Effect.provideService(ConnectionWait, 100))

      expect(waits.map(operationOf)).toEqual(["connect", "connect"])
      expect(yield* Fiber.join(work)).toHaveLength(connectionsMax)
    }),
  ))

it.concurrent("a copying connection is abandoned when the database does not respond, even while it closes", () =>
  behindProxy((proxy) =>
    Effect.gen(function* () {
      const { connect } = yield* Copy
      yield* Effect.scoped(Effect.andThen(connect, Effect.sync(proxy.freeze)))

      const refused = yield* connect.pipe(
        Effect.scoped,
        Effect.provideService(ConnectionWait, 100),
        Effect.exit,
      )

      expect(operationOf(refused)).toBe("connect")
    }).pipe(Effect.provide(Copy.layer)),
  ))
