// Moving imported signals between Postgres and ClickHouse (spec 18.4), with chdb's engine or the server in
// CLICKHOUSE_URL.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer } from "effect"
import { vi } from "vitest"
import { SignalCopies } from "../../../src/intent/signals/copy/signal-copies.ts"
import { SliceRowsMax } from "../../../src/intent/signals/import/slice.ts"
import {
  RemoteSignals,
  type RemoteSignalsStore,
} from "../../../src/intent/signals/remote-signals-store.ts"
import { SignalStore } from "../../../src/intent/signals/store.ts"
import { otherOrganizationId, rows } from "../../people/people-layer.ts"

vi.stubEnv("SIGNAL_STORE", "clickhouse")
const layer = await import("../signals-layer.ts")
const { daysAgo, makeOperator, sendSignals, sendTopics, signal, signalsLayer, stateOf, topic } =
  layer

const limit = 60_000
const shared = "00000000-0000-0000-0000-000000000000"
const [today, yesterday] = [daysAgo(0), daysAgo(1)]
const question = { organizationId: shared, date: today, topicIds: [1, 2], minScore: 1 }

const withTopics = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  makeOperator.pipe(
    Effect.andThen(sendTopics([1, 2, 3].map((id) => topic(id)))),
    Effect.andThen(effect),
    Effect.provide(Layer.provideMerge(SignalCopies.layer, signalsLayer)),
  )

const remote = Effect.map(RemoteSignals, (store) => store!)

/** Signals imported by the operator for everyone, and by another organization for itself. */
const imported = Effect.andThen(
  sendSignals([
    ...[1, 2, 3, 4, 5].map((person) => signal(1, person, 10 * person, today)),
    signal(2, 2, 95, today),
    signal(3, 1, 50, yesterday),
  ]),
  sendSignals([signal(1, 9, 42, today)], { organizationId: otherOrganizationId }),
)

const copyTo = (to: "clickhouse" | "postgres", copied: Array<string> = []) =>
  Effect.flatMap(SignalCopies, ({ copyAll }) =>
    copyAll(to, ({ date, organizationId, signals }) =>
      Effect.sync(() => void copied.push(`${organizationId} ${date} ${signals}`)),
    ),
  )

const inPostgres = rows<{ signals: number }>(
  "select coalesce(sum(cardinality(people)), 0)::int as signals from signal",
).pipe(Effect.map(([row]) => row!.signals))

const named = rows<{ date: string }>(
  "select date::text from signal_date where generation is not null order by date, organization_id",
)

/** Runs the effect with a changed store. */
const changed =
  (change: (store: RemoteSignalsStore) => Partial<RemoteSignalsStore>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.flatMap(remote, (store) =>
      effect.pipe(
        Effect.provide(Layer.fresh(SignalCopies.layer)),
        Effect.provideService(RemoteSignals, { ...store, ...change(store) }),
      ),
    )

describe("a copy of imported signals", () => {
  it.live(
    "moves every date to Postgres and back, the latest first, without changing any signal or figure",
    () =>
      withTopics(
        Effect.gen(function* () {
          yield* imported
          const before = yield* stateOf
          assert.strictEqual(yield* inPostgres, 0)
          const dates = [
            `${shared} ${today} 6`,
            `${otherOrganizationId} ${today} 1`,
            `${shared} ${yesterday} 1`,
          ]

          const there: Array<string> = []
          assert.deepStrictEqual(yield* copyTo("postgres", there), { dates: 3, signals: 8 })

          assert.sameMembers(there, dates)
          assert.strictEqual(there.at(-1), dates[2])
          assert.strictEqual(yield* inPostgres, 8)
          assert.deepStrictEqual(yield* named, [])
          assert.deepStrictEqual(yield* stateOf, before)

          const back: Array<string> = []
          assert.deepStrictEqual(yield* copyTo("clickhouse", back), { dates: 3, signals: 8 })

          assert.deepStrictEqual(back, there)
          assert.strictEqual(yield* inPostgres, 0)
          assert.lengthOf(yield* named, 3)
          assert.deepStrictEqual(yield* stateOf, before)
          assert.deepStrictEqual(yield* copyTo("clickhouse"), { dates: 0, signals: 0 })
        }).pipe(Effect.provideService(SliceRowsMax, 2)),
      ),
    limit,
  )

  it.live(
    "later imports for a moved date go to the store that has it now",
    () =>
      withTopics(
        Effect.gen(function* () {
          yield* imported
          yield* copyTo("postgres")

          yield* sendSignals([signal(3, 7, 77, today), signal(1, 1, 99, today)])

          assert.strictEqual(yield* inPostgres, 9)
          const before = yield* stateOf
          yield* copyTo("clickhouse")
          assert.deepStrictEqual(yield* stateOf, before)
        }),
      ),
    limit,
  )

  it.live(
    "that stops between two dates continues with the remaining one",
    () =>
      withTopics(
        Effect.gen(function* () {
          yield* imported
          const { copyAll } = yield* SignalCopies
          const ended = yield* Effect.exit(copyAll("postgres", () => Effect.interrupt))

          assert.isTrue(Exit.isFailure(ended))
          assert.lengthOf(yield* named, 2)
          assert.deepStrictEqual((yield* copyTo("postgres")).dates, 2)
          assert.deepStrictEqual(yield* named, [])
        }),
      ),
    limit,
  )

  it.live(
    "leaves out the signals of erased people that ClickHouse has not deleted yet",
    () =>
      withTopics(
        Effect.gen(function* () {
          yield* imported
          const [erased] = yield* rows<{ id: number }>(
            "select id from signal_person where email_hash = decode($1, 'hex')",
            [signal(1, 2, 1, today).emailHash],
          )
          const { transaction } = yield* SignalStore
          yield* transaction(Effect.flatMap(remote, ({ erase }) => erase(shared, [erased!.id])))
          const { dates, days } = yield* stateOf

          assert.deepStrictEqual(yield* copyTo("postgres"), { dates: 3, signals: 6 })

          assert.deepStrictEqual(
            yield* rows("select from signal where people @> array[$1::int]", [erased!.id]),
            [],
          )
          const after = yield* stateOf
          assert.deepStrictEqual([after.dates, after.days], [dates, days])
        }),
      ),
    limit,
  )

  it.live(
    "leaves a date where it is if the other store's signals differ from those it was sent",
    () =>
      withTopics(
        Effect.gen(function* () {
          yield* imported
          yield* copyTo("postgres")
          const before = yield* stateOf

          const error = yield* copyTo("clickhouse").pipe(
            changed(({ create }) => ({
              create: (of) => {
                const date = create(of)
                return {
                  ...date,
                  // The same number as was sent, but one score differs.
                  write: ({ gone, written }) =>
                    date.write({
                      gone,
                      written: [...written].map((block, place) =>
                        place === 0 ? { ...block, score: block.score + 1 } : block,
                      ),
                    }),
                }
              },
            })),
            Effect.flip,
          )

          assert.strictEqual(error._tag, "CopyDiffers")
          assert.include(error.message, `The copy of ${today} does not match`)
          assert.deepStrictEqual(yield* named, [])
          assert.deepStrictEqual(yield* stateOf, before)
        }),
      ),
    limit,
  )

  it.live(
    "reports to an earlier question that its signals have moved",
    () =>
      withTopics(
        Effect.gen(function* () {
          yield* imported
          const inClickHouse = yield* (yield* remote).relation(question)
          assert.isTrue(yield* inClickHouse.isCurrent)
          yield* copyTo("postgres")
          assert.isFalse(yield* inClickHouse.isCurrent)

          const inPostgresNow = yield* (yield* remote).relation(question)
          assert.isUndefined(inPostgresNow.signals)
          assert.isTrue(yield* inPostgresNow.isCurrent)
          yield* copyTo("clickhouse")
          assert.isFalse(yield* inPostgresNow.isCurrent)
        }),
      ),
    limit,
  )

  it.live(
    "to ClickHouse is rejected without one, and a copy to Postgres has nothing to do",
    () =>
      withTopics(
        Effect.gen(function* () {
          const error = yield* copyTo("clickhouse").pipe(
            Effect.provide(Layer.fresh(SignalCopies.layer)),
            Effect.provideService(RemoteSignals, undefined),
            Effect.flip,
          )
          assert.include(error.message, "CLICKHOUSE_URL is not set")
          const none = yield* copyTo("postgres").pipe(
            Effect.provide(Layer.fresh(SignalCopies.layer)),
            Effect.provideService(RemoteSignals, undefined),
          )
          assert.deepStrictEqual(none, { dates: 0, signals: 0 })
        }),
      ),
    limit,
  )
})
