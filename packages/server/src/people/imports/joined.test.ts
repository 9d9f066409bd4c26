import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { joined } from "./data-versions.ts"

/** A run that waits until it is released and returns its number. */
const make = Effect.gen(function* () {
  const gates: Array<Deferred.Deferred<void>> = []
  const ask = yield* joined(
    Effect.suspend(() => {
      const gate = Deferred.makeUnsafe<void>()
      const number = gates.push(gate)
      return Effect.as(Deferred.await(gate), number)
    }),
  )
  const release = (number: number) => Deferred.succeed(gates[number - 1]!, undefined)
  return { ask, gates, release }
})
const start = <A, E>(ask: Effect.Effect<A, E>) =>
  Effect.tap(Effect.forkChild(ask), () => Effect.repeat(Effect.yieldNow, { times: 5 }))

it.effect("callers that arrive during a run share the next run", () =>
  Effect.gen(function* () {
    const { ask, gates, release } = yield* make

    const first = yield* start(ask)
    const others = [yield* start(ask), yield* start(ask), yield* start(ask)]
    assert.strictEqual(gates.length, 1)
    yield* release(1)
    assert.strictEqual(yield* Fiber.join(first), 1)
    yield* Effect.repeat(Effect.yieldNow, { times: 5 })
    yield* release(2)

    for (const other of others) assert.strictEqual(yield* Fiber.join(other), 2)
    assert.strictEqual(gates.length, 2)
  }),
)

it.effect("interrupting the first caller does not affect the others", () =>
  Effect.gen(function* () {
    const { ask, release } = yield* make
    const under = yield* start(ask)
    const first = yield* start(ask)
    const other = yield* start(ask)

    yield* Fiber.interrupt(first)
    yield* release(1)
    yield* Fiber.join(under)
    yield* Effect.repeat(Effect.yieldNow, { times: 5 })
    yield* release(2)

    assert.strictEqual(yield* Fiber.join(other), 2)
  }),
)

it.effect("all waiting callers get the failure, and the next caller starts another run", () =>
  Effect.gen(function* () {
    let runs = 0
    const ask = yield* joined(
      Effect.suspend(() => (++runs === 1 ? Effect.fail("no") : Effect.succeed(runs))),
    )

    assert.strictEqual(yield* Effect.flip(ask), "no")
    assert.strictEqual(yield* ask, 2)
  }),
)
