// Runs that fail for a named reason (spec 2.11, 4.2), with real faults: statements that exceed their time limit, more
// people than a run may have, and tables that cannot be written.
import { Effect } from "effect"
import pg from "pg"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { putSignals, putTopics, shared } from "../audiences/support.ts"
import { type Limits, RunLimits } from "../../src/intent/runs/materialization/compile.ts"
import { Materialization } from "../../src/intent/runs/materialization/materialization.ts"
import { RunStore } from "../../src/intent/runs/store.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { ask, makeAudience, onServices, type RunAnswer, startRun } from "./support.ts"

let server: TestServer
let audienceId: string
let run: RunAnswer

beforeAll(async () => {
  server = await startServer({ workers: false })
  await putTopics(server, [5])
  await putSignals(
    server,
    shared,
    ["jane", "omar", "priya"].map((name, place) => ({
      email: `${name}@acme.example`,
      topicId: 5,
      score: 80 + place,
    })),
  )
})

afterAll(() => server.close())

beforeEach(async () => {
  await server.sql("truncate audience, run_result cascade")
  audienceId = await makeAudience(server, { topicIds: [5] })
  run = await startRun(server, audienceId)
})

/** Makes one attempt at the run, with a worker that has these limits. Returns the run afterwards. */
const attempt = async (limits: Partial<Limits> = {}): Promise<RunAnswer> => {
  await server.sql("update audience_run set next_attempt_at = null")
  await onServices(
    server,
    Effect.gen(function* () {
      const { perform } = yield* Materialization
      const [claim] = yield* (yield* RunStore).jobs.claim({ limit: 1 })
      const usual = yield* RunLimits
      yield* Effect.provideService(perform(claim!), RunLimits, { ...usual, ...limits })
    }),
  )
  return read()
}

const read = async (): Promise<RunAnswer> =>
  (await ask(server, "GET", `/${audienceId}/runs/${run.id}`)).data

/** Uses a new connection, which has not opened an earlier file. */
const storedRows = async (): Promise<unknown> => {
  const client = new pg.Client({ connectionString: server.databaseUrl })
  await client.connect()
  try {
    return (await client.query("select count(*)::int as kept from run_result")).rows[0].kept
  } finally {
    await client.end()
  }
}

/** Fails `attempts` times: retried twice with the reason, and then failed. */
const expectGivenUp = async (errorCode: string, limits: Partial<Limits> = {}) => {
  for (const attempts of [1, 2]) {
    const waiting = await attempt(limits)
    expect(waiting).toMatchObject({ status: "queued", attempts, errorCode, completedAt: null })
    expect(waiting.nextAttemptAt).not.toBeNull()
  }
  const failed = await attempt(limits)

  expect(failed).toMatchObject({ status: "failed", attempts: 3, errorCode, nextAttemptAt: null })
  expect(failed.errorMessage).not.toBeNull()
  expect(failed.completedAt).not.toBeNull()
  expect([failed.candidateCount, failed.resultCount]).toEqual([0, 0])
}

/** Removes the fault: the next attempt completes and clears the error. */
const expectCompleted = async () => {
  expect(await attempt()).toMatchObject({
    status: "completed",
    resultCount: 3,
    errorCode: null,
    errorMessage: null,
  })
  expect(await storedRows()).toBe(3)
}

describe("QUERY_TIMEOUT", () => {
  /** Makes storing each row slow. */
  const slow = async () => {
    await server.sql(
      `create function be_slow() returns trigger language plpgsql
       as $$ begin perform pg_sleep(30); return new; end $$`,
    )
    await server.sql(
      "create trigger slow before insert on run_result for each row execute function be_slow()",
    )
  }
  const fast = () => server.sql("drop function if exists be_slow cascade")

  it("ends a statement that exceeds its time, and after the third one the run", async () => {
    await slow()

    await expectGivenUp("QUERY_TIMEOUT", { statementTimeoutMs: 100 }).finally(fast)

    expect(await storedRows()).toBe(0)
  })

  it("is cleared when the next attempt is in time", async () => {
    await slow()
    await attempt({ statementTimeoutMs: 100 }).finally(fast)

    await expectCompleted()
  })

  it("ends the wait for a lock", async () => {
    const other = new pg.Client({ connectionString: server.databaseUrl })
    await other.connect()
    await other.query("begin")
    await other.query("lock table run_result in exclusive mode")

    const waiting = await attempt({ lockTimeoutMs: 100 }).finally(() => other.end())

    expect(waiting).toMatchObject({ status: "queued", errorCode: "QUERY_TIMEOUT" })
    await expectCompleted()
  })
})

describe("RESULT_TOO_LARGE", () => {
  it("does not apply to exactly as many people as a run may have", async () => {
    expect(await attempt({ resultsMax: 3 })).toMatchObject({ status: "completed", resultCount: 3 })
  })

  it("ends the run at once with one more, stores no one, and says how many there were", async () => {
    const failed = await attempt({ resultsMax: 2 })

    expect(failed).toMatchObject({
      status: "failed",
      attempts: 1,
      errorCode: "RESULT_TOO_LARGE",
      errorMessage: "The audience is too large: it found 3 people, and a run keeps at most 2.",
      resultCount: 0,
    })
    expect(await storedRows()).toBe(0)
    expect(await ask(server, "GET", `/${audienceId}/runs/${run.id}/results`)).toMatchObject({
      status: 409,
      error: { code: "RUN_NOT_COMPLETED", details: { status: "failed" } },
    })
  })

  it("lets the audience run again", async () => {
    await attempt({ resultsMax: 2 })
    run = await startRun(server, audienceId)

    await expectCompleted()
  })
})

describe("STORAGE_ERROR", () => {
  /** Runs a shell command on the file of an empty table, through Postgres, which has nothing left to write to it. */
  const onResultFile = async (command: string): Promise<void> => {
    const [file] = await server.sql("select pg_relation_filepath('run_result') as path")
    const path = String(file?.["path"])
    await server.sql("checkpoint")
    await server.sql(
      `copy (select) to program 'cat > /dev/null; ${command.replaceAll("FILE", path)}'`,
    )
  }

  it.each([
    ["full", "mv FILE FILE.kept && ln -s /dev/full FILE"],
    ["missing", "mv FILE FILE.kept"],
  ])("where the storage of the results is %s", async (_, command) => {
    await onResultFile(command)
    await expectGivenUp("STORAGE_ERROR").finally(() => onResultFile("mv -f FILE.kept FILE"))

    expect(await storedRows()).toBe(0)
    run = await startRun(server, audienceId)
    await expectCompleted()
  })

  it.each([
    ["is read only", "transaction_read_only", "on"],
    ["is not writable for us", "role", "pg_read_all_data"],
  ])("where the database %s from the first row on", async (_, setting, value) => {
    await server.sql(
      `create function be_kept() returns trigger language plpgsql
       as $$ begin perform set_config('${setting}', '${value}', true); return null; end $$`,
    )
    await server.sql("create trigger kept before insert on run_result execute function be_kept()")
    const give = () => server.sql("drop function if exists be_kept cascade")

    await expectGivenUp("STORAGE_ERROR").finally(give)

    expect(await storedRows()).toBe(0)
    run = await startRun(server, audienceId)
    await expectCompleted()
  })
})
