// Topics and audiences through the SDK: pages, errors and retries. calls.test.ts has the single calls.

import { describe, expect, expectTypeOf, it } from "vitest"
import {
  BadRequestError,
  Footfall,
  PermissionError,
  RateLimitedError,
  UnprocessableError,
  type Audience,
  type AudienceFilterCounts,
  type AudienceFilterValues,
  type AudienceFilters,
  type Page,
  type Topic,
  type TopicListMeta,
} from "../src/index.ts"
import { collect } from "./support/collect.ts"
import { apiKey } from "./support/credentials.ts"
import { scriptedServer } from "./support/scripted-server.ts"
import { refuse, reset, succeed } from "./support/steps.ts"

const client = ({ baseUrl }: { readonly baseUrl: string }) => new Footfall({ apiKey, baseUrl })
const anyone = ({ baseUrl }: { readonly baseUrl: string }) => new Footfall({ baseUrl })

const topic = (topicId: number): Topic => ({
  topicId,
  topicName: `Topic ${topicId}`,
  type: "b2b",
  industry: "logistics",
  category: "software",
})

describe("the topic list", () => {
  it("follows cursors with the same filter, starting at its first page", async () => {
    const page = (topicId: number, nextCursor: string | null) =>
      succeed([topic(topicId)], { total: 2, pageSize: 1, hasMore: nextCursor !== null, nextCursor })
    await using server = await scriptedServer([page(1, "c1"), page(2, null)])

    const topics = await collect(anyone(server).topics.list({ page: 3, pageSize: 1, type: "b2c" }))

    expect(topics).toEqual([topic(1), topic(2)])
    expect(server.received.map(({ query }) => query.toString())).toEqual([
      "page=3&pageSize=1&type=b2c",
      "pageSize=1&type=b2c&cursor=c1",
    ])
  })

  it("returns a page with its count when awaited", async () => {
    await using server = await scriptedServer([succeed([topic(1)], { total: 1, nextCursor: null })])

    const list = anyone(server).topics.list()
    expectTypeOf<Awaited<typeof list>>().toEqualTypeOf<Page<Topic, TopicListMeta>>()

    expect((await list).meta.total).toBe(1)
  })

  it("accepts one position", () => {
    const { topics } = new Footfall({ fetch: async () => new Response() })
    topics.list({ page: 1, pageSize: 5 })
    // @ts-expect-error -- a position is a page or a cursor
    topics.list({ page: 1, cursor: "c" })
  })
})

it("audiences are filtered by status on every page", async () => {
  const page = (id: string, nextCursor: string | null) =>
    succeed([{ id }], { total: 2, limit: 1, offset: 0, hasMore: nextCursor !== null, nextCursor })
  await using server = await scriptedServer([page("1", "c1"), page("2", null)])

  const audiences = await collect(client(server).audiences.list({ status: "active", limit: 1 }))

  expect(audiences).toEqual([{ id: "1" }, { id: "2" }])
  expect(server.received.map(({ query }) => query.toString())).toEqual([
    "status=active&limit=1",
    "status=active&limit=1&cursor=c1",
  ])
})

it("a configuration that was read can be sent again", () => {
  const { audiences } = new Footfall({ fetch: async () => new Response() })
  expectTypeOf<Audience["config"]>().toExtend<Parameters<typeof audiences.create>[0]["config"]>()
})

it("a POST that only reads is retried after a failure; an analysis, which is stored, is not", async () => {
  const failing = [reset, succeed([])]
  await using server = await scriptedServer([...failing, ...failing, ...failing, reset])
  const { topics, audiences } = client(server)

  await topics.compare([1])
  await audiences.validate({ topicIds: [1] })
  await audiences.preview({ topicIds: [1] })
  await expect(topics.analyze({ url: "https://tidewater.example" })).rejects.toThrow()

  expect(server.received).toHaveLength(7)
})

describe("a refusal", () => {
  it("names the topics that are not in the catalog", async () => {
    const details = { issues: [], unknownTopicIds: [7, 8] }
    await using server = await scriptedServer([refuse(400, "VALIDATION_ERROR", { details })])

    const error = await client(server)
      .audiences.preview({ topicIds: [7, 8] })
      .catch((thrown: unknown) => thrown)

    expect(error).toBeInstanceOf(BadRequestError)
    expect(error).toMatchObject({ unknownTopicIds: [7, 8], issues: [] })
  })

  it.each([
    ["VALIDATION_ERROR", {}],
    ["VALIDATION_ERROR", { unknownTopicIds: "7" }],
    ["INVALID_CURSOR", { unknownTopicIds: [7] }],
  ])("%s with %j names no topics", async (code, details) => {
    await using server = await scriptedServer([refuse(400, code, { details })])

    await expect(client(server).topicLists.get("x")).rejects.toMatchObject({ unknownTopicIds: [] })
  })

  it.each([
    ["SITE_UNREADABLE", { reason: "not_html" }, "not_html"],
    ["SITE_UNREADABLE", {}, null],
    ["ANOTHER", { reason: "not_html" }, null],
  ])("422 %s with %j has the reason %s", async (code, details, reason) => {
    await using server = await scriptedServer([refuse(422, code, { details })])

    const failed = anyone(server).topics.analyze({ url: "https://tidewater.example" })

    await expect(failed).rejects.toThrow(UnprocessableError)
    await expect(failed).rejects.toMatchObject({ reason })
  })

  it.each([
    ["SLOTS_FULL", { used: 3, limit: 3 }, { used: 3, limit: 3 }],
    ["SLOTS_FULL", { used: 3 }, null],
    ["SLOTS_FULL", { used: "3", limit: 3 }, null],
    ["FORBIDDEN", { used: 3, limit: 3 }, null],
  ])("403 %s with %j has the slots %j", async (code, details, slots) => {
    await using server = await scriptedServer([refuse(403, code, { details })])

    const failed = client(server).audiences.activate("x")

    await expect(failed).rejects.toThrow(PermissionError)
    await expect(failed).rejects.toMatchObject({ slots })
  })

  it("without credentials says when to retry", async () => {
    const headers = { "retry-after": "3600" }
    await using server = await scriptedServer([refuse(429, "RATE_LIMITED", { headers })])

    await expect(anyone(server).topics.facets()).rejects.toThrow(RateLimitedError)
  })
})

it("filters have counts on request, and so does their type", () => {
  const fetch = async () => Response.json({ data: {}, meta: {} })
  const { audiences } = new Footfall({ apiKey, fetch })

  expectTypeOf(audiences.filters()).resolves.toEqualTypeOf<AudienceFilterValues>()
  expectTypeOf(
    audiences.filters({ includeCounts: true }),
  ).resolves.toEqualTypeOf<AudienceFilterCounts>()
})

it("filters accept only their own values", () => {
  const filters = (given: AudienceFilters) => given
  filters({ seniority: ["vp", "c_suite"], companySize: ["201-500"], hasPhone: false, state: null })
  // @ts-expect-error -- no seniority
  filters({ seniority: ["boss"] })
  // @ts-expect-error -- no filter
  filters({ country: "US" })
})
