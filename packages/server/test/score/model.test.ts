// Random settings over random people: the scores that are computed on a real Postgres are those of a naive evaluator
// (spec 2.23).
import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect, Result } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import type { ScoreConfig } from "../../src/people/score/score.ts"
import { fieldNames } from "../../src/people/visitors/query/predicate.ts"
import { parseRule, type RuleNode } from "../../src/people/visitors/query/rule.ts"
import { now, person, rule } from "../visitors/query/arbitrary.ts"
import { matches } from "../visitors/query/evaluate.ts"
import type { Person, Pixel } from "../visitors/query/person.ts"
import { hashOf, putPeople } from "../visitors/query/put-people.ts"
import { makePixel, makeTenant } from "../visitors/visitors-layer.ts"
import { noteAll, scoreLayer, settle, useSettings } from "./score-layer.ts"

const isSoak = process.env["FOOTFALL_SOAK"] !== undefined
const seed = 20_261_130
const day = 86_400_000

const scene = Effect.gen(function* () {
  const tenant = yield* makeTenant
  const other = yield* makePixel(tenant.organizationId, "acme.example")
  const pixels = [
    { id: tenant.pixelId, domain: "tidewater.example" },
    { id: other, domain: "acme.example" },
  ]
  const people: ReadonlyArray<Person> = fc
    .sample(person, { numRuns: 120, seed })
    .map((each) => ({ ...each, id: randomUUID() }))
  yield* putPeople(tenant.organizationId, pixels, people)
  return { organizationId: tenant.organizationId, pixels, people }
})

/** A score's rules can't test scores. */
const fields = fieldNames.filter((name) => !name.startsWith("score."))

const node = (pixels: ReadonlyArray<Pixel>): fc.Arbitrary<RuleNode> =>
  rule(pixels, fc.constantFrom(...fields))
    .map((each) => parseRule({ version: 1, rule: each }))
    .filter((read) => Result.isSuccess(read))
    .map((read) => Result.getOrThrow(read).rule)

const points = fc.integer({ min: -40, max: 100 })

const settings = (pixels: ReadonlyArray<Pixel>): fc.Arbitrary<ScoreConfig> =>
  fc.record({
    fit: fc.array(fc.record({ name: fc.constant("fit"), rule: node(pixels), points }), {
      maxLength: 5,
    }),
    interest: fc.array(
      fc.record({
        name: fc.constant("interest"),
        rule: node(pixels),
        points,
        halfLifeDays: fc.constantFrom(1, 3.5, 14, 365),
      }),
      { maxLength: 5 },
    ),
    weights: fc.record({ fit: fc.constantFrom(0, 0.3, 1), interest: fc.constantFrom(0.5, 1) }),
    threshold: fc.integer({ min: 1, max: 100 }),
  })

/** As spec 2.23 defines it, entry by entry. */
const naive = (config: ScoreConfig, pixels: ReadonlyArray<Pixel>, one: Person) => {
  if (one.suppressed || one.heldBack) return [-1, null, null, false]
  const isHeld = (each: RuleNode, from: number | undefined) =>
    matches(each, one, { pixels, pixel: undefined, from, asOf: now })
  const lastSeen = Math.max(...one.visits.map(({ endedAt }) => endedAt))
  const days = Math.max(0, (now - lastSeen) / day)
  let fit = 0
  for (const each of config.fit) if (isHeld(each.rule, undefined)) fit += each.points
  let interest = 0
  for (const each of config.interest) {
    if (!isHeld(each.rule, now - 90 * day)) continue
    interest += Math.round(each.points / Math.pow(2, days / each.halfLifeDays))
  }
  const between = (sum: number) => (sum < 0 ? 0 : sum > 100 ? 100 : sum)
  const total = between(
    Math.round(config.weights.fit * between(fit) + config.weights.interest * between(interest)),
  )
  return [total, between(fit), between(interest), total >= config.threshold]
}

layer(scoreLayer, { excludeTestServices: true })("the score of everyone", (it) => {
  it.effect(
    "is the one that the model computes, for any settings",
    () =>
      Effect.gen(function* () {
        const { organizationId, people, pixels } = yield* scene
        const context = yield* Effect.context<Effect.Services<ReturnType<typeof settle>>>()
        const totals = new Set<number>()
        let revision = 0
        const property = fc.asyncProperty(settings(pixels), async (config) => {
          const found = await Effect.gen(function* () {
            const sql = yield* SqlClient.SqlClient
            yield* useSettings(organizationId, config, ++revision)
            yield* noteAll(organizationId)
            yield* settle(organizationId, now)
            return yield* sql<{ readonly hash: string; readonly score: ReadonlyArray<unknown> }>`
              select email_hash as hash, jsonb_build_array(rank, fit, interest, is_hot) as score
              from visitor_score where organization_id = ${organizationId}`
          }).pipe(Effect.provide(context), Effect.runPromise)

          const expected = new Map(people.map((one) => [hashOf(one), naive(config, pixels, one)]))
          assert.deepStrictEqual(new Map(found.map(({ hash, score }) => [hash, score])), expected)
          for (const [total] of expected.values()) totals.add(Number(total))
        })

        yield* Effect.promise(() => fc.assert(property, { numRuns: isSoak ? 2_000 : 40, seed }))

        // Comparing only zeros would prove nothing.
        assert.isAbove(totals.size, 50)
      }),
    isSoak ? 1_200_000 : 180_000,
  )
})
