import { Deferred, Effect, Exit, Fiber } from "effect"
import { expect, it } from "vitest"
import { makeFairTurns } from "./fair-turns.ts"

const limits = { turns: 1, turnsOfOne: 1, wait: "1 hour", busy: () => "busy" as const } as const

it("a free turn goes to the organization served longest ago, however many others wait", async () => {
  const { run } = makeFairTurns(limits)
  const order: Array<string> = []
  const program = Effect.gen(function* () {
    const gate = yield* Deferred.make<void>()
    const begin = (key: string) =>
      Effect.forkChild(
        run(
          key,
          Effect.andThen(
            Effect.sync(() => order.push(key)),
            Deferred.await(gate),
          ),
        ),
        { startImmediately: true },
      )
    const fibers = []
    for (const key of ["many", "many", "many", "other", "other", "late"]) {
      fibers.push(yield* begin(key))
    }
    yield* Deferred.succeed(gate, undefined)
    yield* Effect.forEach(fibers, Fiber.join)
  })

  await Effect.runPromise(program)

  expect(order).toEqual(["many", "other", "late", "many", "other", "many"])
})

it("a caller beyond the limit per organization or in total is rejected, and no other caller is", async () => {
  const { run } = makeFairTurns({ ...limits, waitingMax: { ofOne: 2, ofAll: 3 } })
  const program = Effect.gen(function* () {
    const gate = yield* Deferred.make<void>()
    const begin = (key: string) =>
      Effect.forkChild(Effect.exit(run(key, Deferred.await(gate))), { startImmediately: true })
    const fibers = []
    for (const key of ["many", "many", "many", "many", "other", "late"]) {
      fibers.push(yield* begin(key))
    }
    yield* Deferred.succeed(gate, undefined)
    return yield* Effect.forEach(fibers, Fiber.join)
  })

  const exits = await Effect.runPromise(program)

  expect(exits.map(Exit.isSuccess)).toEqual([true, true, true, false, true, false])
})

it("an organization holds as many turns as it may, and not one more while others are free", async () => {
  const { run } = makeFairTurns({ ...limits, turns: 5, turnsOfOne: 3 })
  const holding: Array<string> = []
  const program = Effect.gen(function* () {
    const begin = (key: string) =>
      Effect.forkChild(
        run(
          key,
          Effect.andThen(
            Effect.sync(() => holding.push(key)),
            Effect.never,
          ),
        ),
        { startImmediately: true },
      )
    const first = yield* begin("north")
    for (const key of ["north", "north", "north", "north", "south"]) yield* begin(key)
    const before = [...holding]
    yield* Fiber.interrupt(first)
    return { before, after: [...holding] }
  })

  const { after, before } = await Effect.runPromise(program)

  expect(before).toEqual(["north", "north", "north", "south"])
  expect(after).toEqual([...before, "north"])
})
