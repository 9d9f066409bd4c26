import { Deferred, Effect, Exit, Fiber } from "effect"
import { expect, it } from "vitest"
import { makeFairTurns, makePartyTurns, PartyOf } from "./fair-turns.ts"

const limits = { turns: 1, turnsOfOne: 1, wait: "1 hour", busy: () => "busy" as const } as const

it("a free turn goes to the party served longest ago, however many others wait", async () => {
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

it("a caller beyond the limit per party or in total is rejected, and no other caller is", async () => {
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

it("a caller who gave up waiting gets no turn later, so that no turn is lost", async () => {
  const { run } = makeFairTurns(limits)
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
    yield* Fiber.interrupt(yield* begin("south"))
    yield* Fiber.interrupt(first)
    yield* begin("east")
  })

  await Effect.runPromise(program)

  expect(holding).toEqual(["north", "east"])
})

it("while a turn is free no one is rejected because others wait for their own party", async () => {
  const { run } = makeFairTurns({
    ...limits,
    turns: 2,
    waitingMax: { ofOne: 2, ofAll: 1 },
  })
  const program = Effect.gen(function* () {
    const begin = (key: string) =>
      Effect.forkChild(run(key, Effect.never), { startImmediately: true })
    yield* begin("many")
    yield* begin("many")
    return yield* run("other", Effect.succeed("served"))
  })

  expect(await Effect.runPromise(program)).toBe("served")
})

it("a party holds as many turns as it may, and not one more while others are free", async () => {
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

it("parties that each take half of what the others leave never take the last turn from one that comes new", async () => {
  const { run } = makeFairTurns({ ...limits, turns: 32, turnsOfOne: 8, leavesHalf: true })
  const held = new Map<string, number>()
  const program = Effect.gen(function* () {
    for (const key of ["north", "east", "south", "west", "late"]) {
      for (let asked = 0; asked < 20; asked++) {
        const holds = Effect.sync(() => held.set(key, (held.get(key) ?? 0) + 1))
        yield* Effect.forkChild(run(key, Effect.andThen(holds, Effect.never)), {
          startImmediately: true,
        })
      }
    }
    return Object.fromEntries(held)
  })

  expect(await Effect.runPromise(program)).toEqual({
    north: 8,
    east: 8,
    south: 8,
    west: 4,
    late: 2,
  })
})

it("a party that waits is served before parties that come later, however many come", async () => {
  const { run } = makeFairTurns(limits)
  const order: Array<string> = []
  const program = Effect.gen(function* () {
    const gates: Array<Deferred.Deferred<void>> = []
    const begin = Effect.fnUntraced(function* (key: string) {
      const gate = yield* Deferred.make<void>()
      const served = Effect.sync(() => {
        order.push(key)
        gates.push(gate)
      })
      yield* Effect.forkChild(run(key, Effect.andThen(served, Deferred.await(gate))), {
        startImmediately: true,
      })
    })
    yield* begin("one")
    yield* begin("one")
    for (let place = 0; place < 20; place++) {
      // Each comes after the turn before it was given.
      yield* begin(`new ${place}`)
      yield* Deferred.succeed(gates.at(-1)!, undefined)
      while (order.length < place + 2) yield* Effect.yieldNow
    }
  })

  await Effect.runPromise(program)

  expect(order.slice(0, 4)).toEqual(["one", "new 0", "one", "new 1"])
})

it("the organizations of one party share its turns", async () => {
  const program = Effect.gen(function* () {
    const holding: Array<string> = []
    const { run } = yield* makePartyTurns({ ...limits, turns: 3, turnsOfOne: 2 })
    for (const key of ["Kai 1", "Kai 2", "Kai 3", "Liv 1"]) {
      const held = Effect.sync(() => holding.push(key))
      yield* Effect.forkChild(run(key, Effect.andThen(held, Effect.never)), {
        startImmediately: true,
      })
    }
    return [...holding]
  })

  const holding = await Effect.runPromise(
    Effect.provideService(program, PartyOf, (key) => Effect.succeed(key.split(" ")[0]!)),
  )

  expect(holding).toEqual(["Kai 1", "Kai 2", "Liv 1"])
})
