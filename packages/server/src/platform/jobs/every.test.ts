// Repeated work, with a test clock.
import { Effect, Logger } from "effect"
import { TestClock } from "effect/testing"
import { expect, it } from "vitest"
import { every } from "./every.ts"

const silent = Logger.layer([])

it("the work runs at once, and then one interval after each run", async () => {
  const turns = await Effect.gen(function* () {
    let turns = 0
    yield* every(
      "1 minute",
      "not counted",
      Effect.sync(() => turns++),
    )
    const seen: Array<number> = []
    yield* TestClock.adjust("1 second")
    seen.push(turns)
    yield* TestClock.adjust("1 minute")
    seen.push(turns)
    return seen
  }).pipe(Effect.scoped, Effect.provide(TestClock.layer()), Effect.runPromise)

  expect(turns).toEqual([1, 2])
})

it("a run that fails or dies does not stop the next one", async () => {
  const turns = await Effect.gen(function* () {
    let turns = 0
    const work = Effect.suspend(() =>
      ++turns % 2 === 0 ? Effect.die("a defect") : Effect.fail("a failure"),
    )
    yield* every("1 minute", "not counted", work)
    yield* TestClock.adjust("150 seconds")
    return turns
  }).pipe(
    Effect.scoped,
    Effect.provide(TestClock.layer()),
    Effect.provide(silent),
    Effect.runPromise,
  )

  expect(turns).toBe(3)
})
