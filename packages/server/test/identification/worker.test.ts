// The loop that keeps identification going: woken by this process, looking for what others stored,
// surviving failures, stopping with its scope.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Queue } from "effect"
import { TestClock } from "effect/testing"
import {
  batchEvents,
  Identification,
  type PassResult,
} from "../../src/identification/identification.ts"
import { IdentificationWorker } from "../../src/identification/worker.ts"
import { Arrivals } from "../../src/visits/arrivals.ts"

/** The worker with passes that do a given thing and report that they ran. */
const scripted = Effect.fnUntraced(function* (results: ReadonlyArray<Effect.Effect<PassResult>>) {
  const ran = yield* Queue.unbounded<number>()
  let count = 0
  const nothing: Effect.Effect<PassResult> = Effect.succeed({ events: 0, hasMore: false })
  const pass = Effect.suspend(() => {
    Queue.offerUnsafe(ran, ++count)
    return results[count - 1] ?? nothing
  })
  const arrivals = yield* Arrivals
  yield* Layer.build(
    IdentificationWorker.pipe(
      Layer.provide(Layer.mock(Identification, { pass, passApart: nothing })),
      Layer.provide(Layer.succeed(Arrivals, arrivals)),
    ),
  )
  return { ran, arrivals }
})

const done = (events: number): Effect.Effect<PassResult> =>
  Effect.succeed({ events, hasMore: events === batchEvents.most })

describe("worker", () => {
  it.effect("runs when this process stored something, without waiting for the clock", () =>
    Effect.gen(function* () {
      const { ran, arrivals } = yield* scripted([])

      arrivals.notify()

      assert.strictEqual(yield* Queue.take(ran), 1)
    }).pipe(Effect.provide(Arrivals.layer)),
  )

  it.effect("looks once a second for what other processes stored", () =>
    Effect.gen(function* () {
      const { ran } = yield* scripted([])

      yield* TestClock.adjust("999 millis")
      assert.strictEqual(yield* Queue.size(ran), 0)
      yield* TestClock.adjust("1 millis")

      assert.strictEqual(yield* Queue.take(ran), 1)
    }).pipe(Effect.provide(Arrivals.layer)),
  )

  it.effect("continues at once after a full batch, and waits after any other", () =>
    Effect.gen(function* () {
      const { ran, arrivals } = yield* scripted([
        done(batchEvents.most),
        done(batchEvents.most),
        done(7),
      ])

      arrivals.notify()
      yield* TestClock.adjust("500 millis")

      assert.deepStrictEqual(yield* Queue.takeAll(ran), [1, 2, 3])
    }).pipe(Effect.provide(Arrivals.layer)),
  )

  it.effect("a pass that fails or dies is logged and the next one runs a second later", () =>
    Effect.gen(function* () {
      const { ran, arrivals } = yield* scripted([Effect.die("a defect")])

      arrivals.notify()
      assert.strictEqual(yield* Queue.take(ran), 1)
      arrivals.notify()
      yield* TestClock.adjust("999 millis")
      assert.strictEqual(yield* Queue.size(ran), 0)
      yield* TestClock.adjust("1 millis")

      assert.strictEqual(yield* Queue.take(ran), 2)
    }).pipe(Effect.provide(Arrivals.layer)),
  )

  it.effect("stops with its scope", () =>
    Effect.gen(function* () {
      const ran = yield* Effect.scoped(Effect.map(scripted([]), (worker) => worker.ran))

      yield* TestClock.adjust("10 seconds")

      assert.strictEqual(yield* Queue.size(ran), 0)
    }).pipe(Effect.provide(Arrivals.layer)),
  )
})
