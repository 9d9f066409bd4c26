// When the days of each organization's overview are computed (spec 13.3.3): the work for one organization doesn't
// delay another.
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Pixels } from "../../src/collect/pixels/pixels.ts"
import { Overviews } from "../../src/people/visitors/overview/overview.ts"
import { OverviewStore } from "../../src/people/visitors/overview/store.ts"
import { RuleTurns } from "../../src/people/visitors/query/rule-turns.ts"

/** Refreshes these days, which take long or fail. Returns what was computed. */
const overviewsOf = (
  stale: ReadonlyArray<readonly [organizationId: string, day: string]>,
  computeDay: (organizationId: string) => Effect.Effect<void>,
) => {
  const done: Array<string> = []
  const forgotten: Array<string> = []
  const store = Layer.mock(OverviewStore, {
    stale: Effect.succeed(stale.map(([organizationId, day]) => ({ organizationId, day }))),
    computeDay: (organizationId, day) =>
      Effect.andThen(
        computeDay(organizationId),
        Effect.sync(() => done.push(`${organizationId} ${day}`)),
      ),
    deleteOldMarks: Effect.void,
    deleteOld: Effect.sync(() => void forgotten.push("sums")),
  })
  const layer = Overviews.layer.pipe(
    Layer.provide([
      store,
      Layer.mock(Pixels, { remembered: () => undefined }),
      Layer.mock(RuleTurns, {}),
    ]),
  )
  return { done, forgotten, layer }
}

it.effect("an organization pauses nine times as long as its days took; the others continue", () => {
  const { done, layer } = overviewsOf(
    [
      ["large", "2026-11-01"],
      ["small", "2026-11-02"],
    ],
    (organizationId) => (organizationId === "large" ? TestClock.adjust("10 seconds") : Effect.void),
  )
  return Effect.gen(function* () {
    const { refresh } = yield* Overviews
    yield* refresh
    yield* TestClock.adjust("70 seconds")
    yield* refresh
    assert.deepStrictEqual(done, ["large 2026-11-01", "small 2026-11-02", "small 2026-11-02"])
    yield* TestClock.adjust("21 seconds")
    yield* refresh
    assert.deepStrictEqual(done.slice(3), ["small 2026-11-02", "large 2026-11-01"])
  }).pipe(Effect.provide(layer))
})

it.effect("days that fail for one organization are computed for the others", () => {
  const { done, layer } = overviewsOf(
    [
      ["broken", "2026-11-01"],
      ["sound", "2026-11-01"],
      ["broken", "2026-11-02"],
      ["sound", "2026-11-02"],
    ],
    (organizationId) => (organizationId === "broken" ? Effect.die("no room") : Effect.void),
  )
  return Effect.gen(function* () {
    const { refresh } = yield* Overviews
    const exit = yield* Effect.exit(refresh)
    assert.strictEqual(exit._tag, "Failure")
    assert.deepStrictEqual(done, ["sound 2026-11-01", "sound 2026-11-02"])
  }).pipe(Effect.provide(layer))
})

it.effect("a large organization with many days computes one before it pauses", () => {
  const { done, layer } = overviewsOf(
    [
      ["large", "2026-11-01"],
      ["large", "2026-11-02"],
      ["large", "2026-11-03"],
      ["small", "2026-11-01"],
      ["small", "2026-11-02"],
    ],
    (organizationId) => (organizationId === "large" ? TestClock.adjust("20 seconds") : Effect.void),
  )
  return Effect.gen(function* () {
    const { refresh } = yield* Overviews
    yield* refresh
    assert.deepStrictEqual(done, ["large 2026-11-01", "small 2026-11-01", "small 2026-11-02"])
  }).pipe(Effect.provide(layer))
})

it.effect(
  "a pass ends after half a minute, and the next one starts with the organization that waits longest",
  () => {
    const { done, layer } = overviewsOf(
      [
        ["a", "2026-11-01"],
        ["b", "2026-11-01"],
        ["c", "2026-11-01"],
      ],
      () => TestClock.adjust("20 seconds"),
    )
    return Effect.gen(function* () {
      const { refresh } = yield* Overviews
      yield* refresh
      assert.deepStrictEqual(done, ["a 2026-11-01", "b 2026-11-01"])
      yield* TestClock.adjust("3 minutes")
      yield* refresh
      assert.deepStrictEqual(done.slice(2), ["c 2026-11-01", "a 2026-11-01"])
    }).pipe(Effect.provide(layer))
  },
)

it.effect("an interruption waits only for the current day", () =>
  Effect.gen(function* () {
    const [begun, over] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const { done, layer } = overviewsOf(
      [
        ["large", "2026-11-01"],
        ["large", "2026-11-02"],
        ["small", "2026-11-01"],
      ],
      () => Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(over)),
    )
    yield* Effect.gen(function* () {
      const { refresh } = yield* Overviews
      const pass = yield* Effect.forkChild(refresh)
      yield* Deferred.await(begun)
      const ending = yield* Effect.forkChild(Fiber.interrupt(pass))
      yield* Effect.yieldNow
      yield* Deferred.succeed(over, undefined)
      yield* Fiber.join(ending)
      assert.deepStrictEqual(done, ["large 2026-11-01"])
    }).pipe(Effect.provide(layer))
  }),
)

it.effect("old totals are deleted once a day", () => {
  const { forgotten, layer } = overviewsOf([], () => Effect.void)
  return Effect.gen(function* () {
    const { refresh } = yield* Overviews
    yield* refresh
    yield* refresh
    assert.strictEqual(forgotten.length, 1)
    yield* TestClock.adjust("1 day")
    yield* refresh
    assert.strictEqual(forgotten.length, 2)
  }).pipe(Effect.provide(layer))
})
