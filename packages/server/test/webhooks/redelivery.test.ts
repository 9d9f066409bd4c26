// Redelivery of one event: what is allowed, what is refused, and what stays unchanged (spec 5.6, 8.5). sending.test.ts
// tests its id, body and counters.
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import type { DeliveryRecord } from "../../src/activation/webhooks/delivery-record.ts"
import { suppressionStatements } from "../identification/suppressed.ts"
import type { TestServer } from "../support/server.ts"
import { type Receiver, startReceiver, status } from "./receiver.ts"
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
  receiver.answer = status(204)
})

const received = () => receiver.received.filter((one) => one.path === path)

/** An event that has ended. */
const sent = async (): Promise<DeliveryRecord & { readonly email: string }> => {
  const { webhook } = await customer.webhook(receiver.url + path)
  const email = `${randomUUID()}@acme.example`
  await customer.visit({ email })
  return { ...(await customer.delivery(webhook.id)), email }
}

const redeliver = ({ id, webhookId }: DeliveryRecord, by = customer) =>
  by.ask("POST", `/v1/data/webhooks/${webhookId}/deliveries/${id}/redeliver`)

it("the stored body can be read, byte for byte, for as long as it is kept", async () => {
  const delivery = await sent()
  const url = `/v1/data/webhooks/${delivery.webhookId}/deliveries/${delivery.id}`
  const { email, ...record } = delivery

  const { data } = await customer.ask("GET", url)

  expect(data).toEqual({ ...record, payload: received()[0]!.body })
  expect(received()[0]!.body).toContain(email)

  await server.sql("update webhook_delivery set payload = null where id = $1", [delivery.id])
  expect((await customer.ask("GET", url)).data).toEqual({ ...record, payload: null })
  const gone = await customer.ask("GET", url.replace(delivery.id, randomUUID()))
  expect(gone.status).toBe(404)
})

it("is allowed on a disabled webhook, which stays disabled after a success", async () => {
  receiver.answer = status(410)
  const delivery = await sent()
  receiver.answer = status(204)

  expect((await redeliver(delivery)).status).toBe(202)

  expect(
    await customer.delivery(delivery.webhookId, ({ status }) => status === "succeeded"),
  ).toMatchObject({ id: delivery.id, attempts: 2, statusCode: 204, errorMessage: null })
  expect(await customer.read(delivery.webhookId)).toMatchObject({
    status: "auto_disabled",
    stats: { deliveries: 1, succeeded: 0, failed: 1, consecutiveFailures: 1 },
  })
})

it("is one attempt: a failure ends it, and only a 410 disables the webhook", async () => {
  const delivery = await sent()
  await server.sql(
    `update webhook set consecutive_failures = 50, failing_since = now() - interval '9 days'
     where id = $1`,
    [delivery.webhookId],
  )
  receiver.answer = status(503, { "retry-after": "60" })

  await redeliver(delivery)

  expect(
    await customer.delivery(delivery.webhookId, ({ attempts, status }) => {
      return attempts === 2 && status !== "queued"
    }),
  ).toMatchObject({ status: "failed", statusCode: 503, nextAttemptAt: null })
  expect(await customer.read(delivery.webhookId)).toMatchObject({
    status: "active",
    stats: { consecutiveFailures: 50, failed: 0 },
  })
})

it("of several concurrent requests one is accepted, until its attempt is made", async () => {
  const delivery = await sent()
  const held: Array<() => void> = []
  receiver.answer = (_, response) => void held.push(() => response.writeHead(204).end())

  const answers = await Promise.all(Array.from({ length: 5 }, () => redeliver(delivery)))

  expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409, 409, 409, 409])
  await expect.poll(() => held.length, { timeout: 30_000 }).toBe(1)
  for (const answer of held) answer()
  await customer.delivery(
    delivery.webhookId,
    ({ attempts, status }) => attempts === 2 && status === "succeeded",
  )
  expect(received()).toHaveLength(2)
  expect((await redeliver(delivery)).status).toBe(202)
})

it("is skipped for a person suppressed since, and a conflict for an erased one", async () => {
  const suppressed = await sent()
  for (const [text, values] of suppressionStatements({
    organizationId: customer.id,
    email: suppressed.email,
    isSuppressed: true,
  })) {
    await server.sql(text, values)
  }
  expect((await redeliver(suppressed)).status).toBe(202)
  expect(
    await customer.delivery(suppressed.webhookId, ({ status }) => status === "skipped"),
  ).toMatchObject({ id: suppressed.id, attempts: 1 })
  expect(received()).toHaveLength(1)

  const erased = await sent()
  await customer.ask("DELETE", `/v1/data/visitors/${erased.visitorHash}`)
  expect(await redeliver(erased)).toMatchObject({ status: 409, error: { code: "CONFLICT" } })
})

it("is not found for another organization, nor under another webhook's id", async () => {
  const delivery = await sent()
  const { webhook: other } = await customer.webhook(receiver.url + path)
  const others = await Customer.of(server)

  expect((await redeliver(delivery, others)).status).toBe(404)
  expect((await redeliver({ ...delivery, webhookId: other.id })).status).toBe(404)
  expect(received()).toHaveLength(1)
})
