// Saving and reading audiences (spec 2.8, 5.8). For changes see changed.test.ts, for lists listed.test.ts, for states
// transitions.test.ts, and for other organizations test/isolation.
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "../../support/server.ts"
import {
  type Keeper,
  keeper,
  path,
  putTwelveTopics,
  type Saved,
  timestamp,
  topicOf,
} from "./support.ts"

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

describe("POST /v1/intent/audiences", () => {
  it("fills in defaults and returns every field", async () => {
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
          segmentId: null,
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

  it("keeps the normal form of a configuration, and its source URL", async () => {
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
      segmentId: null,
      topicIds: [1, 2],
      minScore: 60,
      maxScore: 90,
      minTopicOverlap: 2,
      filters: { seniority: ["c_suite", "vp"], state: "CA" },
      sourceUrl: "https://tidewater.example/pricing",
      topics: [topicOf(1), topicOf(2)],
    })
  })

  it("keeps filter text as it was typed, and accepts it back unchanged", async () => {
    const filters = { companyName: "ACME, İnşaat", jobTitle: "VP Sales", state: "Île-de-France" }

    const saved = await ours.save({ config: { topicIds: [1], filters } })
    const changed = await ours.patch(saved.id, {
      config: { topicIds: [1], filters: { ...filters, companyName: "Acme" } },
    })

    expect(saved.config.filters).toEqual(filters)
    expect((changed.body.data as Saved).config.filters).toEqual({ ...filters, companyName: "Acme" })
  })

  it("ignores `topics`: they are derived", async () => {
    const { config } = await ours.save({
      config: { topicIds: [1], topics: [{ topicId: 9, anything: true }] },
    })

    expect(config.topics).toEqual([topicOf(1)])
  })

  it("accepts a name of 255 characters and 10 topics", async () => {
    const topicIds = Array.from({ length: 10 }, (_, place) => place + 1)

    const saved = await ours.save({ name: "😀".repeat(255), config: { topicIds } })

    expect(saved.config.topicIds).toEqual(topicIds)
  })

  it("returns who created it: a user, or null for a key", async () => {
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
    [{ name: "x", config: { topicIds: [] } }, "/body/config/topicIds", "required"],
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

  it("rejects unknown topics, and names them", async () => {
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
  it("returns what was saved", async () => {
    const saved = await ours.save({ status: "active" })

    const answer = await ours.ask(`GET ${path}/${saved.id}`)

    expect(answer.status).toBe(200)
    expect(answer.body.data).toEqual(saved)
  })

  it("is 400 for an invalid id and 404 for an unknown id", async () => {
    expect((await ours.ask(`GET ${path}/one`)).status).toBe(400)
    expect((await ours.ask(`GET ${path}/${randomUUID()}`)).body.error.code).toBe("NOT_FOUND")
  })
})

it("each change adds one entry to the audit log, with its actor", async () => {
  const { accessToken: token } = await server.makeUser("member", ours.organizationId)
  const { id } = await ours.save()
  await ours.ask(`PATCH ${path}/${id}`, { status: "active" }, { token })
  await ours.ask(`DELETE ${path}/${id}`, undefined, { token })

  expect(await ours.audited()).toEqual([
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
