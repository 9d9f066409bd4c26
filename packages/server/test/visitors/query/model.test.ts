// Random rules over random people: the statement on a real Postgres and a naive evaluator find the same people in every
// window, scope and filter (spec 3).
import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Result } from "effect"
import * as fc from "fast-check"
import { CompanyStore } from "../../../src/people/visitors/companies/store.ts"
import type { ListScope } from "../../../src/people/visitors/list-scope.ts"
import { fieldNames } from "../../../src/people/visitors/query/predicate.ts"
import { parseRule } from "../../../src/people/visitors/query/rule.ts"
import { VisitorStore } from "../../../src/people/visitors/store.ts"
import { boundsOf } from "../../../src/people/visitors/timeframe.ts"
import { makePixel, makeTenant, visitorsLayer } from "../visitors-layer.ts"
import { companyFields, now, person, predicate, rule } from "./arbitrary.ts"
import { companyMatches, matches } from "./evaluate.ts"
import type { Person, Pixel } from "./person.ts"
import { hashOf, putPeople } from "./put-people.ts"

const windows = ["24h", "7d", "14d", "30d", "90d", "all"] as const
const seed = 20_260_311

const scene = Effect.gen(function* () {
  const tenant = yield* makeTenant
  const other = yield* makePixel(tenant.organizationId, "acme.example")
  const pixels = [
    { id: tenant.pixelId, domain: "tidewater.example" },
    { id: other, domain: "acme.example" },
  ]
  const people: ReadonlyArray<Person> = fc
    .sample(person, { numRuns: 150, seed })
    .map((each) => ({ ...each, id: randomUUID() }))
  yield* putPeople(tenant.organizationId, pixels, people)
  return { organizationId: tenant.organizationId, pixels, people }
})

/** The parameters of the request besides the rule. */
const circumstances = {
  timeframe: fc.constantFrom(...windows),
  pixel: fc.constantFrom(undefined, 0, 1),
  suppressed: fc.constantFrom("include" as const, "exclude" as const, "only" as const),
}

/** Compares both for rules of the kind. Returns the share of people who match. */
const compare = Effect.fnUntraced(function* (
  rules: (pixels: ReadonlyArray<Pixel>) => fc.Arbitrary<unknown>,
  numRuns: number,
) {
  const { organizationId, people, pixels } = yield* scene
  const store = yield* VisitorStore
  const asOf = DateTime.makeUnsafe(now)
  const counts = { asked: 0, found: 0 }
  const find = (scope: ListScope) =>
    Effect.runPromise(
      Effect.all([
        Effect.map(store.list(scope, { offset: 0 }, 1_000), (rows) =>
          rows.map((row) => row.emailHash).toSorted(),
        ),
        store.count(scope),
      ]),
    )
  const question = fc.record({ rule: rules(pixels), ...circumstances })
  const property = fc.asyncProperty(
    question,
    async ({ pixel, suppressed, timeframe, ...asked }) => {
      const read = parseRule({ version: 1, rule: asked.rule })
      fc.pre(Result.isSuccess(read)) // Some have too many predicates.
      const { rule } = Result.getOrThrow(read)
      const from = boundsOf(timeframe, "UTC", asOf).from
      const scope = { organizationId, pixelId: pixels[pixel ?? -1]?.id, isEmpty: false }

      const found = await find({ ...scope, timeframe, asOf, from, suppressed, rule })

      const expected = people
        .filter((one) => suppressed === "include" || one.suppressed === (suppressed === "only"))
        .filter((one) =>
          matches(rule, one, { pixels, pixel, from: from?.epochMilliseconds, asOf: now }),
        )
        .map(hashOf)
      assert.deepStrictEqual(found, [expected.toSorted(), expected.length])
      counts.asked += people.length
      counts.found += expected.length
    },
  )
  yield* Effect.promise(() => fc.assert(property, { numRuns, seed }))
  return counts.found / counts.asked
})

/** The same for companies. */
const compareCompanies = Effect.fnUntraced(function* (
  rules: (pixels: ReadonlyArray<Pixel>) => fc.Arbitrary<unknown>,
  numRuns: number,
) {
  const { organizationId, people, pixels } = yield* scene
  const store = yield* CompanyStore
  const asOf = DateTime.makeUnsafe(now)
  const counts = { asked: 0, found: 0 }
  const question = fc.record({ rule: rules(pixels), ...circumstances })
  const property = fc.asyncProperty(
    question,
    async ({ pixel, suppressed, timeframe, ...asked }) => {
      const read = parseRule({ version: 1, rule: asked.rule }, "companies")
      fc.pre(Result.isSuccess(read)) // Some have too many predicates.
      const { rule: node } = Result.getOrThrow(read)
      const from = boundsOf(timeframe, "UTC", asOf).from
      const pixelId = pixels[pixel ?? -1]?.id
      const scope = { organizationId, pixelId, from, suppressed, rule: { node, asOf } }

      const found = await Effect.runPromise(
        Effect.all([
          Effect.map(store.list(scope, { offset: 0 }, 1_000), (rows) =>
            rows.map(({ domain }) => domain).toSorted(),
          ),
          store.count(scope),
        ]),
      )

      const expected = people
        .filter((one) =>
          companyMatches(
            node,
            one,
            { pixels, pixel, from: from?.epochMilliseconds, asOf: now },
            suppressed,
          ),
        )
        .map(({ id }) => id)
      assert.deepStrictEqual(found, [expected.toSorted(), expected.length])
      counts.asked += people.length
      counts.found += expected.length
    },
  )
  yield* Effect.promise(() => fc.assert(property, { numRuns, seed }))
  return counts.found / counts.asked
})

const isSoak = process.env["FOOTFALL_SOAK"] !== undefined

layer(visitorsLayer, { excludeTestServices: true })(
  "a rule finds the people that the model finds",
  (it) => {
    it.effect(
      "for any tree, in every window, pixel scope and filter",
      () =>
        Effect.gen(function* () {
          const share = yield* compare(rule, isSoak ? 10_000 : 75)

          // Comparing two empty results would prove nothing.
          assert.isAbove(share, 0.1)
          assert.isBelow(share, 0.9)
        }),
      isSoak ? 1_200_000 : 180_000,
    )

    it.effect.each(fieldNames)("%s with every operator", (field) =>
      Effect.gen(function* () {
        yield* compare((pixels) => predicate(pixels, fc.constant(field)), isSoak ? 40 : 4)
      }),
    )
  },
)

layer(Layer.provideMerge(CompanyStore.layer, visitorsLayer), { excludeTestServices: true })(
  "a rule finds the companies that the model finds",
  (it) => {
    it.effect(
      "for any tree, in every window, pixel scope and filter",
      () =>
        Effect.gen(function* () {
          const fields = fc.constantFrom(...companyFields)
          const share = yield* compareCompanies(
            (pixels) => rule(pixels, fields),
            isSoak ? 10_000 : 75,
          )

          assert.isAbove(share, 0.1)
          assert.isBelow(share, 0.9)
        }),
      isSoak ? 1_200_000 : 180_000,
    )

    it.effect.each(companyFields)("%s with every operator", (field) =>
      Effect.gen(function* () {
        yield* compareCompanies((pixels) => predicate(pixels, fc.constant(field)), isSoak ? 40 : 4)
      }),
    )
  },
)
