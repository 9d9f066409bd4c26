// POST /v1/intent/audiences/preview: who is counted, what is shown, what is rejected (spec 2.8, 2.10, 2.11, 5.8).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { emailHashOf } from "../../src/collect/visits/email-address.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { forgetEveryone, hems, jane, omar, previewOf } from "./previews.ts"
import { daysAgo, post, putPerson, putSignals, putTopics, shared, today } from "./support.ts"

let server: TestServer

beforeAll(async () => {
  server = await startServer({ workers: false })
  await putTopics(server, [1204, 3377, 5, 6, 7, 8])
})

afterAll(() => server.close())

beforeEach(() => forgetEveryone(server))

const preview = (body: object) => previewOf(server, body)

describe("the example of spec 12.8", () => {
  it("returns exactly the response in the document", async () => {
    const profile = {
      company_employee_count: 300,
      is_b2b: "y",
      company_name: "Harbor Logistics",
      job_title: "VP Operations",
      seniority: "vp",
    }
    await putPerson(server, shared, jane, profile)
    await putPerson(server, shared, omar, {
      ...profile,
      seniority: "c_suite",
      company_name: "Quayline",
      job_title: "Chief Operating Officer",
    })
    await putPerson(server, shared, "small@acme.example", {
      ...profile,
      company_employee_count: 50,
    })
    await putSignals(server, shared, [
      { email: jane, topicId: 1204, score: 91 },
      { email: jane, topicId: 3377, score: 80 },
      { email: omar, topicId: 1204, score: 74 },
      { email: "small@acme.example", topicId: 1204, score: 99 },
    ])

    const shown = await preview({
      topicIds: [3377, 1204],
      minScore: 70,
      filters: { seniority: ["vp", "c_suite"], companySize: ["201-500"], isB2b: "y" },
    })

    expect(shown).toEqual({
      totalCount: 2,
      sample: [
        {
          hem: "930ddda806d63038cb481e4c43e2c0a5a0d3aa0698d51b2aab83dd91808dd0f9",
          intentScore: 91,
          topicId: 1204,
          email: "j***@harbor-logistics.example",
          company: "Harbor Logistics",
          jobTitle: "VP Operations",
          masked: true,
        },
        {
          hem: emailHashOf(omar),
          intentScore: 74,
          topicId: 1204,
          email: "o***@quayline.example",
          company: "Quayline",
          jobTitle: "Chief Operating Officer",
          masked: true,
        },
      ],
      previewKey: expect.stringMatching(/^pv_[a-z2-7]{26}$/),
      dataDate: today,
      configHash: "df36818d4ac5c896c6e4f779ddf85dd01ea0d4ad08fae9bec7c28f2e3670be5f",
      explanation: null,
      explanationTooSlow: false,
    })
  })
})

describe("with explain", () => {
  it("says who is left after each part, and how many have which score", async () => {
    await putPerson(server, shared, jane, { seniority: "vp" })
    await putSignals(server, shared, [
      { email: jane, topicId: 1204, score: 91 },
      { email: omar, topicId: 1204, score: 74 },
      { email: "small@acme.example", topicId: 1204, score: 40 },
    ])
    const config = { topicIds: [1204], minScore: 70, filters: { seniority: ["vp"] } }
    const { explanation, totalCount } = await preview({ ...config, explain: true })
    const everyone = await preview({ topicIds: [1204], minScore: 70, explain: true })

    expect([totalCount, explanation]).toEqual([
      1,
      {
        parts: [
          { part: "topics", count: 2 },
          { part: "seniority", count: 1 },
        ],
        scores: [{ score: 91, people: 1 }],
      },
    ])
    expect(everyone.explanation?.scores).toEqual([
      { score: 40, people: 1 },
      { score: 74, people: 1 },
      { score: 91, people: 1 },
    ])
  })

  it("counts by the range and the overlap of the configuration, and by any score beside", async () => {
    const omarsOther = "omar@mail.example"
    await putSignals(server, shared, [
      { email: jane, topicId: 1204, score: 91 },
      { email: jane, topicId: 5, score: 60 },
      { email: omar, topicId: 1204, score: 65 },
      { email: omar, topicId: 5, score: 62 },
      { email: omarsOther, topicId: 1204, score: 64 },
    ])

    const one = await preview({ topicIds: [5, 1204], minScore: 60, maxScore: 80, explain: true })
    const two = await preview({
      ...{ topicIds: [5, 1204], minScore: 60, maxScore: 80, minTopicOverlap: 2 },
      explain: true,
    })

    expect([one.totalCount, one.explanation]).toEqual([
      3,
      {
        parts: [{ part: "topics", count: 3 }],
        scores: [
          { score: 64, people: 1 },
          { score: 65, people: 1 },
          { score: 91, people: 1 },
        ],
      },
    ])
    expect([two.totalCount, two.explanation]).toEqual([
      1,
      {
        parts: [{ part: "topics", count: 1 }],
        scores: [
          { score: 65, people: 1 },
          { score: 91, people: 1 },
        ],
      },
    ])
  })

  it("is null without it, also for a preview that was explained before", async () => {
    await putSignals(server, shared, [{ email: jane, topicId: 5, score: 70 }])
    const explained = await preview({ topicIds: [5], explain: true })

    expect(explained.explanation).not.toBeNull()
    expect((await preview({ topicIds: [5] })).explanation).toBeNull()
    expect((await preview({ topicIds: [5], explain: true })).explanation).toEqual(
      explained.explanation,
    )
  })
})

describe("who is counted", () => {
  it("a person without a profile has a hash and empty texts", async () => {
    await putSignals(server, shared, [{ email: jane, topicId: 5, score: 70 }])

    expect((await preview({ topicIds: [5] })).sample).toEqual([
      {
        hem: emailHashOf(jane),
        intentScore: 70,
        topicId: 5,
        email: "",
        company: "",
        jobTitle: "",
        masked: true,
      },
    ])
  })

  it("has…: false matches a person without a profile, true does not", async () => {
    await putSignals(server, shared, [{ email: jane, topicId: 5, score: 70 }])

    for (const name of ["hasBusinessEmail", "hasPersonalEmail", "hasLinkedin", "hasPhone"]) {
      const count = async (wanted: boolean) =>
        (await preview({ topicIds: [5], filters: { [name]: wanted } })).totalCount
      expect([name, await count(false), await count(true)]).toEqual([name, 1, 0])
    }
  })

  it.each([
    { companyIndustry: ["Logistics"] },
    { seniority: ["vp"] },
    { companySize: ["1-10", "201-500"] },
    { department: ["sales"] },
    { state: "California" },
    { companyRevenueRange: ["1 billion and over"] },
    { ageRange: ["25-34"] },
    { gender: "F" },
    { isB2b: "y" },
    { jobTitle: "chief, operations" },
    { companyDomain: "quayline.example" },
    { companyName: "harbor" },
    { hasBusinessEmail: true },
    { hasPersonalEmail: false },
    { hasLinkedin: true },
    { hasPhone: true },
  ])("only the person whom the filter matches: %j", async (filters) => {
    const other = "other@gmail.com"
    await putPerson(server, shared, jane, {
      industry: "logistics",
      seniority: "vp",
      company_employee_count: 300,
      department: "sales",
      state: "CA",
      company_total_revenue: "1 billion and over",
      age_range: "25-34",
      gender: "F",
      is_b2b: "y",
      job_title: "VP Operations",
      company_domain: "quayline.example",
      company_name: "Harbor Logistics",
      linkedin_url: "https://www.linkedin.com/in/mercer",
      phones: ["+14155550134"],
    })
    await putPerson(server, shared, other, {
      industry: "insurance",
      seniority: "director",
      company_employee_count: 50,
      department: "finance",
      state: "NY",
      company_total_revenue: "under 1 million",
      age_range: "35-44",
      gender: "M",
      is_b2b: "n",
      job_title: "Engineer",
      company_domain: "acme.example",
      company_name: "Acme",
    })
    await putSignals(
      server,
      shared,
      [jane, other].map((email) => ({ email, topicId: 5, score: 80 })),
    )

    expect(hems(await preview({ topicIds: [5], filters }))).toEqual([emailHashOf(jane)])
  })

  it("a score below the range, one above it and another topic do not match", async () => {
    await putSignals(server, shared, [
      { email: "a@acme.example", topicId: 5, score: 69 },
      { email: "b@acme.example", topicId: 5, score: 70 },
      { email: "c@acme.example", topicId: 5, score: 80 },
      { email: "d@acme.example", topicId: 5, score: 81 },
      { email: "e@acme.example", topicId: 6, score: 75 },
    ])

    const shown = await preview({ topicIds: [5], minScore: 70, maxScore: 80 })

    expect(hems(shown)).toEqual(["c@acme.example", "b@acme.example"].map(emailHashOf))
  })

  it("the topic shown has the highest score; if equal, the lowest id", async () => {
    await putSignals(server, shared, [
      { email: jane, topicId: 7, score: 90 },
      { email: jane, topicId: 6, score: 90 },
      { email: jane, topicId: 5, score: 80 },
    ])

    const { sample } = await preview({ topicIds: [7, 5, 6] })

    expect(sample).toMatchObject([{ topicId: 6, intentScore: 90 }])
  })

  it("people are ordered by score, then overlap, then hash; at most 50 are shown", async () => {
    const emails = Array.from({ length: 60 }, (_, n) => `p${n}@acme.example`)
    await putSignals(server, shared, [
      ...emails.map((email) => ({ email, topicId: 5, score: 80 })),
      { email: "p59@acme.example", topicId: 6, score: 70 },
      { email: "top@acme.example", topicId: 6, score: 81 },
    ])

    const shown = await preview({ topicIds: [5, 6] })

    expect(shown.totalCount).toBe(61)
    expect(hems(shown)).toEqual([
      emailHashOf("top@acme.example"),
      emailHashOf("p59@acme.example"),
      ...emails.slice(0, 59).map(emailHashOf).toSorted().slice(0, 48),
    ])
  })

  it("the highest score counts among shared, imported and pixel signals with the same key", async () => {
    await putSignals(server, shared, [{ email: jane, topicId: 5, score: 71 }])
    await putSignals(server, server, [{ email: jane, topicId: 5, score: 95 }])
    await putSignals(server, server, [{ email: jane, topicId: 5, score: 88 }], { origin: "pixel" })

    expect((await preview({ topicIds: [5] })).sample).toMatchObject([{ intentScore: 95 }])
    expect((await preview({ topicIds: [5], maxScore: 90 })).totalCount).toBe(0)
  })

  it("signals on an alias are merged into the person before scores are compared", async () => {
    await putPerson(server, shared, jane)
    await server.sql("insert into person_address values ($1, $2, $3)", [
      shared.organizationId,
      emailHashOf("jane@mail.example"),
      emailHashOf(jane),
    ])
    await putSignals(server, shared, [
      { email: jane, topicId: 5, score: 80 },
      { email: "jane@mail.example", topicId: 6, score: 90 },
    ])

    const { sample, totalCount } = await preview({ topicIds: [5, 6], minTopicOverlap: 2 })

    expect(totalCount).toBe(1)
    expect(sample).toMatchObject([{ hem: emailHashOf(jane), intentScore: 90, topicId: 6 }])
  })

  it("the organization's own value takes precedence over the shared one, field by field", async () => {
    await putPerson(server, shared, jane, { company_name: "Shared", job_title: "Shared" })
    await putPerson(server, server, jane, { company_name: "Own" })
    await putSignals(server, shared, [{ email: jane, topicId: 5, score: 80 }])

    expect((await preview({ topicIds: [5] })).sample).toMatchObject([
      { company: "Own", jobTitle: "Shared" },
    ])
    expect((await preview({ topicIds: [5], filters: { companyName: "shared" } })).totalCount).toBe(
      0,
    )
  })
})

describe("the data date", () => {
  const dateOf = async () => (await preview({ topicIds: [5] })).dataDate
  const signal = [{ email: jane, topicId: 5, score: 80 }]

  it("is that of the newest imported signals; other dates do not count", async () => {
    await putSignals(server, shared, [{ email: omar, topicId: 5, score: 80 }], { date: daysAgo(2) })
    await putSignals(server, server, signal, { date: daysAgo(1) })

    const shown = await preview({ topicIds: [5] })

    expect(shown.dataDate).toBe(daysAgo(1))
    expect(hems(shown)).toEqual([emailHashOf(jane)])
  })

  it("without imported signals in the last 30 days is that of the pixel's", async () => {
    await putSignals(server, shared, signal, { date: daysAgo(31) })
    await putSignals(server, server, signal, { date: daysAgo(3), origin: "pixel" })

    expect(await dateOf()).toBe(daysAgo(3))
  })

  it("without any signals is the current date, and no one is counted", async () => {
    expect(await preview({ topicIds: [5] })).toMatchObject({
      totalCount: 0,
      sample: [],
      dataDate: today,
    })
  })

  it("a date that is not complete is not read", async () => {
    await putSignals(server, shared, signal, { date: daysAgo(1) })
    await putSignals(server, shared, signal, { date: today })
    await server.sql("delete from signal_date where date = $1", [today])

    expect(await dateOf()).toBe(daysAgo(1))
  })
})

describe("a preview is rejected with", () => {
  const issuesOf = async (body: unknown) => {
    const { body: answer, status } = await post(server, "preview", body)
    expect([status, answer.error?.code]).toEqual([400, "VALIDATION_ERROR"])
    return answer.error!.details!
  }

  it("a topic that does not exist, with details.unknownTopicIds", async () => {
    expect(await issuesOf({ topicIds: [5, 999, 3_000_000_000] })).toEqual({
      issues: [
        {
          path: "/body/topicIds/1",
          code: "unknown_topic",
          message: "Expected the id of a topic, received 999.",
        },
        {
          path: "/body/topicIds/2",
          code: "unknown_topic",
          message: "Expected the id of a topic, received 3000000000.",
        },
      ],
      unknownTopicIds: [999, 3_000_000_000],
    })
  })

  it.each([
    [{ topicIds: [5], minScore: 91, maxScore: 90 }, "/body/minScore", "max"],
    [{ topicIds: [5, 5], minTopicOverlap: 2 }, "/body/minTopicOverlap", "max"],
    [{ topicIds: [5], filters: { zip: 1 } }, "/body/filters/zip", "unknown_field"],
    [{ topicIds: [5], filters: { gender: "x" } }, "/body/filters/gender", "enum"],
    [{ topicIds: [5], name: "x" }, "/body/name", "unknown_field"],
    [{}, "/body/topicIds", "required"],
  ])("%j", async (body, path, code) => {
    expect((await issuesOf(body)).issues).toMatchObject([{ path, code }])
  })
})
