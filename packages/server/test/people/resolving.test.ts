// Resolvers in the identification pass, on a real Postgres (spec 6.7): order, time, persons and companies, and what
// takes precedence over them.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import {
  type IdentityResolver,
  IdentityResolvers,
  type ResolverAnswer,
  type ResolverQuestion,
} from "../../src/people/identification/resolving/identity-resolver.ts"
import type { CollectedEvent } from "../../src/collect/visits/collected-event.ts"
import {
  arrive,
  brief,
  contradictions,
  drain,
  event,
  identify,
  nextId,
} from "../identification/identification-layer.ts"
import { rows, sendPeople, sha256, testLayer, visitorsKnown } from "./people-layer.ts"

const jane = "jane@harbor.example"
const tom = "tom@acme.example"

/** Answers each question and records it. */
const resolver = (
  answer: (question: ResolverQuestion) => ResolverAnswer | null,
): IdentityResolver & { readonly asked: Array<ReadonlyArray<ResolverQuestion>> } => {
  const asked: Array<ReadonlyArray<ResolverQuestion>> = []
  return {
    name: "test",
    asked,
    resolve: (questions) => {
      asked.push(questions)
      return Promise.resolve(questions.map(answer))
    },
  }
}

const withResolvers = (...resolvers: ReadonlyArray<IdentityResolver>) =>
  Layer.provide(testLayer, Layer.succeed(IdentityResolvers, resolvers))

const collect = (...events: ReadonlyArray<CollectedEvent>) =>
  Effect.andThen(arrive(...events), drain)

const companies = rows(
  "select email, company_name, company_domain, industry from visitor order by email",
)

const harbor = { name: "Harbor", domain: "www.Harbor.example", industry: "Logistics" }

describe("a company", () => {
  it.live("fills empty fields of identified people, and creates no visitor", () => {
    const one = resolver(() => ({ company: harbor }))
    return Effect.gen(function* () {
      yield* collect(event(0, { payload: { i: "192.0.2.0" } }))
      assert.deepStrictEqual(yield* visitorsKnown, [])

      yield* collect(
        identify(1, jane, { payload: { i: "192.0.2.0", p: { companyName: "Trait" } } }),
      )

      assert.deepStrictEqual(yield* companies, [
        {
          email: jane,
          company_name: "Trait",
          company_domain: "harbor.example",
          industry: "logistics",
        },
      ])
      assert.deepStrictEqual(one.asked[0]?.[0]?.ip, "192.0.2.0")
    }).pipe(Effect.provide(withResolvers(one)))
  })

  it.live("ranks below imported values, both earlier and later ones", () => {
    const one = resolver(() => ({ company: harbor }))
    return Effect.gen(function* () {
      yield* collect(identify(1, jane))
      yield* sendPeople([{ email: jane, company: { name: "Imported" } }])
      assert.deepInclude((yield* companies)[0], { company_name: "Imported", industry: "logistics" })
      yield* sendPeople([{ email: jane, company: null }])
      assert.deepInclude((yield* companies)[0], { company_name: "Harbor" })
    }).pipe(Effect.provide(withResolvers(one)))
  })
})

describe("a person", () => {
  it.live(
    "identifies a browser in which no one was identified, including its earlier sessions",
    () => {
      let isKnown = false
      const one = resolver(() => (isKnown ? { person: { email: jane, firstName: "Jane" } } : null))
      return Effect.gen(function* () {
        yield* collect(event(0, { payload: { i: "192.0.2.0" } }))
        isKnown = true
        yield* collect(event(100, { payload: { i: "198.51.100.0" } }))

        assert.deepStrictEqual(yield* brief, [
          [jane, 0, 0, 1],
          [jane, 100, 100, 1],
        ])
        assert.deepStrictEqual(yield* rows("select first_name from visitor"), [
          { first_name: "Jane" },
        ])
        assert.deepStrictEqual(yield* contradictions, [])
      }).pipe(Effect.provide(withResolvers(one)))
    },
  )

  it.live("ranks below identifications by the browser itself, now or earlier", () => {
    const one = resolver(() => ({ person: { emailHash: sha256(tom) } }))
    return Effect.gen(function* () {
      yield* collect(identify(0, jane))
      yield* collect(event(1), event(2, { payload: { i: "192.0.2.0" } }))
      assert.deepStrictEqual(
        (yield* visitorsKnown).map(([email]) => email),
        [jane],
      )
    }).pipe(Effect.provide(withResolvers(one)))
  })
})

describe("several resolvers", () => {
  it.live(
    "are called in order, each for the browsers that no earlier one knew, once per browser and address",
    () => {
      const first = resolver(({ anonymousId }) =>
        anonymousId.endsWith("a") ? { company: { name: "First" } } : null,
      )
      const second = resolver(() => ({ company: { name: "Second" } }))
      const [a, b] = [`${nextId().slice(0, -1)}a`, `${nextId().slice(0, -1)}b`]
      return Effect.gen(function* () {
        yield* collect(identify(0, jane, { anonymousId: a }), identify(1, tom, { anonymousId: b }))
        yield* collect(identify(2, jane, { anonymousId: a }), event(3, { anonymousId: null }))

        assert.deepStrictEqual(
          yield* rows("select email, company_name from visitor order by email"),
          [
            { email: jane, company_name: "First" },
            { email: tom, company_name: "Second" },
          ],
        )
        assert.deepStrictEqual(
          [first.asked, second.asked].map((all) => all.map((batch) => batch.length)),
          [[2], [1]],
        )
      }).pipe(Effect.provide(withResolvers(first, second)))
    },
  )

  it.live("are called again for browsers that a failed resolver may know", () => {
    let isBroken = true
    const one = resolver(() => ({ company: harbor }))
    const flaky: IdentityResolver = {
      name: "flaky",
      resolve: (questions, options) =>
        isBroken ? Promise.reject(new Error()) : one.resolve(questions, options),
    }
    return Effect.gen(function* () {
      yield* collect(identify(0, jane))
      isBroken = false
      yield* collect(identify(1, jane))
      assert.deepInclude((yield* companies)[0], { company_name: "Harbor" })
    }).pipe(Effect.provide(withResolvers(flaky)))
  })

  it.live("are called again for a browser once its person's address is known", () => {
    const one = resolver(({ emailHash }) => (emailHash === null ? null : { company: harbor }))
    return Effect.gen(function* () {
      yield* collect(event(0))
      yield* collect(identify(1, jane))

      assert.deepInclude((yield* companies)[0], { company_name: "Harbor" })
    }).pipe(Effect.provide(withResolvers(one)))
  })

  it.live("continue if one fails, returns nonsense or never responds", () => {
    const broken: IdentityResolver = { name: "broken", resolve: () => Promise.reject(new Error()) }
    const nonsense = resolver(
      () => ({ person: { email: 7 }, company: "x" }) as unknown as ResolverAnswer,
    )
    const silent: IdentityResolver = { name: "silent", resolve: () => new Promise(() => undefined) }
    const last = resolver(() => ({ company: { name: "Last" } }))
    return Effect.gen(function* () {
      yield* collect(identify(0, jane))
      assert.deepInclude((yield* companies)[0], { company_name: "Last" })
    }).pipe(Effect.provide(withResolvers(broken, nonsense, silent, last)))
  })
})
