// The idempotency key of a run (spec 1.7, 5.9): the same key, the same run.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { putSignals, putTopics, shared } from "../audiences/support.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { ask, ended, makeAudience } from "./support.ts"

/** Without workers, so that queued runs stay queued. */
let server: TestServer
let audienceId: string

const config = { topicIds: [5] }

beforeAll(async () => {
  server = await startServer({ workers: false })
  await putTopics(server, [5])
  await putSignals(server, shared, [{ email: "jane@acme.example", topicId: 5, score: 80 }])
})

afterAll(() => server.close())

beforeEach(async () => {
  await server.sql("truncate audience cascade")
  audienceId = await makeAudience(server, config)
})

describe("Idempotency-Key", () => {
  const start = (key: string, asked: object = {}) =>
    ask(server, "POST", `/${audienceId}/runs`, { headers: { "idempotency-key": key }, ...asked })

  it("returns the same run, in its current state, whatever the audience's state, permanently", async () => {
    const first = await start("first")
    const worker = await startServer({ beside: server })
    await ended(worker, first.data).finally(() => worker.close())
    await server.sql("update audience set status = 'paused'")
    await server.sql("update audience_run set created_at = created_at - interval '1 year'")

    const again = await start("first")

    expect(again.status).toBe(200)
    expect(again.data).toMatchObject({ id: first.data.id, status: "completed" })
  })

  it("starts one run for twenty concurrent requests", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => start("at once")))

    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(19).fill(200), 202])
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1)
  })

  it("belongs to one audience", async () => {
    await start("mine")
    audienceId = await makeAudience(server, config)

    expect((await start("mine")).status).toBe(202)
  })

  it("that looks like a server key belongs to the client, and does not collide with the server's", async () => {
    const { data } = await start("first")
    await server.sql(
      "update audience_run set run_type = 'daily', status = 'completed' where id = $1",
      [data.id],
    )

    const again = await start("first")
    expect(again.status).toBe(202)
    expect(again.data.id).not.toBe(data.id)
    await server.sql("update audience_run set status = 'completed'")
    const unnamed = await ask(server, "POST", `/${audienceId}/runs`)
    await server.sql("update audience_run set status = 'completed'")
    const likeIt = await start(unnamed.data.idempotencyKey)

    expect(likeIt.status).toBe(202)
    expect(likeIt.data.id).not.toBe(unnamed.data.id)
  })

  it.each([
    ["empty", "", 400],
    ["of 1 character", "k", 202],
    ["of 120 characters", "k".repeat(120), 202],
    ["of 121 characters", "k".repeat(121), 400],
    ["with a tab in it", "a\tb", 400],
    ["not ASCII", "ä", 400],
  ])("that is %s", async (_, key, status) => {
    const answer = await start(key)

    expect(answer.status).toBe(status)
    if (status === 400) {
      expect(answer.error?.details).toMatchObject({
        issues: [{ path: "/header/idempotency-key" }],
      })
    }
  })
})
