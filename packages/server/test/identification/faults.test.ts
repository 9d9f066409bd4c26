// Crashes, competing processes and bad events during the identification pass on a real Postgres: each event counts
// once, a broken transaction leaves nothing, and no event blocks the others.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { organizationTurns } from "../../src/platform/database/organization-turns.ts"
import { batchEvents, Identification } from "../../src/people/identification/identification.ts"
import {
  arrive,
  brief,
  drain,
  event,
  identify,
  nextId,
  organizationId,
  sessions,
  testLayer,
} from "./identification-layer.ts"

const jane = "jane.mercer@harbor-logistics.example"
const tom = "tom@acme.example"

describe("faults", () => {
  const batch = () => [
    event(-3000),
    event(0),
    identify(1, jane),
    event(2),
    identify(3, tom),
    event(4, { type: "heartbeat", payload: { s: 30 } }),
  ]

  it.live("two concurrent passes count each event once", () =>
    Effect.gen(function* () {
      const identification = yield* Identification
      yield* arrive(...batch())

      const fibers = yield* Effect.forEach([1, 2, 3, 4], () =>
        Effect.forkChild(identification.drain),
      )
      const counts = yield* Effect.forEach(fibers, Fiber.join)

      assert.strictEqual(
        counts.reduce((sum, count) => sum + count, 0),
        6,
      )
      assert.deepStrictEqual(yield* brief, [
        [jane, -3000, -3000, 1],
        [jane, 0, 2, 2],
        [tom, 3, 4, 0],
      ])
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("two concurrent passes start each anonymous session once", () =>
    Effect.gen(function* () {
      const identification = yield* Identification
      // Only the turn prevents a second session; no unique index does.
      yield* arrive(...Array.from({ length: 300 }, () => event(0, { anonymousId: nextId() })))

      const fibers = yield* Effect.forEach([1, 2, 3, 4], () =>
        Effect.forkChild(identification.drain),
      )
      yield* Effect.forEach(fibers, Fiber.join)

      assert.lengthOf(yield* sessions, 300)
    }).pipe(Effect.provide(testLayer)),
  )

  // Each table in turn rejects its write. All earlier writes of the transaction must be rolled back.
  const tables = ["visitor", "visitor_address", "session", "browser", "visitor_pixel", "event"]
  for (const table of tables) {
    it.live(
      `a transaction that fails at ${table} leaves nothing, and the next one processes everything`,
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const identification = yield* Identification
          yield* arrive(...batch())
          // To the pass, a lost connection looks like a killed server: nothing is set aside.
          yield* sql`
          create function break_off() returns trigger language plpgsql as
          $$ begin raise exception using errcode = '08006', message = 'lost'; end $$`
          yield* sql`
          create trigger break_off before insert on ${sql(table)}
          for each row execute function break_off()`

          const failed = yield* Effect.exit(identification.drain)
          const between = yield* brief
          const waiting = yield* sql`select count(*)::int as n from event_inbox`
          yield* sql`drop function break_off cascade`
          const events = yield* identification.drain

          assert.strictEqual(failed._tag, "Failure")
          assert.deepStrictEqual(between, [])
          assert.deepStrictEqual(waiting, [{ n: 6 }])
          assert.strictEqual(events, 6)
          assert.deepStrictEqual(yield* brief, [
            [jane, -3000, -3000, 1],
            [jane, 0, 2, 2],
            [tom, 3, 4, 0],
          ])
        }).pipe(Effect.provide(testLayer)),
    )
  }

  it.live("an event that fails its batch is set aside and blocks no one", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const poison = event(1, { url: "https://tidewater.example/poison" })
      yield* arrive(event(0), event(0.5), poison, event(2), event(3))
      yield* sql`alter table session add check (not ('https://tidewater.example/poison' = any (page_urls)))`

      const events = yield* drain

      assert.strictEqual(events, 5)
      assert.deepStrictEqual(yield* brief, [[null, 0, 3, 4]])
      assert.deepStrictEqual(yield* sql`select id from event where session_id is null`, [
        { id: poison.id },
      ])
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("a database without a table fails the pass and blames no event", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* arrive(event(0))
      yield* sql`alter table session rename to session_gone`

      const exit = yield* Effect.exit(drain)

      assert.strictEqual(exit._tag, "Failure")
      assert.deepStrictEqual(yield* sql`select count(*)::int as n from event_inbox`, [{ n: 1 }])
    }).pipe(Effect.provide(testLayer)),
  )

  for (const [code, words] of [
    ["53100", "full disk"],
    ["53200", "lack of memory"],
    ["58030", "disk that can't be written"],
    ["25006", "read-only server"],
  ] as const) {
    it.live(`a ${words} fails the pass and blames no event`, () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* arrive(event(0))
        yield* sql`
          create function refuse() returns trigger language plpgsql as
          $$ begin raise exception using errcode = ${sql.literal(`'${code}'`)}; end $$`
        yield* sql`
          create trigger refuse before insert on session for each row execute function refuse()`

        const exit = yield* Effect.exit(drain)

        assert.strictEqual(exit._tag, "Failure")
        assert.deepStrictEqual(yield* sql`select count(*)::int as n from event_inbox`, [{ n: 1 }])
      }).pipe(Effect.provide(testLayer)),
    )
  }

  describe("an organization whose events fail", () => {
    const other = "9d2e5c1b-93f5-4d35-9f1e-8f0c7a1d2b34"
    const otherPixel = "5a8a1c0e-2f53-4b3b-8a54-3a2f6c1f9b12"
    const otherEvent = (minutes: number) =>
      event(minutes, { organizationId: other, pixelId: otherPixel, anonymousId: nextId() })

    /** Makes the database reject sessions with a page called `poison`. */
    const refusePoison = Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`
        alter table session
        add check (not ('https://tidewater.example/poison' = any (page_urls)))`,
    )
    const waitingOf = (organizationId: string) =>
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) =>
          sql<{ readonly n: number }>`
            select count(*)::int as n from event_inbox
            where organization_id = ${organizationId}`,
      ).pipe(Effect.map(([row]) => row!.n))

    it.live(
      "delays no event of another organization beyond the pass in which its first event fails",
      () =>
        Effect.gen(function* () {
          const identification = yield* Identification
          yield* refusePoison
          yield* arrive(
            ...Array.from({ length: 20 }, (_, place) => [
              event(place, { anonymousId: nextId(), url: "https://tidewater.example/poison" }),
              otherEvent(place),
            ]).flat(),
          )

          yield* identification.pass
          const otherWaiting = yield* waitingOf(other)
          const ownWaiting = yield* waitingOf(organizationId)

          assert.deepStrictEqual([ownWaiting, otherWaiting], [20, 0])
          // From then on it is processed apart: the next pass processes all events of the other one.
          yield* arrive(otherEvent(30), event(30, { anonymousId: nextId() }), otherEvent(31))
          const next = yield* identification.pass
          assert.deepStrictEqual(next.events, 2)
          assert.strictEqual(yield* identification.drain, 21)
          assert.strictEqual(yield* waitingOf(organizationId), 0)
        }).pipe(Effect.provide(testLayer)),
    )

    it.live("loses none of its valid events, and each failing one is set aside", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* refusePoison
        yield* arrive(
          ...Array.from({ length: 120 }, (_, place) =>
            event(place, {
              anonymousId: nextId(),
              ...(place % 7 === 3 ? { url: "https://tidewater.example/poison" } : {}),
            }),
          ),
        )

        const events = yield* drain

        assert.strictEqual(events, 120)
        const [aside] = yield* sql`
          select
            count(*) filter (where session_id is null)::int as aside,
            count(*) filter (where session_id is null and url <> 'https://tidewater.example/poison')
              ::int as innocent,
            count(*)::int as all
          from event`
        assert.deepStrictEqual(aside, { aside: 17, innocent: 0, all: 120 })
      }).pipe(Effect.provide(testLayer)),
    )

    it.live("and one whose turn is taken delay no other organization", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const identification = yield* Identification
        yield* arrive(event(0), otherEvent(0))

        yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* organizationTurns(sql).wait(organizationId)
            // On its own connection, as a fiber without this transaction.
            const passed = yield* Effect.promise(() => Effect.runPromise(identification.pass))
            assert.strictEqual(passed.events, 1)
          }),
        )

        assert.strictEqual(yield* waitingOf(other), 0)
        assert.strictEqual(yield* identification.drain, 1)
      }).pipe(Effect.provide(testLayer)),
    )

    it.live("gets its fair share while another organization has sent many events", () =>
      Effect.gen(function* () {
        const identification = yield* Identification
        yield* arrive(
          ...Array.from({ length: batchEvents.first + 500 }, (_, place) => event(place / 100)),
          otherEvent(1),
        )

        // One that fills a batch gets its own pass, and the next pass works on other lanes.
        yield* identification.pass
        yield* identification.pass

        assert.strictEqual(yield* waitingOf(other), 0)
        assert.isAtLeast(yield* waitingOf(organizationId), 400)
      }).pipe(Effect.provide(testLayer)),
    )
  })
})
