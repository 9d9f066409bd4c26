// The import of signals on a real Postgres: who owns them, what is counted, what is rejected, and that a date is
// stored as a whole or not at all (spec 2.18, 2.19, 5.14).
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Schedule, Stream } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import { DataVersions } from "../../src/people/imports/data-versions.ts"
import { sharedOrganizationId } from "../../src/access/organization.ts"
import { ImportRefused } from "../../src/people/imports/import-refused.ts"
import { Tombstones } from "../../src/people/person/tombstones/tombstones.ts"
import { firstColumns } from "../../src/intent/signals/import/signal-columns.ts"
import { SliceRowsMax } from "../../src/intent/signals/import/slice.ts"
import { Signals } from "../../src/intent/signals/signals.ts"
import { otherOrganizationId, rows } from "../people/people-layer.ts"
import { isSoak } from "../soak/size.ts"
import { isInClickHouse } from "../support/clickhouse.ts"
import {
  daysAgo,
  hashOf,
  makeOperator,
  send,
  sendSignals,
  sendTopics,
  signal,
  type SignalRecord,
  signals,
  signalsCsv,
  signalsLayer,
  stateOf,
  topic,
} from "./signals-layer.ts"

const today = daysAgo(0)
const yesterday = daysAgo(1)
const other = { organizationId: otherOrganizationId }
const limit = 60_000

/** The database with three topics. */
const withTopics = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  makeOperator.pipe(
    Effect.andThen(sendTopics([1, 2, 3].map((id) => topic(id)))),
    Effect.andThen(effect),
    Effect.provide(signalsLayer),
  )

const lines = (records: ReadonlyArray<SignalRecord>, owner = otherOrganizationId) =>
  records
    .map(({ date, emailHash, score, topicId }) =>
      [owner, "import", date, topicId, score, emailHash].join(" "),
    )
    .toSorted()

const visible = Effect.map(stateOf, ({ signals }) => signals)
const staged = Effect.map(
  rows<{ signals: number }>("select coalesce(sum(signals), 0)::int as signals from signal_staged"),
  ([row]) => row!.signals,
)

class Broken extends Error {}

/** A stream that fails after this many staged signals. */
const breaking = (records: ReadonlyArray<SignalRecord>, asideCount: number) =>
  Stream.concat(
    Stream.make(Buffer.from(signalsCsv(records))),
    Stream.fromEffect(
      Effect.repeat(staged, {
        until: (count) => count === asideCount,
        schedule: Schedule.spaced("20 millis"),
      }).pipe(Effect.andThen(Effect.fail(new Broken()))),
    ),
  )

/** Half of the first four steps. */
const manyCount = (15 * firstColumns) / 2

/** Signals on one date, for different people. */
const many = (date: string, from = 0, score = 50) =>
  Array.from({ length: manyCount }, (_, index) => ({
    topicId: 1 + (index % 3),
    emailHash: (from + index).toString(16).padStart(64, "0"),
    score,
    date,
  }))

describe("signals", () => {
  it.live(
    "of the operator organization are shared and make up the public figures",
    () =>
      withTopics(
        Effect.gen(function* () {
          const records = [
            signal(1, 1, 95, today),
            signal(1, 2, 70, today),
            signal(2, 1, 69, yesterday),
          ]

          const result = yield* sendSignals(records)

          assert.deepInclude(result, { received: 3, inserted: 3, updated: 0, unchanged: 0 })
          assert.deepStrictEqual(yield* stateOf, {
            signals: lines(records, sharedOrganizationId),
            dates: [
              `${sharedOrganizationId} import ${yesterday} 1`,
              `${sharedOrganizationId} import ${today} 2`,
            ],
            days: [`${yesterday} 2 1 1 69 0 0 1`, `${today} 1 2 2 165 1 1 0`],
          })
        }),
      ),
    limit,
  )

  it.live(
    "of any other organization are private and not part of the public figures",
    () =>
      withTopics(
        Effect.gen(function* () {
          const records = [signal(1, 1, 95, today)]
          yield* sendSignals(records, other)
          assert.deepStrictEqual(yield* stateOf, {
            signals: lines(records),
            dates: [`${otherOrganizationId} import ${today} 1`],
            days: [],
          })
          const people = yield* rows("select organization_ids from signal_person")
          assert.deepStrictEqual(people, [{ organization_ids: [otherOrganizationId] }])
        }),
      ),
    limit,
  )

  it.live(
    "with the same key replace the score, and are counted exactly",
    () =>
      withTopics(
        Effect.gen(function* () {
          yield* sendSignals([signal(1, 1, 10, today), signal(1, 2, 20, today)], other)

          const result = yield* sendSignals(
            [
              signal(1, 1, 11, today),
              signal(1, 2, 20, today),
              signal(1, 3, 30, today),
              signal(1, 3, 31, today),
              signal(1, 1, 12, today),
              signal(1, 2, 21, today),
              signal(1, 2, 20, today),
              signal(1, 1, 10, yesterday),
            ],
            other,
          )

          // Earlier rows with the same key are unchanged. At the end, the second person has the known score.
          assert.deepInclude(result, { received: 8, inserted: 2, updated: 1, unchanged: 5 })
          assert.deepStrictEqual(
            yield* visible,
            lines([
              signal(1, 1, 12, today),
              signal(1, 2, 20, today),
              signal(1, 3, 31, today),
              signal(1, 1, 10, yesterday),
            ]),
          )
          if (isInClickHouse) return
          const blocks = yield* rows(
            "select score, cardinality(people) as people from signal where date = $1 order by score",
            [today],
          )
          assert.deepStrictEqual(
            blocks.map(({ people, score }) => [score, people]),
            [
              [12, 1],
              [20, 1],
              [31, 1],
            ],
          )
        }),
      ),
    limit,
  )

  it.live(
    "that are sent again change neither rows nor the version nor the audit log",
    () =>
      withTopics(
        Effect.gen(function* () {
          const versions = yield* DataVersions
          const before = yield* versions.current("signals")
          const records = [signal(1, 1, 10, today), signal(2, 2, 20, yesterday)]
          yield* sendSignals(records, other)
          const first = yield* stateOf
          const version = yield* versions.current("signals")
          const rowsBefore = yield* rows("select ctid::text, xmin::text from signal order by 1")

          const again = yield* send(signals, signalsCsv(records), { ...other, format: "csv" })

          assert.deepInclude(again, { inserted: 0, updated: 0, unchanged: 2 })
          assert.deepStrictEqual(yield* stateOf, first)
          assert.deepStrictEqual(
            yield* rows("select ctid::text, xmin::text from signal order by 1"),
            rowsBefore,
          )
          assert.notStrictEqual(version, before)
          assert.strictEqual(yield* versions.current("signals"), version)
          const audited = yield* rows("select action from audit_entry where organization_id = $1", [
            otherOrganizationId,
          ])
          assert.deepStrictEqual(audited, [{ action: "signals.imported" }])
        }),
      ),
    limit,
  )

  it.live(
    "match a map, whatever is imported in sequence",
    () =>
      withTopics(
        Effect.gen(function* () {
          const record = fc.record({
            topicId: fc.integer({ min: 1, max: 3 }),
            person: fc.integer({ min: 1, max: 9 }),
            score: fc.integer({ min: 1, max: 5 }),
            date: fc.constantFrom(today, yesterday),
          })
          const imports = fc.sample(fc.array(record, { minLength: 1, maxLength: 25 }), {
            numRuns: isSoak ? 25 : 10,
            seed: 7,
          })
          const expected = new Map<string, SignalRecord>()
          for (const signals of imports) {
            const before = new Map(expected)
            for (const { date, person, score, topicId } of signals) {
              expected.set(`${topicId} ${person} ${date}`, signal(topicId, person, score, date))
            }
            const inserted = expected.size - before.size
            const updated = [...before].filter(
              ([key, { score }]) => expected.get(key)!.score !== score,
            ).length

            const result = yield* sendSignals(
              signals.map(({ date, person, score, topicId }) =>
                signal(topicId, person, score, date),
              ),
              other,
            )

            assert.deepInclude(result, {
              inserted,
              updated,
              unchanged: signals.length - inserted - updated,
            })
            assert.deepStrictEqual(yield* visible, lines([...expected.values()]))
          }
        }),
      ),
    limit,
  )
})

describe("a row of signals is rejected", () => {
  const good = signal(1, 1, 50, today)
  const cases: ReadonlyArray<readonly [row: object, reason: string, field: string | null]> = [
    [[good], "not_an_object", null],
    [{ ...good, topicId: undefined }, "missing_field", "topicId"],
    [{ ...good, emailHash: null }, "missing_field", "emailHash"],
    [{ ...good, score: undefined }, "missing_field", "score"],
    [{ ...good, date: "" }, "missing_field", "date"],
    [{ ...good, note: 1 }, "unknown_field", "note"],
    [{ ...good, topicId: 1.5 }, "invalid_type", "topicId"],
    [{ ...good, score: "50" }, "invalid_type", "score"],
    [{ ...good, emailHash: "abc" }, "invalid_value", "emailHash"],
    [{ ...good, date: "2026-02-30" }, "invalid_value", "date"],
    [{ ...good, date: "yesterday" }, "invalid_value", "date"],
    [{ ...good, date: "x".repeat(256) }, "value_too_long", "date"],
    [{ ...good, topicId: 0 }, "out_of_range", "topicId"],
    [{ ...good, score: 0 }, "out_of_range", "score"],
    [{ ...good, score: 101 }, "out_of_range", "score"],
    [{ ...good, date: daysAgo(-1) }, "out_of_range", "date"],
    [{ ...good, date: daysAgo(401) }, "out_of_range", "date"],
    [{ ...good, topicId: 4 }, "unknown_topic", "topicId"],
    [{ ...good, note: "x".repeat(65_536) }, "row_too_long", null],
  ]

  it.live(
    "with its reason and number, and the others are imported",
    () =>
      withTopics(
        Effect.gen(function* () {
          const edges = [signal(1, 1, 1, daysAgo(400)), signal(1, 1, 100, today)]
          const result = yield* send(
            signals,
            [...cases.map(([row]) => row), "no json", ...edges]
              .map((row) => (row === "no json" ? "{" : JSON.stringify(row)))
              .join("\n"),
            other,
          )

          assert.deepStrictEqual(result.rejected, [
            ...cases.map(([, reason, field], index) => ({
              row: index + 1,
              field,
              reason,
              ...(reason === "unknown_field"
                ? { message: "Expected one of topicId, emailHash, score, date." }
                : {}),
            })),
            { row: cases.length + 1, field: null, reason: "unreadable_row" },
          ] as never)
          assert.strictEqual(result.inserted, 2)
          assert.deepStrictEqual(yield* visible, lines(edges))
        }),
      ),
    limit,
  )

  it.live(
    "not if a CSV lacks a required column: nothing is imported",
    () =>
      withTopics(
        Effect.gen(function* () {
          for (const text of ["", "topicId,emailHash,score\n", "topicId,emailHash,score,day\n"]) {
            const error = yield* Effect.flip(send(signals, text, { ...other, format: "csv" }))
            assert.instanceOf(error, ImportRefused)
          }
          assert.strictEqual(yield* staged, 0)
        }),
      ),
    limit,
  )
})

describe("a date of signals", () => {
  it.live(
    "is not visible before its import ends, even after an earlier import failed",
    () =>
      withTopics(
        Effect.gen(function* () {
          const records = [...many(today), ...many(yesterday), signal(1, 1, 1, today)]

          const error = yield* Effect.flip(
            send(signals, breaking(records, 2 * manyCount), { ...other, format: "csv" }),
          )

          assert.instanceOf(error, Broken)
          assert.deepStrictEqual(yield* stateOf, { signals: [], dates: [], days: [] })
          assert.strictEqual(yield* staged, 2 * manyCount)
          const again = yield* send(signals, signalsCsv(records), { ...other, format: "csv" })
          assert.deepInclude(again, { inserted: records.length, updated: 0, unchanged: 0 })
          assert.deepStrictEqual(yield* visible, lines(records))
          assert.strictEqual(yield* staged, 0)
        }),
      ),
    limit,
  )

  it.live(
    "includes what a failed import staged, below later signals, without counting it",
    () =>
      withTopics(
        Effect.gen(function* () {
          // The last row is only read when the stream ends, which it never does.
          const left = [...many(today, 0, 10), ...many(yesterday, 0, 10), signal(1, 1, 1, today)]
          yield* Effect.flip(
            send(signals, breaking(left, 2 * manyCount), { ...other, format: "csv" }),
          )
          const later = [{ ...left[0]!, score: 99 }, signal(1, 1, 5, today)]

          const result = yield* sendSignals(later, other)

          assert.deepInclude(result, { received: 2, inserted: 2, updated: 0, unchanged: 0 })
          const expected = [...left.slice(1, manyCount), ...later]
          assert.deepStrictEqual(yield* visible, lines(expected))
          assert.deepStrictEqual((yield* stateOf).dates, [
            `${otherOrganizationId} import ${today} ${manyCount + 1}`,
          ])
          // No signal of the other date was sent again.
          assert.strictEqual(yield* staged, manyCount)
        }),
      ),
    limit,
  )

  it.live(
    "with a topic larger than a slice gives the same result, counted exactly",
    () =>
      withTopics(
        Effect.gen(function* () {
          const saying = (topicId: number, people: number, score: (person: number) => number) =>
            Array.from({ length: people }, (_, person) =>
              signal(topicId, person, score(person), today),
            )
          const known = [...saying(1, 300, () => 40), ...saying(2, 5, () => 40)]
          const later = [
            ...saying(1, 200, (person) => 1 + (person % 100)),
            ...saying(3, 150, () => 90),
            // The last value for a person wins.
            ...saying(1, 250, (person) => (person % 2 === 0 ? 40 : 50)),
            ...saying(2, 2, () => 41),
          ]

          const first = yield* sendSignals(known)
          const second = yield* sendSignals(later)

          assert.deepInclude(first, { inserted: 305, updated: 0 })
          assert.deepInclude(second, { inserted: 150, updated: 125 + 2, unchanged: 325 })
          const last = new Map(
            [...known, ...later].map((one) => [`${one.topicId} ${one.emailHash}`, one]),
          )
          const state = yield* stateOf
          assert.deepStrictEqual(state.signals, lines([...last.values()], sharedOrganizationId))
          assert.deepStrictEqual(state.dates, [`${sharedOrganizationId} import ${today} 455`])
          assert.deepStrictEqual(state.days, [
            `${today} 1 300 300 ${125 * 50 + 175 * 40} 0 0 300`,
            `${today} 2 5 5 ${2 * 41 + 3 * 40} 0 0 5`,
            `${today} 3 150 150 ${150 * 90} 150 0 0`,
          ])
          assert.strictEqual(yield* staged, 0)
        }),
      ).pipe(Effect.provideService(SliceRowsMax, 64)),
    limit,
  )

  it.live(
    "with two concurrent imports has the second one's signals: it waits for the first",
    () =>
      withTopics(
        Effect.gen(function* () {
          const begun = yield* Deferred.make<void>()
          const go = yield* Deferred.make<void>()
          const slow = Stream.make(Buffer.from(signalsCsv([signal(1, 1, 10, today)]))).pipe(
            Stream.concat(
              Stream.fromEffect(
                Deferred.succeed(begun, undefined).pipe(
                  Effect.andThen(Deferred.await(go)),
                  Effect.as(Buffer.from("\n")),
                ),
              ),
            ),
          )
          const first = yield* Effect.forkChild(send(signals, slow, { ...other, format: "csv" }))
          yield* Deferred.await(begun)
          const second = yield* Effect.forkChild(
            sendSignals([signal(1, 1, 20, today), signal(1, 2, 20, today)], other),
          )
          yield* Deferred.succeed(go, undefined)

          assert.deepInclude(yield* Fiber.join(first), { inserted: 1, updated: 0 })
          assert.deepInclude(yield* Fiber.join(second), { inserted: 1, updated: 1 })
          assert.deepStrictEqual(
            yield* visible,
            lines([signal(1, 1, 20, today), signal(1, 2, 20, today)]),
          )
        }),
      ),
    limit,
  )
})

it.live(
  "a signal about a person erased by the organization is rejected, with the number of its row",
  () =>
    withTopics(
      Effect.gen(function* () {
        const tombstones = yield* Tombstones
        yield* tombstones.leave([{ organizationId: otherOrganizationId, emailHash: hashOf(1) }])
        const unknownTopic = signal(77, 2, 10, today)
        const records = [
          signal(1, 1, 10, today),
          unknownTopic,
          signal(1, 2, 10, today),
          signal(2, 1, 10, today),
        ]

        const own = yield* sendSignals(records, other)
        const everybodys = yield* sendSignals([signal(1, 1, 10, today)])

        assert.deepStrictEqual(own, {
          received: 4,
          inserted: 1,
          updated: 0,
          unchanged: 0,
          rejectedCount: 3,
          rejected: [
            { row: 1, field: null, reason: "erased" },
            { row: 2, field: "topicId", reason: "unknown_topic" },
            { row: 4, field: null, reason: "erased" },
          ],
        })
        assert.deepInclude(everybodys, { inserted: 1 })
        assert.deepStrictEqual(yield* visible, [
          ...lines([signal(1, 1, 10, today)], sharedOrganizationId),
          ...lines([signal(1, 2, 10, today)]),
        ])
      }),
    ),
  limit,
)

describe("people of signals", () => {
  it.live(
    "have one number each, even if concurrent imports name them",
    () =>
      withTopics(
        Effect.gen(function* () {
          const peopleCount = 20_000
          const records = many(today).slice(0, peopleCount)
          const csv = signalsCsv(records)
          const pixel = yield* Signals
          const day = { organizationId: otherOrganizationId, origin: "pixel", date: today } as const
          yield* Effect.all(
            [
              send(signals, csv, { format: "csv" }),
              send(signals, csv, { ...other, format: "csv" }),
              pixel.replaceDay({ ...day, signals: records.slice(0, 1_000).toReversed() }),
            ],
            { concurrency: "unbounded" },
          )

          const people = yield* rows(`
            select count(*)::int as people, count(distinct email_hash)::int as hashes,
              min(cardinality(organization_ids)) as organizations
            from signal_person`)
          assert.deepStrictEqual(people, [
            { people: peopleCount, hashes: peopleCount, organizations: 2 },
          ])
          assert.strictEqual((yield* visible).length, 2 * peopleCount + 1_000)
        }),
      ),
    limit,
  )

  it.live(
    "exist even if they are deleted while an import names them",
    () =>
      withTopics(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sendSignals([signal(1, 1, 10, today)])
          const taken = yield* Deferred.make<void>()
          const go = yield* Deferred.make<void>()
          const taking = yield* Effect.forkChild(
            sql.withTransaction(
              sql`delete from signal_person`.pipe(
                Effect.andThen(Deferred.succeed(taken, undefined)),
                Effect.andThen(Deferred.await(go)),
              ),
            ),
          )
          yield* Deferred.await(taken)
          const naming = yield* Effect.forkChild(
            sendSignals([signal(1, 1, 20, today), signal(1, 2, 20, today)], other),
          )
          yield* rows<{ count: number }>(`
            select count(*)::int from pg_stat_activity
            where application_name = 'footfall import' and wait_event_type = 'Lock'
              and datname = current_database()`).pipe(
            Effect.repeat({
              until: ([row]) => row!.count === 1,
              schedule: Schedule.spaced("20 millis"),
            }),
          )
          yield* Deferred.succeed(go, undefined)
          yield* Fiber.join(taking)
          yield* Fiber.join(naming)

          const own = (yield* visible).filter((line) => line.startsWith(otherOrganizationId))
          assert.deepStrictEqual(own, lines([signal(1, 1, 20, today), signal(1, 2, 20, today)]))
        }),
      ),
    limit,
  )
})
