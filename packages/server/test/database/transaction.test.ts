// A transaction is retried when Postgres asks for it, and only then.
import { assert, layer } from "@effect/vitest"
import { Effect, Ref } from "effect"
import { SqlClient } from "effect/sql"
import { afterCommit, repeatsMax, transaction } from "../../src/platform/database/transaction.ts"
import { TestDatabase } from "../support/database.ts"

/** Makes Postgres raise the condition, as a conflict with another session would. */
const raise = (condition: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.unsafe(`do $$ begin raise exception using errcode = '${condition}'; end $$`),
  )

/** Fails with the condition this many times. Counts its runs. */
const failing = (options: {
  readonly condition: string
  readonly times: number
  readonly runs: Ref.Ref<number>
}) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const run = yield* Ref.updateAndGet(options.runs, (count) => count + 1)
    yield* sql`insert into done values (${run})`
    if (run <= options.times) yield* raise(options.condition)
    return run
  })

layer(TestDatabase.layer, { excludeTestServices: true })("a transaction", (it) => {
  const prepared = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`drop table if exists done`
    yield* sql`create table done (run int)`
    return yield* Ref.make(0)
  })
  const done = Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ run: number }>`select run from done order by run`,
  )

  for (const condition of ["serialization_failure", "deadlock_detected"])
    it.effect(`is run again after ${condition}, and the failed run left nothing`, () =>
      Effect.gen(function* () {
        const runs = yield* prepared

        const result = yield* transaction(failing({ condition, times: repeatsMax, runs }))

        assert.strictEqual(result, repeatsMax + 1)
        assert.deepStrictEqual(yield* done, [{ run: repeatsMax + 1 }])
      }),
    )

  it.effect("does once, after its commit, what each of its runs left to do then", () =>
    Effect.gen(function* () {
      const runs = yield* prepared
      const after: Array<number> = []
      const run = Effect.gen(function* () {
        yield* afterCommit(
          Effect.flatMap(Ref.get(runs), (count) => Effect.sync(() => void after.push(count))),
        )
        return yield* failing({ condition: "deadlock_detected", times: 2, runs })
      })

      yield* transaction(run)

      assert.deepStrictEqual(after, [3])
    }),
  )

  it.effect("fails after three retries", () =>
    Effect.gen(function* () {
      const runs = yield* prepared
      const condition = "serialization_failure"

      const error = yield* Effect.flip(
        transaction(failing({ condition, times: repeatsMax + 1, runs })),
      )

      assert.strictEqual(error.reason._tag, "SerializationError")
      assert.strictEqual(yield* Ref.get(runs), repeatsMax + 1)
      assert.deepStrictEqual(yield* done, [])
    }),
  )

  it.effect("is not retried after any other error", () =>
    Effect.gen(function* () {
      const runs = yield* prepared

      yield* Effect.flip(transaction(failing({ condition: "check_violation", times: 1, runs })))

      assert.strictEqual(yield* Ref.get(runs), 1)
    }),
  )

  it.effect("is not retried on its own inside another transaction", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const runs = yield* prepared
      const work = failing({ condition: "serialization_failure", times: 1, runs })

      yield* Effect.flip(sql.withTransaction(transaction(work)))

      assert.strictEqual(yield* Ref.get(runs), 1)
    }),
  )
})
