// Random settings over random people and their companies: the scores that are computed on a real Postgres, and their top
// reasons, are those of a naive evaluator (spec 2.23).
import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { isCompanyField } from "@footfall/normal-form/rule-fields"
import { Effect, Result } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import type { ScoreConfig } from "../../src/people/score/score.ts"
import { testsCompanies } from "../../src/people/score/score-rules.ts"
import { fieldNames } from "../../src/people/visitors/query/predicate.ts"
import { parseRule, type RuleNode } from "../../src/people/visitors/query/rule.ts"
import { now, person, rule } from "../visitors/query/arbitrary.ts"
import { companyHolds, matches } from "../visitors/query/evaluate.ts"
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

const node = (pixels: ReadonlyArray<Pixel>, asked: typeof fields): fc.Arbitrary<RuleNode> =>
  rule(pixels, fc.constantFrom(...asked))
    .map((each) => parseRule({ version: 1, rule: each }))
    .filter((read) => Result.isSuccess(read))
    .map((read) => Result.getOrThrow(read).rule)

const points = fc.integer({ min: -40, max: 100 })

const settings = (pixels: ReadonlyArray<Pixel>, asked: typeof fields): fc.Arbitrary<ScoreConfig> =>
  fc.record({
    fit: fc.array(fc.record({ name: fc.constant("fit"), rule: node(pixels, asked), points }), {
      maxLength: 5,
    }),
    interest: fc.array(
      fc.record({
        name: fc.constant("interest"),
        rule: node(pixels, asked),
        points,
        halfLifeDays: fc.constantFrom(1, 3.5, 14, 365),
      }),
      { maxLength: 5 },
    ),
    weights: fc.record({ fit: fc.constantFrom(0, 0.3, 1), interest: fc.constantFrom(0.5, 1) }),
    threshold: fc.integer({ min: 1, max: 100 }),
  })

/** Those that an entry may ask of a company itself. What is timed differs for its anonymous sessions alone. */
const companyFields = fields.filter((name) => isCompanyField(name) && !name.startsWith("timing."))

interface Counted {
  readonly part: "fit" | "interest"
  readonly points: number
}

const between = (sum: number) => (sum < 0 ? 0 : sum > 100 ? 100 : sum)
const sumOf = (counted: ReadonlyArray<Counted>, part: Counted["part"]) =>
  counted.reduce((sum, each) => (each.part === part ? sum + each.points : sum), 0)

/** The first of those with most points. */
const topOf = (counted: ReadonlyArray<Counted>) => {
  const most = Math.max(0, ...counted.map(({ points }) => points))
  const top = counted.find(({ points }) => points === most)
  return most === 0 || top === undefined ? null : [top.part, top.points]
}

const scoreOf = (config: ScoreConfig, fitSum: number, interestSum: number) => {
  const [fit, interest] = [between(fitSum), between(interestSum)]
  const { weights } = config
  const total = between(Math.round(weights.fit * fit + weights.interest * interest))
  return [total, fit, interest, total >= config.threshold]
}

const faded = (points: number, halfLifeDays: number, seenAt: number) =>
  Math.round(points / Math.pow(2, Math.max(0, (now - seenAt) / day) / halfLifeDays))

/** The points of each entry for one person, 0 if it does not hold; undefined for someone without a score. */
const pointsOf = (config: ScoreConfig, pixels: ReadonlyArray<Pixel>, one: Person) => {
  if (one.suppressed || one.heldBack) return undefined
  const isHeld = (each: RuleNode, from: number | undefined) =>
    matches(each, one, { pixels, pixel: undefined, from, asOf: now })
  const lastSeen = Math.max(...one.visits.map(({ endedAt }) => endedAt))
  return {
    fit: config.fit.map((each) => (isHeld(each.rule, undefined) ? each.points : 0)),
    interest: config.interest.map((each) =>
      isHeld(each.rule, now - 90 * day) ? faded(each.points, each.halfLifeDays, lastSeen) : 0,
    ),
  }
}

const countedOf = (
  fit: ReadonlyArray<number>,
  interest: ReadonlyArray<number>,
): ReadonlyArray<Counted> => [
  ...fit.map((points) => ({ part: "fit" as const, points })),
  ...interest.map((points) => ({ part: "interest" as const, points })),
]

/** As spec 2.23 defines it, entry by entry. */
const naive = (config: ScoreConfig, pixels: ReadonlyArray<Pixel>, one: Person) => {
  const points = pointsOf(config, pixels, one)
  if (points === undefined) return [-1, null, null, false, null]
  const counted = countedOf(points.fit, points.interest)
  const score = scoreOf(config, sumOf(counted, "fit"), sumOf(counted, "interest"))
  return [...score, topOf(counted)]
}

/** The company of one person, and of those unknown there. */
const naiveCompany = (config: ScoreConfig, pixels: ReadonlyArray<Pixel>, one: Person) => {
  const isHeld = (
    each: RuleNode,
    from: number | undefined,
    visits: ReadonlyArray<Person["visits"][number]>,
  ) =>
    testsCompanies(each) &&
    companyHolds(each, one, { pixels, pixel: undefined, from, asOf: now }, visits)
  const own = pointsOf(config, pixels, one)
  const visits = one.suppressed ? one.anonymousVisits : [...one.visits, ...one.anonymousVisits]
  const fit = config.fit.map((each, index) =>
    (own?.fit[index] ?? 0) !== 0 || isHeld(each.rule, undefined, visits) ? each.points : 0,
  )
  const since = now - 90 * day
  const lately = one.anonymousVisits.map(({ endedAt }) => endedAt).filter((at) => at >= since)
  const anonymous = config.interest.map((each) =>
    lately.length > 0 && isHeld(each.rule, since, one.anonymousVisits)
      ? faded(each.points, each.halfLifeDays, Math.max(...lately))
      : 0,
  )
  const interestOf = (points: ReadonlyArray<number>) =>
    between(points.reduce((sum, each) => sum + each, 0))
  const interests = [own?.interest ?? [], anonymous].filter((each) => interestOf(each) > 0)
  const counted = countedOf(
    fit,
    config.interest.map((_, index) =>
      [...(own !== undefined && interestOf(own.interest) > 0 ? [own.interest] : []), anonymous]
        .map((each) => each[index]!)
        .reduce((sum, each) => sum + each, 0),
    ),
  )
  const interest = interests.reduce((sum, each) => sum + Math.min(40, interestOf(each)), 0)
  return [...scoreOf(config, sumOf(counted, "fit"), interest), topOf(counted)]
}

/** Computes everyone by random settings, and compares what is stored with what the model says. */
const compared = (
  subject: "people" | "companies",
  model: (config: ScoreConfig, pixels: ReadonlyArray<Pixel>, one: Person) => ReadonlyArray<unknown>,
) =>
  Effect.gen(function* () {
    const { organizationId, people, pixels } = yield* scene
    const context = yield* Effect.context<Effect.Services<ReturnType<typeof settle>>>()
    const totals = new Set<number>()
    const tops = new Set<string>()
    let revision = 0
    const asked = subject === "people" ? fields : companyFields
    const property = fc.asyncProperty(settings(pixels, asked), async (config) => {
      const found = await Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* useSettings(organizationId, config, ++revision)
        yield* noteAll(organizationId)
        yield* settle(organizationId, now)
        return yield* sql<{ readonly key: string; readonly score: ReadonlyArray<unknown> }>`
          select ${sql.literal(subject === "people" ? "email_hash" : "domain")} as key,
            jsonb_build_array(rank, fit, interest, is_hot, case when top is not null then
              jsonb_build_array(top -> 'part', top -> 'points') end) as score
          from ${sql.literal(subject === "people" ? "visitor_score" : "company_score")}
          where organization_id = ${organizationId}`
      }).pipe(Effect.provide(context), Effect.runPromise)

      const keyOf = (one: Person) => (subject === "people" ? hashOf(one) : one.id)
      const expected = new Map(people.map((one) => [keyOf(one), model(config, pixels, one)]))
      assert.deepStrictEqual(new Map(found.map(({ key, score }) => [key, score])), expected)
      for (const [total, , , , top] of expected.values()) {
        totals.add(Number(total))
        tops.add(JSON.stringify(top))
      }
    })

    yield* Effect.promise(() => fc.assert(property, { numRuns: isSoak ? 2_000 : 40, seed }))

    // Comparing only zeros would prove nothing.
    assert.isAbove(totals.size, 50)
    assert.isAbove(tops.size, 50)
  })

layer(scoreLayer, { excludeTestServices: true })("the score of everyone", (it) => {
  it.effect(
    "is the one that the model computes, for any settings, and its top is the entry with most points that held",
    () => compared("people", naive),
    isSoak ? 1_200_000 : 180_000,
  )

  it.effect(
    "of every company is the one that the model computes, for any settings, and so is its top",
    () => compared("companies", naiveCompany),
    isSoak ? 1_200_000 : 180_000,
  )
})
