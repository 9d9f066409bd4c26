// Every method of the SDK for topics and audiences, once against the real server (spec 5.7, 5.8, 5.14). test/topics and
// test/audiences test the rest.
import {
  BadRequestError,
  Footfall,
  NotFoundError,
  PermissionError,
  type Topic,
  UnprocessableError,
} from "@footfall/sdk"
import { createHash } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"

let server: TestServer
let owner: Footfall
let anyone: Footfall

const warehouse: Topic = {
  topicId: 1204,
  topicName: "Warehouse Management Software",
  type: "b2b",
  industry: "logistics",
  category: "software",
}
const freight: Topic = {
  topicId: 3377,
  topicName: "Freight Visibility",
  type: "both",
  industry: "logistics",
  category: "operations",
}

const hashOf = (email: string): string => createHash("sha256").update(email).digest("hex")

/** Read once, so that no test runs into the next day. */
const nowMs = Date.now()

/** The date this many days before today. */
const daysAgo = (days: number): string =>
  new Date(nowMs - days * 86_400_000).toISOString().slice(0, 10)

const jane = "jane.mercer@harbor-logistics.example"
const otto = "otto@quayline.example"

const lines = (rows: ReadonlyArray<object>): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join("")

beforeAll(async () => {
  server = await startServer({ workers: false })
  await server.sql("update organization set is_operator = true where id = $1", [
    server.organizationId,
  ])
  const { accessToken } = await server.makeUser("owner")
  owner = new Footfall({ baseUrl: server.url, accessToken })
  anyone = new Footfall({ baseUrl: server.url })
  await owner.imports.run("topics", lines([warehouse, freight]), { format: "ndjson" })
  const people = [
    { email: jane, seniority: "vp", jobTitle: "VP Operations", company: { name: "Harbor" } },
    { email: otto, seniority: "c_suite", phones: ["+14155550134"] },
  ]
  await owner.imports.run("people", lines(people), { format: "ndjson", shared: true })
})
afterAll(() => server.close())

describe("imports.run", () => {
  it("signals: a date is imported, and importing it again changes nothing", async () => {
    const rows = [
      ...[1, 0].map((days) => [1204, hashOf(jane), 90 + days, daysAgo(days)]),
      [1204, hashOf(otto), 75, daysAgo(0)],
      [3377, hashOf(jane), 80, daysAgo(0)],
      [3377, "no hash", 80, daysAgo(0)],
    ]
    const csv = ["topicId,emailHash,score,date", ...rows.map((row) => row.join(","))].join("\n")

    const first = await owner.imports.run("signals", csv, { format: "csv" })
    const second = await owner.imports.run("signals", csv, { format: "csv" })

    expect(first).toEqual({
      kind: "signals",
      received: 5,
      inserted: 4,
      updated: 0,
      unchanged: 0,
      rejectedCount: 1,
      rejected: [{ row: 5, field: "emailHash", reason: "invalid_value" }],
    })
    expect(second).toMatchObject({ inserted: 0, updated: 0, unchanged: 4 })
  })

  it("only the operator may import topics", async () => {
    const { organizationId } = await server.makeOrganization()
    const { accessToken } = await server.makeUser("owner", organizationId)
    const other = new Footfall({ baseUrl: server.url, accessToken })

    const failed = other.imports.run("topics", lines([freight]), { format: "ndjson" })

    await expect(failed).rejects.toThrow(PermissionError)
    await expect(failed).rejects.toMatchObject({ required: "operator" })
  })
})

describe("topics, without credentials", () => {
  it("are listed page by page, filtered and counted", async () => {
    const topics = []
    for await (const topic of anyone.topics.list({ pageSize: 1 })) topics.push(topic)
    const page = await anyone.topics.list({ type: "b2c", industry: "LOGISTICS" })

    expect(topics).toEqual([warehouse, freight])
    expect(page.data).toEqual([freight])
    expect(page.meta).toMatchObject({ total: 1, page: 1, pageSize: 100, hasMore: false })
    expect(await anyone.topics.facets()).toMatchObject({
      total: 2,
      industries: [{ value: "logistics", count: 2 }],
    })
  })

  it("are found despite a typo", async () => {
    expect(await anyone.topics.search({ q: "wharehouse managment" })).toEqual([warehouse])
  })

  it("have days, which can be compared and have movers", async () => {
    const days = await anyone.topics.trend(1204)
    const [comparison, ...others] = await anyone.topics.compare([1204, 7])

    expect(days.map(({ date, uniqueAudience }) => [date, uniqueAudience])).toEqual([
      [daysAgo(1), 1],
      [daysAgo(0), 2],
    ])
    expect(days[1]).toMatchObject({ avgScore: 82.5, highAudience: 1, mediumAudience: 1 })
    expect(comparison?.data.map(({ date }) => date)).toEqual([daysAgo(1), daysAgo(0)])
    expect(others).toEqual([])
    expect(await anyone.topics.movers({ limit: 1 })).toMatchObject([
      { topicId: 1204, todayAudience: 2, yesterdayAudience: 1, pctChange: 100 },
    ])
    await expect(anyone.topics.trend(7)).rejects.toThrow(NotFoundError)
  })

  it("of a site: private and unreachable ones are rejected with different errors", async () => {
    const private_ = anyone.topics.analyze({ url: "http://127.0.0.1:9/" })
    const away = server.sdk.topics.analyze({ url: "https://nowhere.invalid/" })

    await expect(private_).rejects.toThrow(BadRequestError)
    await expect(away).rejects.toThrow(UnprocessableError)
    await expect(away).rejects.toMatchObject({ reason: "unreachable" })
  })
})

describe("topicLists and siteTopics", () => {
  it("are saved, changed and deleted", async () => {
    const { topicLists } = server.sdk
    const made = await topicLists.create({ name: "Freight", topicIds: [3377] })
    const changed = await topicLists.update(made.id, { topicIds: [3377, 1204] })

    expect(changed).toMatchObject({ name: "Freight", topicIds: [3377, 1204] })
    expect(await topicLists.get(made.id)).toEqual(changed)
    expect((await topicLists.list()).data).toEqual([changed])
    await expect(topicLists.create({ name: "x", topicIds: [7] })).rejects.toMatchObject({
      unknownTopicIds: [7],
    })
    expect(await topicLists.delete(made.id)).toEqual({ deleted: true })
    await expect(topicLists.get(made.id)).rejects.toThrow(NotFoundError)
  })

  it("there is no analysis before one is created", async () => {
    expect((await server.sdk.siteTopics.list()).meta).toMatchObject({ total: 0, limit: 20 })
  })
})

describe("audiences", () => {
  it("have filters, with counts or without", async () => {
    const values = await server.sdk.audiences.filters()
    const counts = await owner.audiences.filters({ includeCounts: true })

    expect(values.seniority).toContain("vp")
    expect(counts.seniority).toContainEqual({
      value: "vp",
      label: expect.any(String),
      count: 1,
    })
  })

  it("are validated: the normal form means the same", async () => {
    const { audiences } = server.sdk
    const validation = await audiences.validate({
      topicIds: [3377, 1204],
      filters: { state: "california", seniority: ["vp", "c_suite", "vp"], hasPhone: null },
    })

    expect(validation).toMatchObject({
      valid: true,
      normalizedConfig: { minScore: 70, maxScore: 100, filters: { state: "CA" } },
      appliedFilters: ["seniority", "state"],
    })
    expect((await audiences.validate(validation.normalizedConfig)).configHash).toBe(
      validation.configHash,
    )
  })

  it("are previewed", async () => {
    const { audiences } = server.sdk
    const all = await audiences.preview({ topicIds: [1204, 3377] })
    const both = await audiences.preview({ topicIds: [1204, 3377], minTopicOverlap: 2 })
    const withPhone = await audiences.preview({
      topicIds: [1204],
      filters: { hasPhone: true, seniority: ["c_suite"] },
    })

    expect(all).toMatchObject({ totalCount: 2, dataDate: daysAgo(0) })
    expect(all.sample[0]).toEqual({
      hem: hashOf(jane),
      intentScore: 90,
      topicId: 1204,
      email: "j***@harbor-logistics.example",
      company: "Harbor",
      jobTitle: "VP Operations",
      masked: true,
    })
    expect(both.sample.map(({ hem }) => hem)).toEqual([hashOf(jane)])
    expect(withPhone.sample.map(({ hem }) => hem)).toEqual([hashOf(otto)])
    expect((await audiences.preview({ topicIds: [3377, 1204, 1204] })).previewKey).toBe(
      all.previewKey,
    )
    await expect(audiences.preview({ topicIds: [7] })).rejects.toMatchObject({
      unknownTopicIds: [7],
    })
  })
})

it("audiences are saved, listed, changed, activated, paused and deleted", async () => {
  const { audiences } = server.sdk
  const config = { topicIds: [1204], filters: { seniority: ["vp"] } } as const

  const created = await audiences.create({ name: "Buyers", config })
  expect(created).toMatchObject({ status: "draft", config: { topics: [warehouse], minScore: 70 } })
  expect(await audiences.get(created.id)).toEqual(created)
  expect((await audiences.list({ status: "draft" })).data).toEqual([created])
  expect(
    // A response can be sent again.
    await audiences.update(created.id, { name: "Other", config: created.config }),
  ).toMatchObject({ name: "Other", config: created.config })
  await expect(audiences.pause(created.id)).rejects.toMatchObject({
    code: "INVALID_TRANSITION",
    details: { status: "draft", requested: "paused" },
  })
  expect(await audiences.activate(created.id)).toMatchObject({ status: "active" })
  await server.sql("update organization set intent_slots = 1 where id = $1", [
    server.organizationId,
  ])
  const refused = audiences.create({ name: "Second", status: "active", config })
  await expect(refused).rejects.toThrow(PermissionError)
  await expect(refused).rejects.toMatchObject({ slots: { used: 1, limit: 1 } })
  expect(await audiences.pause(created.id)).toMatchObject({ status: "paused" })
  expect(await audiences.delete(created.id)).toEqual({ deleted: true })
  await expect(audiences.get(created.id)).rejects.toThrow(NotFoundError)
})
