// The turns of a sync cycle: each marks a limited number of people, and others get turns in between.
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { organizationTurns } from "../../src/platform/database/organization-turns.ts"
import { CycleStore } from "../../src/people/suppression/cycle/store.ts"
import { SyncCycleSeconds, SyncCycleWorker } from "../../src/people/suppression/cycle/worker.ts"
import { TestDatabase } from "../support/database.ts"

const one = "3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f"
const other = "9d2e5c1b-93f5-4d35-9f1e-8f0c7a1d2b34"
const third = "f1b7c0de-5a0e-4c43-8f2b-64b2c55d9a10"
const layer = CycleStore.layer.pipe(Layer.provideMerge(TestDatabase.layer))

/** People of one industry, and a rule against it that is due. */
const prepareRule = Effect.fnUntraced(function* (organizationId: string, people: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    insert into visitor (organization_id, id, email_hash, first_seen_at, last_seen_at, industry)
    select ${organizationId}, gen_random_uuid(), lpad(n::text, 64, '0'), now(), now(), 'retail'
    from generate_series(1, ${people}::int) as n`
  yield* sql`
    insert into suppression_list (organization_id, cycle_at, changed_at, industry)
    values (${organizationId}, now() - interval '1 hour', now() - interval '1 minute', 1)`
  yield* sql`
    insert into suppression_rule
      (organization_id, id, type, value, match_key, created_at, takes_part_at)
    values (${organizationId}, 'ffffffff-ffff-7fff-bfff-ffffffffffff', 'industry', 'retail', 'retail',
      now() - interval '1 minute', now() - interval '1 minute')`
})

const prepare = (people: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    for (const id of [one, other, third]) {
      yield* sql`insert into organization (id, name, slug) values (${id}, 'x', ${id})`
    }
    yield* prepareRule(one, people)
    return sql
  })

const suppressed = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ readonly n: number }>`
    select count(*)::int as n from visitor where suppressed`,
).pipe(Effect.map(([row]) => row!.n))

/** A change of the rules that is due at once. */
const change = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`update suppression_list set changed_at = clock_timestamp()`,
)

describe("a search", () => {
  it.live("that has not begun covers the changes of every cycle since the last one", () =>
    Effect.gen(function* () {
      const store = yield* CycleStore
      const sql = yield* prepare(5)
      yield* store.begin(one, 0)
      yield* store.find(one)
      yield* store.markSome(one, 10)
      assert.strictEqual(yield* suppressed, 5)

      yield* sql`update suppression_rule set removed_at = clock_timestamp()`
      yield* change
      yield* store.begin(one, 0)
      yield* change
      yield* store.begin(one, 0)
      yield* store.find(one)
      yield* store.markSome(one, 10)

      assert.strictEqual(yield* suppressed, 0)
    }).pipe(Effect.provide(layer)),
  )

  it.live("that was under way when a cycle began is followed by another one", () =>
    Effect.gen(function* () {
      const store = yield* CycleStore
      const sql = yield* prepare(5)
      yield* store.begin(one, 0)
      const isHeld = yield* Deferred.make<void>()
      const mayEnd = yield* Deferred.make<void>()
      const holder = yield* Effect.forkChild(
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`lock table suppression_mark in share mode`
            yield* Deferred.succeed(isHeld, undefined)
            yield* Deferred.await(mayEnd)
          }),
        ),
      )
      yield* Deferred.await(isHeld)
      const search = yield* Effect.forkChild(store.find(one))
      yield* Effect.repeat(
        sql`
          select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`,
        { until: (waiting) => waiting.length > 0, schedule: Schedule.spaced("20 millis") },
      )
      yield* change
      yield* store.begin(one, 0)
      yield* Deferred.succeed(mayEnd, undefined)
      yield* Fiber.join(holder)
      yield* Fiber.join(search)

      assert.deepStrictEqual(yield* store.toSearch, [one])
    }).pipe(Effect.provide(layer)),
  )
})

describe("the turns of a sync cycle", () => {
  it.live("mark no more people than their limit, and eventually all of them", () =>
    Effect.gen(function* () {
      const store = yield* CycleStore
      yield* prepare(25)

      assert.deepStrictEqual(yield* store.due(60), [one])
      yield* store.begin(one, 60)
      assert.strictEqual(yield* suppressed, 0)
      assert.deepStrictEqual(yield* store.toSearch, [one])
      yield* store.find(one)
      assert.deepStrictEqual(yield* store.toSearch, [])
      const marked = [
        yield* store.markSome(one, 10),
        yield* suppressed,
        yield* store.markSome(one, 10),
        yield* suppressed,
        yield* store.markSome(one, 10),
        yield* suppressed,
      ]

      assert.deepStrictEqual(marked, [10, 10, 10, 20, 5, 25])
      assert.deepStrictEqual(yield* store.unmarked, [])
      assert.deepStrictEqual(yield* store.due(60), [])
    }).pipe(Effect.provide(layer)),
  )

  it.live("mark companies too, and no more of both than their limit", () =>
    Effect.gen(function* () {
      const store = yield* CycleStore
      const sql = yield* prepare(5)
      yield* sql`
        insert into company (organization_id, domain, industry, sessions, anonymous_sessions,
          first_seen_at, last_seen_at)
        select organization_id, 'company' || n || '.example', industry, 1, 1, now(), now()
        from generate_series(1, 12) as n
        cross join (values (${one}::uuid, 'retail'), (${other}, 'retail')) as held (organization_id, industry)`
      const companies = sql<{ readonly n: number }>`
        select count(*)::int as n from company where suppressed`.pipe(Effect.map(([row]) => row!.n))

      yield* store.begin(one, 60)
      yield* store.find(one)
      const marked = [
        yield* store.markSome(one, 10),
        yield* companies,
        yield* store.markSome(one, 10),
        yield* companies,
      ]

      assert.deepStrictEqual(marked, [10, 5, 7, 12])
      assert.deepStrictEqual(yield* store.unmarked, [])
      assert.deepStrictEqual(
        yield* sql`select distinct organization_id as id from company where suppressed`,
        [{ id: one }],
      )

      yield* sql`update suppression_rule set removed_at = now()`
      yield* sql`
        update suppression_list set changed_at = clock_timestamp(), cycle_at = now() - interval '1 hour'`
      yield* store.begin(one, 60)
      yield* store.find(one)
      assert.strictEqual(yield* store.markSome(one, 100), 17)
      assert.strictEqual(yield* companies, 0)
    }).pipe(Effect.provide(layer)),
  )

  it.live("mark by the last rule of a type until the cycle after its removal", () =>
    Effect.gen(function* () {
      const store = yield* CycleStore
      const sql = yield* prepare(25)
      const everyone = (yield* sql<{ readonly id: string }>`select id from visitor`).map(
        ({ id }) => ({ organizationId: one, visitorId: id }),
      )
      yield* store.begin(one, 60)
      yield* store.mark(everyone.slice(0, 1))
      assert.strictEqual(yield* suppressed, 1)

      yield* sql`update suppression_rule set removed_at = clock_timestamp()`
      yield* sql`
        update suppression_list set industry = 0, changed_at = clock_timestamp()`
      yield* store.mark(everyone)
      assert.strictEqual(yield* suppressed, 25)

      yield* store.begin(one, 0)
      yield* store.mark(everyone)
      assert.strictEqual(yield* suppressed, 0)
    }).pipe(Effect.provide(layer)),
  )

  it.live("mark by a rule that was removed at the very moment the cycle began", () =>
    Effect.gen(function* () {
      const store = yield* CycleStore
      const sql = yield* prepare(3)
      yield* store.begin(one, 60)
      yield* sql`
        update suppression_rule set removed_at = (
          select cycle_at from suppression_list where organization_id = ${one}
        ) where organization_id = ${one}`

      const people = yield* sql<{ readonly id: string }>`select id from visitor`
      yield* store.mark(people.map(({ id }) => ({ organizationId: one, visitorId: id })))

      assert.strictEqual(yield* suppressed, 3)
    }).pipe(Effect.provide(layer)),
  )

  it.live("are not needed to find the people that a cycle affects, no matter how many", () =>
    Effect.gen(function* () {
      const store = yield* CycleStore
      const sql = yield* prepare(25)
      yield* store.begin(one, 60)

      yield* sql.withTransaction(
        Effect.andThen(
          organizationTurns(sql).wait(one),
          // On a separate connection, while this one has the turn.
          Effect.promise(() => Effect.runPromise(store.find(one))),
        ),
      )

      assert.strictEqual(yield* store.markSome(one, 100), 25)
    }).pipe(Effect.provide(layer)),
  )

  it.live("of an organization are taken by one process at a time, and others do not wait", () =>
    Effect.gen(function* () {
      const store = yield* CycleStore
      const sql = yield* prepare(25)
      yield* store.begin(one, 60)
      yield* store.find(one)

      const others = yield* sql.withTransaction(
        Effect.andThen(
          store.markSome(one, 10),
          // On a separate connection, before this one commits.
          Effect.promise(() => Effect.runPromise(store.markSome(one, 10))),
        ),
      )

      assert.strictEqual(others, 0)
      assert.strictEqual(yield* store.markSome(one, 100), 15)
    }).pipe(Effect.provide(layer)),
  )

  it.live("keep what a cycle found for the process that resumes after a kill", () =>
    Effect.gen(function* () {
      const store = yield* CycleStore
      yield* prepare(25)
      yield* store.begin(one, 60)
      // Killed before anyone was found: the list's row shows it. Killed while marking: the remaining rows still
      // exist.
      assert.deepStrictEqual(yield* store.toSearch, [one])
      yield* store.find(one)
      yield* store.markSome(one, 10)
      assert.deepStrictEqual(yield* store.unmarked, [one])

      yield* store.find(one)
      assert.strictEqual(yield* store.markSome(one, 100), 15)
      assert.strictEqual(yield* suppressed, 25)
    }).pipe(Effect.provide(layer)),
  )

  it.live("belong to the organization: another organization's turn is free meanwhile", () =>
    Effect.gen(function* () {
      const sql = yield* prepare(1)
      const turns = organizationTurns(sql)
      const takeFree = sql<{ readonly organizationId: string; readonly isFree: boolean }>`
        ${turns.takeFree(sql`select unnest(array[${one}, ${other}]::uuid[]) as "organizationId"`, "2s")}`.pipe(
        Effect.map((rows) =>
          rows.filter(({ isFree }) => isFree).map(({ organizationId }) => organizationId),
        ),
        sql.withTransaction,
      )

      const free = yield* sql.withTransaction(
        Effect.andThen(
          turns.wait(one),
          Effect.promise(() => Effect.runPromise(takeFree)),
        ),
      )
      const ofAll = yield* takeFree

      assert.deepStrictEqual(free, [other])
      assert.deepStrictEqual(ofAll, [one, other])
    }).pipe(Effect.provide(layer)),
  )

  it.live("rotate: two large organizations delay a small one's marks by only one turn", () =>
    Effect.gen(function* () {
      const store = yield* CycleStore
      const sql = yield* prepare(1_000)
      yield* prepareRule(other, 1_000)
      yield* prepareRule(third, 1)
      for (const id of [one, other, third]) {
        yield* store.begin(id, 60)
        yield* store.find(id)
      }
      yield* sql`create table marked (n bigint generated always as identity, organization_id uuid)`
      yield* sql`
        create function note_marked() returns trigger language plpgsql as
        'begin insert into marked (organization_id) values (new.organization_id); return new; end'`
      yield* sql`
        create trigger marked after update on visitor for each row execute function note_marked()`

      yield* Layer.build(SyncCycleWorker).pipe(
        Effect.provideService(SyncCycleSeconds, 3_600),
        Effect.andThen(
          suppressed.pipe(
            Effect.repeat({
              until: (people) => people === 2_001,
              schedule: Schedule.spaced("20 millis"),
            }),
          ),
        ),
        Effect.scoped,
      )

      const lasts = yield* sql<{ readonly id: string }>`
        select organization_id as id from marked group by organization_id order by max(n)`
      assert.strictEqual(lasts[0]?.id, third)
    }).pipe(Effect.provide(layer)),
  )
})
