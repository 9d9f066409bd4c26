// Random configurations over random worlds. The statement on a real Postgres and a naive evaluation in memory return
// the same count, sample, parts and scores (spec 2.8, 2.9, 2.10).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import { type AudienceConfig, normalizeConfig } from "../../src/intent/audiences/config.ts"
import { Countings } from "../../src/intent/audiences/counting.ts"
import { segmentOf } from "../../src/intent/audiences/matching/segment.ts"
import { topicsInOrder } from "../../src/intent/audiences/matching/compile.ts"
import { maskedPerson } from "../../src/intent/audiences/preview.ts"
import { AudienceStore } from "../../src/intent/audiences/store.ts"
import { SegmentStore } from "../../src/people/visitors/segments/store.ts"
import { audiencesLayer } from "./audiences-layer.ts"
import { isInClickHouse } from "../support/clickhouse.ts"
import { configWithSegment } from "./config-arbitrary.ts"
import { evaluate } from "./naive.ts"
import { putWorld } from "./put-world.ts"
import { dataDate, type World, world } from "./world.ts"

// Fewer in ClickHouse, except in the soak test, because only reading signals differs.
const isFull = !isInClickHouse || process.env["FOOTFALL_SOAK"] === "1"
const worlds = isFull ? 40 : 8
const configsOfWorld = 15
const sampleMax = 4
const organizationId = "11111111-1111-4111-8111-111111111111"

/** The slow way: evaluates the configuration up to each of its parts. */
const partsOf = (scene: World, config: AudienceConfig, hasRules: boolean) => {
  const { filters, segmentId, ...topics } = config
  const hasTopics = config.topicIds.length > 0
  const unsuppressed = { ...scene, rules: [] }
  const count = (part: string, known: World, asked: AudienceConfig) => ({
    part,
    count: evaluate(known, asked).length,
  })
  const qualified = { ...topics, ...(segmentId === undefined ? {} : { segmentId }), filters: {} }
  return [
    ...(hasTopics ? [count("topics", unsuppressed, { ...topics, filters: {} })] : []),
    ...(segmentId === undefined ? [] : [count("segment", unsuppressed, qualified)]),
    ...Object.keys(filters).map((name, place, names) =>
      count(name, unsuppressed, {
        ...qualified,
        filters: Object.fromEntries(
          Object.entries(filters).filter(([key]) => names.slice(0, place + 1).includes(key)),
        ),
      }),
    ),
    ...(hasRules ? [count("suppression", scene, config)] : []),
  ]
}

const scoresOf = (scene: World, config: AudienceConfig) => {
  if (config.topicIds.length === 0) return []
  const everyone = evaluate(scene, { ...config, minScore: 1, maxScore: 100 })
  return [...Map.groupBy(everyone, ({ score }) => score!)]
    .map(([score, people]) => ({ score, people: people.length }))
    .toSorted((a, b) => a.score - b.score)
}

layer(audiencesLayer)("who is in an audience", (it) => {
  it.effect(
    "is the same for the statement and a naive evaluation",
    () =>
      Effect.gen(function* () {
        const countings = yield* Countings
        const store = yield* AudienceStore
        const segments = yield* SegmentStore
        const services = yield* Effect.context<Effect.Services<ReturnType<typeof putWorld>>>()
        const found = { configs: 0, people: 0, holdings: new Set<string>() }

        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(
              world,
              fc.array(configWithSegment, { minLength: configsOfWorld, maxLength: configsOfWorld }),
              async (scene, configs) => {
                const { ours } = await Effect.runPromiseWith(services)(putWorld(scene))
                const standing = await Effect.runPromise(store.standing(ours))
                found.holdings.add(`${standing.hasVisitors} ${standing.hasPeople}`)
                for (const each of configs) {
                  const asked = { organizationId: ours, config: each }
                  const segment = await Effect.runPromise(segmentOf(segments, asked))
                  const counting = { ...asked, dataDate, segment, standing }
                  const { sample, total } = await Effect.runPromise(
                    Effect.andThen(countings.settle(ours), countings.count(counting, sampleMax)),
                  )
                  const expected = evaluate(scene, each)
                  const masked = sample.map((row) => maskedPerson(row, topicsInOrder(each)))

                  assert.deepStrictEqual(
                    {
                      total,
                      sample: masked.map(({ hem, intentScore, topicId }) => [
                        hem,
                        intentScore,
                        topicId,
                      ]),
                    },
                    {
                      total: expected.length,
                      sample: expected
                        .slice(0, sampleMax)
                        .map(({ hem, score, topicId }) => [hem, score, topicId]),
                    },
                  )
                  assert.deepStrictEqual(
                    sample.map(({ company, email, jobTitle }) => [email, company, jobTitle]),
                    expected
                      .slice(0, sampleMax)
                      .map(({ company, email, jobTitle }) => [email, company, jobTitle]),
                  )
                  const { parts, scores } = await Effect.runPromise(countings.explain(counting))
                  assert.deepStrictEqual<unknown>(parts, partsOf(scene, each, standing.hasRules))
                  assert.deepStrictEqual(scores, scoresOf(scene, each))
                  found.configs += 1
                  found.people += total
                }
              },
            ),
            // Shrinking a world would take minutes, because each one is written to the tables.
            {
              numRuns: worlds,
              seed: Number(process.env["SEED"] ?? 20_260_310),
              endOnFailure: true,
            },
          ),
        )

        assert.isAtLeast(found.configs, isFull ? 500 : 100)
        assert.isAtLeast(found.people, found.configs / (isFull ? 2 : 4))
        if (isFull) assert.strictEqual(found.holdings.size, 4, [...found.holdings].join("; "))
      }),
    300_000,
  )

  it.effect("is planned once for all values, and again when a table has doubled", () =>
    Effect.gen(function* () {
      const store = yield* AudienceStore
      const sql = yield* SqlClient.SqlClient
      const planAfter = Effect.fnUntraced(function* (topicId: number) {
        const asked = normalizeConfig({ topicIds: [topicId], minScore: topicId })
        const has = { hasRules: true, hasVisitors: true, hasPeople: true, erased: [] }
        yield* store.count({ organizationId, config: asked, dataDate, ...has }, sampleMax)
        const [newest] = yield* sql<{ readonly statement: string; readonly at: string }>`
          select statement, prepare_time::text as at from pg_prepared_statements
          where statement like '/* % */%with matched%'
          order by prepare_time desc limit 1`
        return newest
      })

      const before = yield* planAfter(11)
      const withOtherValues = yield* planAfter(12)
      yield* sql`
        insert into person (organization_id, email_hash)
        select ${organizationId}::uuid, n::text
        from generate_series(1, 1000 + pg_relation_size('person') / 40) as n`
      const afterGrowth = yield* planAfter(13)

      assert.isDefined(before)
      assert.deepStrictEqual(withOtherValues, before)
      assert.notStrictEqual(afterGrowth?.statement, before?.statement)
      // One connection has all the plans.
    }).pipe((effect) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(effect))),
  )
})
