// How the collect route finds a pixel, without a database, with a clock that the test controls.
import { Deferred, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { expect, it } from "vitest"
import { Pixels } from "./pixels.ts"
import { type HostedPixelRow, PixelStore } from "./store.ts"

const id = "3f1c0d52-7b7e-4f0e-9d6a-0a4f2f4f9b11"

it("the collect route finds a pixel for five seconds after a lookup or until it changes", async () => {
  const row = { id } as HostedPixelRow
  const seen = await Effect.gen(function* () {
    const answer = yield* Deferred.make<Option.Option<HostedPixelRow>>()
    const store = Layer.mock(PixelStore, { findHosted: () => Deferred.await(answer) })
    return yield* Effect.gen(function* () {
      const pixels = yield* Pixels
      const seen = [pixels.remembered(id)]
      const look = () => seen.push(pixels.remembered(id))

      yield* Effect.forkChild(pixels.hosted(id), { startImmediately: true })
      look() // in progress
      yield* Deferred.succeed(answer, Option.some(row))
      yield* pixels.hosted(id)
      look()
      yield* TestClock.adjust("4999 millis")
      look()
      yield* TestClock.adjust("1 millis")
      look()
      yield* pixels.hosted(id)
      look()
      yield* pixels.forget(id)
      look()
      return seen
    }).pipe(Effect.provide(Layer.provide(Pixels.layer, store)))
  }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise)

  expect(seen).toEqual([undefined, undefined, row, row, undefined, row, undefined])
})
