// Company webhooks of a running server (spec 13.3.5): which visits trigger them, the body in each format, and what
// happens to companies that are suppressed or deleted. company-seen-model.test.ts tests which of many visits trigger
// one.
import { randomUUID } from "node:crypto"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, vi } from "vitest"
import type { TestServer } from "../support/server.ts"
import { type Receiver, startReceiver, status, verify } from "./receiver.ts"
import { Customer, startSite } from "./site.ts"

let server: TestServer
let receiver: Receiver
let customer: Customer
let path: string

beforeAll(async () => {
  const file = join(inject("temporaryDirectory"), "companies-of-webhooks.csv")
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

const companyWebhook = (change: object = {}) =>
  customer.webhook(receiver.url + path, { trigger: "company_seen", ...change })
/** An address in the network of Mooring Freight. */
const address = "203.0.113.9"
const received = () => receiver.received.filter((one) => one.path === path)
const suppress = async (type: string, value: string) => {
  await customer.ask("POST", "/v1/data/suppression-rules", { rules: [{ type, value }] })
  await vi.waitFor(
    async () => {
      const { data } = await customer.ask<ReadonlyArray<{ suppressed: boolean }>>(
        "GET",
        "/v1/data/companies?suppressed=only",
      )
      expect(data.some(({ suppressed }) => suppressed)).toBe(true)
    },
    { timeout: 30_000 },
  )
}

describe("a visit of a company", () => {
  it("sends the company's fields in the visitor envelope, signed, and the history has the company", async () => {
    const { webhook, webhookSecret } = await companyWebhook()

    await customer.visit({ address, paths: ["/docs", "/pricing"] })

    const [one] = await receiver.waitFor(1, path)
    expect(() => verify(webhookSecret, one!)).not.toThrow()
    expect(one!.event).toEqual({
      id: one!.headers["webhook-id"],
      event: "company.identified",
      timestamp: expect.any(String),
      trigger: "company_seen",
      organizationId: customer.id,
      segment: null,
      pixel: { id: customer.organization.pixelId, domain: expect.any(String) },
      domain: "mooring.example",
      name: "Mooring Freight",
      industry: "ports",
      employeeCount: null,
      totalRevenue: null,
      linkedinUrl: null,
      city: null,
      state: null,
      country: "US",
      firstSeenAt: expect.any(String),
      lastSeenAt: expect.any(String),
      sessions: 1,
      anonymousSessions: 1,
      pageviews: 2,
      pricingPageViews: 1,
      demoPageViews: 0,
      peopleCount: 0,
      landingPage: "https://tidewater.example/docs",
      referrerDomain: null,
      utmSource: null,
      utmMedium: null,
      utmCampaign: null,
    })
    expect(await customer.delivery(webhook.id)).toMatchObject({
      event: "company.identified",
      companyDomain: "mooring.example",
      visitorHash: null,
      status: "succeeded",
    })
    expect((await customer.read(webhook.id)).stats).toMatchObject({ deliveries: 1, succeeded: 1 })
  })

  it("is sent once in 7 days, also for someone identified by an address alone", async () => {
    const { webhook } = await companyWebhook()

    await customer.visit({ address })
    await customer.visit({ address })
    await customer.visit({ email: `${randomUUID()}@harbor.example` })

    await receiver.waitFor(2, path)
    expect(received().map(({ event }) => event["domain"])).toEqual([
      "mooring.example",
      "harbor.example",
    ])
    await server.sql(
      "update webhook_company set told_at = told_at - interval '7 days' where webhook_id = $1",
      [webhook.id],
    )
    await customer.visit({ address })

    const [, , again] = await receiver.waitFor(3, path)
    expect(again!.event).toMatchObject({ domain: "mooring.example", sessions: 3 })
  })

  it("sends no people, and triggers no visitor webhook for an anonymous visit", async () => {
    const people = `/${randomUUID()}`
    await customer.webhook(receiver.url + people)
    await companyWebhook()

    await customer.visit({ address })
    await customer.visit({ email: `${randomUUID()}@harbor.example` })

    await receiver.waitFor(2, path)
    await receiver.waitFor(1, people)
    expect(received().map(({ event }) => event["event"])).toEqual([
      "company.identified",
      "company.identified",
    ])
    expect(receiver.received.filter((one) => one.path === people)).toHaveLength(1)
  })

  it.each([
    ["company_domain", "mooring.example"],
    ["industry", "ports"],
  ])("sends nothing while a %s rule matches the company", async (type, value) => {
    await customer.visit({ address })
    await suppress(type, value)
    const { webhook } = await companyWebhook()

    await customer.visit({ address })

    expect(await customer.deliveries(webhook.id)).toEqual([])
  })
})

describe("between queueing and sending", () => {
  const waiting = async (change: object = {}) => {
    // Its first attempt fails, so it waits for the next.
    receiver.answer = status(500)
    const { webhook } = await companyWebhook(change)
    await customer.visit({
      email: `ann-${randomUUID()}@harbor.example`,
      traits: { companyName: "Harbor" },
    })
    await customer.delivery(webhook.id, ({ statusCode }) => statusCode === 500)
    receiver.answer = status(204)
    return webhook
  }
  const retry = (webhookId: string) =>
    server.sql("update webhook_delivery set next_attempt_at = now() where webhook_id = $1", [
      webhookId,
    ])

  it("a company that a rule suppresses is skipped", async () => {
    const webhook = await waiting()
    await suppress("company_domain", "harbor.example")

    await retry(webhook.id)

    expect(await customer.delivery(webhook.id)).toMatchObject({ status: "skipped" })
    expect(received()).toHaveLength(1)
  })

  it("a company whose only person was erased is skipped, and none of its data is kept", async () => {
    const webhook = await waiting()
    const { data } = await customer.ask<ReadonlyArray<{ emailHash: string }>>("GET", "/v1/data")

    await customer.ask("DELETE", `/v1/data/visitors/${data[0]!.emailHash}`)

    expect(await customer.delivery(webhook.id)).toMatchObject({
      status: "skipped",
      companyDomain: null,
      responseSnippet: null,
    })
    for (const table of ["webhook_delivery", "webhook_company", "webhook_digest_company"]) {
      expect(
        await server.sql(
          `select 1 from ${table} as t where organization_id = $1 and t::text like '%harbor%'`,
          [customer.id],
        ),
      ).toEqual([])
    }
  })
})

describe.each(["slack", "teams", "discord"] as const)("%s", (format) => {
  it("receives a message with a link to the company, and can be tried out", async () => {
    const { webhook } = await companyWebhook({ format })

    await customer.visit({ address })

    const [message] = await receiver.waitFor(1, path)
    expect(message!.body).toContain("Mooring Freight visited tidewater.example")
    expect(message!.body).toContain(`${server.url}/console/companies/mooring.example`)
    const test = await customer.ask("POST", `/v1/data/webhooks/${webhook.id}/test`, {})
    expect(test.data).toMatchObject({ ok: true })
    expect(received()[1]!.body).toContain("Example Company")
  })

  it("gets one digest per hour, without companies suppressed in the meantime", async () => {
    const { webhook } = await companyWebhook({ format, digest: "hourly" })
    await customer.visit({ address })
    for (const name of ["harbor", "quay"]) {
      await customer.visit({ email: `${randomUUID()}@${name}-${format}.example` })
    }
    expect(received()).toEqual([])
    await suppress("company_domain", `quay-${format}.example`)

    await server.sql(
      "update webhook_delivery set next_attempt_at = now() where webhook_id = $1 and status = 'queued'",
      [webhook.id],
    )

    const [message] = await receiver.waitFor(1, path)
    expect(await customer.delivery(webhook.id)).toMatchObject({
      event: "company.digest",
      companyDomain: null,
      visitorHash: null,
      status: "succeeded",
    })
    expect(message!.body).toContain("2 companies in the last hour")
    expect(message!.body).toContain("Mooring Freight")
    expect(message!.body).toContain(`/console/companies/harbor-${format}.example`)
    expect(message!.body).not.toContain("quay")
    expect(await customer.deliveries(webhook.id)).toHaveLength(1)
  })
})

describe("the fields of a company webhook", () => {
  it("cannot include a segment of people, whichever request would set it: 400", async () => {
    const segmentId = await customer.segment({
      field: "behavior.pageviews",
      op: "gte",
      value: 1,
    })
    const refused = {
      status: 400,
      error: {
        code: "VALIDATION_ERROR",
        details: { issues: [{ path: "/body/segmentId", code: "invalid_value" }] },
      },
    }
    const body = { name: "CRM", url: receiver.url, trigger: "company_seen" }

    expect(await customer.ask("POST", "/v1/data/webhooks", { ...body, segmentId })).toMatchObject(
      refused,
    )
    const { webhook } = await companyWebhook({ trigger: "first_match", segmentId })
    const change = (fields: object) =>
      customer.ask<object>("PATCH", `/v1/data/webhooks/${webhook.id}`, fields)
    expect(await change({ trigger: "company_seen" })).toMatchObject(refused)
    const changed = await change({ trigger: "company_seen", segmentId: null })
    expect(changed.data).toMatchObject({ trigger: "company_seen", segmentId: null })
    expect(await change({ segmentId })).toMatchObject(refused)
  })

  it("a test call sends a sample company with every field", async () => {
    const { webhook } = await companyWebhook()
    await customer.visit({ address })
    await receiver.waitFor(1, path)

    await customer.ask("POST", `/v1/data/webhooks/${webhook.id}/test`, {})

    const [real, test] = received()
    expect(test!.event).toMatchObject({
      event: "webhook.test",
      test: true,
      trigger: "company_seen",
    })
    expect(Object.keys(test!.event).toSorted()).toEqual(
      [...Object.keys(real!.event), "test"].toSorted(),
    )
  })

  it("are sent again from the history with the same body", async () => {
    const { webhook } = await companyWebhook()
    await customer.visit({ address })
    const { id } = await customer.delivery(webhook.id)

    await customer.ask("POST", `/v1/data/webhooks/${webhook.id}/deliveries/${id}/redeliver`)

    const [first, again] = await receiver.waitFor(2, path)
    expect(again!.body).toBe(first!.body)
  })
})
