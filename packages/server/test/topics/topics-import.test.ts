// The import of topics: only for the operator, by topic id (spec 2.19, 5.14).
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { DataVersions } from "../../src/people/imports/data-versions.ts"
import { OperatorOnly } from "../../src/people/imports/imports.ts"
import { otherOrganizationId, rows } from "../people/people-layer.ts"
import { makeOperator, send, sendTopics, signalsLayer, topic, topics } from "./signals-layer.ts"

const stored = rows(
  `select topic_id as "topicId", topic_name as "topicName", type, industry, category
   from topic order by topic_id`,
)
const limit = 60_000

const testing = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  makeOperator.pipe(Effect.andThen(effect), Effect.provide(signalsLayer))

describe("an import of topics", () => {
  it.live(
    "is allowed only for the operator organization",
    () =>
      testing(
        Effect.gen(function* () {
          const error = yield* Effect.flip(
            sendTopics([topic(1)], { organizationId: otherOrganizationId }),
          )
          assert.instanceOf(error, OperatorOnly)
          assert.deepStrictEqual(yield* stored, [])
        }),
      ),
    limit,
  )

  it.live(
    "keeps the words of a topic until a row replaces them, and the catalog reads them",
    () =>
      testing(
        Effect.gen(function* () {
          const words = rows("select words from topic order by topic_id")
          yield* send(
            topics,
            "topicId,topicName,type,industry,category,words\n1,Freight,b2b,logistics,x,cargo|LTL shipping\n",
            { format: "csv" },
          )
          assert.deepStrictEqual(yield* words, [{ words: ["cargo", "LTL shipping"] }])
          yield* sendTopics([topic(1)])
          assert.deepStrictEqual(yield* words, [{ words: ["cargo", "LTL shipping"] }])
          yield* sendTopics([{ ...topic(1), words: ["haulage"] }])
          assert.deepStrictEqual(yield* words, [{ words: ["haulage"] }])
        }),
      ),
    limit,
  )

  it.live(
    "merges by id, in both formats, and changes nothing when repeated",
    () =>
      testing(
        Effect.gen(function* () {
          const versions = yield* DataVersions
          const first = yield* sendTopics([topic(1), topic(2, { type: "BOTH" }), topic(2)])
          const version = yield* versions.current("topics")
          const again = yield* send(
            topics,
            "topicId,topicName,type,industry,category\n" +
              '1,Topic 1,b2b,logistics,warehousing\n2,Topic 2,b2b,logistics,"warehousing"\n',
            { format: "csv" },
          )
          assert.strictEqual(yield* versions.current("topics"), version)
          const changed = yield* sendTopics([topic(1, { topicName: "Cold storage" }), topic(3)])

          assert.deepInclude(first, { received: 3, inserted: 2, updated: 0, unchanged: 1 })
          assert.deepInclude(again, { received: 2, inserted: 0, updated: 0, unchanged: 2 })
          assert.deepInclude(changed, { received: 2, inserted: 1, updated: 1, unchanged: 0 })
          assert.notStrictEqual(yield* versions.current("topics"), version)
          assert.deepStrictEqual(yield* stored, [
            topic(1, { topicName: "Cold storage" }),
            topic(2),
            topic(3),
          ])
        }),
      ),
    limit,
  )

  it.live(
    "rejects rows with their reasons",
    () =>
      testing(
        Effect.gen(function* () {
          const result = yield* sendTopics([
            topic(1, { topicName: undefined }),
            topic(1, { type: "b2g" }),
            topic(0),
            topic(2_147_483_648),
            topic(1.5),
            topic(1, { topicName: "x".repeat(256) }),
            topic(1, { industry: "x".repeat(101) }),
            topic(1, { category: null }),
            topic(1, { note: "x" }),
            topic(1, { topicName: "x".repeat(255), industry: "y".repeat(100) }),
          ])
          assert.deepStrictEqual(
            result.rejected.map(({ field, reason, row }) => [row, field, reason]),
            [
              [1, "topicName", "missing_field"],
              [2, "type", "invalid_value"],
              [3, "topicId", "out_of_range"],
              [4, "topicId", "out_of_range"],
              [5, "topicId", "invalid_type"],
              [6, "topicName", "value_too_long"],
              [7, "industry", "value_too_long"],
              [8, "category", "missing_field"],
              [9, "note", "unknown_field"],
            ],
          )
          assert.strictEqual(result.inserted, 1)
        }),
      ),
    limit,
  )
})
