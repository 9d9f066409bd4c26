// The collect path on a real Postgres: what is stored, counted and rejected.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Collect } from "../../src/collect/visits/collect.ts"
import { Arrivals } from "../../src/collect/visits/arrivals.ts"
import { VisitsStore } from "../../src/collect/visits/store.ts"
import { TestDatabase } from "../support/database.ts"
import {
  collectLayer,
  collectOne,
  collectTestLayer,
  configLayer,
  makeBatch,
  makeEvent,
  makeInput,
  makePixel,
  receivedAt,
  withoutLimits,
} from "./collect-layer.ts"

/** A store whose first statement fails. */
const failingOnce = Layer.effect(
  VisitsStore,
  Effect.gen(function* () {
    const store = yield* VisitsStore
    const sql = yield* SqlClient.SqlClient
    let attempts = 0
    return VisitsStore.of({
      insert: (batches) =>
        Effect.suspend(() =>
          attempts++ === 0
            ? Effect.andThen(sql`select from missing`, store.insert(batches))
            : store.insert(batches),
        ),
    })
  }),
).pipe(Layer.provide(VisitsStore.layer))

interface Row {
  readonly id: string
  readonly anonymousId: string | null
  readonly type: string
  readonly occurredAt: Date
  readonly url: string
  readonly payload: Record<string, unknown>
}

const inbox = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<Row>`
    select id, anonymous_id as "anonymousId", type, occurred_at as "occurredAt", url, payload
    from event_inbox
    order by sequence`,
)

const stored = { outcome: "stored" } as const

describe("collect", () => {
  it.effect("stores the batch of the example without its query", () =>
    Effect.gen(function* () {
      const page = makeEvent({
        url: "https://www.tidewater.example/?utm_source=newsletter&utm_medium=email&secret=s#x",
      })
      const identify = makeEvent({
        type: "identify",
        time: "2026-03-11T08:42:10.500Z",
        email: " Jane.Mercer@Harbor-Logistics.example ",
        traits: { firstName: "Jane" },
      })

      const outcome = yield* collectOne(
        makeInput(makeBatch({ attribution: { plan: "trial" }, events: [page, identify] })),
      )

      assert.deepStrictEqual(outcome, stored)
      const rows = yield* inbox
      assert.deepStrictEqual(
        rows.map(({ id, type, url, occurredAt }) => [id, type, url, occurredAt.toISOString()]),
        [
          [page["id"], "page", "https://www.tidewater.example/", "2026-03-11T08:41:02.000Z"],
          [
            identify["id"],
            "identify",
            "https://www.tidewater.example/",
            "2026-03-11T08:42:10.500Z",
          ],
        ],
      )
      assert.deepStrictEqual(
        rows.map(({ payload }) => payload),
        [
          {
            k: "granted",
            d: "desktop",
            g: "US",
            i: "203.0.113.0",
            a: { plan: "trial" },
            t: "Tidewater",
            u: { source: "newsletter", medium: "email" },
            ch: "email",
          },
          {
            k: "granted",
            d: "desktop",
            g: "US",
            i: "203.0.113.0",
            e: "jane.mercer@harbor-logistics.example",
            p: { firstName: "Jane" },
          },
        ],
      )
    }).pipe(Effect.provide(collectTestLayer)),
  )

  it.effect("a batch sent a hundred times concurrently is one row", () =>
    Effect.gen(function* () {
      const collect = yield* Collect
      const input = makeInput()

      const outcomes = yield* Effect.promise(() =>
        Promise.all(Array.from({ length: 100 }, () => collect.collect(input))),
      )

      assert.isTrue(outcomes.every(({ outcome }) => outcome === "stored"))
      assert.lengthOf(yield* inbox, 1)
    }).pipe(Effect.provide(collectTestLayer)),
  )

  it.effect("the same event id on another pixel is another event", () =>
    Effect.gen(function* () {
      const batch = makeBatch()

      yield* collectOne(makeInput(batch))
      yield* collectOne(
        makeInput(batch, { pixel: makePixel({ id: "11111111-1111-4111-8111-111111111111" }) }),
      )

      assert.lengthOf(yield* inbox, 2)
    }).pipe(Effect.provide(collectTestLayer)),
  )

  it.effect(
    "exactly 600 batches per minute, address and pixel are stored; the others are to be sent again",
    () =>
      Effect.gen(function* () {
        const collect = yield* Collect
        const send = (clientAddress: string) =>
          collect.collect(makeInput(makeBatch(), { clientAddress }))

        const outcomes = yield* Effect.promise(() =>
          Promise.all(Array.from({ length: 650 }, () => send("203.0.113.9"))),
        )
        const other = yield* Effect.promise(() => send("203.0.113.10"))

        assert.strictEqual(outcomes.filter(({ outcome }) => outcome === "stored").length, 600)
        assert.strictEqual(outcomes.filter(({ outcome }) => outcome === "above_rate").length, 50)
        assert.deepStrictEqual(other, stored)
        assert.lengthOf(yield* inbox, 601)
      }).pipe(Effect.provide(collectTestLayer)),
  )

  it.effect("a new window starts a minute after the first batch of the last one", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* collectOne(makeInput())
      yield* sql`update rate_limit set used = 600`
      const before = yield* collectOne(makeInput(makeBatch()))
      yield* sql`update rate_limit set window_ends_at = now()`

      const after = yield* collectOne(makeInput(makeBatch()))

      assert.deepStrictEqual(before, { outcome: "above_rate", retryAfterSeconds: 60 })
      assert.deepStrictEqual(after, stored)
    }).pipe(Effect.provide(collectTestLayer)),
  )

  it.effect("batches within its window do not move the window's end", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const end = sql`select window_ends_at from rate_limit`
      yield* collectOne(makeInput())
      yield* sql`update rate_limit set window_ends_at = now() + interval '1 second'`
      const before = yield* end

      yield* collectOne(makeInput(makeBatch()))

      assert.deepStrictEqual(yield* end, before)
    }).pipe(Effect.provide(collectTestLayer)),
  )

  it.effect("addresses of one IPv6 /64 share a rate, and no counter contains an address", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* collectOne(makeInput(makeBatch(), { clientAddress: "2001:db8:1:2::1" }))
      yield* collectOne(makeInput(makeBatch(), { clientAddress: "2001:db8:1:2:ffff::9" }))
      yield* collectOne(makeInput(makeBatch(), { clientAddress: "2001:db8:1:3::1" }))

      const rows = yield* sql<{ bucket: string; used: number }>`
        select bucket, used from rate_limit order by used desc`

      assert.deepStrictEqual(
        rows.map(({ used }) => used),
        [2, 1],
      )
      assert.isFalse(rows.some(({ bucket }) => bucket.includes("2001")))
    }).pipe(Effect.provide(collectTestLayer)),
  )

  it.effect("without limits nothing is counted", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const outcome = yield* collectOne(makeInput())

      assert.deepStrictEqual(outcome, stored)
      assert.deepStrictEqual(yield* sql`select bucket from rate_limit`, [])
      assert.lengthOf(yield* inbox, 1)
    }).pipe(Effect.provide(collectTestLayer.pipe(Layer.provide(withoutLimits)))),
  )

  it.effect.each([
    [{ respectDnt: true }, "1", true],
    [{ respectDnt: true }, "0", false],
    [{}, "1", false],
  ] as const)(
    "the header DNT counts if the pixel respects it: %j and %s",
    ([settings, dnt, isAnonymous]) =>
      Effect.gen(function* () {
        const outcome = yield* collectOne(
          makeInput(makeBatch(), { pixel: makePixel({ settings }), dnt }),
        )

        assert.deepStrictEqual(outcome, stored)
        const row = (yield* inbox).at(-1)
        assert.strictEqual(row?.anonymousId === null, isAnonymous)
      }).pipe(Effect.provide(collectTestLayer)),
  )

  it.effect("Global Privacy Control stores the page without an id or an address", () =>
    Effect.gen(function* () {
      const events = [
        makeEvent({ url: "https://tidewater.example/pricing?gclid=G-1" }),
        makeEvent({ type: "identify", email: "jane@harbor.example" }),
        makeEvent({ type: "track", name: "signup", props: { email: "jane@harbor.example" } }),
      ]

      const outcome = yield* collectOne(
        makeInput(makeBatch({ events, attribution: { crm: "7" } }), { secGpc: "1" }),
      )

      assert.deepStrictEqual(outcome, stored)
      const rows = yield* inbox
      assert.deepStrictEqual(
        rows.map(({ anonymousId, type, payload }) => ({ anonymousId, type, payload })),
        [
          {
            anonymousId: null,
            type: "page",
            payload: {
              k: "granted",
              d: "desktop",
              g: "US",
              t: "Tidewater",
              ch: "paid_search",
              q: 1,
            },
          },
          {
            anonymousId: null,
            type: "track",
            payload: { k: "granted", d: "desktop", g: "US", n: "signup" },
          },
        ],
      )
    }).pipe(Effect.provide(collectTestLayer)),
  )

  it.effect("text that Postgres cannot store never reaches it", () =>
    Effect.gen(function* () {
      const url = "https://tidewater.example/a%00b?utm_source=x%00%ED%A0%80&gclid=%00&utm_term=%00"
      const events = [
        makeEvent({ url, title: "\u{1F600}".repeat(255), props: { __proto__x: 1e308 } }),
        makeEvent({ type: "track", name: "\u{10FFFF}", props: { a: "\u2028'\"\\" } }),
      ]

      const outcome = yield* collectOne(
        makeInput(makeBatch({ events, attribution: { a: "\\u0000" } })),
      )

      assert.deepStrictEqual(outcome, stored)
      assert.lengthOf(yield* inbox, 2)
    }).pipe(Effect.provide(collectTestLayer)),
  )

  it.effect("events waiting when the scope closes are stored first", () =>
    Effect.gen(function* () {
      const promises = yield* Effect.gen(function* () {
        const collect = yield* Collect
        return Array.from({ length: 50 }, () => collect.collect(makeInput()))
      }).pipe(Effect.provide(Layer.fresh(collectLayer)))
      const storedAtClose = yield* inbox

      assert.lengthOf(storedAtClose, 50)
      const outcomes = yield* Effect.promise(() => Promise.all(promises))
      assert.isTrue(outcomes.every(({ outcome }) => outcome === "stored"))
    }).pipe(Effect.provide(collectTestLayer)),
  )

  it.live("a batch is stored if only the first attempt to store it fails", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* collectOne(makeInput()), stored)
      assert.lengthOf(yield* inbox, 1)
    }).pipe(
      Effect.provide(
        Collect.layer.pipe(
          Layer.provide(failingOnce),
          Layer.provideMerge(Layer.mergeAll(Arrivals.layer, configLayer)),
          Layer.provideMerge(TestDatabase.layer),
        ),
      ),
    ),
  )

  it.effect("the script's attribution is stored with the first event that is kept", () =>
    Effect.gen(function* () {
      const events = [
        makeEvent({ url: "https://elsewhere.example/" }),
        makeEvent({ url: "https://tidewater.example/a" }),
        makeEvent({ url: "https://tidewater.example/b" }),
      ]

      yield* collectOne(makeInput(makeBatch({ events, attribution: { crm: "7" } })))

      assert.deepStrictEqual(
        (yield* inbox).map(({ payload }) => payload["a"]),
        [{ crm: "7" }, undefined],
      )
    }).pipe(Effect.provide(collectTestLayer)),
  )

  it.live("a batch is unavailable if the database is unreachable", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`alter table event_inbox rename to event_inbox_gone`

      const outcome = yield* collectOne(makeInput())

      assert.deepStrictEqual(outcome, { outcome: "unavailable", retryAfterSeconds: 5 })
    }).pipe(Effect.provide(collectTestLayer)),
  )

  it.effect("an event is never stored with a time after its receipt", () =>
    Effect.gen(function* () {
      yield* collectOne(
        makeInput(makeBatch({ events: [makeEvent({ time: "2036-03-11T08:41:02.000Z" })] })),
      )

      const [row] = yield* inbox

      assert.strictEqual(row?.occurredAt.getTime(), receivedAt)
    }).pipe(Effect.provide(collectTestLayer)),
  )
})
