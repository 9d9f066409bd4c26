// Topic lists (spec 1.6, 2.18, 5.7, 9). test/isolation tests other organizations.
import { randomUUID } from "node:crypto"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { caller } from "../access/request.ts"
import { startServer, type TestServer, type TestUser } from "../support/server.ts"
import { putTopics, topic } from "./topics.ts"

let server: TestServer
let ask: (operation: string, body?: unknown) => ReturnType<ReturnType<typeof caller>>
let member: TestUser
beforeAll(async () => {
  server = await startServer({ workers: false })
  member = await server.makeUser("member")
  ask = (operation, body) => caller(server)(operation, body, { apiKey: server.apiKey })
  await putTopics(
    server,
    Array.from({ length: 110 }, (_, at) => topic(at + 1, `Topic ${at + 1}`)),
  )
})
afterAll(() => server.close())
afterEach(async () => {
  await server.sql("delete from topic_list")
  await server.sql("delete from audit_entry")
})

const path = "/v1/intent/topic-lists"
interface TopicList {
  readonly id: string
  readonly name: string
  readonly topicIds: ReadonlyArray<number>
  readonly createdAt: string
  readonly updatedAt: string
}
const make = async (body: unknown = { name: "Watched", topicIds: [1, 2] }): Promise<TopicList> => {
  const answer = await ask(`POST ${path}`, body)
  expect(answer.status).toBe(201)
  return answer.body.data
}
const audited = () =>
  server.sql(
    "select actor_type, action, target_id from audit_entry where action like 'topic_list.%'",
  )

describe("POST /v1/intent/topic-lists", () => {
  it("creates a list: 201 with every field", async () => {
    const answer = await ask(`POST ${path}`, { name: "  Watched ", topicIds: [2, 1] })

    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      data: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        organizationId: server.organizationId,
        name: "Watched",
        topicIds: [2, 1],
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updatedAt: (answer.body.data as TopicList).createdAt,
      },
      meta: { timestamp: expect.any(String), request_id: expect.any(String) },
    })
  })

  it("counts a repeated topic once", async () => {
    expect((await make({ name: "Twice", topicIds: [3, 1, 3] })).topicIds).toEqual([3, 1])
  })

  it("accepts 1 to 100 topics and a name of 1 to 160 characters", async () => {
    const ids = Array.from({ length: 100 }, (_, at) => at + 1)

    expect((await make({ name: "😀".repeat(160), topicIds: ids })).topicIds).toEqual(ids)
  })

  it.each([
    [{ name: "x", topicIds: [] }, "/body/topicIds", "min_items"],
    [{ name: "x", topicIds: Array(101).fill(1) }, "/body/topicIds", "max_items"],
    [{ name: "x", topicIds: ["1"] }, "/body/topicIds/0", "type"],
    [{ name: "x", topicIds: [1.5] }, "/body/topicIds/0", "type"],
    [{ name: " ", topicIds: [1] }, "/body/name", "min_length"],
    [{ name: "x".repeat(161), topicIds: [1] }, "/body/name", "max_length"],
    [{ topicIds: [1] }, "/body/name", "required"],
    [{ name: "x" }, "/body/topicIds", "required"],
    [{ name: "x", topicIds: [1], colour: "red" }, "/body/colour", "unknown_field"],
  ])("refuses %j", async (body, at, code) => {
    const answer = await ask(`POST ${path}`, body)

    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatchObject({
      code: "VALIDATION_ERROR",
      details: { issues: [{ path: at, code }] },
    })
    expect(answer.body.error.details).not.toHaveProperty("unknownTopicIds")
  })

  it("rejects unknown topics, and names them", async () => {
    const answer = await ask(`POST ${path}`, {
      name: "x",
      topicIds: [1, 999, -1, 2, 999, 99999999999],
    })

    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatchObject({
      code: "VALIDATION_ERROR",
      details: {
        issues: [
          { path: "/body/topicIds/1", code: "unknown_topic" },
          { path: "/body/topicIds/2", code: "unknown_topic" },
          { path: "/body/topicIds/4", code: "unknown_topic" },
          { path: "/body/topicIds/5", code: "unknown_topic" },
        ],
        unknownTopicIds: [999, -1, 99999999999],
      },
    })
    expect(await server.sql("select from topic_list")).toHaveLength(0)
  })
})

describe("GET /v1/intent/topic-lists/{id}", () => {
  it("returns the stored list", async () => {
    const made = await make()

    const answer = await ask(`GET ${path}/${made.id}`)

    expect(answer.status).toBe(200)
    expect(answer.body.data).toEqual(made)
  })

  it("returns 400 for an invalid id, and 404 for an unknown id", async () => {
    expect((await ask(`GET ${path}/one`)).status).toBe(400)
    expect((await ask(`GET ${path}/${randomUUID()}`)).body.error.code).toBe("NOT_FOUND")
  })
})

describe("PATCH /v1/intent/topic-lists/{id}", () => {
  it("changes the given fields and leaves the rest", async () => {
    const made = await make()

    const renamed = await ask(`PATCH ${path}/${made.id}`, { name: "Other" })
    const refilled = await ask(`PATCH ${path}/${made.id}`, { topicIds: [3, 3] })

    expect(renamed.body.data).toMatchObject({ name: "Other", topicIds: [1, 2] })
    expect(refilled.status).toBe(200)
    expect(refilled.body.data).toEqual({
      ...made,
      name: "Other",
      topicIds: [3],
      updatedAt: expect.any(String),
    })
    expect((refilled.body.data as TopicList).updatedAt >= made.updatedAt).toBe(true)
  })

  it("is not recorded if it changes nothing", async () => {
    const made = await make()

    expect((await ask(`PATCH ${path}/${made.id}`, {})).body.data).toEqual(made)
    expect((await ask(`PATCH ${path}/${made.id}`, { name: made.name })).body.data).toEqual(made)
    expect(await audited()).toMatchObject([{ action: "topic_list.created" }])
  })

  it("rejects unknown topics before looking for the list", async () => {
    const answer = await ask(`PATCH ${path}/${randomUUID()}`, { topicIds: [999] })

    expect(answer.status).toBe(400)
    expect(answer.body.error.details).toMatchObject({ unknownTopicIds: [999] })
    expect((await ask(`PATCH ${path}/${randomUUID()}`, { topicIds: [1] })).status).toBe(404)
  })
})

describe("DELETE /v1/intent/topic-lists/{id}", () => {
  it("deletes permanently, and returns 404 the second time", async () => {
    const { id } = await make()

    const answer = await ask(`DELETE ${path}/${id}`)

    expect(answer.status).toBe(200)
    expect(answer.body.data).toEqual({ deleted: true })
    expect((await ask(`DELETE ${path}/${id}`)).status).toBe(404)
    expect((await ask(`GET ${path}/${id}`)).status).toBe(404)
  })
})

describe("GET /v1/intent/topic-lists", () => {
  it("lists newest first, by offset and by cursor", async () => {
    const made: Array<string> = []
    for (let place = 0; place < 5; place++) made.unshift((await make()).id)
    await server.sql("update topic_list set created_at = '2026-01-01' where id = any($1)", [
      made.slice(2),
    ])
    // With the same time: by id, descending.
    const expected = [...made.slice(0, 2), ...made.slice(2).toSorted().toReversed()]
    const read = async (query: string) => {
      const { body } = await ask(`GET ${path}?${query}`)
      const lists: ReadonlyArray<TopicList> = body.data
      return { ids: lists.map(({ id }) => id), meta: body.meta }
    }

    const byCursor: Array<string> = []
    let cursor: string | null = ""
    while (cursor !== null) {
      const page = await read(
        `limit=2${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`,
      )
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

  it.each([
    "limit=0",
    "limit=101",
    "offset=-1",
    "offset=0&cursor=x",
    "limit=1&limit=1",
    "cursor=x",
  ])("refuses %s", async (query) => {
    expect((await ask(`GET ${path}?${query}`)).status).toBe(400)
  })

  it("ignores an unknown parameter", async () => {
    expect((await ask(`GET ${path}?colour=red`)).status).toBe(200)
  })
})

it("each change leaves one entry in the audit log, with its actor", async () => {
  const { id } = await make()
  const as = { token: member.accessToken }
  await caller(server)(`PATCH ${path}/${id}`, { name: "Other" }, as)
  await caller(server)(`DELETE ${path}/${id}`, undefined, as)

  expect(await audited()).toEqual([
    { actor_type: "api_key", action: "topic_list.created", target_id: id },
    { actor_type: "user", action: "topic_list.updated", target_id: id },
    { actor_type: "user", action: "topic_list.deleted", target_id: id },
  ])
})

it("are limited to 120 per minute and key or user", async () => {
  const limited = await startServer({ rateLimits: true, workers: false, beside: server })
  const answer = await limited.get(path)
  await limited.close()

  expect(answer.headers.get("ratelimit-limit")).toBe("120")
  expect(answer.headers.get("ratelimit-remaining")).toBe("119")
})
