// The trigger first_match: once per webhook and person, ever; segment, pixel, and people who are never sent (spec 8.5,
// 2.5, 2.6; spec 8.5.3).
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { TestServer } from "../support/server.ts"
import { putPeople } from "../people/people-layer.ts"
import { type Received, type Receiver, startReceiver, verify } from "./receiver.ts"
import { Customer, startSite } from "./site.ts"

let server: TestServer
let receiver: Receiver
let customer: Customer
let path: string

beforeAll(async () => {
  server = await startSite()
  receiver = await startReceiver()
})
afterAll(async () => {
  await server.close()
  await receiver.close()
})
beforeEach(async () => {
  customer = await Customer.of(server)
  path = `/${randomUUID()}`
})

const person = (): string => `${randomUUID()}@acme.example`
const pricing = { field: "behavior.pricing_page_views", op: "gte", value: 1 }

/** The events at the path, once nothing is in progress. */
const settled = async (webhookId: string): Promise<ReadonlyArray<Received>> => {
  await expect
    .poll(() => customer.deliveries(webhookId, "&status=queued"), { timeout: 30_000 })
    .toEqual([])
  return receiver.received.filter((one) => one.path === path)
}

describe("visitor.identified", () => {
  it("is sent once, with the canonical fields, signed", async () => {
    const { webhook, webhookSecret } = await customer.webhook(receiver.url + path)
    const email = person()

    const browser = await customer.visit({ email, paths: ["/pricing", "/docs"] })
    await customer.visit({ anonymousId: browser })
    await customer.visit({ email })

    const [one, ...more] = await settled(webhook.id)
    expect(more).toEqual([])
    verify(webhookSecret, one!)
    const { event, headers } = one!
    expect(event).toMatchObject({
      id: headers["webhook-id"],
      event: "visitor.identified",
      trigger: "first_match",
      organizationId: customer.id,
      segment: null,
      pixel: { id: customer.organization.pixelId, domain: "tidewater.example" },
      email,
      emails: [email],
      pageviews: 2,
      pricingPageViews: 1,
      visitedPages: ["https://tidewater.example/docs", "https://tidewater.example/pricing"],
    })
    for (const absent of ["suppressed", "journey", "allEmails", "company", "msclkid", "test"]) {
      expect(event).not.toHaveProperty(absent)
    }
    expect(headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "webhook-attempt": "1",
      "user-agent": expect.stringMatching(/^footfall-webhooks\//),
    })
    expect(headers).not.toHaveProperty("webhook-test")
    expect(await customer.delivery(webhook.id)).toMatchObject({
      status: "succeeded",
      event: "visitor.identified",
      attempts: 1,
      statusCode: 204,
      errorMessage: null,
      nextAttemptAt: null,
      visitorHash: event["emailHash"],
    })
    expect((await customer.read(webhook.id)).stats).toMatchObject({
      deliveries: 1,
      succeeded: 1,
      failed: 0,
      successRate: 100,
      consecutiveFailures: 0,
      lastErrorAt: null,
      lastErrorMessage: null,
    })
  })

  it("waits until the person matches the segment, and contains its name", async () => {
    const segmentId = await customer.segment(pricing)
    const { webhook } = await customer.webhook(receiver.url + path, { segmentId })
    const browser = await customer.visit({ email: person(), paths: ["/docs"] })
    expect(await customer.deliveries(webhook.id)).toEqual([])

    await customer.visit({ anonymousId: browser, paths: ["/pricing"] })
    await customer.visit({ anonymousId: browser, paths: ["/pricing"] })

    const all = await settled(webhook.id)
    expect(all).toHaveLength(1)
    expect(all[0]?.event).toMatchObject({ segment: { id: segmentId, name: "Buyers" } })
  })

  it("is sent only for the webhook's pixel, with its counters", async () => {
    const pixelId = await customer.pixel("shop.example")
    const { webhook } = await customer.webhook(receiver.url + path, { pixelId })
    const email = person()
    await customer.visit({ email, paths: ["/a", "/b"] })
    expect(await customer.deliveries(webhook.id)).toEqual([])

    await customer.visit({ email, pixelId, paths: ["/c"] })

    const all = await settled(webhook.id)
    expect(all).toHaveLength(1)
    expect(all[0]?.event).toMatchObject({
      pixel: { id: pixelId, domain: "shop.example" },
      sessions: 1,
      pageviews: 1,
    })
  })

  it("is sent once to each webhook, and never to another organization's", async () => {
    const others = await Customer.of(server)
    const first = await customer.webhook(receiver.url + path)
    const second = await customer.webhook(receiver.url + path)
    const third = await others.webhook(receiver.url + path)

    await customer.visit({ email: person() })

    await settled(first.webhook.id)
    const all = await settled(second.webhook.id)
    expect(all).toHaveLength(2)
    expect(new Set(all.map(({ headers }) => headers["webhook-id"])).size).toBe(2)
    expect(await others.deliveries(third.webhook.id)).toEqual([])
  })

  it("is not sent for anonymous visitors, nor for people who last came before the webhook existed", async () => {
    await customer.visit({ email: person() })
    const { webhook } = await customer.webhook(receiver.url + path)

    await customer.visit({})

    expect(await customer.deliveries(webhook.id)).toEqual([])
  })

  it("an inactive webhook gets nothing queued", async () => {
    const { webhook } = await customer.webhook(receiver.url + path, { status: "inactive" })
    const email = person()
    await customer.visit({ email })
    expect(await customer.deliveries(webhook.id)).toEqual([])

    await customer.ask("PATCH", `/v1/data/webhooks/${webhook.id}`, { status: "active" })
    await customer.visit({ email })

    expect(await settled(webhook.id)).toHaveLength(1)
  })
})

describe("people who are never sent", () => {
  it("a suppressed person is not sent until the rule is deleted and they return (I6)", async () => {
    const { webhook } = await customer.webhook(receiver.url + path)
    const email = person()
    const rules = [{ type: "email", value: email }]
    await customer.ask("POST", "/v1/data/suppression-rules", { rules })
    const inForce = async () => {
      await expect
        .poll(
          () =>
            server.sql(
              `select cycle_at > changed_at and marks_from is null as in_force from suppression_list
               where organization_id = $1`,
              [customer.id],
            ),
          { timeout: 30_000 },
        )
        .toEqual([{ in_force: true }])
    }
    await inForce()

    await customer.visit({ email })
    expect(await customer.deliveries(webhook.id)).toEqual([])
    expect(
      await server.sql("select suppressed from visitor where organization_id = $1", [customer.id]),
    ).toEqual([{ suppressed: true }])

    await customer.ask("DELETE", "/v1/data/suppression-rules", { rules })
    await inForce()
    expect(await customer.deliveries(webhook.id)).toEqual([])
    await customer.visit({ email })

    expect(await settled(webhook.id)).toHaveLength(1)
  })

  it("a person held back is not sent until they are released", async () => {
    await server.sql("update organization set credit_limit = 0 where id = $1", [customer.id])
    const { webhook } = await customer.webhook(receiver.url + path)
    await customer.visit({ email: person(), paths: ["/pricing"] })
    expect(await customer.deliveries(webhook.id)).toEqual([])

    await server.sql("update organization set credit_limit = 1 where id = $1", [customer.id])

    const [released] = await receiver.waitFor(1, path)
    expect(released?.event).toMatchObject({
      event: "visitor.identified",
      pixel: { id: customer.organization.pixelId },
      pricingPageViews: 1,
    })
    expect(await settled(webhook.id)).toHaveLength(1)
  })
})

describe("once per person, ever", () => {
  it("two visitors who turn out to be one person are not sent as identified again", async () => {
    const { webhook } = await customer.webhook(receiver.url + path)
    const [one, other] = [person(), person()]
    await customer.visit({ email: one })
    await settled(webhook.id)
    const { webhook: late } = await customer.webhook(receiver.url + path)
    await customer.visit({ email: other })
    await settled(webhook.id)
    await settled(late.id)

    // The visitor seen first survives. The later webhook only knows the other one.
    await putPeople(server.databaseUrl, customer.id, [{ email: one, emails: [one, other] }])
    await customer.visit({ email: one })
    await customer.visit({ email: other })

    expect(await customer.deliveries(webhook.id, "&status=succeeded")).toHaveLength(2)
    expect(await customer.deliveries(late.id)).toHaveLength(1)
  })

  it("when two visitors merge, only one of their waiting events is sent", async () => {
    const { webhook } = await customer.webhook(receiver.url + path)
    const [one, other] = [person(), person()]
    // So that it waits.
    await server.sql("update webhook set status = 'inactive' where id = $1", [webhook.id])
    await server.sql(
      "create or replace function wait_here() returns trigger language plpgsql as $$ begin new.next_attempt_at := now() + interval '1 hour'; return new; end $$",
    )
    await server.sql(
      `create trigger waits before insert on webhook_delivery for each row
       when (new.webhook_id = '${webhook.id}') execute function wait_here()`,
    )
    await server.sql("update webhook set status = 'active' where id = $1", [webhook.id])
    await customer.visit({ email: one })
    await customer.visit({ email: other })
    await server.sql("drop trigger waits on webhook_delivery")

    await putPeople(server.databaseUrl, customer.id, [{ email: one, emails: [one, other] }])

    const statuses = (await customer.deliveries(webhook.id)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual(["queued", "skipped"])
  })

  it("an import that makes someone match is sent with the pixel of their last session", async () => {
    const pixelId = await customer.pixel("shop.example")
    const segmentId = await customer.segment({
      field: "company.seniority",
      op: "eq",
      value: "vp",
    })
    const { webhook } = await customer.webhook(receiver.url + path, { segmentId })
    const email = person()
    await customer.visit({ email, minutesAgo: 90 })
    await customer.visit({ email, pixelId })
    expect(await customer.deliveries(webhook.id)).toEqual([])

    await putPeople(server.databaseUrl, customer.id, [{ email, seniority: "vp" }])

    const all = await settled(webhook.id)
    expect(all).toHaveLength(1)
    expect(all[0]?.event).toMatchObject({
      event: "visitor.identified",
      pixel: { id: pixelId },
      seniority: "vp",
    })
  })

  it("an import sends nothing to a webhook without a segment", async () => {
    const email = person()
    await customer.visit({ email })
    const { webhook } = await customer.webhook(receiver.url + path)

    await putPeople(server.databaseUrl, customer.id, [{ email, seniority: "vp" }])

    expect(await customer.deliveries(webhook.id)).toEqual([])
  })
})
