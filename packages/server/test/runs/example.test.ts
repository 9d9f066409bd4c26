// The run in spec 12.10, from its start to its statistics, and the results that deliveries sign in 12.12: the same
// numbers, fields and order.
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { emailHashOf } from "../../src/collect/visits/email-address.ts"
import { putPerson, putSignals, shared } from "../audiences/support.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { ask, ended, makeAudience, type RunAnswer } from "./support.ts"

const jane = "jane.mercer@harbor-logistics.example"
const omar = "omar.haddad@quayline.example"
const ines = "ines@quayline.example"

let server: TestServer
let audienceId: string
let run: RunAnswer

beforeAll(async () => {
  server = await startServer()
  await server.sql(
    `insert into topic (topic_id, topic_name, type, industry, category) values
       (1204, 'Warehouse Management Software', 'b2b', 'logistics', 'software'),
       (3377, 'Freight Visibility', 'b2b', 'logistics', 'operations')`,
  )
  const known = {
    seniority: "vp",
    company_employee_count: 320,
    is_b2b: "y",
    email_status: "valid",
    country: "US",
    industry: "maritime transportation",
    job_title: "VP Operations",
    last_name: "Haddad",
  }
  await putPerson(server, shared, jane, {
    ...known,
    first_name: "Jane",
    last_name: "Mercer",
    business_email: jane,
    personal_email: "jane.mercer@mail.example",
    phones: ["+14155550134", "+14155550135"],
    department: "operations",
    company_name: "Harbor Logistics",
    company_domain: "harbor-logistics.example",
    company_industry_group: "transportation and logistics",
    company_total_revenue: "50 million to 100 million",
    city: "San Francisco",
    state: "CA",
  })
  await putPerson(server, shared, omar, {
    ...known,
    first_name: "Omar",
    company_name: "Quayline",
    company_domain: "quayline.example",
  })
  await putPerson(server, shared, ines, { ...known, is_b2b: "n" })
  await putSignals(server, shared, [
    { email: jane, topicId: 1204, score: 91 },
    { email: jane, topicId: 3377, score: 84 },
    { email: omar, topicId: 3377, score: 74 },
    { email: ines, topicId: 1204, score: 99 },
  ])
  audienceId = await makeAudience(server, {
    topicIds: [1204, 3377],
    minScore: 70,
    filters: { seniority: ["vp", "c_suite"], companySize: ["201-500"], isB2b: "y" },
  })
  const started = await ask(server, "POST", `/${audienceId}/runs`, {
    body: { runType: "manual" },
    headers: { "idempotency-key": "first-run" },
  })
  expect(started.status).toBe(202)
  expect(Object.entries(started.data)).toEqual([
    ["id", expect.stringMatching(/^[0-9a-f-]{36}$/)],
    ["audienceId", audienceId],
    ["organizationId", server.organizationId],
    ["status", "queued"],
    ["runType", "manual"],
    ["configHash", "df36818d4ac5c896c6e4f779ddf85dd01ea0d4ad08fae9bec7c28f2e3670be5f"],
    ["dataDate", new Date().toISOString().slice(0, 10)],
    ["resultKey", `runs/${started.data.id}`],
    ["candidateCount", 0],
    ["resultCount", 0],
    ["attempts", 0],
    ["nextAttemptAt", null],
    ["idempotencyKey", "first-run"],
    ["errorCode", null],
    ["errorMessage", null],
    ["startedAt", null],
    ["completedAt", null],
    ["cancelledAt", null],
    ["readyEmailSentAt", null],
    ["readyEmailExportId", null],
    ["readyEmailError", null],
    ["createdAt", expect.stringMatching(/Z$/)],
    ["updatedAt", expect.stringMatching(/Z$/)],
  ])
  run = await ended(server, started.data)
})

afterAll(() => server.close())

describe("the run of 12.10", () => {
  it("completes with its counts, after one attempt", () => {
    expect(run).toMatchObject({
      status: "completed",
      candidateCount: 3,
      resultCount: 2,
      attempts: 1,
      idempotencyKey: "first-run",
      errorCode: null,
      startedAt: expect.any(String),
      completedAt: expect.any(String),
    })
  })

  it("is returned again, with 200, for the same request", async () => {
    const again = await ask(server, "POST", `/${audienceId}/runs`, {
      headers: { "idempotency-key": "first-run" },
    })

    expect(again).toMatchObject({ status: 200, data: run })
  })

  it("updates the audience's size and time", async () => {
    const { data } = await ask<object>(server, "GET", `/${audienceId}`)

    expect(data).toMatchObject({ audienceSize: 2, lastRefreshedAt: run.completedAt })
  })

  it("has the statistics of the example, in the same order", async () => {
    const { data, status } = await ask<{ readonly stats: unknown; readonly run: unknown }>(
      server,
      "GET",
      `/${audienceId}/runs/${run.id}/stats`,
    )

    expect(status).toBe(200)
    expect(data.run).toEqual(run)
    expect(JSON.stringify(data.stats)).toBe(JSON.stringify(statistics))
  })

  it("has the results of 12.12, key by key, in the order of score, overlap and hash", async () => {
    const { data, meta, status } = await ask<{ readonly results: ReadonlyArray<unknown> }>(
      server,
      "GET",
      `/${audienceId}/runs/${run.id}/results`,
    )

    expect(status).toBe(200)
    expect(data).toMatchObject({ run, total: 2, limit: 50, offset: 0 })
    expect(data).not.toHaveProperty("state")
    expect(meta).toMatchObject({ hasMore: false, nextCursor: null })
    expect(JSON.stringify(data.results[0])).toBe(contact)
    expect(data.results[1]).toMatchObject({
      hashedEmail: emailHashOf(omar),
      fullName: "Omar Haddad",
      personalEmail: null,
      primaryContactEmail: omar,
      phone: null,
      company: { size: "201-500", industryGroup: null },
      intent: { score: 74, topicOverlap: 1, matchedTopics: [{ topicId: 3377 }] },
    })
  })
})

/** `data.contact` of request 2, as signed. */
const contact =
  '{"hashedEmail":"930ddda806d63038cb481e4c43e2c0a5a0d3aa0698d51b2aab83dd91808dd0f9","firstName":"Jane","lastName":"Mercer","fullName":"Jane Mercer","email":"jane.mercer@harbor-logistics.example","businessEmail":"jane.mercer@harbor-logistics.example","personalEmail":"jane.mercer@mail.example","primaryContactEmail":"jane.mercer@harbor-logistics.example","emailStatus":"valid","phone":"+14155550134","linkedinUrl":null,"headline":null,"jobTitle":"VP Operations","seniority":"vp","department":"operations","company":{"name":"Harbor Logistics","domain":"harbor-logistics.example","industry":"maritime transportation","industryGroup":"transportation and logistics","revenueRange":"50 million to 100 million","size":"201-500","linkedinUrl":null},"geo":{"city":"San Francisco","state":"CA","country":"US"},"demographics":{"ageRange":null,"gender":null},"isB2b":"y","intent":{"score":91,"topicOverlap":2,"matchedTopics":[{"topicId":1204,"topicName":"Warehouse Management Software","type":"b2b","industry":"logistics","category":"software"},{"topicId":3377,"topicName":"Freight Visibility","type":"b2b","industry":"logistics","category":"operations"}]}}'

const all = { count: 2, percent: 100 }
const half = { count: 1, percent: 50 }
const none = { count: 0, percent: 0 }

const statistics = {
  total: 2,
  fillRates: {
    businessEmail: all,
    personalEmail: half,
    firstName: all,
    lastName: all,
    fullName: all,
    email: all,
    primaryContactEmail: all,
    emailStatus: all,
    phone: half,
    linkedinUrl: none,
    headline: none,
    jobTitle: all,
    seniority: all,
    department: half,
    "company.name": all,
    "company.domain": all,
    "company.industry": all,
    "company.industryGroup": half,
    "company.revenueRange": half,
    "company.size": all,
    "company.linkedinUrl": none,
    "geo.city": half,
    "geo.state": half,
    "geo.country": all,
    "demographics.ageRange": none,
    "demographics.gender": none,
    isB2b: all,
  },
  scoreHistogram: [
    { bucket: "50-69", count: 0, percent: 0 },
    { bucket: "70-89", count: 1, percent: 50 },
    { bucket: "90-99", count: 1, percent: 50 },
  ],
  averages: { score: 82.5, topicOverlap: 1.5 },
}
