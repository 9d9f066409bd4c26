// Random configurations over random worlds, by the statement on a real Postgres and by a naive evaluation
// in memory: the same count and the same sample (decisions.md 2.8, 2.9, 2.10, 13).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { normalizeConfig } from "../../src/audiences/config.ts"
import { Countings } from "../../src/audiences/counting.ts"
import { topicsInOrder } from "../../src/audiences/matching/compile.ts"
import { maskedPerson } from "../../src/audiences/preview/preview.ts"
import { AudienceStore } from "../../src/audiences/store.ts"
import { audiencesLayer } from "./audiences-layer.ts"
import { evaluate } from "./naive.ts"
import { putWorld } from "./put-world.ts"
import { dataDate, scores, topicIds, world } from "./world.ts"

const worlds = 40
const configsOfWorld = 15
const sampleMax = 4

/** Most filters are absent, so that somebody passes the others. */
const absent = <Value>(values: fc.Arbitrary<Value>) =>
  fc.option(values, { nil: undefined, freq: 3 })
const some = <Value>(...values: ReadonlyArray<Value>) =>
  absent(fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 2 }))

const filters = fc.record({
  companyIndustry: some("logistics", "éducation", "nowhere"),
  seniority: some("vp", "director", "intern"),
  companySize: some("1-10" as const, "11-50" as const, "201-500" as const, "10001+" as const),
  department: some("sales", "operations"),
  state: absent(fc.constantFrom("CA", "île-de-france")),
  companyRevenueRange: some("under 1 million", "1 billion and over"),
  ageRange: some("25-34", "65 and older"),
  gender: absent(fc.constantFrom("M", "F")),
  isB2b: absent(fc.constantFrom("y", "n")),
  jobTitle: absent(fc.constantFrom("vp", "50%", "_1 , director", "sales,")),
  companyDomain: absent(fc.constantFrom("acme.example", "quayline.example")),
  companyName: absent(fc.constantFrom("söhne", "harbor,quay")),
  hasBusinessEmail: absent(fc.boolean()),
  hasPersonalEmail: absent(fc.boolean()),
  hasLinkedin: absent(fc.boolean()),
  hasPhone: absent(fc.boolean()),
})

const config = fc
  .record({
    topicIds: fc.uniqueArray(fc.constantFrom(...topicIds), { minLength: 1 }),
    bounds: fc.tuple(fc.constantFrom(...scores), fc.constantFrom(...scores)),
    minTopicOverlap: fc.integer({ min: 1, max: 3 }),
    filters: fc.oneof(
      fc.constant({}),
      filters.chain((all) =>
        fc
          .subarray(Object.entries(all), { maxLength: 3 })
          .map((few) => Object.fromEntries(few.filter(([, value]) => value !== undefined))),
      ),
    ),
  })
  .map(({ bounds, filters, minTopicOverlap, topicIds }) =>
    normalizeConfig({
      topicIds,
      minScore: Math.min(...bounds),
      maxScore: Math.max(...bounds),
      minTopicOverlap: Math.min(minTopicOverlap, topicIds.length),
      filters,
    }),
  )

layer(audiencesLayer)("who is in an audience", (it) => {
  it.effect(
    "is the same for the statement and for a naive evaluation",
    () =>
      Effect.gen(function* () {
        const countings = yield* Countings
        const store = yield* AudienceStore
        const services = yield* Effect.context<Effect.Services<ReturnType<typeof putWorld>>>()
        const found = { configs: 0, people: 0, holdings: new Set<string>() }

        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(
              world,
              fc.array(config, { minLength: configsOfWorld, maxLength: configsOfWorld }),
              async (scene, configs) => {
                const { ours } = await Effect.runPromiseWith(services)(putWorld(scene))
                const standing = await Effect.runPromise(store.standing(ours))
                found.holdings.add(`${standing.hasVisitors} ${standing.hasPeople}`)
                for (const each of configs) {
                  const counting = { organizationId: ours, config: each, dataDate, standing }
                  const { sample, total } = await Effect.runPromise(
                    countings.count(counting, sampleMax),
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
                  found.configs += 1
                  found.people += total
                }
              },
            ),
            // To make a world smaller would take minutes: each one is put into the tables.
            {
              numRuns: worlds,
              seed: Number(process.env["SEED"] ?? 20_260_310),
              endOnFailure: true,
            },
          ),
        )

        assert.isAtLeast(found.configs, 500)
        assert.isAtLeast(found.people, found.configs / 2)
        assert.strictEqual(found.holdings.size, 4, [...found.holdings].join("; "))
      }),
    300_000,
  )
})
