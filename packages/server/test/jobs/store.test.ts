// The protocol of queues on a real Postgres: claim, lease, fence, retry and loss (spec 4.2, 4.4). The process's clock
// stays at 1970 in these tests, so code that used it would claim nothing, or everything (B13).
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { jobStore } from "../../src/platform/jobs/store.ts"
import { TestDatabase } from "../support/database.ts"
import { later, makeQueue, ours, put, queue, rows, theirs } from "./queue.ts"

const jobs = Effect.map(SqlClient.SqlClient, (sql) => jobStore(sql, queue))
const claimOne = Effect.flatMap(jobs, ({ claim }) =>
  Effect.map(claim({ limit: 1 }), (claims) => claims[0]!),
)
const theRow = Effect.map(rows, ([row]) => row!)
const error = { code: "BROKEN", message: "It broke." }

layer(TestDatabase.layer)("a queue", (it) => {
  const test = (name: string, body: Effect.Effect<void, unknown, SqlClient.SqlClient>) =>
    it.effect(name, () => Effect.andThen(makeQueue, body))

  test(
    "gives each row to one of any number of claimers",
    Effect.gen(function* () {
      yield* put(40)
      const { claim } = yield* jobs

      const claims = yield* Effect.all(
        Array.from({ length: 8 }, () => claim({ limit: 10 })),
        { concurrency: "unbounded" },
      )

      const ids = claims.flat().map(({ id }) => id)
      assert.strictEqual(ids.length, new Set(ids).size)
      assert.isAtLeast(ids.length, 10)
    }),
  )

  test(
    "skips a row that another claimer is taking",
    Effect.gen(function* () {
      yield* put(1)
      const { claim } = yield* jobs
      const sql = yield* SqlClient.SqlClient
      const taken = yield* Deferred.make<void>()
      const answered = yield* Deferred.make<void>()

      const first = yield* Effect.forkChild(
        sql.withTransaction(
          Effect.tap(claim({ limit: 1 }), () =>
            Effect.andThen(Deferred.succeed(taken, undefined), Deferred.await(answered)),
          ),
        ),
      )
      yield* Deferred.await(taken)
      const second = yield* Effect.forkChild(claim({ limit: 1 }))
      // Otherwise it would wait for the other's commit and then take the row, too.
      const isWaiting = Effect.map(
        sql`select from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`,
        (waiting) => waiting.length > 0,
      )
      while (second.pollUnsafe() === undefined && !(yield* isWaiting)) yield* Effect.yieldNow
      yield* Deferred.succeed(answered, undefined)

      assert.lengthOf(yield* Fiber.join(first), 1)
      assert.deepStrictEqual(yield* Fiber.join(second), [])
    }),
  )

  test(
    "a claim adds a lease of 30 seconds, one attempt, and the next claim number",
    Effect.gen(function* () {
      yield* put(1)

      const claim = yield* claimOne

      const row = yield* theRow
      assert.deepInclude(row, { status: "running", attempts: 1, claim: "1" })
      assert.deepInclude(claim, { organizationId: ours, id: row.id, attempts: 1, claim: "1" })
      assert.closeTo(row.leaseSeconds!, 30, 5)
      assert.isNotNull(row.startedAt)
    }),
  )

  test(
    "first serves the organization with the least in progress, and of one organization the oldest",
    Effect.gen(function* () {
      yield* put(4)
      const oldest = yield* rows
      yield* put(1, theirs)
      const first = yield* claimOne

      const second = yield* claimOne
      const third = yield* claimOne

      assert.strictEqual(first.id, oldest[0]!.id)
      assert.strictEqual(second.organizationId, theirs)
      assert.strictEqual(third.id, oldest[1]!.id)
    }),
  )

  test(
    "claims nothing before it is due, and the start is that of the first claim",
    Effect.gen(function* () {
      yield* put(1)
      const store = yield* jobs
      const { startedAt } = yield* Effect.andThen(store.claim({ limit: 1 }), theRow)
      const [first] = yield* rows
      yield* store.retry({ organizationId: ours, id: first!.id, attempts: 1, claim: "1" }, error)

      assert.deepStrictEqual(yield* store.claim({ limit: 1 }), [])
      yield* later(40)
      assert.lengthOf(yield* store.claim({ limit: 1 }), 1)
      assert.deepInclude(yield* theRow, { startedAt, attempts: 2, waitSeconds: null })
    }),
  )

  test(
    "waits 30 seconds and then 2 minutes, ±20 %, and keeps the error",
    Effect.gen(function* () {
      const { retry } = yield* jobs
      const waits: Array<Array<number>> = [[], []]
      for (let n = 0; n < 15; n++) {
        yield* makeQueue
        yield* put(1)
        for (const wait of waits) {
          const claim = yield* claimOne
          assert.isTrue(yield* retry(claim, error))
          const row = yield* theRow
          assert.deepInclude(row, { status: "queued", leaseSeconds: null, errorCode: "BROKEN" })
          wait.push(row.waitSeconds!)
          yield* later(150)
        }
      }

      for (const [place, seconds] of [30, 120].entries()) {
        const all = waits[place]!
        assert.isAtLeast(Math.min(...all), seconds * 0.8 - 5)
        assert.isAtMost(Math.max(...all), seconds * 1.2 + 2)
        assert.isAbove(Math.max(...all) - Math.min(...all), seconds * 0.1)
      }
    }),
  )

  test(
    "waits as long as requested, if that is longer",
    Effect.gen(function* () {
      yield* put(1)
      const { retry } = yield* jobs

      yield* retry(yield* claimOne, error, 600)

      assert.closeTo((yield* theRow).waitSeconds!, 600, 5)
    }),
  )

  test(
    "a lease can be renewed while it is held",
    Effect.gen(function* () {
      yield* put(1)
      const { renew } = yield* jobs
      const claim = yield* claimOne
      yield* later(25)

      assert.isTrue(yield* renew(claim))
      assert.closeTo((yield* theRow).leaseSeconds!, 30, 5)
    }),
  )

  test(
    "a lost worker's row returns to the queue after 30 seconds, not before, with its attempts",
    Effect.gen(function* () {
      yield* put(1)
      const store = yield* jobs
      yield* claimOne

      // Not 29, because a busy machine uses up some of them.
      yield* later(25)
      yield* store.requeueLost
      assert.deepInclude(yield* theRow, { status: "running" })

      yield* later(6)
      yield* store.requeueLost
      assert.deepInclude(yield* theRow, { status: "queued", attempts: 1, leaseSeconds: null })
      assert.strictEqual((yield* claimOne).attempts, 2)
    }),
  )

  test(
    "an organization at its limit gets no more work, but another one does",
    Effect.gen(function* () {
      yield* put(3)
      yield* put(1, theirs)
      const { claim } = yield* jobs
      const next = Effect.map(claim({ limit: 1, perPartyMax: 1 }), (claims) =>
        claims.map(({ organizationId }) => organizationId),
      )

      const claimed = [yield* next, yield* next, yield* next]

      assert.deepStrictEqual(claimed.slice(0, 2).flat().toSorted(), [ours, theirs].toSorted())
      assert.deepStrictEqual(claimed[2], [])
    }),
  )

  test(
    "the organizations of one creator count together: for the limit, and for who is next",
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const creator = "33333333-3333-4333-8333-333333333333"
      const alsoOurs = "44444444-4444-4444-8444-444444444444"
      yield* sql`insert into user_account (id, email) values (${creator}, 'kai@quay.example')`
      yield* sql`insert into organization (id, name, slug) values (${alsoOurs}, 'Also ours', 'also')`
      yield* sql`
        update organization set created_by = ${creator} where id in ${sql.in([ours, alsoOurs])}`
      yield* put(2)
      yield* put(2, alsoOurs)
      yield* put(2, theirs)
      const { claim } = yield* jobs
      const next = Effect.map(claim({ limit: 1, perPartyMax: 2 }), (claims) =>
        claims.map(({ organizationId }) => (organizationId === theirs ? "theirs" : "ours")),
      )

      const claimed = [yield* next, yield* next, yield* next, yield* next, yield* next]
      yield* sql`update organization set created_by = null`

      assert.deepStrictEqual(claimed.slice(0, 2).flat(), ["ours", "theirs"])
      assert.deepStrictEqual(claimed.slice(2, 4).flat().toSorted(), ["ours", "theirs"])
      assert.deepStrictEqual(claimed[4], [])
    }),
  )

  test(
    "a returned row belongs to no worker until it is claimed again: its former worker writes nothing",
    Effect.gen(function* () {
      yield* put(1)
      const store = yield* jobs
      const lost = yield* claimOne
      yield* later(31)
      yield* store.requeueLost
      const before = yield* theRow

      assert.isFalse(yield* store.renew(lost))
      assert.isFalse(yield* store.release(lost))
      assert.isFalse(yield* store.retry(lost, error))
      assert.deepStrictEqual(yield* theRow, before)
    }),
  )

  test(
    "after the third loss it is claimed only to be given up",
    Effect.gen(function* () {
      yield* put(1)
      const store = yield* jobs
      for (let attempt = 1; attempt <= 3; attempt++) {
        assert.deepStrictEqual(yield* store.claimLost(10), [])
        assert.strictEqual((yield* claimOne).attempts, attempt)
        yield* later(31)
        yield* store.requeueLost
      }

      assert.deepInclude(yield* theRow, { status: "running", attempts: 3 })
      const [lost] = yield* store.claimLost(10)
      assert.deepInclude(lost!, { attempts: 3, claim: "4" })
      assert.deepStrictEqual(yield* store.claimLost(10), [])
    }),
  )

  test(
    "every write of a worker that was presumed lost is refused",
    Effect.gen(function* () {
      yield* put(1)
      const sql = yield* SqlClient.SqlClient
      const store = yield* jobs
      const old = yield* claimOne
      yield* later(31)
      yield* store.requeueLost
      const present = yield* claimOne
      const before = yield* theRow

      const refused = [
        yield* store.renew(old),
        yield* store.release(old),
        yield* store.retry(old, error),
      ]
      const own =
        yield* sql`update job_test set status = 'done' where ${store.held(old)} returning 1`

      assert.deepStrictEqual(refused, [false, false, false])
      assert.lengthOf(own, 0)
      assert.deepInclude(yield* theRow, { claim: present.claim, attempts: before.attempts })
      assert.isTrue(yield* store.renew(present))
    }),
  )

  test(
    "a released row counts as never claimed, and is claimed again at once",
    Effect.gen(function* () {
      yield* put(1)
      const { release } = yield* jobs

      assert.isTrue(yield* release(yield* claimOne))

      assert.deepInclude(yield* theRow, { status: "queued", attempts: 0, waitSeconds: null })
      assert.deepInclude(yield* claimOne, { attempts: 1, claim: "2" })
    }),
  )
})
