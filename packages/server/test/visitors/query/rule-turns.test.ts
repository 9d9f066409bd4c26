// How expensive rules of several organizations share turns.
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { RuleTurns } from "../../../src/people/visitors/query/rule-turns.ts"

/** Work that runs until it is released, and records the order of starts. */
const scene = Effect.gen(function* () {
  const turns = yield* RuleTurns
  const began: Array<string> = []
  const begin = Effect.fnUntraced(function* (organizationId: string) {
    const letGo = yield* Deferred.make<void>()
    const work = Effect.andThen(
      Effect.sync(() => began.push(organizationId)),
      Deferred.await(letGo),
    )
    const fiber = yield* Effect.forkChild(Effect.result(turns.take(organizationId, work)), {
      startImmediately: true,
    })
    yield* Effect.yieldNow
    return { fiber, end: Effect.andThen(Deferred.succeed(letGo, undefined), Fiber.join(fiber)) }
  })
  return { began, begin }
})

const withTurns = <A, E>(test: Effect.Effect<A, E, RuleTurns>) =>
  Effect.provide(test, RuleTurns.layer)

it.effect("one organization never holds the last turn", () =>
  withTurns(
    Effect.gen(function* () {
      const { began, begin } = yield* scene
      for (let asked = 0; asked < 20; asked++) yield* begin("a")
      yield* begin("b")
      assert.deepStrictEqual(began, ["a", "a", "a", "b"])
    }),
  ),
)

it.effect("a turn that becomes free goes to the organization that holds the fewest", () =>
  withTurns(
    Effect.gen(function* () {
      const { began, begin } = yield* scene
      const [first] = [yield* begin("a"), yield* begin("a"), yield* begin("a"), yield* begin("b")]
      yield* begin("b")
      yield* begin("c")
      yield* first.end
      yield* Effect.yieldNow
      assert.deepStrictEqual(began, ["a", "a", "a", "b", "c"])
    }),
  ),
)

it.effect(
  "a request without a turn for ten seconds gets an error, and does not take a turn later",
  () =>
    withTurns(
      Effect.gen(function* () {
        const { began, begin } = yield* scene
        const [first] = [yield* begin("a"), yield* begin("a"), yield* begin("a"), yield* begin("a")]
        const late = yield* begin("a")
        yield* TestClock.adjust("10 seconds")
        const result = yield* Fiber.join(late.fiber)
        yield* first.end
        assert.deepInclude(result._tag === "Failure" ? result.failure : {}, { _tag: "RulesBusy" })
        assert.strictEqual(began.length, 3)
      }),
    ),
)

it.effect("an interrupted request returns its turn, or stops waiting", () =>
  withTurns(
    Effect.gen(function* () {
      const { began, begin } = yield* scene
      const [working] = [yield* begin("a"), yield* begin("a"), yield* begin("a")]
      const waiting = yield* begin("a")
      yield* Fiber.interrupt(waiting.fiber)
      yield* Fiber.interrupt(working.fiber)
      yield* begin("a")
      assert.strictEqual(began.length, 4)
    }),
  ),
)
