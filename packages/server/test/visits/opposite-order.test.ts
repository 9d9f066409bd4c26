// Two senders send the same events in opposite order at the same time: one commit waits for the other, and neither
// fails with a deadlock.
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import type { CollectedEvent } from "../../src/collect/visits/collected-event.ts"
import { VisitsStore } from "../../src/collect/visits/store.ts"
import { TestDatabase } from "../support/database.ts"
import { makePixel, receivedAt } from "./collect-layer.ts"

const layer = VisitsStore.layer.pipe(Layer.provideMerge(TestDatabase.layer))

const idOf = (n: number) => `00000000-0000-4000-8000-00000000000${n}`

const eventOf = (n: number): CollectedEvent => ({
  organizationId: makePixel().organizationId,
  pixelId: makePixel().id,
  id: idOf(n),
  receivedAt,
  anonymousId: "88ac470a-224f-4bdb-a28b-577d65372edd",
  type: "page",
  occurredAt: receivedAt,
  url: "https://www.tidewater.example/",
  payload: { k: "granted", d: "desktop" },
})

const waitingFor = (count: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ readonly n: number }>`
      select count(*)::int as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
  ).pipe(
    Effect.repeat({ until: ([row]) => row!.n >= count, schedule: Schedule.spaced("10 millis") }),
  )

it.live.each([
  ["counted", "someone"],
  ["not limited", undefined],
] as const)(
  "the same events in opposite order, %s, are each stored once without a deadlock",
  ([, bucket]) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* VisitsStore
      const insert = (name: string, ids: ReadonlyArray<number>) =>
        store.insert([
          { bucket: bucket === undefined ? undefined : bucket + name, events: ids.map(eventOf) },
        ])

      // A third sender holds one event of each until both have stored the events before it.
      const isHeld = yield* Deferred.make<void>()
      const mayEnd = yield* Deferred.make<void>()
      const holder = yield* insert("holder", [2, 3]).pipe(
        Effect.andThen(Deferred.succeed(isHeld, undefined)),
        Effect.andThen(Deferred.await(mayEnd)),
        sql.withTransaction,
        Effect.forkChild,
      )
      yield* Deferred.await(isHeld)
      const one = yield* Effect.forkChild(insert("one", [1, 2, 4]))
      yield* waitingFor(1)
      const other = yield* Effect.forkChild(insert("other", [4, 3, 1]))
      yield* waitingFor(2)
      yield* Deferred.succeed(mayEnd, undefined)

      yield* Fiber.join(holder)
      assert.deepStrictEqual(yield* Fiber.join(one), [true])
      assert.deepStrictEqual(yield* Fiber.join(other), [true])
      const stored = yield* sql<{ readonly id: string }>`select id from event_inbox order by id`
      assert.deepStrictEqual(
        stored.map(({ id }) => id),
        [1, 2, 3, 4].map(idOf),
      )
    }).pipe(Effect.provide(layer)),
)

it.live.each([
  ["counted", "someone"],
  ["not limited", undefined],
] as const)(
  "events of one commit, %s, are numbered in order of arrival, whatever their ids",
  ([, bucket]) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* VisitsStore

      yield* store.insert([
        { bucket, events: [3, 1].map(eventOf) },
        { bucket, events: [4, 3, 2].map(eventOf) },
      ])

      const stored = yield* sql<{
        readonly id: string
      }>`select id from event_inbox order by sequence`
      assert.deepStrictEqual(
        stored.map(({ id }) => id),
        [3, 1, 4, 2].map(idOf),
      )
    }).pipe(Effect.provide(layer)),
)
