// Runs whose worker is lost, fails, or stops (spec 4.2): its work is rolled back, its writes are refused, the run
// starts again, and after three attempts it has failed.
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { Erasure } from "../../src/people/erasure/erasure.ts"
import { Materialization } from "../../src/intent/runs/materialization/materialization.ts"
import { MaterializationStore } from "../../src/intent/runs/materialization/store.ts"
import { RunStore } from "../../src/intent/runs/store.ts"
import { emailHashOf } from "../../src/collect/visits/email-address.ts"
import { random } from "../identification/simulation.ts"
import { putSignals, putTopics, shared } from "../audiences/support.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { ended, makeAudience, onServices, type RunAnswer, startRun } from "./support.ts"

const isSoak = process.env["FOOTFALL_SOAK"] === "1"
const restarts = isSoak ? 100 : 12

let server: TestServer
let run: RunAnswer

beforeAll(async () => {
  server = await startServer({ workers: false })
  await putTopics(server, [5])
  await putSignals(server, shared, [
    { email: "jane@acme.example", topicId: 5, score: 80 },
    { email: "omar@acme.example", topicId: 5, score: 90 },
  ])
})

afterAll(() => server.close())

beforeEach(async () => {
  await server.sql("truncate audience, run_result cascade")
  run = await startRun(server, await makeAudience(server, { topicIds: [5] }))
})

const stored = async () => {
  const [row] = await server.sql(
    `select status, attempts, result_count as results, error_code as code, error_message as message,
       leased_until is not null as leased, completed_at is not null as over,
       extract(epoch from next_attempt_at - clock_timestamp())::float8 as wait,
       (select count(*)::int from run_result) as rows
     from audience_run`,
  )
  return row!
}

const claim = Effect.flatMap(RunStore, ({ jobs }) =>
  Effect.map(jobs.claim({ limit: 1 }), (claims) => claims[0]!),
)
const loseLease = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { jobs } = yield* RunStore
  yield* sql`update audience_run set leased_until = clock_timestamp() - interval '1 second'`
  yield* jobs.requeueLost
})

describe("a worker that is lost", () => {
  it("completes nothing: the run and its rows belong to another worker by then", async () => {
    const [old, present] = await onServices(
      server,
      Effect.gen(function* () {
        const { perform } = yield* Materialization
        const first = yield* claim
        yield* loseLease
        const second = yield* claim
        yield* perform(second)
        yield* perform(first)
        return [first, second] as const
      }),
    )

    expect([old.attempts, present.attempts]).toEqual([1, 2])
    expect(await stored()).toMatchObject({ status: "completed", attempts: 2, results: 2, rows: 2 })
  })

  it("and has found everyone cannot complete the run, fail it or postpone it", async () => {
    const answers = await onServices(
      server,
      Effect.gen(function* () {
        const { complete, fail, jobs } = yield* RunStore
        const found = { candidates: 7, results: 7, tallies: {} as never }
        const first = yield* claim
        yield* loseLease
        const queued = yield* complete(first, found)
        yield* claim
        const claimed = yield* complete(first, found)
        yield* fail(first, { code: "INTERNAL_ERROR", message: "No." })
        const retried = yield* jobs.retry(first, { code: "INTERNAL_ERROR", message: "No." })
        return [queued, claimed, retried]
      }),
    )

    expect(answers).toEqual([undefined, undefined, false])
    expect(await stored()).toMatchObject({
      status: "running",
      attempts: 2,
      results: 0,
      code: null,
      leased: true,
      over: false,
    })
  })

  it("and resumes in the middle of its work has no effect either", async () => {
    await onServices(
      server,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { perform } = yield* Materialization
        const first = yield* claim
        // It is stopped before its last statement but one, like a suspended process.
        const held = yield* Effect.forkChild(
          sql.withTransaction(
            Effect.andThen(
              sql`select from audience_run for no key update`,
              Effect.sleep("700 millis"),
            ),
          ),
        )
        yield* Effect.sleep("100 millis")
        const slow = yield* Effect.forkChild(perform(first))
        yield* Effect.sleep("300 millis")
        yield* Fiber.interrupt(held)
        yield* Effect.all([loseLease, Fiber.join(slow)], { concurrency: "unbounded" })
      }),
    )
    const after = await stored()
    // Whichever locked the row first: everything, or nothing.
    expect([after["status"], after["rows"]]).toEqual(
      after["status"] === "completed" ? ["completed", 2] : ["queued", 0],
    )
    if (after["status"] === "queued") {
      await onServices(
        server,
        Effect.flatMap(Materialization, ({ perform }) => Effect.flatMap(claim, perform)),
      )
    }
    expect(await stored()).toMatchObject({ status: "completed", results: 2, rows: 2 })
  })

  it("three times fails the run, with an error code and without rows", async () => {
    await server.sql(
      `update audience_run set status = 'running', attempts = 3, claim = 3,
         leased_until = now() - interval '1 second'`,
    )

    const worker = await startServer({ beside: server })
    const failed = await ended(server, run)
    await worker.close()

    expect(failed).toMatchObject({ status: "failed", attempts: 3, errorCode: "INTERNAL_ERROR" })
    expect(failed.completedAt).not.toBeNull()
    expect(await stored()).toMatchObject({ leased: false, rows: 0 })
  })
})

describe("a failed attempt", () => {
  it("is retried 30 seconds and 2 minutes later, with its error, and then fails the run", async () => {
    const attempt = Effect.gen(function* () {
      const { giveUp } = yield* Materialization
      yield* giveUp(yield* claim, "unexpected")
    })
    const waits: Array<unknown> = []
    for (const seconds of [30, 120]) {
      await onServices(server, attempt)
      const row = await stored()
      expect(row).toMatchObject({ status: "queued", code: "INTERNAL_ERROR", over: false })
      expect(row["wait"]).toBeGreaterThan(seconds * 0.8 - 5)
      expect(row["wait"]).toBeLessThan(seconds * 1.2)
      waits.push(row["wait"])
      await server.sql("update audience_run set next_attempt_at = now()")
    }

    await onServices(server, attempt)

    expect(await stored()).toMatchObject({
      status: "failed",
      attempts: 3,
      code: "INTERNAL_ERROR",
      over: true,
      leased: false,
    })
  })

  it("followed by a success clears its error", async () => {
    await server.sql("update audience_run set error_code = 'QUERY_TIMEOUT', error_message = 'x'")

    await onServices(
      server,
      Effect.flatMap(Materialization, ({ perform }) => Effect.flatMap(claim, perform)),
    )

    expect(await stored()).toMatchObject({ status: "completed", code: null, message: null })
  })
})

it("a person erased while the run looks for people is in no result", async () => {
  const hash = emailHashOf("jane@acme.example")
  const visitorId = crypto.randomUUID()
  await server.sql(
    `insert into visitor (organization_id, id, email, email_hash, first_seen_at, last_seen_at)
     values ($1, $2, 'jane@acme.example', $3, now(), now())`,
    [server.organizationId, visitorId, hash],
  )
  await server.sql(
    `insert into visitor_address (organization_id, email_hash, visitor_id, email, first_seen_at)
     values ($1, $2, $3, 'jane@acme.example', now())`,
    [server.organizationId, hash, visitorId],
  )

  await onServices(
    server,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { perform } = yield* Materialization
      const { erase } = yield* Erasure
      const { lockResults } = yield* MaterializationStore
      const claimed = yield* claim
      const locked = yield* Deferred.make<void>()
      const isWaiting = Effect.map(
        sql`
          select 1 from pg_locks where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())`,
        (rows) => rows.length > 0,
      )

      // The run has its people and waits to complete: the erasure came first.
      const erasing = yield* Effect.forkChild(
        sql.withTransaction(
          Effect.gen(function* () {
            yield* lockResults(server.organizationId)
            yield* Deferred.succeed(locked, undefined)
            yield* Effect.repeat(Effect.delay(isWaiting, "10 millis"), { until: Boolean })
            yield* erase({
              organizationId: server.organizationId,
              actor: { type: "api_key", id: server.apiKeyId },
              emailHash: hash,
              suppress: false,
            })
          }),
        ),
      )
      yield* Deferred.await(locked)
      yield* perform(claimed)
      yield* Fiber.join(erasing)
    }),
  )

  expect(await stored()).toMatchObject({ status: "completed", results: 1, rows: 1 })
})

it(
  `a worker started and stopped ${restarts} times, at random, loses nothing and leaves nothing unfinished (B16)`,
  async () => {
    const below = random(16)
    const audiences = await Promise.all(
      Array.from({ length: 4 }, () => makeAudience(server, { topicIds: [5] })),
    )
    for (let n = 0; n < restarts; n++) {
      const worker = await startServer({ beside: server })
      for (const audienceId of audiences) await startRun(server, audienceId).catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, below(60)))
      const begin = performance.now()
      await worker.close()
      expect(performance.now() - begin).toBeLessThan(30_000)
      const [left] = await server.sql(
        "select count(*)::int as held from audience_run where leased_until is not null",
      )
      expect(left).toEqual({ held: 0 })
    }

    const worker = await startServer({ beside: server })
    await expect
      .poll(
        () =>
          server.sql("select 1 from audience_run where status in ('queued', 'running') limit 1"),
        {
          timeout: 30_000,
        },
      )
      .toEqual([])
    await worker.close()
    const odd = await server.sql(
      `select status, attempts from audience_run
       where status <> 'completed' or attempts <> 1
         or result_count <> (select count(*) from run_result where run_id = audience_run.id)`,
    )
    expect(odd).toEqual([])
    await expect
      .poll(async () => {
        const [sessions] = await server.sql(
          `select count(*)::int as open from pg_stat_activity
           where datname = current_database() and application_name = 'footfall'`,
        )
        return sessions?.["open"]
      })
      .toBeLessThanOrEqual(10)
  },
  isSoak ? 600_000 : 120_000,
)
