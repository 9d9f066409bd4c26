// Rules with topics in a running server (spec 3.3): after an import, people and companies are found by them within seconds,
// and after an erasure nothing is left.
import { Footfall } from "@footfall/sdk"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"
import { settle, someone } from "../visitors/query/scene.ts"
import { hashOf } from "../visitors/query/put-people.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const hourAgo = Date.now() - 3_600_000
const today = new Date().toISOString().slice(0, 10)

it("finds people and companies by the topics of an import, each organization its own", async () => {
  const [ours, theirs] = [await server.makeOrganization(), await server.makeOrganization()]
  const [reader, other] = [someone([hourAgo]), someone([hourAgo])]
  await settle(server, ours, [reader, other])
  await settle(server, theirs, [someone([hourAgo])])
  for (const [person, score] of [
    [reader, 80],
    [other, 40],
  ] as const) {
    await server.sql(
      `with number as (
         insert into signal_person (email_hash, organization_ids)
         values (decode($1, 'hex'), array[$2::uuid]) returning id
       )
       insert into signal (organization_id, origin, date, topic_id, score, people)
       select $2::uuid, 'import', $3::date, 1203, $4, array[id] from number`,
      [hashOf(person), ours.organizationId, today, score],
    )
  }
  await server.sql(
    "insert into signal_date (organization_id, origin, date, signals) values ($1, 'import', $2, 2)",
    [ours.organizationId, today],
  )
  await server.sql("update data_version set version = version + 1")

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
  expect((await footfall.visitors.query({ ruleAst: topics })).data).toHaveLength(1)
})
