// When the server returns the memory that starting took.
import { expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { quietSecond } from "./idle-memory.ts"

it.effect("memory is returned after the first second without much work", () =>
  Effect.gen(function* () {
    const shares = [0.9, 0.25, 0.1, 0.9]
    const waiting = yield* Effect.forkChild(quietSecond(() => shares.shift()!))

    yield* TestClock.adjust("2999 millis")
    expect(shares).toEqual([0.1, 0.9])
    expect(waiting.pollUnsafe()).toBeUndefined()

    yield* TestClock.adjust("1 millis")
    yield* Fiber.join(waiting)
    expect(shares).toEqual([0.9])
  }),
)
