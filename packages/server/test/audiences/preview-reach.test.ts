// Whose data a preview contains and how long it is valid: several organizations, its key, cached results, and people
// who were erased or held back (spec 2.5, 2.10, 5.1).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { emailHashOf } from "../../src/collect/visits/email-address.ts"
import { startServer, type TestOrganization, type TestServer } from "../support/server.ts"
import { forgetEveryone, hems, jane, omar, previewOf } from "./previews.ts"
import { daysAgo, putPerson, putSignals, putTopics, shared, today } from "./support.ts"

let server: TestServer
let other: TestOrganization

beforeAll(async () => {
  server = await startServer({ workers: false })
  other = await server.makeOrganization()
  await putTopics(server, [1204, 3377, 5, 6, 7, 8])
})

afterAll(() => server.close())

beforeEach(() => forgetEveryone(server))

const preview = (body: object, organization: { readonly apiKey: string } = server) =>
  previewOf({ ...organization, url: server.url }, body)

describe("two organizations", () => {
  it("never see each other's signals or people", async () => {
    await putSignals(server, shared, [{ email: omar, topicId: 5, score: 70 }])
    await putSignals(server, other, [
      { email: jane, topicId: 5, score: 90 },
      { email: omar, topicId: 5, score: 100 },
    ])
    await putPerson(server, other, omar, { company_name: "Secret", job_title: "Secret" })
    await putSignals(server, other, [{ email: jane, topicId: 5, score: 90 }], { origin: "pixel" })

    expect((await preview({ topicIds: [5] })).sample).toMatchObject([
      { hem: emailHashOf(omar), intentScore: 70, company: "", jobTitle: "", email: "" },
    ])
    expect((await preview({ topicIds: [5] }, other)).sample).toMatchObject([
      { hem: emailHashOf(omar), intentScore: 100, company: "Secret" },
      { hem: emailHashOf(jane), intentScore: 90 },
    ])
  })

  it("never have the same preview key", async () => {
    await putSignals(server, shared, [{ email: omar, topicId: 5, score: 70 }])

    const [ours, theirs] = [
      await preview({ topicIds: [5] }),
      await preview({ topicIds: [5] }, other),
    ]

    expect(ours.configHash).toBe(theirs.configHash)
    expect(ours.previewKey).not.toBe(theirs.previewKey)
  })
})

describe("the preview key", () => {
  it("is the same for the same configuration and data date, however it is written", async () => {
    await putSignals(server, shared, [{ email: jane, topicId: 5, score: 80 }])
    const { previewKey } = await preview({
      topicIds: [5, 6],
      filters: { seniority: ["vp", "head"] },
    })

    const again = await preview({
      topicIds: [6, 5, 6],
      minScore: 70,
      filters: { seniority: ["HEAD", "VP"], companyIndustry: [] },
    })
    const another = await preview({ topicIds: [5, 6], filters: { seniority: ["vp"] } })
    await putSignals(server, shared, [{ email: jane, topicId: 5, score: 80 }], { date: daysAgo(1) })
    await server.sql("delete from signal_date where date = $1", [today])
    const earlier = await preview({ topicIds: [5, 6], filters: { seniority: ["vp", "head"] } })

    expect(again.previewKey).toBe(previewKey)
    expect(another.previewKey).not.toBe(previewKey)
    expect(earlier.previewKey).not.toBe(previewKey)
  })
})

describe("a cached result is returned", () => {
  it("until signals or people are imported", async () => {
    await putSignals(server, shared, [{ email: jane, topicId: 8, score: 80 }])
    const count = async () => (await preview({ topicIds: [8] })).totalCount
    expect(await count()).toBe(1)

    await server.sql("delete from signal where topic_id = 8")
    expect(await count()).toBe(1)
    await putSignals(server, shared, [
      { email: jane, topicId: 8, score: 80 },
      { email: omar, topicId: 8, score: 80 },
    ])
    expect(await count()).toBe(2)
    await putPerson(server, shared, jane, { company_name: "Quayline" })
    expect((await preview({ topicIds: [8] })).sample).toContainEqual(
      expect.objectContaining({ company: "Quayline" }),
    )
  })

  it("until a rule comes into force", async () => {
    await putSignals(server, shared, [{ email: jane, topicId: 8, score: 80 }])
    const count = async () => (await preview({ topicIds: [8] })).totalCount
    expect(await count()).toBe(1)

    await server.sql(
      `insert into suppression_rule (organization_id, type, value, match_key, created_at, takes_part_at)
       values ($1, 'email', $2, $3, now(), now() - interval '1 second')`,
      [server.organizationId, jane, emailHashOf(jane)],
    )
    expect(await count()).toBe(1)
    await server.sql(
      `insert into suppression_list (organization_id, cycle_at, changed_at) values ($1, now(), now())`,
      [server.organizationId],
    )
    expect(await count()).toBe(0)
  })
})

describe("a text filter", () => {
  const found = async (filters: object) => (await preview({ topicIds: [6], filters })).totalCount
  beforeEach(async () => {
    await putSignals(server, shared, [
      { email: jane, topicId: 6, score: 80 },
      { email: omar, topicId: 6, score: 80 },
    ])
    await putPerson(server, server, jane, {
      company_name: "\u0130stanbul Lojistik",
      job_title: "M\u0130MAR",
      state: "\u0130zmir",
    })
  })

  it("matches a letter whose lower case is two characters", async () => {
    expect(await found({ companyName: "\u0130STANBUL" })).toBe(1)
    expect(await found({ jobTitle: "x, m\u0130mar" })).toBe(1)
    expect(await found({ state: "\u0130ZM\u0130R".replace("M\u0130", "mi") })).toBe(1)
  })

  it("with only empty items is absent", async () => {
    expect(await found({ jobTitle: " , ,, " })).toBe(2)
    expect(await found({ companyName: "," })).toBe(2)
    expect(await found({ companyIndustry: ["", "  "] })).toBe(2)
    expect(await found({ jobTitle: ",", companyName: "istanbul" })).toBe(0)
  })
})

describe("a rule about a non-ASCII domain", () => {
  const anna = "anna@bücher.example"
  const otto = "otto@xn--bcher-kva.example"
  const inForce = async (type: string, value: string) => {
    const response = await fetch(`${server.url}/v1/data/suppression-rules`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": server.apiKey },
      body: JSON.stringify({ rules: [{ type, value }] }),
    })
    expect(response.status).toBe(200)
    await server.sql("update suppression_list set cycle_at = now() + interval '1 minute'")
  }

  it.each([
    ["domain", "bücher.example", []],
    ["domain", "xn--bcher-kva.example", []],
    ["domain", "ＢÜCHER.example", []],
    ["email", "Anna@BÜCHER.example", [otto]],
    ["email", "anna@xn--bcher-kva.example", [otto]],
    ["email", "anna@ｂücher.example", [otto]],
    ["email", "otto@bücher.example", [anna]],
  ])("excludes imported people, however it is written: %s %s", async (type, value, left) => {
    await putSignals(server, shared, [
      { email: anna, topicId: 5, score: 80 },
      { email: otto, topicId: 5, score: 80 },
    ])
    await putPerson(server, server, anna, { company_name: "Bücher" })
    await putPerson(server, shared, otto, { company_name: "Bücher" })

    await inForce(type, value)

    expect(hems(await preview({ topicIds: [5] }))).toEqual(left.map(emailHashOf))
  })

  it("excludes a person known only by the hash of either spelling", async () => {
    await putSignals(server, shared, [
      { email: "nina@bücher.example", topicId: 5, score: 80 },
      { email: "nina@xn--bcher-kva.example", topicId: 5, score: 80 },
    ])

    await inForce("email", "nina@bücher.example")

    expect(hems(await preview({ topicIds: [5] }))).toEqual([])
  })
})

describe("a suppressed visitor", () => {
  it("is in no audience, even if a record of the person names an address in another domain first", async () => {
    await putSignals(server, shared, [
      { email: jane, topicId: 5, score: 80 },
      { email: omar, topicId: 5, score: 80 },
    ])
    await putPerson(server, server, jane, { email: null, personal_email: "jane@mail.example" })
    await server.sql(
      `with made as (
         insert into visitor
           (organization_id, id, email, email_hash, first_seen_at, last_seen_at, suppressed)
         values ($1, gen_random_uuid(), $2, $3, now(), now(), true)
         returning id
       )
       insert into visitor_address (organization_id, visitor_id, email, email_hash, kind, first_seen_at)
       select $1, id, $2, $3, 'business', now() from made`,
      [server.organizationId, jane, emailHashOf(jane)],
    )
    await server.sql(
      `insert into suppression_rule (organization_id, type, value, match_key, created_at, takes_part_at)
       values ($1, 'domain', $2, $2, now(), now() - interval '1 second')`,
      [server.organizationId, jane.split("@")[1]],
    )
    await server.sql(
      "insert into suppression_list (organization_id, cycle_at, changed_at) values ($1, now(), now())",
      [server.organizationId],
    )

    expect(hems(await preview({ topicIds: [5] }))).toEqual([emailHashOf(omar)])
  })
})

describe("an erased person", () => {
  it("is in no preview from the moment of the erasure, even if imported again", async () => {
    await server.sql(
      `with made as (
         insert into visitor (organization_id, id, email, email_hash, first_seen_at, last_seen_at)
         values ($1, gen_random_uuid(), $2, $3, now(), now())
         returning id
       )
       insert into visitor_address (organization_id, email_hash, visitor_id, email, kind)
       select $1, $3, id, $2, 'business' from made`,
      [server.organizationId, jane, emailHashOf(jane)],
    )
    await putPerson(server, shared, jane)
    await putSignals(server, shared, [
      { email: jane, topicId: 8, score: 80 },
      { email: omar, topicId: 8, score: 70 },
    ])
    const shown = () => preview({ topicIds: [8] })
    expect(hems(await shown())).toEqual([jane, omar].map(emailHashOf))

    const erased = await fetch(`${server.url}/v1/data/visitors/${emailHashOf(jane)}`, {
      method: "DELETE",
      headers: { "x-api-key": server.apiKey },
    })

    expect(erased.status).toBe(200)
    expect(hems(await shown())).toEqual([emailHashOf(omar)])
    expect((await shown()).totalCount).toBe(1)
    expect((await preview({ topicIds: [8] }, other)).totalCount).toBe(2)
  })
})

describe("a person held back", () => {
  it("adds nothing from their visits to a preview", async () => {
    await server.sql(
      `with made as (
         insert into visitor (organization_id, id, email, email_hash, first_seen_at, last_seen_at,
           company_name, held_back)
         values ($1, gen_random_uuid(), $2, $3, now(), now(), 'Secret', true)
         returning id
       )
       insert into visitor_address (organization_id, email_hash, visitor_id, email, kind)
       select $1, $3, id, $2, 'business' from made`,
      [server.organizationId, jane, emailHashOf(jane)],
    )
    await putSignals(server, shared, [{ email: jane, topicId: 5, score: 80 }])

    expect((await preview({ topicIds: [5] })).sample).toMatchObject([{ company: "", email: "" }])
  })
})
