// Whose days of the overview are worked out when (spec 13.3.3): the work for one organization delays no other.
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Pixels } from "../../src/pixels/pixels.ts"
import { Overviews } from "../../src/visitors/overview/overview.ts"
import { OverviewStore } from "../../src/visitors/overview/store.ts"

/** Refreshes with the days given, which take so long to work out, or fail; gives what was worked out. */
const overviewsOf = (
  stale: ReadonlyArray<readonly [organizationId: string, day: string]>,
  workOut: (organizationId: string) => Effect.Effect<void>,
) => {
  const done: Array<string> = []
  const store = Layer.mock(OverviewStore, {
    stale: Effect.succeed(
      stale.map(([organizationId, day]) => ({ organizationId, day, mark: "1" })),
    ),
    workOut: (organizationId, day) =>
      Effect.andThen(
        workOut(organizationId),
        Effect.sync(() => done.push(`${organizationId} ${day}`)),
      ),
    forgetOld: Effect.void,
  })
  const layer = Overviews.layer.pipe(
    Layer.provide([store, Layer.mock(Pixels, { remembered: () => undefined })]),
  )
  return { done, layer }
}

it.effect("an organization rests nine times as long as its days took, the others go on", () => {
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
    yield* TestClock.adjust("11 seconds")
    yield* refresh
    assert.deepStrictEqual(done.slice(3), ["large 2026-11-01", "small 2026-11-02"])
  }).pipe(Effect.provide(layer))
})

it.effect("days that fail for one organization are worked out for the others", () => {
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
