// The loop that releases held-back people polls often enough, continues while there are more, survives failures,
// and stops with its scope (spec 2.5, Release).
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Queue } from "effect"
import { TestClock } from "effect/testing"
import { CreditStore } from "../../src/people/credits/store.ts"
import { releasedPerBatchMax, ReleaseWorker } from "../../src/people/credits/worker.ts"
import { Occasions } from "../../src/people/visitors/occasions.ts"
import { webhookQueue } from "../../src/activation/webhooks/sending/queue.ts"

/** Runs the worker with checks that find the given people. Reports each check and each release. */
const scripted = Effect.fnUntraced(function* (
  looks: ReadonlyArray<Effect.Effect<ReadonlyArray<string>>>,
  batches: ReadonlyArray<number> = [],
) {
  const done = yield* Queue.unbounded<string>()
  let lookCount = 0
  let batchCount = 0
  const releasable = Effect.suspend(() => {
    Queue.offerUnsafe(done, "look")
    return looks[lookCount++] ?? Effect.succeed([])
  })
  const release = (organizationId: string) =>
    Effect.sync(() => {
      Queue.offerUnsafe(done, organizationId)
      return batches[batchCount++] ?? 0
    })
  yield* Layer.build(
    ReleaseWorker.pipe(
      Layer.provide([
        Layer.mock(CreditStore, { releasable, release }),
        Layer.mock(Occasions, { queue: webhookQueue }),
      ]),
    ),
  )
  return done
})

const found = (...organizations: ReadonlyArray<string>) => Effect.succeed(organizations)

describe("release worker", () => {
  it.effect("polls immediately and every two seconds", () =>
    Effect.gen(function* () {
      const done = yield* scripted([])

      yield* TestClock.adjust("1999 millis")
      assert.deepStrictEqual(yield* Queue.takeAll(done), ["look"])
      yield* TestClock.adjust("1 millis")

      assert.deepStrictEqual(yield* Queue.takeAll(done), ["look"])
    }),
  )

  it.effect("releases batch by batch until one is not full, in every organization", () =>
    Effect.gen(function* () {
      const done = yield* scripted([found("a", "b")], [releasedPerBatchMax, 1, 0])

      yield* TestClock.adjust("1 second")

      assert.deepStrictEqual(yield* Queue.takeAll(done), ["look", "a", "a", "b"])
    }),
  )

  it.effect("continues after a failure", () =>
    Effect.gen(function* () {
      const done = yield* scripted([Effect.die("a defect"), found("a")])

      yield* TestClock.adjust("2 seconds")

      assert.deepStrictEqual(yield* Queue.takeAll(done), ["look", "look", "a"])
    }),
  )

  it.effect("stops with its scope", () =>
    Effect.gen(function* () {
      const done = yield* Effect.scoped(Effect.tap(scripted([]), Queue.take))

      yield* TestClock.adjust("10 seconds")

      assert.strictEqual(yield* Queue.size(done), 0)
    }),
  )
})
