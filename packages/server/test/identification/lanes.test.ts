// Concurrent passes work on different lanes: a stuck organization delays only its own lane, and none of its events
// is processed twice or out of order (spec 18.1).
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { advisoryLocks } from "../../src/platform/database/advisory-locks.ts"
import { organizationTurns } from "../../src/platform/database/organization-turns.ts"
import {
  BatchEvents,
  Identification,
  IdentificationLanes,
} from "../../src/people/identification/identification.ts"
import { IdentificationStore } from "../../src/people/identification/store.ts"
import { arrive, event, nextId, testLayer } from "./identification-layer.ts"

const lanes = 8
const lanesOfOne = 2

const layer = testLayer.pipe(Layer.provide(Layer.succeed(IdentificationLanes, lanes)))

/** One organization in each lane. */
const oneOfEach = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const ids = Array.from({ length: 40 * lanes }, () => crypto.randomUUID())
  const rows = yield* sql<{ readonly id: string }>`
    select distinct on (lane) id
    from (
      select id, (hashtext(id) & 2147483647) % ${lanes}::int as lane
      from jsonb_array_elements_text(${JSON.stringify(ids)}::text::jsonb) as id
    ) as asked
    order by lane`
  return rows.map(({ id }) => id)
})

const page = (organizationId: string, minutes = 0) =>
  event(minutes, { organizationId, anonymousId: nextId() })

const waiting = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly id: string }>`
    select distinct organization_id as id from event_inbox order by id`
  return rows.map(({ id }) => id)
})

const next = (events: number) =>
  Effect.flatMap(IdentificationStore, (store) =>
    store.next({ events, organizations: 128, except: [], lanes, lanesOfOne, after: 0 }),
  )

/** Each session of the organization waits in the database until `release`. */
const holdUp = Effect.fnUntraced(function* (organizationId: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table held_up as select ${organizationId}::uuid as id`
  yield* sql`
    create function hold_up() returns trigger language plpgsql as $$
    begin
      while exists (select from held_up where id = new.organization_id) loop
        perform pg_sleep(0.01);
      end loop;
      return new;
    end $$`
  yield* sql`
    create trigger hold_up before insert on session for each row execute function hold_up()`
  return {
    /** Resolves when a pass is held up. */
    isHeldUp: Effect.repeat(
      sql<{ readonly n: number }>`
        select count(*)::int as n from pg_stat_activity
        where datname = current_database() and wait_event = 'PgSleep'`,
      { until: ([found]) => found!.n > 0 },
    ),
    release: sql`delete from held_up`,
  }
})

describe("lanes", () => {
  it.live("an organization that is stuck delays only the lanes that its pass has taken", () =>
    Effect.gen(function* () {
      const identification = yield* Identification
      const organizations = yield* oneOfEach
      const [slow] = organizations
      const { isHeldUp, release } = yield* holdUp(slow!)
      yield* arrive(...organizations.map((id) => page(id)))

      const heldUp = yield* Effect.forkChild(
        Effect.repeat(identification.pass, { while: ({ hasMore }) => hasMore }),
      )
      yield* isHeldUp
      for (let pass = 0; pass < lanes; pass++) yield* identification.pass
      const left = yield* waiting

      // The other lane of the stuck pass waits with it.
      assert.isAtMost(left.length, lanesOfOne)
      assert.include(left, slow)
      yield* release
      yield* Fiber.join(heldUp)
      assert.deepStrictEqual(yield* waiting, [])
    }).pipe(Effect.provide(layer)),
  )

  it.live("a locked row delays no other organization for long", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const identification = yield* Identification
      const organizations = yield* oneOfEach
      const [locked] = organizations
      const again = nextId()
      yield* arrive(event(0, { organizationId: locked!, anonymousId: again }))
      yield* identification.drain
      yield* arrive(
        event(1, { organizationId: locked!, anonymousId: again }),
        ...organizations.slice(1).map((id) => page(id)),
      )

      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`select from session where organization_id = ${locked!} for update`
          // On separate connections, as fibers without this transaction.
          yield* Effect.promise(() =>
            Effect.runPromise(
              Effect.gen(function* () {
                for (let pass = 0; pass < lanes; pass++) yield* identification.pass
                const apart = yield* identification.apart
                for (const id of apart) {
                  if (id !== locked) yield* identification.passApart(id)
                }
              }),
            ),
          )
          assert.deepStrictEqual(yield* waiting, [locked])
        }),
      )

      assert.strictEqual(yield* identification.drain, 1)
      assert.deepStrictEqual(yield* waiting, [])
    }).pipe(Effect.provide(layer)),
  )

  it.live("a pass takes one lane if that fills its batch, otherwise up to a quarter of them", () =>
    Effect.gen(function* () {
      const organizations = yield* oneOfEach
      for (let each = 0; each < 3; each++) yield* arrive(...organizations.map((id) => page(id)))

      const small = yield* next(3)
      const large = yield* next(100)

      assert.strictEqual(new Set(small.map(({ lane }) => lane)).size, 1)
      assert.strictEqual(new Set(large.map(({ lane }) => lane)).size, lanesOfOne)
      assert.deepStrictEqual(
        large.map(({ othersWait }) => othersWait),
        [true, true],
      )
    }).pipe(Effect.provide(layer)),
  )

  it.live(
    "a pass holds no turn while another writer has all of them, and then waits for each organization apart",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const identification = yield* Identification
        const [organization] = yield* oneOfEach
        yield* arrive(page(organization!))
        const locks = (condition: string) =>
          Effect.map(
            sql<{ readonly n: number }>`
            select count(*)::int as n from pg_locks
            where locktype = 'advisory'
              and database = (select oid from pg_database where datname = current_database())
              and ${sql.literal(condition)}`,
            ([found]) => found!.n,
          )

        yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* organizationTurns(sql).waitForAll
            const pass = yield* Effect.forkDetach(
              // On another connection, as a fiber without this transaction.
              Effect.promise(() => Effect.runPromise(identification.pass)),
            )
            yield* Effect.repeat(locks("not granted"), { until: (n) => n > 0 })
            assert.strictEqual(yield* locks(`classid = ${advisoryLocks.organizationTurn}`), 0)
            assert.deepStrictEqual(yield* Fiber.join(pass), { events: 0, hasMore: false })
          }),
        )

        assert.deepStrictEqual(yield* identification.apart, [organization!])
        assert.strictEqual(yield* identification.drain, 1)
      }).pipe(Effect.provide(layer)),
  )

  it.live("a batch has events of at most 128 organizations", () =>
    Effect.gen(function* () {
      const { pass } = yield* Identification
      yield* arrive(...Array.from({ length: 129 }, () => page(crypto.randomUUID())))

      assert.deepStrictEqual(yield* pass, { events: 128, hasMore: true })
      assert.deepStrictEqual(yield* pass, { events: 1, hasMore: false })
    }).pipe(
      Effect.provide(
        testLayer.pipe(
          Layer.provide(Layer.succeed(IdentificationLanes, 1)),
          Layer.provide(Layer.succeed(BatchEvents, { least: 1_000, first: 1_000, most: 1_000 })),
        ),
      ),
    ),
  )

  it.live("a lane is free as soon as the connection of its pass closes", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [organization] = yield* oneOfEach
      yield* arrive(page(organization!))
      const [queue] = yield* next(10)
      const held = yield* Effect.forkChild(
        Effect.exit(
          sql.withTransaction(
            Effect.andThen(
              sql`select pg_advisory_xact_lock(${advisoryLocks.identificationLane}, ${queue!.lane}::int)`,
              sql`select pg_sleep(60)`,
            ),
          ),
        ),
      )
      yield* Effect.repeat(next(10), { until: (queues) => queues.length === 0 })

      yield* sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query like 'select pg_sleep(60)'
          and pid <> pg_backend_pid()`
      yield* Fiber.join(held)

      yield* Effect.repeat(next(10), { until: (queues) => queues.length === 1 })
    }).pipe(Effect.provide(layer)),
  )
})
