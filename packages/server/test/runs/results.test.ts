// Results by offset and by cursor, before and after a run has completed, errors (spec 1.6, 5.9), and how long results
// are kept.
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ResultRetentionStore } from "../../src/intent/runs/retention/store.ts"
import { emailHashOf } from "../../src/collect/visits/email-address.ts"
import { putSignals, putTopics, shared } from "../audiences/support.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { ask, completedRun, makeAudience, onServices, type RunAnswer, startRun } from "./support.ts"

/** Many share scores and overlaps, so that hashes decide the order. */
const people = Array.from({ length: 57 }, (_, n) => ({
  email: `p${n}@acme.example`,
  score: 70 + (n % 3),
  overlap: 1 + (n % 2),
}))
const ordered = people
  .map(({ email, ...one }) => ({ ...one, hash: emailHashOf(email) }))
  .toSorted((a, b) => b.score - a.score || b.overlap - a.overlap || (a.hash < b.hash ? -1 : 1))
  .map(({ hash }) => hash)

let server: TestServer
let audienceId: string
let run: RunAnswer

beforeAll(async () => {
  server = await startServer()
  await putTopics(server, [5, 6])
  await putSignals(
    server,
    shared,
    people.flatMap(({ email, overlap, score }) =>
      [5, 6].slice(0, overlap).map((topicId) => ({ email, topicId, score })),
    ),
  )
  audienceId = await makeAudience(server, { topicIds: [5, 6] })
  run = await completedRun(server, audienceId)
})

afterAll(() => server.close())

interface Page {
  readonly run: RunAnswer
  readonly state?: string
  readonly results: ReadonlyArray<{ readonly hashedEmail: string }>
  readonly total: number
  readonly limit: number
  readonly offset: number
}

const page = (query = "", of: Pick<RunAnswer, "audienceId" | "id"> = run) =>
  ask<Page>(server, "GET", `/${of.audienceId}/runs/${of.id}/results${query}`)
const hashes = ({ results }: Page) => results.map(({ hashedEmail }) => hashedEmail)

describe("results of a completed run", () => {
  it("are ordered by score, overlap and hash, 50 per page", async () => {
    const { data, meta, status } = await page()

    expect(status).toBe(200)
    expect(hashes(data)).toEqual(ordered.slice(0, 50))
    expect(data).toMatchObject({ total: 57, limit: 50, offset: 0 })
    expect(meta).toMatchObject({ hasMore: true, nextCursor: expect.any(String) })
  })

  it("are the same by cursor, with increasing page numbers, at any page size", async () => {
    const read: Array<string> = []
    let query = "?limit=7"
    for (;;) {
      const { data, meta } = await page(query)
      expect(data).toMatchObject({ total: 57, offset: read.length })
      read.push(...hashes(data))
      if (meta["nextCursor"] === null) break
      const cursor = encodeURIComponent(String(meta["nextCursor"]))
      query = `?limit=${5 + (read.length % 9)}&cursor=${cursor}`
    }

    expect(read).toEqual(ordered)
  })

  it.each([0, 1, 49, 50, 56, 57, 1_000])("are the same after %i rows", async (offset) => {
    const { data, meta } = await page(`?limit=10&offset=${offset}`)

    expect(hashes(data)).toEqual(ordered.slice(offset, offset + 10))
    expect(data).toMatchObject({ total: 57, offset })
    expect(meta["hasMore"]).toBe(offset + 10 < 57)
  })

  it.each(["?limit=0", "?limit=101", "?offset=-1", "?cursor=x", "?offset=1&cursor=x"])(
    "are refused with %s",
    async (query) => {
      expect((await page(query)).status).toBe(400)
    },
  )

  it("are refused with the cursor of another run", async () => {
    const other = await completedRun(server, audienceId)
    const cursor = encodeURIComponent(String((await page("?limit=1", other)).meta["nextCursor"]))

    const { error, status } = await page(`?cursor=${cursor}`)

    expect([status, error]).toMatchObject([
      400,
      { code: "INVALID_CURSOR", details: { reason: "scope" } },
    ])
  })
})

describe("before and without completion", () => {
  const inState = async (status: string) => {
    const started = await startRun(server, audienceId)
    await server.sql(
      "update audience_run set status = $2, leased_until = case $2 when 'running' then now() + interval '1 hour' end where id = $1",
      [started.id, status],
    )
    return started
  }
  let paused: TestServer

  it.each(["queued", "running"])("a run that is %s returns 202 without anyone", async (status) => {
    const own = await startServer({ workers: false })
    paused = own
    await putTopics(own, [5])
    await putSignals(own, shared, [{ email: "jane@acme.example", topicId: 5, score: 80 }])
    const started = await startRun(own, await makeAudience(own, { topicIds: [5] }))
    await own.sql("update audience_run set status = $1", [status])

    const answer = await ask<Page>(
      own,
      "GET",
      `/${started.audienceId}/runs/${started.id}/results?limit=5&offset=3`,
    )
    const stats = await ask(own, "GET", `/${started.audienceId}/runs/${started.id}/stats`)

    expect(answer.status).toBe(202)
    expect(answer.data).toEqual({
      run: expect.objectContaining({ id: started.id, status }),
      state: status,
      results: [],
      total: 0,
      limit: 5,
      offset: 3,
    })
    expect([stats.status, stats.error]).toMatchObject([
      409,
      { code: "RUN_NOT_COMPLETED", details: { status } },
    ])
    await paused.close()
  })

  it.each(["failed", "cancelled"])(
    "a run that %s has neither rows nor statistics",
    async (status) => {
      const started = await inState(status)

      for (const what of ["results", "stats"]) {
        const { error, status: code } = await ask(
          server,
          "GET",
          `/${audienceId}/runs/${started.id}/${what}`,
        )
        expect([code, error]).toMatchObject([
          409,
          { code: "RUN_NOT_COMPLETED", details: { status } },
        ])
      }
    },
  )
})

describe("results are kept", () => {
  const retain = () =>
    onServices(
      server,
      Effect.flatMap(ResultRetentionStore, ({ removeOne }) =>
        Effect.repeat(removeOne, { while: (removed) => removed }),
      ),
    )
  const age = (runId: string, days: number) =>
    server.sql(
      `update audience_run set completed_at = completed_at - make_interval(days => $2) where id = $1`,
      [runId, days],
    )

  it("for 365 days; then the rows are deleted, and the run stays with its statistics", async () => {
    const [older, old] = [
      await completedRun(server, audienceId),
      await completedRun(server, audienceId),
    ]
    await completedRun(server, audienceId)
    await age(older.id, 366)
    await age(old.id, 364)

    await retain()

    expect((await page("", older)).status).toBe(404)
    expect((await page("", old)).data.results).toHaveLength(50)
    const stats = await ask<{ readonly stats: { readonly total: number } }>(
      server,
      "GET",
      `/${audienceId}/runs/${older.id}/stats`,
    )
    expect([stats.status, stats.data.stats.total]).toEqual([200, 57])
    const left = await server.sql("select 1 from run_result where run_id = $1 limit 1", [older.id])
    expect(left).toEqual([])
  })

  it("permanently for an audience's latest run", async () => {
    const own = await makeAudience(server, { topicIds: [5] })
    const latest = await completedRun(server, own)
    await age(latest.id, 3_000)
    await server.sql("update audience set last_refreshed_at = $2 where id = $1", [
      own,
      (await server.sql("select completed_at from audience_run where id = $1", [latest.id]))[0]![
        "completed_at"
      ],
    ])

    await retain()

    expect((await page("", latest)).data.results).toHaveLength(50)
  })

  it("no longer than their audience", async () => {
    const own = await makeAudience(server, { topicIds: [5] })
    const gone = await completedRun(server, own)
    await ask(server, "DELETE", `/${own}`)

    await retain()

    const left = await server.sql("select 1 from run_result where run_id = $1 limit 1", [gone.id])
    expect(left).toEqual([])
  })
})
