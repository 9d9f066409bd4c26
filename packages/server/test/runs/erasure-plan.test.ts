// Erasing a person costs one look-up per run, in the index by person, even on a connection whose statistics show the
// primary key as smaller than it is. With the primary key, Postgres would read the whole run.
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { ResultErasureStore } from "../../src/intent/runs/results/erasure-store.ts"
import { queueDelivery } from "../deliveries/queued-delivery.ts"
import { TestDatabase } from "../support/database.ts"

const people = 2_000
const nil = "00000000-0000-4000-8000-000000000000"
const emailHash = createHash("sha256").update("nobody@acme.example").digest("hex")

it.live("an erasure does not read a whole run to find one person", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const results = yield* ResultErasureStore
    const elsewhere = (text: string, values: ReadonlyArray<unknown>) =>
      Effect.runPromise(sql.unsafe(text, [...values]))
    const lookUp = sql`
      select from run_result
      where organization_id = ${nil}::uuid and run_id = ${nil}::uuid
        and position > 0 and hashed_email > ''
      order by hashed_email`.unprepared
    const rowsRead = Effect.map(
      sql<{ readonly rows: number }>`
        select pg_stat_get_xact_tuples_returned('run_result_pkey'::regclass)::integer as rows`,
      ([row]) => row!.rows,
    )
    const runsOf = (runId: string) =>
      Effect.map(
        sql`select from audience_run where id = ${runId} and status = 'completed'`,
        (rows) => rows.length,
      )
    yield* sql`alter table run_result set (autovacuum_enabled = false)`
    yield* sql`
      insert into run_result (organization_id, run_id, position, hashed_email, score, topic_overlap, matched_topics)
      select gen_random_uuid(), gen_random_uuid(), 1, sha256(n::text::bytea), 90, 1, '{}'
      from generate_series(1, 20) as n`
    yield* sql`analyze run_result`

    const read = yield* Effect.gen(function* () {
      yield* sql`set local enable_seqscan = off`
      yield* lookUp
      const { organizationId, runId } = yield* Effect.promise(() =>
        queueDelivery(elsewhere, { url: "http://127.0.0.1:9/nobody", contacts: people }),
      )
      yield* sql`set local enable_sort = off`
      yield* lookUp
      yield* sql`set local enable_sort = on`
      const before = yield* rowsRead
      yield* results.erase(organizationId, [emailHash])
      return { rows: (yield* rowsRead) - before, runs: yield* runsOf(runId) }
    }).pipe(sql.withTransaction)

    assert.deepStrictEqual(read, { rows: 0, runs: 1 })
  }).pipe(Effect.provide(Layer.provideMerge(ResultErasureStore.layer, TestDatabase.layer))),
)
