// A batch costs the same in a run of a million as in one of a hundred, because its results are looked up by position in
// the primary key, whatever the statistics say. Previously, a plan read the whole run for each batch.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { fragmentOf } from "../../src/platform/database/sql-text.ts"
import { acknowledgement } from "../../src/activation/deliveries/sql/acknowledgement.ts"
import { batchContacts, suppressedPlaces } from "../../src/activation/deliveries/sql/contacts.ts"
import type { PlanQuestion, PresentContact } from "../../src/activation/deliveries/plan.ts"
import { TargetStore } from "../../src/activation/destinations/targets/store.ts"
import type { ResultDbRow } from "../../src/intent/runs/results/result-row.ts"
import { TestDatabase } from "../support/database.ts"
import { queueDelivery } from "./queued-delivery.ts"

const contacts = 2_000

interface PlanNode {
  readonly "Relation Name"?: string
  readonly "Index Name"?: string
  readonly "Index Cond"?: string
  readonly Plans?: ReadonlyArray<PlanNode>
}

/** The index of each access to the results, and whether the access reads one position or the whole run. */
const indexesOf = (node: PlanNode): ReadonlyArray<string> => [
  ...(node["Relation Name"] === "run_result"
    ? [`${node["Index Name"]} ${node["Index Cond"]?.includes("position") ? "place" : "run"}`]
    : []),
  ...(node.Plans ?? []).flatMap(indexesOf),
]

/** `runs`: runs of one person each, known to the statistics. `then`: runs before a large run is written. */
const makePlanner = Effect.fnUntraced(function* (
  runs: number,
  then: Effect.Effect<unknown, SqlError.SqlError>,
) {
  const sql = yield* SqlClient.SqlClient
  const targets = yield* TargetStore
  const run = (text: string, values: ReadonlyArray<unknown>) =>
    Effect.runPromise(sql.unsafe(text, [...values]))
  // The state right after a large run was written: the statistics are those of many earlier small runs.
  yield* sql`alter table run_result set (autovacuum_enabled = false)`
  yield* sql`
    insert into run_result (organization_id, run_id, position, hashed_email, score, topic_overlap, matched_topics)
    select gen_random_uuid(), gen_random_uuid(), 1, sha256(n::text::bytea), 90, 1, '{}'
    from generate_series(1, ${runs}::integer) as n`
  yield* sql`analyze run_result`
  yield* then
  const queued = yield* Effect.promise(() =>
    queueDelivery(run, { url: "http://127.0.0.1:9/nobody", contacts }),
  )
  const { deliveryId, destinationId, organizationId, runId } = queued
  const question: PlanQuestion & { readonly batchIndex: number } = {
    organizationId,
    deliveryId,
    destinationId,
    sourceRunId: runId,
    baselineRunId: null,
    mode: "initial",
    retryOfDeliveryId: null,
    batchIndex: 0,
  }
  yield* sql`
    insert into delivery_batch (organization_id, delivery_id, batch_index, sequence, positions, changes)
    values (${organizationId}, ${deliveryId}, 0, 1, array(select generate_series(1, 100)),
      repeat('a', 100))`

  const indexes = (statement: Statement.Fragment) =>
    sql<{ readonly "QUERY PLAN": ReadonlyArray<{ readonly Plan: PlanNode }> }>`
      explain (format json) ${statement}`.unprepared.pipe(
      Effect.map(([row]) => indexesOf(row!["QUERY PLAN"][0]!.Plan)),
    )

  return Effect.gen(function* () {
    const read = yield* indexes(fragmentOf(batchContacts(question)))
    const suppressed = yield* indexes(fragmentOf(suppressedPlaces(question)))
    const acknowledged = yield* indexes(
      acknowledgement(sql, targets)(question, settled, {
        held: sql`organization_id = ${organizationId} and id = ${deliveryId}`,
        returned: sql.literal("delivery.id"),
      }),
    )
    return { read, suppressed, acknowledged }
  })
})

const contact: PresentContact = {
  place: 1,
  sequence: 1,
  change: "added",
  attempts: 0,
  // These tests never read the row.
  row: { position: 1 } as ResultDbRow,
  isSuppressed: false,
}

const settled = {
  batchIndex: 0,
  acknowledgements: 0,
  sent: Array.from({ length: 50 }, () => ({ contact, contentHash: "00".repeat(32) })),
  left: [],
  skipped: [contact],
  failed: [
    {
      contact,
      error: { code: "ENDPOINT_ERROR", message: "No.", statusCode: 500 },
      attempts: 3,
      tries: [],
      lastAttemptAt: 0,
    },
  ],
  attempts: new Map([[2, 1]]),
  failedSinceSent: 0,
  lastError: undefined,
  failedAttempts: 0,
  attemptError: undefined,
  streak: { code: null, count: 0 },
} as const

/** One access for sent results, one for skipped ones, two for failed ones. */
const byKey = {
  read: ["run_result_pkey place"],
  suppressed: ["run_result_pkey place"],
  acknowledged: Array.from({ length: 4 }, () => "run_result_pkey place"),
}

describe("the results of a batch", () => {
  it.live("are found by run_result_pkey, whether the statistics know only small runs or all", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const planned = yield* makePlanner(3_000, Effect.void)

      const unknown = yield* planned
      yield* sql`analyze run_result`
      const known = yield* planned

      assert.deepStrictEqual(unknown, byKey)
      assert.deepStrictEqual(known, byKey)
    }).pipe(Effect.provide(Layer.provideMerge(TargetStore.layer, TestDatabase.layer))),
  )

  // Postgres's cached height of an index decides between two indexes with the same cost.
  it.live(
    "are found by it on a connection that last saw the index by person when it was small",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const look = sql`
          select from run_result
          where organization_id = gen_random_uuid() and run_id = gen_random_uuid() and position > 1
          order by position`.unprepared

        const planned = yield* Effect.gen(function* () {
          const plan = yield* makePlanner(20, look)
          yield* sql`set local enable_seqscan = off`
          yield* look
          yield* sql`set local enable_seqscan = on`
          return yield* plan
        }).pipe(sql.withTransaction)

        assert.deepStrictEqual(planned, byKey)
      }).pipe(Effect.provide(Layer.provideMerge(TargetStore.layer, TestDatabase.layer))),
  )
})
