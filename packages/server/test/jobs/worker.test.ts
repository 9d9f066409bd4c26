// What a worker does with its claims, with a queue simulated by the test: heartbeats, loss of the lease, work that
// fails or never ends, and the end of the process.
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Scope } from "effect"
import { TestClock } from "effect/testing"
import { type Claim, JobWakes } from "../../src/platform/jobs/queue.ts"
import { type Work, work } from "../../src/platform/jobs/worker.ts"
import { queue } from "./queue.ts"

const claimOf = (n: number, attempts = 1): Claim => ({
  organizationId: "ours",
  id: `job ${n}`,
  attempts,
  claim: String(n),
})

interface Played {
  readonly claims?: ReadonlyArray<Claim>
  readonly lost?: ReadonlyArray<Claim>
  readonly perform?: Work["perform"]
  readonly renew?: Work["jobs"]["renew"]
  readonly atOnce?: number
  readonly closesWithin?: Work["closesWithin"]
}

/** Forks a worker. `log` records what it did. */
const played = Effect.fnUntraced(function* ({
  atOnce = 2,
  claims = [claimOf(1)],
  closesWithin,
  lost = [],
  perform = () => Effect.never,
  renew = () => Effect.succeed(true),
}: Played) {
  const log: Array<string> = []
  const say = (words: string) => Effect.sync(() => void log.push(words))
  const waiting = [...claims]
  const given = [...lost]
  const scope = yield* Scope.make()
  yield* work({
    queue,
    atOnce,
    jobs: {
      requeueLost: Effect.void,
      claimLost: () => Effect.sync(() => given.splice(0)),
      renew: (claim) => Effect.andThen(say(`renew ${claim.id}`), renew(claim)),
      release: (claim) => Effect.as(say(`release ${claim.id}`), true),
    },
    claim: (limit) => Effect.sync(() => waiting.splice(0, limit)),
    ...(closesWithin === undefined ? undefined : { closesWithin }),
    perform: (claim, closing) =>
      Effect.andThen(say(`begin ${claim.id}`), perform(claim, closing)).pipe(
        Effect.tap(() => say(`end ${claim.id}`)),
        Effect.onInterrupt(() => say(`interrupted ${claim.id}`)),
      ),
    fail: (claim, reason) => say(`fail ${claim.id} ${reason}`),
  }).pipe(Scope.provide(scope))
  yield* TestClock.adjust("1 millis")
  return { log, stop: Scope.close(scope, Exit.void) }
}, Effect.provide(JobWakes.layer))

describe("a worker", () => {
  it.effect("works on no more than its limit at once, and takes the next when one is done", () =>
    Effect.gen(function* () {
      const over = yield* Deferred.make<void>()
      const { log, stop } = yield* played({
        claims: [claimOf(1), claimOf(2), claimOf(3)],
        perform: ({ id }) => (id === "job 1" ? Deferred.await(over) : Effect.never),
      })
      assert.deepStrictEqual(log, ["begin job 1", "begin job 2"])

      yield* Deferred.succeed(over, undefined)
      yield* TestClock.adjust("1 millis")

      assert.deepStrictEqual(log.slice(2), ["end job 1", "begin job 3"])
      yield* stop
    }),
  )

  it.effect("renews the lease every 5 seconds while it works", () =>
    Effect.gen(function* () {
      const { log, stop } = yield* played({})

      yield* TestClock.adjust("4 seconds")
      assert.deepStrictEqual(log, ["begin job 1"])
      yield* TestClock.adjust("11 seconds")

      assert.deepStrictEqual(log.slice(1), Array(3).fill("renew job 1"))
      yield* stop
    }),
  )

  it.effect("drops work whose lease another worker holds, and writes nothing about it", () =>
    Effect.gen(function* () {
      const { log, stop } = yield* played({ renew: () => Effect.succeed(false) })

      yield* TestClock.adjust("6 seconds")

      assert.deepStrictEqual(log, ["begin job 1", "renew job 1", "interrupted job 1"])
      yield* stop
    }),
  )

  it.effect("drops work when the database refuses to renew for two thirds of a lease", () =>
    Effect.gen(function* () {
      const { log, stop } = yield* played({ renew: () => Effect.die(new Error("away")) })

      yield* TestClock.adjust("19 seconds")
      assert.notInclude(log, "interrupted job 1")
      yield* TestClock.adjust("2 seconds")

      assert.strictEqual(log.at(-1), "interrupted job 1")
      yield* stop
    }),
  )

  it.effect("drops work when the database does not respond for two thirds of a lease (B12)", () =>
    Effect.gen(function* () {
      const { log, stop } = yield* played({ renew: () => Effect.never })

      yield* TestClock.adjust("26 seconds")

      assert.strictEqual(log.at(-1), "interrupted job 1")
      yield* stop
    }),
  )

  it.effect("records an unexpected end of work once, and continues (B14)", () =>
    Effect.gen(function* () {
      const { log, stop } = yield* played({
        claims: [claimOf(1), claimOf(2)],
        perform: ({ id }) =>
          id === "job 1" ? Effect.die(new Error("a payload that throws")) : Effect.void,
      })

      assert.sameMembers(log, ["begin job 1", "fail job 1 unexpected", "begin job 2", "end job 2"])
      yield* stop
    }),
  )

  it.effect("gives up work that was lost too often", () =>
    Effect.gen(function* () {
      const { log, stop } = yield* played({ claims: [], lost: [claimOf(7, 3)] })

      assert.deepStrictEqual(log, ["fail job 7 lost"])
      yield* stop
    }),
  )

  it.effect("returns what it holds when it stops", () =>
    Effect.gen(function* () {
      const { log, stop } = yield* played({ claims: [claimOf(1), claimOf(2)] })

      yield* stop

      assert.sameMembers(log.slice(2), [
        "interrupted job 1",
        "release job 1",
        "interrupted job 2",
        "release job 2",
      ])
    }),
  )

  it.effect("lets work finish when it stops, for as long as allowed", () =>
    Effect.gen(function* () {
      const { log, stop } = yield* played({
        claims: [claimOf(1), claimOf(2)],
        closesWithin: "10 seconds",
        perform: ({ id }, closing) =>
          id === "job 1"
            ? Effect.andThen(Deferred.await(closing), Effect.sleep("9 seconds"))
            : Effect.never,
      })
      const stopping = yield* Effect.forkChild(stop, { startImmediately: true })

      yield* TestClock.adjust("9 seconds")
      assert.deepStrictEqual(
        log.slice(2).filter((one) => !one.startsWith("renew")),
        ["end job 1"],
      )

      yield* TestClock.adjust("1 second")
      yield* Fiber.join(stopping)
      assert.deepStrictEqual(log.slice(-2), ["interrupted job 2", "release job 2"])
    }),
  )

  it.effect("polls again after half a second, and at once when it is woken", () =>
    Effect.gen(function* () {
      const wakes = yield* JobWakes
      const looks: Array<number> = []
      yield* work({
        queue,
        atOnce: 1,
        jobs: {
          requeueLost: Effect.void,
          claimLost: () => Effect.succeed([]),
          renew: () => Effect.succeed(true),
          release: () => Effect.succeed(true),
        },
        claim: () => Effect.sync(() => (looks.push(1), [])),
        perform: () => Effect.void,
        fail: () => Effect.void,
      })
      yield* TestClock.adjust("1 millis")
      assert.lengthOf(looks, 1)

      yield* wakes.wake(queue)
      yield* TestClock.adjust("1 millis")
      assert.lengthOf(looks, 2)
      yield* TestClock.adjust("500 millis")
      assert.lengthOf(looks, 3)
    }).pipe(Effect.provide(JobWakes.layer), Effect.scoped),
  )
})
