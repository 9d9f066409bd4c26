// The results of a run stay as they were when people change or are suppressed, or the audience changes. An erased
// person disappears from rows, counts and statistics (spec 2.12, 5.1).
import { afterAll, beforeAll, expect, it } from "vitest"
import { emailHashOf } from "../../src/collect/visits/email-address.ts"
import { putPerson, putSignals, putTopics, shared } from "../audiences/support.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { ask, completedRun, makeAudience, type RunAnswer } from "./support.ts"

const jane = "jane@acme.example"
const omar = "omar@quayline.example"
const ines = "ines@quayline.example"

let server: TestServer
let audienceId: string
let run: RunAnswer

beforeAll(async () => {
  server = await startServer()
  await putTopics(server, [5, 6])
  await putSignals(server, shared, [
    { email: jane, topicId: 5, score: 95 },
    { email: jane, topicId: 6, score: 80 },
    { email: omar, topicId: 5, score: 60 },
    { email: ines, topicId: 6, score: 75 },
  ])
  await putPerson(server, server, jane, { company_name: "Acme", phones: ["+14155550134"] })
  await putPerson(server, server, omar, { company_name: "Quayline" })
  for (const email of [jane, omar]) await identify(email)
  audienceId = await makeAudience(server, { topicIds: [5, 6], minScore: 50 })
  run = await completedRun(server, audienceId)
})

afterAll(() => server.close())

/** Creates a visitor who can be erased. */
const identify = async (email: string) => {
  const visitorId = crypto.randomUUID()
  await server.sql(
    `insert into visitor (organization_id, id, email, email_hash, first_seen_at, last_seen_at)
     values ($1, $2, $3, $4, now(), now())`,
    [server.organizationId, visitorId, email, emailHashOf(email)],
  )
  await server.sql(
    `insert into visitor_address (organization_id, email_hash, visitor_id, email, kind, first_seen_at)
     values ($1, $2, $3, $4, 'business', now())`,
    [server.organizationId, emailHashOf(email), visitorId, email],
  )
}

interface Shown {
  readonly results: ReadonlyArray<{ readonly hashedEmail: string }>
  readonly total: number
  readonly stats: Readonly<Record<string, unknown>>
}

const shown = async (): Promise<Shown> => {
  const of = `/${audienceId}/runs/${run.id}`
  const { data: page } = await ask<Shown>(server, "GET", `${of}/results`)
  const { data: figures } = await ask<Shown>(server, "GET", `${of}/stats`)
  return { results: page.results, total: page.total, stats: figures.stats }
}

it("does not change when people change or are suppressed, or the audience changes", async () => {
  const before = await shown()
  expect(before.results.map(({ hashedEmail }) => hashedEmail)).toEqual(
    [jane, ines, omar].map(emailHashOf),
  )

  await server.sql("update person set company_name = 'Other', phones = '{}'")
  await putSignals(server, shared, [{ email: omar, topicId: 5, score: 99 }])
  await server.sql(
    `insert into suppression_list (organization_id, cycle_at, changed_at) values ($1, now(), now())`,
    [server.organizationId],
  )
  await ask(server, "PATCH", `/${audienceId}`, {
    body: { name: "Other", config: { topicIds: [6], minScore: 90 } },
  })

  expect(await shown()).toEqual(before)
})

it("loses erased people, also in counts, statistics and the audience's size", async () => {
  const before = await shown()
  expect(before).toMatchObject({
    total: 3,
    stats: {
      fillRates: {
        "company.name": { count: 2, percent: 66.67 },
        phone: { count: 1, percent: 33.33 },
      },
      averages: { score: 76.67, topicOverlap: 1.33 },
    },
  })

  const erased = await server.sdk.visitors.erase(emailHashOf(jane))

  expect(erased).toMatchObject({ deleted: true })
  const after = await shown()
  expect(after.results).toEqual(before.results.slice(1))
  expect(after).toMatchObject({
    total: 2,
    stats: {
      total: 2,
      fillRates: {
        "company.name": { count: 1, percent: 50 },
        phone: { count: 0, percent: 0 },
        fullName: { count: 0, percent: 0 },
      },
      scoreHistogram: [
        { bucket: "50-69", count: 1, percent: 50 },
        { bucket: "70-89", count: 1, percent: 50 },
        { bucket: "90-99", count: 0, percent: 0 },
      ],
      averages: { score: 67.5, topicOverlap: 1 },
    },
  })
  const { data } = await ask<object>(server, "GET", `/${audienceId}`)
  expect(data).toMatchObject({ audienceSize: 2 })
  const { data: same } = await ask(server, "GET", `/${audienceId}/runs/${run.id}`)
  expect(same).toMatchObject({ resultCount: 2, candidateCount: 3 })
})

it("can lose its last person, and is then empty", async () => {
  await server.sdk.visitors.erase(emailHashOf(omar))
  await identify(ines)
  await server.sdk.visitors.erase(emailHashOf(ines))

  expect(await shown()).toMatchObject({
    results: [],
    total: 0,
    stats: {
      total: 0,
      fillRates: { businessEmail: { count: 0, percent: 0 } },
      averages: { score: null, topicOverlap: null },
    },
  })
})

it("are not found again by a later run", async () => {
  await putSignals(server, shared, [
    { email: jane, topicId: 6, score: 95 },
    { email: "new@acme.example", topicId: 6, score: 95 },
  ])

  const next = await completedRun(server, audienceId)

  expect(next).toMatchObject({ candidateCount: 1, resultCount: 1 })
})
