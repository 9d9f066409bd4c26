// Rules with topics in a running server (spec 3.3): after an import, people and companies are found by them within seconds,
// and after an erasure nothing is left.
import { Footfall, PermissionError, NotFoundError } from "@footfall/sdk"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { putTopics } from "../audiences/support.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { settle, someone } from "../visitors/query/scene.ts"
import { hashOf } from "../visitors/query/put-people.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const hourAgo = Date.now() - 3_600_000
const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
const today = dayAgo(0)

/** Adds imported signals of a date: who, topic and score. */
const publish = async (
  organizationId: string,
  date: string,
  signals: ReadonlyArray<readonly [hash: string, topicId: number, score: number]>,
) => {
  for (const [hash, topicId, score] of signals) {
    await server.sql(
      `with number as (
         insert into signal_person (email_hash, organization_ids)
         values (decode($1, 'hex'), array[$2::uuid])
         on conflict (email_hash) do update set organization_ids = signal_person.organization_ids
         returning id
       )
       insert into signal (organization_id, origin, date, topic_id, score, people)
       select $2::uuid, 'import', $3::date, $4, $5, array[id] from number`,
      [hash, organizationId, date, topicId, score],
    )
  }
  await server.sql(
    "insert into signal_date (organization_id, origin, date, signals) values ($1, 'import', $2, $3)",
    [organizationId, date, signals.length],
  )
  await server.sql("update data_version set version = version + 1")
}

it("finds people and companies by the topics of an import, each organization its own", async () => {
  const [ours, theirs] = [await server.makeOrganization(), await server.makeOrganization()]
  const [reader, other] = [someone([hourAgo]), someone([hourAgo])]
  await settle(server, ours, [reader, other])
  await settle(server, theirs, [someone([hourAgo])])
  await publish(ours.organizationId, today, [
    [hashOf(reader), 1203, 80],
    [hashOf(other), 1203, 40],
  ])

  const footfall = new Footfall({ baseUrl: server.url, apiKey: ours.apiKey })
  const ruleAst = {
    version: 1,
    rule: { field: "intent.score", of: 1203, op: "gte", value: 70 },
  } as const
  const topics = {
    version: 1,
    rule: { field: "intent.topics", op: "any_in", value: [1203] },
  } as const
  await vi.waitFor(
    async () => {
      const { data } = await footfall.visitors.query({ ruleAst })
      expect(data.map(({ emailHash }) => emailHash)).toEqual([hashOf(reader)])
    },
    { timeout: 20_000, interval: 200 },
  )
  expect((await footfall.companies.query({ ruleAst })).data.map(({ domain }) => domain)).toEqual([
    reader.id,
  ])
  expect((await footfall.companies.query({ ruleAst: topics })).data).toHaveLength(2)
  const foreign = new Footfall({ baseUrl: server.url, apiKey: theirs.apiKey })
  expect((await foreign.visitors.query({ ruleAst: topics })).data).toEqual([])
  expect((await foreign.companies.query({ ruleAst: topics })).data).toEqual([])

  await footfall.visitors.erase(hashOf(reader))
  for (const table of ["visitor_topic", "visitor_number", "visitor_topic_stale"]) {
    expect([
      table,
      await server.sql(`select from ${table} where visitor_id = $1`, [reader.id]),
    ]).toEqual([table, []])
  }
  // Whose numbers a round found last is not kept beyond that step.
  await expect
    .poll(() => server.sql("select from visitor_topic_round where after_visitor is not null"), {
      timeout: 20_000,
    })
    .toEqual([])
  expect((await footfall.visitors.query({ ruleAst: topics })).data).toHaveLength(1)
})

it("shows the topics of a person and of a company, and the scores of the date before", async () => {
  const [ours, theirs] = [await server.makeOrganization(), await server.makeOrganization()]
  const reader = someone([hourAgo])
  await settle(server, ours, [reader])
  await putTopics(server, [3301, 3302, 3303])
  const footfall = new Footfall({ baseUrl: server.url, apiKey: ours.apiKey })
  const id = hashOf(reader)
  expect(await footfall.visitors.topics(id)).toEqual({
    dataDate: null,
    previousDate: null,
    topics: [],
  })

  await publish(ours.organizationId, dayAgo(1), [
    [id, 3301, 60],
    [id, 3302, 55],
  ])
  const shown = (dataDate: string) =>
    vi.waitFor(
      async () => {
        const found = await footfall.visitors.topics(id)
        expect(found.dataDate).toBe(dataDate)
        return found
      },
      { timeout: 20_000, interval: 200 },
    )
  expect(await shown(dayAgo(1))).toMatchObject({
    previousDate: null,
    topics: [
      { topicId: 3301, topicName: "Topic 3301", score: 60, previousScore: null },
      { topicId: 3302, topicName: "Topic 3302", score: 55, previousScore: null },
    ],
  })

  await publish(ours.organizationId, today, [
    [id, 3303, 90],
    [id, 3301, 75],
    // Not in the catalog.
    [id, 999_999, 99],
  ])
  const topics = [
    { topicId: 3303, topicName: "Topic 3303", score: 90, previousScore: null },
    { topicId: 3301, topicName: "Topic 3301", score: 75, previousScore: 60 },
    { topicId: 3302, topicName: "Topic 3302", score: null, previousScore: 55 },
  ]
  const dates = { dataDate: today, previousDate: dayAgo(1) }
  expect(await shown(today)).toEqual({ ...dates, topics })
  await server.sql("update company set domain = 'quay.example' where domain = $1", [reader.id])
  await server.sql("update visitor set company_key = 'quay.example' where email_hash = $1", [id])
  expect(await footfall.companies.topics("www.quay.example")).toEqual({
    ...dates,
    topics: topics.map((topic) => ({ ...topic, people: topic.score === null ? 0 : 1 })),
  })

  const foreign = new Footfall({ baseUrl: server.url, apiKey: theirs.apiKey })
  await expect(foreign.visitors.topics(id)).rejects.toBeInstanceOf(NotFoundError)
  await expect(foreign.companies.topics("quay.example")).rejects.toBeInstanceOf(NotFoundError)
  await server.sql("update visitor set suppressed = true where email_hash = $1", [id])
  await expect(footfall.visitors.topics(id)).rejects.toBeInstanceOf(NotFoundError)
  expect((await footfall.companies.topics("quay.example")).topics).toEqual([])
})

it("shows an organization without intent no topics, and its rules find no one by them", async () => {
  const ours = await server.makeOrganization()
  const reader = someone([hourAgo])
  await settle(server, ours, [reader])
  await publish(ours.organizationId, today, [[hashOf(reader), 1203, 80]])
  const footfall = new Footfall({ baseUrl: server.url, apiKey: ours.apiKey })
  const ruleAst = {
    version: 1,
    rule: { field: "intent.topics", op: "any_in", value: [1203] },
  } as const
  const found = async (count: number) =>
    vi.waitFor(
      async () => expect((await footfall.visitors.query({ ruleAst })).data).toHaveLength(count),
      { timeout: 20_000, interval: 200 },
    )
  await found(1)

  await server.sql("update organization set intent_enabled = false where id = $1", [
    ours.organizationId,
  ])
  await server.sql("update data_version set version = version + 1")

  await found(0)
  // The server remembers a key's organization for some seconds.
  await vi.waitFor(
    () => expect(footfall.visitors.topics(hashOf(reader))).rejects.toBeInstanceOf(PermissionError),
    { timeout: 60_000, interval: 500 },
  )
})
