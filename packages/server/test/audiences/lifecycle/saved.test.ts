// Saving, reading, changing and listing audiences (decisions.md 2.8, 5.8). Their states: transitions.test.ts;
// what another organization sees of them: test/isolation.
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "../../support/server.ts"
import { putTopics } from "../support.ts"
import { type Keeper, keeper, path, type Saved } from "./support.ts"

let server: TestServer
let ours: Keeper
beforeAll(async () => {
  server = await startServer({ workers: false })
  await putTopics(
    server,
    Array.from({ length: 12 }, (_, place) => place + 1),
  )
})
afterAll(() => server.close())
beforeEach(async () => {
  ours = await keeper(server)
})

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const topicOf = (topicId: number) => ({
  topicId,
  topicName: `Topic ${topicId}`,
  type: "b2b",
  industry: "logistics",
  category: "software",
})

describe("POST /v1/intent/audiences", () => {
  it("fills in defaults and answers every field", async () => {
    const answer = await ours.ask(`POST ${path}`, {
      name: "  Buyers ",
      config: { topicIds: [2, 1, 2] },
    })

    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      data: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        organizationId: ours.organizationId,
        name: "Buyers",
        status: "draft",
        config: {
          topicIds: [2, 1],
          minScore: 70,
          maxScore: 100,
          minTopicOverlap: 1,
          filters: {},
          sourceUrl: null,
          topics: [topicOf(2), topicOf(1)],
        },
        accessType: "paid",
        dailyRefreshEnabled: false,
        audienceSize: 0,
        createdBy: null,
        lastRefreshedAt: null,
        createdAt: timestamp,
        updatedAt: (answer.body.data as Saved).createdAt,
        pausedAt: null,
      },
      meta: { timestamp, request_id: expect.any(String) },
    })
  })

  it("keeps the normal form of a configuration, and the site it was built from", async () => {
    const { config } = await ours.save({
      config: {
        topicIds: [1, 2],
        minScore: 60,
        maxScore: 90,
        minTopicOverlap: 2,
        filters: { seniority: ["VP", "c_suite"], state: "california", jobTitle: "", gender: null },
        sourceUrl: "https://tidewater.example/pricing",
      },
    })

    expect(config).toEqual({
      topicIds: [1, 2],
      minScore: 60,
      maxScore: 90,
      minTopicOverlap: 2,
      filters: { seniority: ["c_suite", "vp"], state: "CA" },
      sourceUrl: "https://tidewater.example/pricing",
      topics: [topicOf(1), topicOf(2)],
    })
  })

  it("reads no `topics`: they are derived", async () => {
    const { config } = await ours.save({
      config: { topicIds: [1], topics: [{ topicId: 9, anything: true }] },
    })

    expect(config.topics).toEqual([topicOf(1)])
  })

  it("takes a name of 255 characters and 10 topics", async () => {
    const topicIds = Array.from({ length: 10 }, (_, place) => place + 1)

    const saved = await ours.save({ name: "😀".repeat(255), config: { topicIds } })

    expect(saved.config.topicIds).toEqual(topicIds)
  })

  it("tells who created it: a user, or nobody for a key", async () => {
    const { accessToken: token, userId } = await server.makeUser("member", ours.organizationId)
    const body = { name: "Buyers", config: { topicIds: [1] } }

    const byUser = await ours.ask(`POST ${path}`, body, { token })

    expect(byUser.body.data).toMatchObject({ createdBy: userId })
    expect(await ours.save()).toMatchObject({ createdBy: null })
  })

  const config = { topicIds: [1] }
  it.each([
    [{ name: "x" }, "/body/config", "required"],
    [{ config }, "/body/name", "required"],
    [{ name: " ", config }, "/body/name", "min_length"],
    [{ name: "x".repeat(256), config }, "/body/name", "max_length"],
    [{ name: "x", config: {} }, "/body/config/topicIds", "required"],
    [{ name: "x", config: { topicIds: [] } }, "/body/config/topicIds", "min_items"],
    [
      { name: "x", config: { topicIds: Array.from({ length: 11 }, (_, id) => id + 1) } },
      "/body/config/topicIds",
      "max_items",
    ],
    [{ name: "x", config: { topicIds: [1], minScore: 0 } }, "/body/config/minScore", "min"],
    [{ name: "x", config: { topicIds: [1], maxScore: 101 } }, "/body/config/maxScore", "max"],
    [
      { name: "x", config: { topicIds: [1], minScore: 80, maxScore: 79 } },
      "/body/config/minScore",
      "max",
    ],
    [
      { name: "x", config: { topicIds: [1, 1], minTopicOverlap: 2 } },
      "/body/config/minTopicOverlap",
      "max",
    ],
    [
      { name: "x", config: { topicIds: [1], filters: { country: "US" } } },
      "/body/config/filters/country",
      "unknown_field",
    ],
    [
      { name: "x", config: { topicIds: [1], filters: { seniority: ["boss"] } } },
      "/body/config/filters/seniority/0",
      "enum",
    ],
    [
      { name: "x", config: { topicIds: [1], sourceUrl: "here" } },
      "/body/config/sourceUrl",
      "format",
    ],
    [{ name: "x", config: { topicIds: [1], colour: 1 } }, "/body/config/colour", "unknown_field"],
    [{ name: "x", config, colour: 1 }, "/body/colour", "unknown_field"],
    [{ name: "x", config, status: "deleted" }, "/body/status", "enum"],
    [{ name: "x", config, accessType: "paid" }, "/body/accessType", "unknown_field"],
  ])("refuses %j", async (body, at, code) => {
    const answer = await ours.ask(`POST ${path}`, body)

    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatchObject({
      code: "VALIDATION_ERROR",
      details: { issues: [{ path: at, code }] },
    })
    expect((await ours.ask(`GET ${path}`)).body.data).toEqual([])
  })

  it("refuses unknown topics, and names them", async () => {
    const answer = await ours.ask(`POST ${path}`, {
      name: "x",
      config: { topicIds: [1, 999, 998] },
    })

    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatchObject({
      code: "VALIDATION_ERROR",
      details: {
        issues: [
          { path: "/body/config/topicIds/1", code: "unknown_topic" },
          { path: "/body/config/topicIds/2", code: "unknown_topic" },
        ],
        unknownTopicIds: [999, 998],
      },
    })
  })
})

describe("GET /v1/intent/audiences/{id}", () => {
  it("reads what was saved", async () => {
    const saved = await ours.save({ status: "active" })

    const answer = await ours.ask(`GET ${path}/${saved.id}`)

    expect(answer.status).toBe(200)
    expect(answer.body.data).toEqual(saved)
  })

  it("of an id that is no uuid is 400, of one that is not there 404", async () => {
    expect((await ours.ask(`GET ${path}/one`)).status).toBe(400)
    expect((await ours.ask(`GET ${path}/${randomUUID()}`)).body.error.code).toBe("NOT_FOUND")
  })
})

describe("PATCH /v1/intent/audiences/{id}", () => {
  it("changes the name, and leaves the rest", async () => {
    const saved = await ours.save()

    const { body, status } = await ours.patch(saved.id, { name: " Other " })

    expect(status).toBe(200)
    expect(body.data).toEqual({ ...saved, name: "Other", updatedAt: timestamp })
  })

  it("`config` replaces the whole configuration: what it leaves out has its default", async () => {
    const saved = await ours.save({
      config: {
        topicIds: [1, 2],
        minScore: 50,
        minTopicOverlap: 2,
        filters: { isB2b: "y" },
        sourceUrl: "https://tidewater.example",
      },
    })

    const { body } = await ours.patch(saved.id, { config: { topicIds: [3] } })

    expect((body.data as Saved).config).toEqual({
      topicIds: [3],
      minScore: 70,
      maxScore: 100,
      minTopicOverlap: 1,
      filters: {},
      sourceUrl: null,
      topics: [topicOf(3)],
    })
  })

  it("name, status and config at once are one change", async () => {
    const { id } = await ours.save()

    const { body } = await ours.patch(id, {
      name: "Other",
      status: "active",
      config: { topicIds: [2] },
    })

    expect(body.data).toMatchObject({
      name: "Other",
      status: "active",
      config: { topicIds: [2], topics: [topicOf(2)] },
    })
  })

  it("that changes nothing is no change", async () => {
    const saved = await ours.save({
      config: { topicIds: [1], filters: { isB2b: "y", state: "CA" } },
    })

    for (const change of [
      {},
      { name: saved.name },
      { status: "draft" },
      { config: saved.config },
    ]) {
      const { body, status } = await ours.patch(saved.id, change)
      expect(status).toBe(200)
      expect(body.data).toEqual(saved)
    }
    expect(await audited()).toMatchObject([{ action: "audience.created" }])
  })

  it("of two changes of different fields at once both are kept", async () => {
    const { id } = await ours.save()

    await Promise.all([
      ours.patch(id, { name: "Other" }),
      ours.patch(id, { config: { topicIds: [2] } }),
      ours.patch(id, { status: "active" }),
    ])

    expect((await ours.ask(`GET ${path}/${id}`)).body.data).toMatchObject({
      name: "Other",
      status: "active",
      config: { topicIds: [2] },
    })
  })

  it.each([
    [{ name: "" }, "/body/name", "min_length"],
    [{ name: null }, "/body/name", "type"],
    [{ status: "deleted" }, "/body/status", "enum"],
    [{ config: null }, "/body/config", "type"],
    [{ config: {} }, "/body/config/topicIds", "required"],
    [{ config: { topicIds: [1], minScore: 101 } }, "/body/config/minScore", "max"],
    [{ dailyRefreshEnabled: true }, "/body/dailyRefreshEnabled", "unknown_field"],
    [{ audienceSize: 1 }, "/body/audienceSize", "unknown_field"],
  ])("refuses %j, and changes nothing", async (change, at, code) => {
    const saved = await ours.save()

    const answer = await ours.patch(saved.id, change)

    expect(answer.status).toBe(400)
    expect(answer.body.error.details).toMatchObject({ issues: [{ path: at, code }] })
    expect((await ours.ask(`GET ${path}/${saved.id}`)).body.data).toEqual(saved)
  })

  it("refuses unknown topics before it looks for the audience", async () => {
    const refused = await ours.patch(randomUUID(), { config: { topicIds: [999] } })

    expect(refused.status).toBe(400)
    expect(refused.body.error.details).toMatchObject({ unknownTopicIds: [999] })
    expect((await ours.patch(randomUUID(), { status: "active" })).status).toBe(404)
  })
})

it("DELETE a second time is 404", async () => {
  const { id } = await ours.save()
  await ours.ask(`DELETE ${path}/${id}`)

  expect((await ours.ask(`DELETE ${path}/${id}`)).status).toBe(404)
  expect((await ours.patch(id, { name: "Other" })).status).toBe(404)
})

describe("GET /v1/intent/audiences", () => {
  it("lists newest first, by offset and by cursor alike", async () => {
    const made: Array<string> = []
    for (let place = 0; place < 5; place++) made.unshift((await ours.save()).id)
    await server.sql("update audience set created_at = '2026-01-01' where id = any($1)", [
      made.slice(2),
    ])
    // Of one moment: by id, descending.
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

  it("of one status lists and counts those alone", async () => {
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

it("each change leaves one entry in the audit log, with its actor", async () => {
  const { accessToken: token } = await server.makeUser("member", ours.organizationId)
  const { id } = await ours.save()
  await ours.ask(`PATCH ${path}/${id}`, { status: "active" }, { token })
  await ours.ask(`DELETE ${path}/${id}`, undefined, { token })

  expect(await audited()).toEqual([
    { actor_type: "api_key", action: "audience.created", target_id: id },
    { actor_type: "user", action: "audience.updated", target_id: id },
    { actor_type: "user", action: "audience.deleted", target_id: id },
  ])
})

it("are limited to 120 per minute and key or user", async () => {
  const limited = await startServer({ rateLimits: true, workers: false, beside: server })
  const answer = await limited.get(path)
  await limited.close()

  expect(answer.headers.get("ratelimit-limit")).toBe("120")
  expect(answer.headers.get("ratelimit-remaining")).toBe("119")
})

const audited = () =>
  server.sql(
    `select actor_type, action, target_id from audit_entry
     where organization_id = $1 and action like 'audience.%' order by id`,
    [ours.organizationId],
  )
