// Computing aliases takes long. In the meantime, requests that count people wait for a limited time, and hold no turn
// of rules.
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Aliases } from "../../src/intent/audiences/aliases/aliases.ts"
import { AliasStore } from "../../src/intent/audiences/aliases/store.ts"
import { type Counting, Countings } from "../../src/intent/audiences/counting.ts"
import { AudienceStore } from "../../src/intent/audiences/store.ts"
import { sharedOrganizationId } from "../../src/access/organization.ts"
import { Tombstones } from "../../src/people/person/tombstones/tombstones.ts"
import { RuleTurns } from "../../src/people/visitors/query/rule-turns.ts"

const layerWith = (outOfDate: (organizationId: string) => ReadonlyArray<string>) => {
  const made: Array<string> = []
  const layer = Countings.layer.pipe(
    Layer.provideMerge([Aliases.layer, RuleTurns.layer]),
    Layer.provide([
      Layer.mock(AliasStore, {
        outOfDate: (organizationId) => Effect.succeed(outOfDate(organizationId)),
        make: (owner) =>
          Effect.suspend(() => {
            made.push(owner)
            return Effect.never
          }),
      }),
      Layer.mock(AudienceStore, {}),
      Layer.mock(Tombstones, {}),
    ]),
  )
  return { made, layer }
}

const begin = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(Effect.result(effect))
    for (let turns = 0; turns < 20; turns++) yield* Effect.yieldNow
    return fiber
  })

const count = (organizationId: string) =>
  Effect.flatMap(Countings, (countings) =>
    Effect.andThen(
      countings.settle(organizationId),
      countings.count({ organizationId, standing: {} } as Counting, 1),
    ),
  )

it.effect(
  "shared aliases are computed once, while other organizations' rules get their turns",
  () => {
    const { layer, made } = layerWith(() => [sharedOrganizationId])
    return Effect.gen(function* () {
      for (const organizationId of ["a", "a", "b", "c", "d"]) yield* begin(count(organizationId))

      const answer = yield* (yield* RuleTurns).take("e", Effect.succeed("answered"))

      assert.strictEqual(answer, "answered")
      assert.deepStrictEqual(made, [sharedOrganizationId])
    }).pipe(Effect.provide(layer))
  },
)

it.effect(
  "a request that waits ten seconds for aliases gets an error, and the aliases are still computed",
  () => {
    const { layer, made } = layerWith((organizationId) => [organizationId])
    return Effect.gen(function* () {
      const fiber = yield* begin(count("a"))

      yield* TestClock.adjust("10 seconds")
      const result = yield* Fiber.join(fiber)
      yield* begin(count("a"))

      assert.deepInclude(result._tag === "Failure" ? result.failure : {}, { _tag: "RulesBusy" })
      assert.deepStrictEqual(made, ["a"])
    }).pipe(Effect.provide(layer))
  },
)

it.effect("an organization's own aliases take one of two turns", () => {
  const { layer, made } = layerWith((organizationId) => [organizationId])
  return Effect.gen(function* () {
    for (const organizationId of ["a", "a", "b", "c"]) yield* begin(count(organizationId))

    assert.deepStrictEqual(made, ["a", "b"])
  }).pipe(Effect.provide(layer))
})
