// Every row of spec 4.2, except lost workers (lost-worker.test.ts) and daily runs (daily.test.ts), and the errors of
// 5.9. For keys see idempotency.test.ts.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { daysAgo, putSignals, putTopics, shared, today } from "../audiences/support.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { ask, completedRun, ended, makeAudience, startRun } from "./support.ts"

/** Without workers, so that queued runs stay queued. A second server has workers. */
let server: TestServer
let audienceId: string

const working = async <Value>(use: (worker: TestServer) => Promise<Value>): Promise<Value> => {
  const worker = await startServer({ beside: server })
  try {
    return await use(worker)
  } finally {
    await worker.close()
  }
}

const config = { topicIds: [5, 6], minScore: 60, maxScore: 90 }

beforeAll(async () => {
  server = await startServer({ workers: false })
  await putTopics(server, [5, 6])
})

afterAll(() => server.close())

beforeEach(async () => {
  await server.sql("truncate audience, signal, signal_date, signal_person cascade")
  await putSignals(server, shared, [{ email: "jane@acme.example", topicId: 5, score: 80 }])
  audienceId = await makeAudience(server, config)
})

const runs = () => `/${audienceId}/runs`
const stored = async (runId: string) => {
  const [row] = await server.sql("select * from audience_run where id = $1", [runId])
  return row!
}

describe("POST runs → queued", () => {
  it("with run type manual and no attempts, whatever the form of the body", async () => {
    for (const asked of [{}, { body: {} }, { body: { runType: "manual" } }]) {
      const { data, status } = await ask(server, "POST", runs(), asked)

      expect(status).toBe(202)
      expect(data).toMatchObject({ status: "queued", runType: "manual", attempts: 0 })
      expect(data.idempotencyKey).toBe(`manual:${data.id}`)
      await ask(server, "DELETE", `${runs()}/${data.id}`)
    }
  })

  it.each([{ runType: "daily" }, { runType: "preview" }, { runType: null }, { mode: "full" }])(
    "is refused with the body %j",
    async (body) => {
      const { error, status } = await ask(server, "POST", runs(), { body })

      expect([status, error?.code]).toEqual([400, "VALIDATION_ERROR"])
    },
  )

  it("uses the config and data date at its creation", async () => {
    const { id, configHash, dataDate } = await startRun(server, audienceId)
    const changed = { ...config, minScore: 70 }
    await ask(server, "PATCH", `/${audienceId}`, { body: { config: changed } })
    await putSignals(server, shared, [{ email: "jane@acme.example", topicId: 5, score: 80 }], {
      date: daysAgo(-1),
    })

    const run = await working((worker) => ended(worker, { audienceId, id }))
    const next = await startRun(server, audienceId)

    expect(dataDate).toBe(today)
    expect(run).toMatchObject({ status: "completed", configHash, dataDate, resultCount: 1 })
    expect((await stored(id))["config"]).toMatchObject({ minScore: 60 })
    expect(next.configHash).not.toBe(configHash)
    expect(next.dataDate).toBe(daysAgo(-1))
  })

  it("uses the date of pixel signals if the imported ones are older than 30 days", async () => {
    const signal = [{ email: "jane@acme.example", topicId: 5, score: 80 }]
    await server.sql("truncate signal, signal_date")
    await putSignals(server, shared, signal, { date: daysAgo(31) })
    await putSignals(server, server, signal, { date: daysAgo(2), origin: "pixel" })

    expect((await startRun(server, audienceId)).dataDate).toBe(daysAgo(2))
  })
})

describe("one queued or running run per audience", () => {
  it("rejects a second one with the id of the first", async () => {
    const { id } = await startRun(server, audienceId)

    const queued = await ask(server, "POST", runs())
    await server.sql("update audience_run set status = 'running' where id = $1", [id])
    const running = await ask(server, "POST", runs())

    for (const [answer, status] of [
      [queued, "queued"],
      [running, "running"],
    ] as const) {
      expect(answer.status).toBe(409)
      expect(answer.error).toMatchObject({
        code: "RUN_IN_PROGRESS",
        details: { status, runId: id },
      })
    }
  })

  it("starts one of fifty concurrent requests", async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(server, "POST", runs())))

    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1)
    expect(answers.filter(({ error }) => error?.code === "RUN_IN_PROGRESS")).toHaveLength(49)
  })

  it.each(["draft", "paused"])("a %s audience starts no run", async (status) => {
    await server.sql("update audience set status = $1", [status])

    const { error, status: code } = await ask(server, "POST", runs())

    expect([code, error]).toMatchObject([409, { code: "AUDIENCE_NOT_ACTIVE", details: { status } }])
  })
})

describe("queued, DELETE → cancelled", () => {
  it("sets both timestamps, keeps the attempts, and returns the run", async () => {
    const { id } = await startRun(server, audienceId)
    await server.sql("update audience_run set attempts = 1, next_attempt_at = now()")

    const { data, status } = await ask(server, "DELETE", `${runs()}/${id}`)

    expect(status).toBe(200)
    expect(data).toMatchObject({ id, status: "cancelled", attempts: 1, nextAttemptAt: null })
    expect(data.cancelledAt).not.toBeNull()
    expect(data.completedAt).toBe(data.cancelledAt)
  })

  it.each(["running", "completed", "failed", "cancelled"])(
    "is a conflict for a run that is %s, and changes nothing",
    async (status) => {
      const { id } = await startRun(server, audienceId)
      await server.sql("update audience_run set status = $1", [status])
      const before = await stored(id)

      const answer = await ask(server, "DELETE", `${runs()}/${id}`)

      expect([answer.status, answer.error]).toMatchObject([
        409,
        { code: "RUN_NOT_QUEUED", details: { status } },
      ])
      expect(await stored(id)).toEqual(before)
    },
  )

  it("a second time is a conflict", async () => {
    const { id } = await startRun(server, audienceId)
    await ask(server, "DELETE", `${runs()}/${id}`)

    expect((await ask(server, "DELETE", `${runs()}/${id}`)).error?.code).toBe("RUN_NOT_QUEUED")
  })
})

describe("completed, failed and cancelled are final", () => {
  it.each(["completed", "failed", "cancelled"])(
    "no worker claims a run that is %s",
    async (status) => {
      const { id } = await startRun(server, audienceId)
      await server.sql("update audience_run set status = $1", [status])
      const before = await stored(id)

      await working((worker) => completedRun(worker, audienceId))

      expect(await stored(id)).toEqual(before)
    },
  )
})

describe("running, success → completed", () => {
  it("refreshes the audience; counts the people who qualify and those who remain", async () => {
    await putSignals(server, shared, [
      { email: "jane@acme.example", topicId: 5, score: 80 },
      { email: "omar@acme.example", topicId: 6, score: 60 },
      { email: "ines@acme.example", topicId: 6, score: 91 },
    ])
    await server.sql(
      `insert into suppression_list (organization_id, cycle_at, changed_at) values ($1, now(), now())`,
      [server.organizationId],
    )
    await server.sql(
      `insert into suppression_rule
         (organization_id, id, type, value, match_key, takes_part_at, created_at)
       values ($1, gen_random_uuid(), 'email', 'omar@acme.example',
         encode(sha256('omar@acme.example'), 'hex'), now() - interval '1 hour', now())`,
      [server.organizationId],
    )

    const run = await working((worker) => completedRun(worker, audienceId))
    const { data } = await ask<object>(server, "GET", `/${audienceId}`)
    await server.sql("truncate suppression_rule, suppression_list")

    expect(run).toMatchObject({ candidateCount: 2, resultCount: 1, attempts: 1, errorCode: null })
    expect(data).toMatchObject({ audienceSize: 1, lastRefreshedAt: run.completedAt })
  })

  it("pauses an audience with access to one run", async () => {
    await server.sql("update audience set access_type = 'one_shot', daily_refresh_enabled = false")

    const run = await working((worker) => completedRun(worker, audienceId))

    const { data } = await ask<object>(server, "GET", `/${audienceId}`)
    expect(data).toMatchObject({ status: "paused", pausedAt: run.completedAt, audienceSize: 1 })
  })
})

describe("running, fatal error → failed", () => {
  it("DATA_UNAVAILABLE without any signals; the data date is the current date", async () => {
    await server.sql("truncate signal, signal_date")

    const run = await working(async (worker) => ended(worker, await startRun(worker, audienceId)))

    expect(run).toMatchObject({
      status: "failed",
      errorCode: "DATA_UNAVAILABLE",
      dataDate: today,
      attempts: 1,
      nextAttemptAt: null,
    })
    expect(run.completedAt).not.toBeNull()
    const { data } = await ask<object>(server, "GET", `/${audienceId}`)
    expect(data).toMatchObject({ audienceSize: 0, lastRefreshedAt: null })
  })

  it("CONFIG_INVALID if the stored config is invalid", async () => {
    const { id } = await startRun(server, audienceId)
    await server.sql(`update audience_run set config = '{"topicIds": []}'`)

    const run = await working((worker) => ended(worker, { audienceId, id }))

    expect(run).toMatchObject({ status: "failed", errorCode: "CONFIG_INVALID", attempts: 1 })
  })
})

describe("changes of the audience", () => {
  it("pausing cancels a queued daily run, but no manual one", async () => {
    const { id: manual } = await startRun(server, audienceId)
    await ask(server, "PATCH", `/${audienceId}`, { body: { status: "paused" } })
    expect((await stored(manual))["status"]).toBe("queued")
    await ask(server, "PATCH", `/${audienceId}`, { body: { status: "active" } })
    await server.sql("update audience_run set run_type = 'daily'")

    await ask(server, "PATCH", `/${audienceId}`, { body: { status: "paused" } })

    expect(await stored(manual)).toMatchObject({
      status: "cancelled",
      cancelled_at: expect.any(Date),
      completed_at: expect.any(Date),
    })
  })

  it("deleting cancels queued runs; a running run finishes", async () => {
    const { id: queued } = await startRun(server, audienceId)
    const other = await makeAudience(server, config)
    const { id: running } = await startRun(server, other)
    await server.sql("update audience_run set status = 'running' where id = $1", [running])

    await ask(server, "DELETE", `/${audienceId}`)
    await ask(server, "DELETE", `/${other}`)

    expect((await stored(queued))["status"]).toBe("cancelled")
    expect((await stored(running))["status"]).toBe("running")
    expect((await ask(server, "GET", `${runs()}/${queued}`)).status).toBe(404)
  })
})
