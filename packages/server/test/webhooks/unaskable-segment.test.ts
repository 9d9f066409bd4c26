// A segment that can't be evaluated, because its rule takes too long or Postgres rejects it, only fails its own
// webhook: identification continues, everyone else is sent, and it is evaluated again when the person comes back, or
// later if they don't (spec 8.5).
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import type { TestServer } from "../support/server.ts"
import { type Receiver, startReceiver } from "./receiver.ts"
import { Customer, startSite } from "./site.ts"

let server: TestServer
let receiver: Receiver

beforeAll(async () => {
  server = await startSite()
  receiver = await startReceiver()
})
afterAll(async () => {
  await server.close()
  await receiver.close()
})

/** Searching for this in a long row of the same letter starts over at every letter. */
const almost = `${"a".repeat(500)}b`
const costly = {
  any: Array.from({ length: 8 }, (_, index) => ({
    field: "behavior.visited_paths",
    op: "any_contains",
    value: `${index}${almost}`.slice(index % 2),
  })),
}

/** Many long rows of it. A statement is canceled between two comparisons, but not within one. */
const makeCostly = ({ id }: Customer) =>
  server.sql(
    `insert into session
     select (copy).* from (
       select jsonb_populate_record(s, jsonb_build_object(
         'id', gen_random_uuid(), 'paths', repeat('a', 20000)
       )) as copy
       from session s, generate_series(1, 300)
       where organization_id = $1
     ) as copies`,
    [id],
  )

const setRule = (segmentId: string, rule: object) =>
  server.sql("update segment set rule_ast = $2 where id = $1", [
    segmentId,
    JSON.stringify({ version: 1, rule }),
  ])

it.each([
  ["takes too long", costly],
  // No request can store this rule.
  ["is rejected by Postgres", { field: "behavior.pageviews", op: "gte", value: "many" }],
])("a rule that %s", async (_, rule) => {
  const customer = await Customer.of(server)
  const others = await Customer.of(server)
  const [path, plainPath, othersPath] = [randomUUID(), randomUUID(), randomUUID()].map(
    (name) => `/${name}`,
  )
  const email = `${randomUUID()}@acme.example`
  await customer.visit({ email })
  await makeCostly(customer)
  const everyone = { field: "behavior.pageviews", op: "gte", value: 1 }
  const segmentId = await customer.segment(everyone)
  await setRule(segmentId, rule)
  const url = receiver.url
  const { webhook } = await customer.webhook(url + path, { segmentId })
  const { webhook: again } = await customer.webhook(url + path, { segmentId })
  await customer.webhook(url + plainPath)
  await others.webhook(url + othersPath)

  await Promise.all([
    customer.visit({ email }),
    others.visit({ email: `${randomUUID()}@acme.example` }),
  ])

  await receiver.waitFor(1, plainPath)
  await receiver.waitFor(1, othersPath)
  for (const one of [webhook, again]) {
    expect(await customer.deliveries(one.id)).toEqual([])
    expect(await customer.read(one.id)).toMatchObject({
      status: "active",
      stats: {
        failed: 0,
        lastErrorAt: expect.any(String),
        lastErrorMessage: "The rule of the segment could not be evaluated.",
      },
    })
  }

  await setRule(segmentId, everyone)
  await customer.ask("PATCH", `/v1/data/webhooks/${again.id}`, { status: "inactive" })
  // A minute after the failure.
  await server.sql("update webhook set segment_failed_at = segment_failed_at - interval '61s'")
  await customer.visit({ email })
  expect(await customer.delivery(webhook.id)).toMatchObject({ status: "succeeded" })

  await customer.ask("PATCH", `/v1/data/webhooks/${again.id}`, { status: "active" })
  expect(await customer.deliveries(again.id)).toEqual([])
  await server.sql("update webhook_question set ask_at = now() where webhook_id = $1", [again.id])
  expect(await customer.delivery(again.id)).toMatchObject({ status: "succeeded" })
  expect(receiver.received.filter((one) => one.path === plainPath)).toHaveLength(1)
})
