// Pages of a list that is read from two databases (spec 18.5.6).
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import type { ListStart } from "../database/lists.ts"
import { OnReplica } from "../database/on-replica.ts"
import { Replica, type ReplicaShape } from "../database/replica.ts"
import { Secrets } from "../secrets/secrets.ts"
import { KeyedLists, type ListPosition } from "./keyed-lists.ts"

/** Responses come from the replica while `isUsed` is true. */
const setUp = () => {
  const state = { isUsed: false, position: "0/1", atLeast: [] as Array<string | undefined> }
  const replica: ReplicaShape = {
    read: (_, effect, atLeast) => {
      state.atLeast.push(atLeast)
      return Effect.provideService(effect, OnReplica, state.isUsed)
    },
    position: Effect.sync(() => state.position),
  }
  const lists = KeyedLists.layer.pipe(
    Layer.provide(Secrets.layer([Redacted.make("a secret of at least 32 characters")])),
    Layer.provide(Layer.succeed(Replica, replica)),
  )
  const starts: Array<ListStart> = []
  const page = (position: ListPosition, mayLag: boolean) =>
    Effect.flatMap(KeyedLists, (keyed) =>
      keyed.page(
        { organizationId: "o", route: "r", filters: [], position, limit: 1 },
        {
          rows: (start) => {
            starts.push(start)
            return Effect.succeed(["a", "b", "c"])
          },
          count: () => Effect.succeed(3),
          keyOf: (row) => [row],
          ...(mayLag ? { mayLag } : {}),
        },
      ),
    )
  return { state, lists, starts, page }
}

it.effect("every page of a traversal is as of the time of its first one", () => {
  const { lists, page } = setUp()
  return Effect.gen(function* () {
    const first = yield* page({ offset: 0 }, false)
    yield* TestClock.adjust("1 minute")
    const second = yield* page({ cursor: first.nextCursor! }, false)
    yield* TestClock.adjust("1 minute")
    const third = yield* page({ cursor: second.nextCursor! }, false)

    assert.deepStrictEqual([second.asOf, third.asOf], [first.asOf, first.asOf])
  }).pipe(Effect.provide(lists))
})

it.effect("the next page is not older than the position of the previous page", () => {
  const { lists, page, state } = setUp()
  return Effect.gen(function* () {
    const { nextCursor } = yield* page({ offset: 0 }, true)
    yield* page({ cursor: nextCursor! }, true)

    assert.deepStrictEqual(state.atLeast, [undefined, "0/1"])
  }).pipe(Effect.provide(lists))
})

it.effect("a list that users write is always read from the primary", () => {
  const { lists, page, state } = setUp()
  return Effect.gen(function* () {
    yield* page({ offset: 0 }, false)

    assert.deepStrictEqual(state.atLeast, [])
  }).pipe(Effect.provide(lists))
})
