// The list of audiences (spec 1.6, 5.8).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "../../support/server.ts"
import { type Keeper, keeper, path, putTwelveTopics, type Saved } from "./support.ts"

let server: TestServer
let ours: Keeper
beforeAll(async () => {
  server = await startServer({ workers: false })
  await putTwelveTopics(server)
})
afterAll(() => server.close())
beforeEach(async () => {
  ours = await keeper(server)
})

describe("GET /v1/intent/audiences", () => {
  it("lists newest first, by offset and by cursor", async () => {
    const made: Array<string> = []
    for (let place = 0; place < 5; place++) made.unshift((await ours.save()).id)
    await server.sql("update audience set created_at = '2026-01-01' where id = any($1)", [
      made.slice(2),
    ])
    // Created at the same time: by id, descending.
    const expected = [...made.slice(0, 2), ...made.slice(2).toSorted().toReversed()]
    const read = async (query: string) => {
      const { body } = await ours.ask(`GET ${path}?${query}`)
      const audiences: ReadonlyArray<Saved> = body.data
      return { ids: audiences.map(({ id }) => id), meta: body.meta }
    }

    const byCursor: Array<string> = []
    for (let cursor: string | null = ""; cursor !== null;) {
      const at: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`
      const page = await read(`limit=2${at}`)
      byCursor.push(...page.ids)
      cursor = page.meta.nextCursor
    }
    const byOffset = [await read("limit=2"), await read("limit=2&offset=2"), await read("offset=4")]

    expect(byCursor).toEqual(expected)
    expect(byOffset.flatMap(({ ids }) => ids)).toEqual(expected)
    expect(byOffset.map(({ meta }) => meta)).toMatchObject([
      { total: 5, limit: 2, offset: 0, hasMore: true },
      { total: 5, limit: 2, offset: 2, hasMore: true },
      { total: 5, limit: 50, offset: 4, hasMore: false, nextCursor: null },
    ])
  })

  it("filtered by status lists and counts only that status", async () => {
    const draft = await ours.save()
    const active = await ours.save({ status: "active" })
    const paused = await ours.save({ status: "active" })
    await ours.patch(paused.id, { status: "paused" })

    for (const { id, status } of [draft, active, { ...paused, status: "paused" }]) {
      const { body } = await ours.ask(`GET ${path}?status=${status}`)
      expect(body.data).toMatchObject([{ id, status }])
      expect(body.meta).toMatchObject({ total: 1, hasMore: false })
    }
  })

  it("a cursor belongs to its status", async () => {
    await ours.save()
    await ours.save()
    const { body } = await ours.ask(`GET ${path}?status=draft&limit=1`)
    const cursor = encodeURIComponent(body.meta.nextCursor!)

    const answer = await ours.ask(`GET ${path}?limit=1&cursor=${cursor}`)

    expect(answer.body.error).toMatchObject({
      code: "INVALID_CURSOR",
      details: { reason: "scope" },
    })
  })

  it.each(["limit=0", "limit=101", "offset=-1", "offset=0&cursor=x", "cursor=x", "status=gone"])(
    "refuses %s",
    async (query) => {
      expect((await ours.ask(`GET ${path}?${query}`)).status).toBe(400)
    },
  )

  it("ignores an unknown parameter", async () => {
    expect((await ours.ask(`GET ${path}?colour=red`)).status).toBe(200)
  })
})
