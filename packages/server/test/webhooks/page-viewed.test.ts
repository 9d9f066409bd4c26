// Alerts about page views (spec 8.6) of a running server: which views are sent, whose, and how often.
import { randomUUID } from "node:crypto"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, vi } from "vitest"
import { putPeople } from "../people/people-layer.ts"
import type { TestServer } from "../support/server.ts"
import { type Receiver, startReceiver, status, verify } from "./receiver.ts"
import { Customer, startSite } from "./site.ts"

let server: TestServer
let receiver: Receiver
let customer: Customer
let path: string

beforeAll(async () => {
  const file = join(inject("temporaryDirectory"), "companies-of-alerts.csv")
  await writeFile(
    file,
    "cidr,name,domain,industry,country\n203.0.113.0/24,Mooring Freight,mooring.example,ports,US\n",
  )
  vi.stubEnv("IP_COMPANY_FILE", file)
  vi.stubEnv("TRUSTED_PROXIES", "127.0.0.1")
  server = await startSite()
  receiver = await startReceiver()
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await server.close()
  await receiver.close()
})
beforeEach(async () => {
  customer = await Customer.of(server)
  path = `/${randomUUID()}`
  receiver.answer = status(204)
})

const alert = async (change: object = {}) =>
  (await customer.webhook(receiver.url + path, { trigger: "page_viewed", ...change })).webhook.id
/** An address in the network of Mooring Freight. */
const address = "203.0.113.9"
const person = (domain = "acme.example") => `${randomUUID()}@${domain}`
const domains = async (webhookId: string) =>
  (await customer.deliveries(webhookId)).map(({ companyDomain }) => companyDomain).toReversed()
const told = async (webhookId: string) => (await customer.deliveries(webhookId)).length

describe("a page view", () => {
  it("is sent with the page, the person and their company, signed", async () => {
    const { webhook, webhookSecret } = await customer.webhook(receiver.url + path, {
      trigger: "page_viewed",
      path: "/pricing",
    })
    const email = person()

    await customer.visit({ email, paths: ["/docs", "/pricing/teams"], title: "Plans" })

    const [one] = await receiver.waitFor(1, path)
    expect(() => verify(webhookSecret, one!)).not.toThrow()
    expect(one!.event).toEqual({
      id: one!.headers["webhook-id"],
      event: "page.viewed",
      timestamp: expect.any(String),
      trigger: "page_viewed",
      organizationId: customer.id,
      segment: null,
      pixel: { id: customer.organization.pixelId, domain: expect.any(String) },
      page: { path: "/pricing/teams", title: "Plans", secondsVisible: null },
      visitor: expect.objectContaining({ email, sessions: 1, pageviews: 2 }),
      company: expect.objectContaining({ domain: "acme.example", peopleCount: 1 }),
      // It is computed within a minute.
      score: expect.toBeOneOf([null, expect.anything()]),
      list: null,
    })
    expect(await customer.delivery(webhook.id)).toMatchObject({
      event: "page.viewed",
      visitorHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      companyDomain: null,
      status: "succeeded",
    })
  })

  it("of someone who is not identified is that of their company", async () => {
    const id = await alert()

    await customer.visit({ address, paths: ["/pricing"] })

    const [one] = await receiver.waitFor(1, path)
    expect(one!.event).toMatchObject({
      event: "page.viewed",
      visitor: null,
      company: { domain: "mooring.example", name: "Mooring Freight", anonymousSessions: 1 },
    })
    expect(await domains(id)).toEqual(["mooring.example"])
  })

  it("has the stored score of the person, or of the company of an anonymous visit", async () => {
    const rule = { field: "behavior.pageviews", op: "gte", value: 1 }
    await customer.ask("PUT", "/v1/data/score", {
      fit: [{ name: "Visitors", rule, points: 82 }],
      interest: [],
      weights: { fit: 1, interest: 0 },
      threshold: 82,
    })
    const email = person("tidal.example")
    await customer.visit({ email })
    await customer.visit({ address })
    const stored = () =>
      server.sql(
        `select from visitor_score where organization_id = $1 and rank = 82
         union all
         select from company_score where organization_id = $1 and domain = 'mooring.example' and rank = 82`,
        [customer.id],
      )
    await expect.poll(stored, { timeout: 30_000 }).toHaveLength(2)
    await alert()

    await customer.visit({ email })
    await customer.visit({ address })

    const sent = (await receiver.waitFor(2, path)).map(({ event }) => event)
    const top = { part: "fit", code: "pageviews", params: { count: 1 }, points: 82 }
    const score = { total: 82, fit: 82, interest: 0, hot: true, top }
    expect(sent).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ visitor: expect.objectContaining({ email }), score }),
        expect.objectContaining({ visitor: null, score }),
      ]),
    )
  })

  it("of no one known and no company is not sent", async () => {
    const id = await alert()

    await customer.visit({ paths: ["/pricing"] })

    expect(await told(id)).toBe(0)
  })

  it("of another path, or another site, is not sent", async () => {
    const pixelId = await customer.pixel("other.example")
    const ofPath = await alert({ path: "/pricing" })
    const ofSite = await alert({ pixelId })

    await customer.visit({ email: person(), paths: ["/", "/pricings", "/docs/pricing"] })
    expect(await told(ofPath)).toBe(0)
    expect(await told(ofSite)).toBe(0)

    await customer.visit({ email: person(), paths: ["/PRICING/"], pixelId })
    expect(await told(ofPath)).toBe(1)
    expect(await told(ofSite)).toBe(1)
  })

  it("is sent once in a session, and again in the next", async () => {
    const id = await alert({ path: "/pricing" })
    const email = person()

    const anonymousId = await customer.visit({ email, paths: ["/pricing"] })
    await customer.visit({ anonymousId, paths: ["/pricing", "/docs"] })
    expect(await told(id)).toBe(1)

    await customer.pass(3_600)
    await customer.visit({ anonymousId, paths: ["/pricing"] })
    expect(await told(id)).toBe(2)
  })

  it("is sent later, when its visitor becomes known in the same session", async () => {
    const id = await alert({ path: "/pricing" })

    const anonymousId = await customer.visit({ paths: ["/pricing"] })
    await customer.visit({ anonymousId, paths: ["/docs"] })
    expect(await told(id)).toBe(0)
    await customer.visit({ anonymousId, email: person(), paths: ["/signup"] })

    const [one] = await receiver.waitFor(1, path)
    expect(one!.event).toMatchObject({ page: { path: "/pricing" }, visitor: { sessions: 1 } })
  })

  it("is not sent later, when its session was sent as a visit of a company", async () => {
    const id = await alert({ path: "/pricing" })

    const anonymousId = await customer.visit({ address, paths: ["/pricing"] })
    await customer.visit({ address, anonymousId, email: person(), paths: ["/pricing"] })

    expect(await domains(id)).toEqual(["mooring.example"])
  })

  it("that arrives more than 10 minutes late sets off nothing", async () => {
    const id = await alert()

    await customer.visit({ email: person(), minutesAgo: 11 })
    expect(await told(id)).toBe(0)
    await customer.visit({ email: person(), minutesAgo: 9 })
    expect(await told(id)).toBe(1)
  })

  it("before the alert was made, changed or switched on is not sent", async () => {
    const email = person()
    const anonymousId = await customer.visit({ email, paths: ["/pricing"] })
    const id = await alert({ path: "/pricing", again: "every_session" })
    await customer.visit({ anonymousId, paths: ["/docs"] })
    expect(await told(id)).toBe(0)

    await customer.ask("PATCH", `/v1/data/webhooks/${id}`, { path: "/docs" })
    await customer.visit({ anonymousId, paths: ["/"] })
    expect(await told(id)).toBe(0)
    await customer.ask("PATCH", `/v1/data/webhooks/${id}`, { status: "inactive" })
    await customer.visit({ anonymousId, paths: ["/docs"] })
    await customer.ask("PATCH", `/v1/data/webhooks/${id}`, { status: "active" })
    await customer.visit({ anonymousId, paths: ["/"] })
    expect(await told(id)).toBe(0)
    await customer.visit({ anonymousId, paths: ["/docs"] })
    expect(await told(id)).toBe(1)
  })

  it("by an import sets off nothing", async () => {
    const email = person()
    await customer.visit({ email })
    const id = await alert()

    await putPeople(server.databaseUrl, customer.id, [{ email, firstName: "Jane" }])

    expect(await told(id)).toBe(0)
  })
})

describe("a page that has to be visible for a while", () => {
  it("is sent when its heartbeats have added up", async () => {
    const id = await alert({ path: "/pricing", minSeconds: 40 })
    const email = person()

    const anonymousId = await customer.visit({ email, paths: ["/pricing"], secondsVisible: 30 })
    expect(await told(id)).toBe(0)
    const beat = { anonymousId, paths: [], heartbeatPath: "/pricing" }
    await customer.visit({ ...beat, secondsVisible: 9 })
    expect(await told(id)).toBe(0)
    await customer.visit({ ...beat, secondsVisible: 3 })

    const [one] = await receiver.waitFor(1, path)
    expect(one!.event).toMatchObject({ page: { path: "/pricing", secondsVisible: 42 } })
    await customer.visit({ ...beat, secondsVisible: 30 })
    expect(await told(id)).toBe(1)
  })

  it("is sent when the next page view shows it", async () => {
    const id = await alert({ path: "/pricing", minSeconds: 10 })
    const email = person()

    const anonymousId = await customer.visit({ email, paths: ["/pricing"], minutesAgo: 0.2 })
    expect(await told(id)).toBe(0)
    await customer.visit({ anonymousId, paths: ["/docs"] })

    const [one] = await receiver.waitFor(1, path)
    const { page } = one!.event as { page: { path: string; secondsVisible: number } }
    expect(page.path).toBe("/pricing")
    expect(page.secondsVisible).toBeGreaterThanOrEqual(12)
  })
})

describe("whose page view", () => {
  it("identified sends people, anonymous the others", async () => {
    const people = await alert({ identified: "identified" })
    const companies = await alert({ identified: "anonymous" })

    await customer.visit({ address })
    await customer.visit({ email: person() })

    expect(await domains(people)).toEqual([null])
    expect(await domains(companies)).toEqual(["mooring.example"])
  })

  it("a segment sends its people, and no one who is not identified", async () => {
    const segmentId = await customer.segment({
      field: "company.job_title",
      op: "eq",
      value: "CTO",
    })
    const id = await alert({ segmentId })
    const email = person()

    await customer.visit({ address })
    await customer.visit({ email: person(), traits: { jobTitle: "Clerk" } })
    await customer.visit({ email, traits: { jobTitle: "CTO" } })

    const [one] = await receiver.waitFor(1, path)
    expect(one!.event).toMatchObject({ visitor: { email }, segment: { id: segmentId } })
    expect(await told(id)).toBe(1)
  })

  it("a segment of companies sends their people and their anonymous visits", async () => {
    const segmentId = await customer.segment(
      { field: "company.domain", op: "in", value: ["mooring.example", "acme.example"] },
      "companies",
    )
    const all = await alert({ segmentId })
    const anonymous = await alert({ segmentId, identified: "anonymous" })

    await customer.visit({ email: person("harbor.example") })
    await customer.visit({ email: person("gmail.com") })
    await customer.visit({ address })
    await customer.visit({ email: person() })

    expect(await domains(all)).toEqual(["mooring.example", null])
    expect(await domains(anonymous)).toEqual(["mooring.example"])
    const [one] = await receiver.waitFor(1, path)
    expect(one!.event).toMatchObject({ segment: { id: segmentId, name: "Buyers" } })
  })

  it("a list of companies sends people of them and their anonymous visits", async () => {
    const listId = await list("companies", ["mooring.example", "acme.example"])
    const id = await alert({ listId })

    await customer.visit({ email: person("harbor.example") })
    await customer.visit({ address })
    await customer.visit({ email: person() })

    expect(await domains(id)).toEqual(["mooring.example", null])
    const [one] = await receiver.waitFor(1, path)
    expect(one!.event).toMatchObject({ list: { id: listId, name: "Targets" } })
  })

  it("a list of people sends those that it names", async () => {
    const email = person()
    const id = await alert({ listId: await list("people", [email]) })

    await customer.visit({ address })
    await customer.visit({ email: person() })
    await customer.visit({ email })

    const [one] = await receiver.waitFor(1, path)
    expect(one!.event).toMatchObject({ visitor: { email } })
    expect(await told(id)).toBe(1)
  })

  it("suppressed people are not sent", async () => {
    const id = await alert()
    const email = person()
    await customer.ask("POST", "/v1/data/suppression-rules", {
      rules: [
        { type: "email", value: email },
        { type: "company_domain", value: "mooring.example" },
      ],
    })
    await customer.visit({ email })
    await expect
      .poll(
        async () =>
          (
            await server.sql("select from visitor where organization_id = $1 and suppressed", [
              customer.id,
            ])
          ).length,
        { timeout: 30_000 },
      )
      .toBe(1)
    const before = await told(id)

    await customer.pass(3_600)
    await customer.visit({ email })
    await customer.visit({ address })

    expect(await told(id)).toBe(before)
  })

  it("someone held back is an anonymous visit of their company", async () => {
    await server.sql("update organization set credit_limit = 0 where id = $1", [customer.id])
    const all = await alert()
    const people = await alert({ identified: "identified" })

    await customer.visit({ email: person() })

    const [one] = await receiver.waitFor(1, path)
    expect(one!.event).toMatchObject({ visitor: null, company: { domain: "acme.example" } })
    expect(await domains(all)).toEqual(["acme.example"])
    expect(await told(people)).toBe(0)
  })
})

it("a person whose segment could not be evaluated in time is sent once it can be", async () => {
  const segmentId = await customer.segment({ field: "behavior.pageviews", op: "gte", value: 1 })
  const setRule = (value: unknown) =>
    server.sql("update segment set rule_ast = $2 where id = $1", [
      segmentId,
      JSON.stringify({
        version: 1,
        window: "all",
        rule: { field: "behavior.pageviews", op: "gte", value },
      }),
    ])
  const id = await alert({ path: "/pricing", segmentId })
  // Postgres rejects the comparison. No request can store this rule.
  await setRule("many")
  await customer.visit({ email: person(), paths: ["/pricing"], title: "Plans" })
  expect(await told(id)).toBe(0)

  await setRule(1)
  await server.sql("update webhook_question set ask_at = now() where webhook_id = $1", [id])

  const [one] = await receiver.waitFor(1, path)
  expect(one!.event).toMatchObject({ page: { path: "/pricing", title: "Plans" } })
})

it("a digest names the visits of an hour, people and companies", async () => {
  const id = await alert({ path: "/pricing", format: "slack", digest: "hourly" })
  const email = person()
  await customer.visit({ email, paths: ["/pricing"] })
  await customer.visit({ address, paths: ["/pricing"] })
  const gone = person()
  await customer.visit({ email: gone, paths: ["/pricing"] })
  await server.sql("update visitor set suppressed = true where email = $1", [gone])

  await server.sql(
    "update webhook_delivery set next_attempt_at = now() where webhook_id = $1 and status = 'queued'",
    [id],
  )

  const [one] = await receiver.waitFor(1, path)
  expect(one!.event["text"]).toBe("2 visits to your pages in the last hour")
  expect(one!.body).toContain(`${email} viewed /pricing`)
  expect(one!.body).toContain("Someone at Mooring Freight viewed /pricing")
  expect(one!.body).not.toContain(gone)
  expect(await customer.delivery(id)).toMatchObject({ event: "page.digest", status: "succeeded" })
})

describe("again", () => {
  it.each([
    ["1h", 3_600],
    ["24h", 24 * 3_600],
    ["7d", 7 * 24 * 3_600],
  ] as const)("%s sends a person again after that time", async (again, seconds) => {
    const id = await alert({ again })
    const email = person()

    await customer.visit({ email })
    await customer.pass(seconds - 60)
    await customer.visit({ email })
    expect(await told(id)).toBe(1)
    await customer.visit({ email: person() })
    expect(await told(id)).toBe(2)
    await customer.pass(61)
    await customer.visit({ email })
    expect(await told(id)).toBe(3)
  })

  it("once never sends a person or company again, and sends one of several sessions", async () => {
    const id = await alert({ again: "once" })

    await customer.visit({ address })
    await customer.pass(30 * 24 * 3_600)
    await Promise.all([customer.visit({ address }), customer.visit({ address })])

    expect(await domains(id)).toEqual(["mooring.example"])
  })

  it("is of a person, not of each of two visitors who turn out to be one", async () => {
    const id = await alert({ again: "once" })
    const [one, other] = [person(), person()]
    await customer.visit({ email: one })
    await customer.visit({ email: other })
    expect(await told(id)).toBe(2)
    await putPeople(server.databaseUrl, customer.id, [{ email: one, emails: [one, other] }])

    await customer.visit({ email: other })

    expect(await told(id)).toBe(2)
  })
})

it("an alert without such a page costs no look at what was viewed, and waits for the page", async () => {
  const id = await alert({ path: "/pricing" })
  const email = person()

  const anonymousId = await customer.visit({ email, paths: ["/docs"] })
  expect(await told(id)).toBe(0)
  await customer.visit({ anonymousId, paths: ["/pricing"] })

  expect(await told(id)).toBe(1)
})

it("someone erased is in no page view any more, and theirs are not sent", async () => {
  const id = await alert()
  receiver.answer = status(503)
  const email = person()
  await customer.visit({ email, title: `Cart of ${email}` })
  await receiver.waitFor(1, path)
  const [queued] = await customer.deliveries(id)

  await customer.ask("DELETE", `/v1/data/visitors/${queued!.visitorHash}`)

  await expect
    .poll(async () => (await customer.deliveries(id)).map((one) => one.status), { timeout: 30_000 })
    .toEqual(["skipped"])
  expect(
    await server.sql(
      "select from webhook_delivery where organization_id = $1 and page is not null",
      [customer.id],
    ),
  ).toEqual([])
})

it("the visits of a company whose segment could not be evaluated in time are sent once it can be", async () => {
  const everyone = { field: "behavior.pageviews", op: "gte", value: 1 }
  const segmentId = await customer.segment(everyone, "companies")
  const setRule = (value: unknown) =>
    server.sql("update segment set rule_ast = $2 where id = $1", [
      segmentId,
      JSON.stringify({ version: 1, window: "all", rule: { ...everyone, value } }),
    ])
  const viewed = await alert({ path: "/pricing", segmentId })
  const seen = await alert({ trigger: "company_seen", segmentId })
  // Postgres rejects the comparison. No request can store this rule.
  await setRule("many")
  await customer.visit({ email: person(), paths: ["/pricing"], title: "Plans" })
  await customer.visit({ email: person(), paths: ["/pricing"] })
  await customer.visit({ address, paths: ["/pricing"] })
  expect([await told(viewed), await told(seen)]).toEqual([0, 0])

  await setRule(1)
  await server.sql("update webhook_question set ask_at = now() where organization_id = $1", [
    customer.id,
  ])

  const sent = await receiver.waitFor(5, path)
  expect(sent.filter(({ event }) => event["event"] === "page.viewed")).toHaveLength(3)
  expect((await domains(viewed)).toSorted()).toEqual(["mooring.example", null, null])
  expect((await domains(seen)).toSorted()).toEqual(["acme.example", "mooring.example"])
  expect(
    await server.sql("select from webhook_question where organization_id = $1", [customer.id]),
  ).toEqual([])
})

describe("what a webhook takes", () => {
  const create = (body: object) =>
    customer.ask("POST", "/v1/data/webhooks", { name: "A", url: receiver.url, ...body })

  it.each([
    [{ path: "/a" }, "path", "first_match"],
    [{ minSeconds: 0, trigger: "every_update" }, "minSeconds", "every_update"],
    [{ identified: "any", trigger: "company_seen" }, "identified", "company_seen"],
    [{ again: "once" }, "again", "first_match"],
    [{ listId: randomUUID() }, "listId", "first_match"],
  ])("%j is 400 and names the field", async (body, field, trigger) => {
    const { error, status: code } = await create(body)

    expect(code).toBe(400)
    expect(error.details).toEqual({
      issues: [
        {
          path: `/body/${field}`,
          code: "mutually_exclusive",
          message: `Expected null with the trigger ${trigger}.`,
        },
      ],
    })
  })

  it.each([
    { path: "pricing" },
    { path: "/" },
    { minSeconds: 601 },
    { minSeconds: 1.5 },
    { again: "2h" },
    { identified: "unknown" },
  ])("%j is 400", async (body) => {
    expect((await create({ trigger: "page_viewed", ...body })).status).toBe(400)
  })

  it.each([
    ["first_match", "companies"],
    ["every_update", "companies"],
    ["company_seen", "people"],
  ] as const)("%s takes no segment of %s, when it is made or changed", async (trigger, subject) => {
    const rule = { field: "behavior.pageviews", op: "gte", value: 1 }
    const segmentId = await customer.segment(rule, subject)
    const other = subject === "people" ? "companies" : "people"
    const fitting = await customer.segment(rule, other)
    const message = `Expected a segment of ${other}, received one of ${subject}.`
    const refused = {
      status: 400,
      error: {
        code: "VALIDATION_ERROR",
        details: { issues: [{ path: "/body/segmentId", code: "invalid_value", message }] },
      },
    }
    const id = await alert({ trigger, segmentId: fitting })
    const alerting = await alert({ segmentId })
    const change = (webhookId: string, body: object) =>
      customer.ask("PATCH", `/v1/data/webhooks/${webhookId}`, body)

    expect(await create({ trigger, segmentId })).toMatchObject(refused)
    expect(await change(id, { segmentId })).toMatchObject(refused)
    expect(await change(alerting, { trigger })).toMatchObject(refused)
    expect((await customer.read(alerting)).trigger).toBe("page_viewed")
  })

  it("a segment of people has no anonymous visits, and one of companies has", async () => {
    const rule = { field: "behavior.pageviews", op: "gte", value: 1 }
    const [people, companies] = [
      await customer.segment(rule),
      await customer.segment(rule, "companies"),
    ]
    const anonymous = { trigger: "page_viewed", identified: "anonymous" }

    expect((await create({ ...anonymous, segmentId: people })).status).toBe(400)
    const { data, status: code } = await customer.ask<{ webhook: { id: string } }>(
      "POST",
      "/v1/data/webhooks",
      { name: "A", url: receiver.url, ...anonymous, segmentId: companies },
    )
    expect(code).toBe(201)
    const at = `/v1/data/webhooks/${data.webhook.id}`
    expect((await customer.ask("PATCH", at, { segmentId: people })).status).toBe(400)
    const both = await alert({ segmentId: people })
    const change = await customer.ask("PATCH", `/v1/data/webhooks/${both}`, {
      identified: "anonymous",
    })
    expect(change.status).toBe(400)
    expect((await customer.ask("DELETE", `/v1/data/segments/${companies}`)).error).toMatchObject({
      code: "SEGMENT_IN_USE",
      details: { webhookIds: [data.webhook.id] },
    })
  })

  it("an unknown list is 404, and one of people is 400 for companies", async () => {
    expect((await create({ trigger: "page_viewed", listId: randomUUID() })).status).toBe(404)
    const listId = await list("people", [person()])
    expect((await create({ trigger: "company_seen", listId })).status).toBe(400)
  })

  it("the defaults are those of the trigger, and another trigger drops what it has no use for", async () => {
    const id = await alert({ path: "/pricing", again: "24h" })
    expect(await customer.read(id)).toMatchObject({
      path: "/pricing",
      minSeconds: 0,
      segmentId: null,
      listId: null,
      identified: "any",
      again: "24h",
    })

    await customer.ask("PATCH", `/v1/data/webhooks/${id}`, { trigger: "company_seen" })
    expect(await customer.read(id)).toMatchObject({
      path: null,
      minSeconds: null,
      identified: null,
      again: "7d",
    })
    await customer.ask("PATCH", `/v1/data/webhooks/${id}`, { trigger: "page_viewed" })
    expect(await customer.read(id)).toMatchObject({ minSeconds: 0, again: "every_session" })
  })

  it("a list that a webhook uses can't be deleted", async () => {
    const listId = await list("companies", ["acme.example"])
    const id = await alert({ listId })

    const { error, status: code } = await customer.ask("DELETE", `/v1/data/lists/${listId}`)
    expect([code, error.code]).toEqual([409, "LIST_IN_USE"])
    expect(error.details).toEqual({
      segmentIds: [],
      suppressionSourceIds: [],
      webhookIds: [id],
      score: false,
    })

    await customer.ask("DELETE", `/v1/data/webhooks/${id}`)
    expect((await customer.ask("DELETE", `/v1/data/lists/${listId}`)).status).toBe(200)
  })
})

describe("company_seen", () => {
  const companyAlert = (change: object) => alert({ trigger: "company_seen", ...change })

  it("with a list sends its companies alone", async () => {
    const id = await companyAlert({ listId: await list("companies", ["acme.example"]) })

    await customer.visit({ address })
    await customer.visit({ email: person() })

    expect(await domains(id)).toEqual(["acme.example"])
  })

  it("with a segment sends its companies alone, as they are when they visit", async () => {
    const rule = { field: "company.sessions", op: "gte", value: 2 }
    const segmentId = await customer.segment(rule, "companies")
    const id = await companyAlert({ segmentId })

    await customer.visit({ address })
    await customer.visit({ email: person() })
    expect(await told(id)).toBe(0)
    await customer.visit({ address })

    const [one] = await receiver.waitFor(1, path)
    expect(one!.event).toMatchObject({ domain: "mooring.example", segment: { id: segmentId } })
    expect(await domains(id)).toEqual(["mooring.example"])
  })

  it("with again every_session sends each session once, and with 24h after a day", async () => {
    const every = await companyAlert({ again: "every_session" })
    const daily = await companyAlert({ again: "24h" })

    const anonymousId = await customer.visit({ address })
    await customer.visit({ address, anonymousId })
    await customer.visit({ address })
    expect(await told(every)).toBe(2)
    expect(await told(daily)).toBe(1)

    await customer.pass(24 * 3_600)
    await customer.visit({ address })
    expect(await told(every)).toBe(3)
    expect(await told(daily)).toBe(2)
  })
})

const list = async (subject: "companies" | "people", values: ReadonlyArray<string>) => {
  const { data } = await customer.ask<{ id: string }>("POST", "/v1/data/lists", {
    name: "Targets",
    subject,
  })
  await customer.ask("POST", `/v1/data/lists/${data.id}/members`, { values })
  return data.id
}
