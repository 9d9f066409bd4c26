// The server sends what the SDK describes: the SDK verifies every event, the SDK's JSON Schema accepts it, and it has
// no unknown key (spec 1.1, 8.2, 8.3, 8.5).
import { verifyWebhook, type WebhookEventName } from "@footfall/sdk/webhooks"
import { webhookEventSchemas } from "@footfall/sdk/webhooks/schemas"
import fastify from "fastify"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { DeliveryWorld, eventTypes, people } from "../deliveries/support.ts"
import type { Received } from "../webhooks/receiver.ts"
import { Customer } from "../webhooks/site.ts"

/** The schema without additional keys, at any depth. */
const closed = (schema: unknown): unknown => {
  if (typeof schema !== "object" || schema === null) return schema
  if (Array.isArray(schema)) return schema.map(closed)
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, closed(value)]),
  )
  return "properties" in schema ? { ...inner, additionalProperties: false } : inner
}

const validator = fastify({
  ajv: { customOptions: { removeAdditional: false, coerceTypes: false, useDefaults: false } },
})
for (const [name, schema] of Object.entries(webhookEventSchemas)) {
  validator.post(`/${name}`, { schema: { body: closed(schema) } }, async () => "valid")
}

/** Checks that the event is verified, valid, and of this type. */
const expectEvent = async (
  secret: string,
  received: Received | undefined,
  name: WebhookEventName,
) => {
  const { body: payload, headers } = received!
  const event = await verifyWebhook({ payload, headers, secret })
  const { body } = await validator.inject({ method: "POST", url: `/${name}`, body: event })

  expect(body).toBe("valid")
  expect(event).toMatchObject({ event: name, id: headers["webhook-id"] })
  expect(headers["webhook-test"]).toBe(event.test === true ? "true" : undefined)
}

let w: DeliveryWorld
let customer: Customer
beforeAll(async () => {
  w = await DeliveryWorld.start()
  customer = await Customer.of(w.world.server)
})
afterAll(() => w.close())

it("the three events of a delivery", async () => {
  const destination = await w.destination(people(2))
  await w.delivered(destination)

  const received = w.received(destination.path)
  expect(received.length).toBe(4)
  for (const one of received) {
    // A subscription covers whole kinds of events.
    await expectEvent(destination.secret, one, one.event["event"] as WebhookEventName)
  }
  expect(new Set(received.map(({ event }) => event["event"]))).toEqual(new Set(eventTypes))
})

it.each(eventTypes)("the test of a destination with %s", async (eventType) => {
  const destination = await w.destination([])
  const { audienceId, id } = destination
  const test = `POST /v1/intent/audiences/${audienceId}/destinations/${id}/test`

  expect(await w.world.get(test, { eventType })).toMatchObject({ ok: true })

  const [one] = w.received(destination.path)
  await expectEvent(destination.secret, one, eventType)
  expect(one?.event).toMatchObject({ test: true })
})

it("the event of a webhook about companies, and its test", async () => {
  const path = `/${randomUUID()}`
  const { webhook, webhookSecret } = await customer.webhook(w.receiver.url + path, {
    trigger: "company_seen",
  })

  await customer.visit({ email: `${randomUUID()}@acme.example`, paths: ["/pricing"] })
  await w.receiver.waitFor(1, path)
  await customer.ask("POST", `/v1/data/webhooks/${webhook.id}/test`)
  const received = await w.receiver.waitFor(2, path)

  expect(received.map(({ event }) => event["event"])).toEqual([
    "company.identified",
    "webhook.test",
  ])
  for (const one of received) {
    await expectEvent(webhookSecret, one, one.event["event"] as WebhookEventName)
  }
})

it("the events of a webhook about page views, and its test", async () => {
  const path = `/${randomUUID()}`
  const { webhook, webhookSecret } = await customer.webhook(w.receiver.url + path, {
    trigger: "page_viewed",
  })

  await customer.visit({
    email: `${randomUUID()}@acme.example`,
    paths: ["/pricing"],
    title: "Plans",
  })
  await w.receiver.waitFor(1, path)
  await customer.ask("POST", `/v1/data/webhooks/${webhook.id}/test`)
  const received = await w.receiver.waitFor(2, path)

  expect(received.map(({ event }) => event["event"])).toEqual(["page.viewed", "webhook.test"])
  for (const one of received) {
    await expectEvent(webhookSecret, one, one.event["event"] as WebhookEventName)
  }
})

it("the events of a visitor webhook, and its test", async () => {
  const path = `/${randomUUID()}`
  const { webhook, webhookSecret } = await customer.webhook(w.receiver.url + path, {
    trigger: "every_update",
  })
  const email = `${randomUUID()}@acme.example`

  await customer.visit({ email, paths: ["/pricing"] })
  await w.receiver.waitFor(1, path)
  await customer.pass(3600)
  await customer.visit({ email, paths: ["/docs"] })
  await w.receiver.waitFor(2, path)
  await customer.ask("POST", `/v1/data/webhooks/${webhook.id}/test`)
  const received = await w.receiver.waitFor(3, path)

  expect(new Set(received.map(({ event }) => event["event"]))).toEqual(
    new Set(["visitor.identified", "visitor.updated", "webhook.test"]),
  )
  for (const one of received) {
    await expectEvent(webhookSecret, one, one.event["event"] as WebhookEventName)
  }
})
