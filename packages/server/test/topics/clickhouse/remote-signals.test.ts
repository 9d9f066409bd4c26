// Cases that only exist with ClickHouse (spec 18.2): sets of signals that no date references, erased people who are
// still in a set, dates in Postgres next to dates in ClickHouse, and a ClickHouse without a set that Postgres
// references.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { vi } from "vitest"
import { otherOrganizationId, rows } from "../../people/people-layer.ts"
import type { SignalRecord } from "../signals-layer.ts"
import { SignalStore } from "../../../src/intent/signals/store.ts"
import { RemoteSignals } from "../../../src/intent/signals/remote-signals-store.ts"
import { clickHouseSignals } from "../../../src/intent/signals/clickhouse/signals-store.ts"
import { RowBinary } from "../../../src/platform/outbound/clickhouse/row-binary.ts"
import { signalTables } from "../../../src/intent/signals/clickhouse/blocks-store.ts"
import { fragmentOf } from "../../../src/platform/database/sql-text.ts"
import { SqlClient } from "effect/sql"

vi.stubEnv("SIGNAL_STORE", "clickhouse")
const { clickHouseCluster, TestClickHouse } = await import("../../support/clickhouse.ts")
const { daysAgo, makeOperator, sendSignals, sendTopics, signal, signalsLayer, stateOf, topic } =
  await import("../signals-layer.ts")

const today = daysAgo(0)
const limit = 60_000
const organizationId = otherOrganizationId
const other = { organizationId }

const withTopics = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  makeOperator.pipe(
    Effect.andThen(sendTopics([1, 2, 3].map((id) => topic(id)))),
    Effect.andThen(effect),
    Effect.provide(signalsLayer),
  )

const remote = Effect.map(RemoteSignals, (store) => store!)
const clickHouse = Effect.map(TestClickHouse, (client) => client!)

const countOf = (of: string) =>
  Effect.flatMap(clickHouse, ({ query }) =>
    Effect.map(query(`select count() from ${of}`), (bytes) => new RowBinary(bytes).count()),
  )

/** Returns people in ClickHouse with a signal for the topics today: topic, score and count for each. */
const answered = (topicIds: ReadonlyArray<number>, minScore = 1) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { signals: relation } = yield* (yield* remote).relation({
      organizationId,
      date: today,
      topicIds,
      minScore,
    })
    if (relation === undefined) return undefined
    const found = yield* sql<{ line: string }>`
      select concat_ws(' ', topic_id, score, count(*)) as line
      from (${fragmentOf(relation)}) as named
      group by topic_id, score order by 1`.unprepared
    return found.map(({ line }) => line)
  })

/** Makes the written sets a day old. */
const ageSets = Effect.flatMap(clickHouse, (client) =>
  client.run(`
    alter table ${signalTables(client, clickHouseCluster).stored("footfall_generation")}
    update made_at = made_at - interval 25 hour where 1
    settings mutations_sync = 2`),
)

const people = (count: number, score: number): ReadonlyArray<SignalRecord> =>
  Array.from({ length: count }, (_, person) => signal(1, person, score, today))

describe("signals in ClickHouse", () => {
  it.live(
    "stay unchanged if an import fails after writing, and what it wrote is deleted",
    () =>
      withTopics(
        Effect.gen(function* () {
          yield* sendSignals([signal(1, 1, 10, today), signal(2, 1, 20, today)], other)
          const before = yield* stateOf
          const store = yield* SignalStore
          const date = yield* (yield* remote).open({ organizationId, date: today })
          const people = Int32Array.of(7, 8, 9)
          yield* Effect.flip(
            store.transaction(
              Effect.gen(function* () {
                yield* date!.write({ written: [{ topicId: 1, score: 90, people }], gone: [] })
                yield* date!.publish(4)
                return yield* Effect.fail("the import broke off" as const)
              }),
            ),
          )
          assert.deepStrictEqual(yield* stateOf, before)
          assert.strictEqual(yield* countOf("footfall_signal"), 6)

          yield* (yield* remote).clean
          assert.strictEqual(yield* countOf("footfall_signal"), 6)
          yield* ageSets
          yield* (yield* remote).clean

          assert.deepStrictEqual(yield* stateOf, before)
          assert.strictEqual(yield* countOf("footfall_signal"), 2)
          assert.strictEqual(yield* countOf("footfall_generation"), 1)
        }),
      ),
    limit,
  )

  it.live(
    "are not published if ClickHouse has fewer than were written",
    () =>
      withTopics(
        Effect.gen(function* () {
          yield* sendSignals([signal(1, 1, 10, today)], other)
          const before = yield* stateOf
          const date = yield* (yield* remote).open({ organizationId, date: today })
          const people = Int32Array.of(7)
          yield* date!.write({ written: [{ topicId: 1, score: 90, people }], gone: [] })

          const error = yield* Effect.flip(date!.publish(2))

          assert.include(error.message, "holds 1 signals")
          assert.deepStrictEqual(yield* stateOf, before)
        }),
      ),
    limit,
  )

  it.live(
    "of erased people disappear from every result and figure immediately, do not return with later imports, and are deleted from every set",
    () =>
      withTopics(
        Effect.gen(function* () {
          const store = yield* SignalStore
          yield* sendSignals([...people(3, 70), signal(2, 0, 95, today), signal(2, 1, 60, today)])
          yield* sendSignals([signal(3, 0, 50, today), signal(3, 2, 50, today)])
          const shared = "00000000-0000-0000-0000-000000000000"
          const [erased] = yield* rows<{ id: number }>(
            "select id from signal_person where email_hash = decode($1, 'hex')",
            [signal(1, 0, 1, today).emailHash],
          )
          assert.deepStrictEqual(yield* answered([1, 2, 3]), [
            "1 70 3",
            "2 60 1",
            "2 95 1",
            "3 50 2",
          ])

          yield* store.transaction(
            Effect.flatMap(remote, ({ erase }) => erase(shared, [erased!.id])),
          )

          const left = ["1 70 2", "2 60 1", "3 50 1"]
          assert.deepStrictEqual(yield* answered([1, 2, 3]), left)
          const { dates, days } = yield* stateOf
          assert.deepStrictEqual(dates, [`${shared} import ${today} 4`])
          assert.deepStrictEqual(days, [
            `${today} 1 2 2 140 0 2 0`,
            `${today} 2 1 1 60 0 0 1`,
            `${today} 3 1 1 50 0 0 1`,
          ])
          // Again, like a repeated erasure: nothing is counted twice.
          yield* store.transaction(
            Effect.flatMap(remote, ({ erase }) => erase(shared, [erased!.id])),
          )
          assert.deepStrictEqual((yield* stateOf).dates, dates)
          yield* sendSignals([signal(2, 2, 60, today)])
          assert.deepStrictEqual(yield* answered([1, 2, 3]), ["1 70 2", "2 60 2", "3 50 1"])

          yield* (yield* remote).clean

          assert.strictEqual(yield* countOf(`footfall_signal where person = ${erased!.id}`), 0)
          assert.deepStrictEqual(yield* rows("select from signal_gone"), [])
          assert.deepStrictEqual(yield* answered([1, 2, 3]), ["1 70 2", "2 60 2", "3 50 1"])
        }),
      ),
    limit,
  )

  it.live(
    "keep a date in Postgres that is already there, whatever is imported for it",
    () =>
      withTopics(
        Effect.gen(function* () {
          const inPostgres = yield* clickHouseSignals(yield* clickHouse, {
            cluster: clickHouseCluster,
            takesNew: false,
          })
          assert.isUndefined(yield* inPostgres.open({ organizationId, date: today }))
          yield* rows(
            `insert into signal_date (organization_id, origin, date, signals)
             values ($1, 'import', $2, 0)`,
            [organizationId, today],
          )

          yield* sendSignals([signal(1, 1, 10, today)], other)
          yield* sendSignals([signal(1, 1, 20, daysAgo(1))], other)

          assert.deepStrictEqual(yield* rows("select score from signal"), [{ score: 10 }])
          assert.isUndefined(yield* answered([1]))
          assert.lengthOf((yield* stateOf).signals, 2)
        }),
      ),
    limit,
  )

  it.live(
    "that are missing from ClickHouse cause an error, not an empty result",
    () =>
      withTopics(
        Effect.gen(function* () {
          yield* sendSignals([signal(1, 1, 10, today)], other)
          yield* rows("update signal_date set generation = gen_random_uuid()")

          const error = yield* Effect.flip(answered([1]))

          assert.include(error.message, `the signals of ${today} are not in ClickHouse`)
        }),
      ),
    limit,
  )
})
