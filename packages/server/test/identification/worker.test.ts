// The loop that keeps identification running: it runs when this process stores events, polls for events of other
// processes, survives failures, and stops with its scope.
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Layer, Queue } from "effect"
import { TestClock } from "effect/testing"
import {
  batchEvents,
  Identification,
  type PassResult,
} from "../../src/people/identification/identification.ts"
import { IdentificationWorker } from "../../src/people/identification/worker.ts"
import { Arrivals } from "../../src/collect/visits/arrivals.ts"

type IsolatedOrganizations = Readonly<Record<string, Effect.Effect<PassResult>>>

/**
 * Runs the worker with scripted passes that report that they ran. `apart`: the passes of an organization handled
 * apart.
 */
const scripted = Effect.fnUntraced(function* (
  results: ReadonlyArray<Effect.Effect<PassResult>>,
  apart: IsolatedOrganizations = {},
) {
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
      Layer.provide(
        Layer.mock(Identification, {
          pass,
          apart: Effect.succeed(Object.keys(apart)),
          passApart: (organizationId) => apart[organizationId] ?? nothing,
        }),
      ),
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

  it.effect("polls once a second for events of other processes", () =>
    Effect.gen(function* () {
      const { ran } = yield* scripted([])

      yield* TestClock.adjust("999 millis")
      assert.strictEqual(yield* Queue.size(ran), 0)
      yield* TestClock.adjust("1 millis")

      assert.strictEqual(yield* Queue.take(ran), 1)
    }).pipe(Effect.provide(Arrivals.layer)),
  )

  it.effect("continues immediately after a full batch, and waits after any other", () =>
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

  it.effect("starts the next pass when one is stuck, but at most four at a time", () =>
    Effect.gen(function* () {
      const heldUp = yield* Deferred.make<PassResult>()
      const pass = Deferred.await(heldUp)
      const { ran, arrivals } = yield* scripted([pass, pass, pass, pass])

      arrivals.notify()
      yield* TestClock.adjust("29 millis")
      assert.strictEqual(yield* Queue.size(ran), 1)
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* Queue.size(ran), 2)
      yield* TestClock.adjust("10 seconds")

      assert.deepStrictEqual(yield* Queue.takeAll(ran), [1, 2, 3, 4])
      yield* Deferred.succeed(heldUp, { events: 1, hasMore: false })
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* Queue.take(ran), 5)
    }).pipe(Effect.provide(Arrivals.layer)),
  )

  it.effect(
    "an organization handled apart whose pass is stuck or fails does not delay the others",
    () =>
      Effect.gen(function* () {
        const heldUp = yield* Deferred.make<PassResult>()
        let passes = 0
        const apart = {
          "held up": Deferred.await(heldUp),
          failing: Effect.die("a defect"),
          other: Effect.sync(() => {
            passes++
            return { events: 1, hasMore: false }
          }),
        }
        yield* scripted([], apart)

        yield* TestClock.adjust("5 seconds")

        // 100 ms until it polls, and an equal rest.
        assert.isAtLeast(passes, 24)
        yield* Deferred.succeed(heldUp, { events: 0, hasMore: false })
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
