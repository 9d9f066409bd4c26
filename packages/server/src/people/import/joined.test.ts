import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { joined } from "./data-versions.ts"

/** A run that waits to be let go, and tells its number. */
const make = Effect.gen(function* () {
  const gates: Array<Deferred.Deferred<void>> = []
  const ask = yield* joined(
    Effect.suspend(() => {
      const gate = Deferred.makeUnsafe<void>()
      const number = gates.push(gate)
      return Effect.as(Deferred.await(gate), number)
    }),
  )
  const letGo = (number: number) => Deferred.succeed(gates[number - 1]!, undefined)
  return { ask, gates, letGo }
})
const asked = <A, E>(ask: Effect.Effect<A, E>) =>
  Effect.tap(Effect.forkChild(ask), () => Effect.repeat(Effect.yieldNow, { times: 5 }))

it.effect("who asks during a run waits for the next, all of them for the same one", () =>
  Effect.gen(function* () {
    const { ask, gates, letGo } = yield* make

    const first = yield* asked(ask)
    const others = [yield* asked(ask), yield* asked(ask), yield* asked(ask)]
    assert.strictEqual(gates.length, 1)
    yield* letGo(1)
    assert.strictEqual(yield* Fiber.join(first), 1)
    yield* Effect.repeat(Effect.yieldNow, { times: 5 })
    yield* letGo(2)

    for (const other of others) assert.strictEqual(yield* Fiber.join(other), 2)
    assert.strictEqual(gates.length, 2)
  }),
)

it.effect("the others are answered when the one who asked first goes away", () =>
  Effect.gen(function* () {
    const { ask, letGo } = yield* make
    const under = yield* asked(ask)
    const first = yield* asked(ask)
    const other = yield* asked(ask)

    yield* Fiber.interrupt(first)
    yield* letGo(1)
    yield* Fiber.join(under)
    yield* Effect.repeat(Effect.yieldNow, { times: 5 })
    yield* letGo(2)

    assert.strictEqual(yield* Fiber.join(other), 2)
  }),
)

it.effect("everyone who waited gets the failure, and the next caller asks again", () =>
  Effect.gen(function* () {
    let runs = 0
    const ask = yield* joined(
      Effect.suspend(() => (++runs === 1 ? Effect.fail("no") : Effect.succeed(runs))),
    )

    assert.strictEqual(yield* Effect.flip(ask), "no")
    assert.strictEqual(yield* ask, 2)
  }),
)
