// Changing and deleting audiences (spec 2.8, 5.8).
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

describe("PATCH /v1/intent/audiences/{id}", () => {
  it("changes the name and nothing else", async () => {
    const saved = await ours.save()

    const { body, status } = await ours.patch(saved.id, { name: " Other " })

    expect(status).toBe(200)
    expect(body.data).toEqual({ ...saved, name: "Other", updatedAt: timestamp })
  })

  it("`config` replaces the whole configuration: omitted parts get their defaults", async () => {
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
      segmentId: null,
      topicIds: [3],
      minScore: 70,
      maxScore: 100,
      minTopicOverlap: 1,
      filters: {},
      sourceUrl: null,
      topics: [topicOf(3)],
    })
  })

  it("name, status and config in one request are one change", async () => {
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

  it("a request that changes nothing is not recorded as a change", async () => {
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
    expect(await ours.audited()).toMatchObject([{ action: "audience.created" }])
  })

  it("two concurrent changes of different fields are both kept", async () => {
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
  ])("rejects %j, and changes nothing", async (change, at, code) => {
    const saved = await ours.save()

    const answer = await ours.patch(saved.id, change)

    expect(answer.status).toBe(400)
    expect(answer.body.error.details).toMatchObject({ issues: [{ path: at, code }] })
    expect((await ours.ask(`GET ${path}/${saved.id}`)).body.data).toEqual(saved)
  })

  it("rejects unknown topics before it looks for the audience", async () => {
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
