// Alerts about segments (spec 8.7) of a running server: who enters and leaves, and who is not sent.
import { randomUUID } from "node:crypto"
import pg from "pg"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { advisoryLocks } from "../../src/platform/database/advisory-locks.ts"
import { putPeople, sha256 } from "../people/people-layer.ts"
import type { TestServer } from "../support/server.ts"
import { type Receiver, startReceiver, status, verify } from "./receiver.ts"
import { looked, settled, sweep, waiting } from "./segment-waits.ts"
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

const pricing = { field: "behavior.visited_paths", op: "any_starts_with", value: "/pricing" }
const person = () => `${randomUUID()}@acme.example`
/** Keeps every process from looking at the customer's segments until it is called. */
const holdTurns = async () => {
  const client = new pg.Client({ connectionString: server.databaseUrl })
  await client.connect()
  await client.query("select pg_advisory_lock($1::int, hashtext($2))", [
    advisoryLocks.segments,
    customer.id,
  ])
  return () => client.end()
}

/** Waits until the alert's segment is watched. */
const watched = async () =>
  await expect
    .poll(
      () => server.sql("select from segment_watch where organization_id = $1", [customer.id]),
      waiting,
    )
    .toHaveLength(1)

const alert = async (segmentId: string, change: object = {}) => {
  const { webhook } = await customer.webhook(receiver.url + path, {
    trigger: "entered_segment",
    segmentId,
    ...change,
  })
  return webhook.id
}
const events = async (webhookId: string) =>
  (await customer.deliveries(webhookId)).map(({ event }) => event).toReversed()

describe("a person", () => {
  it("who enters is sent with the segment and their fields, signed", async () => {
    const segmentId = await customer.segment(pricing)
    const { webhook, webhookSecret } = await customer.webhook(receiver.url + path, {
      trigger: "entered_segment",
      segmentId,
    })
    await settled(customer)
    const email = person()

    await customer.visit({ email, paths: ["/"] })
    await looked(customer)
    expect(await events(webhook.id)).toEqual([])
    await customer.visit({ email, paths: ["/pricing"] })

    const [one] = await receiver.waitFor(1, path)
    expect(() => verify(webhookSecret, one!)).not.toThrow()
    expect(one!.event).toEqual({
      id: one!.headers["webhook-id"],
      event: "segment.entered",
      timestamp: expect.any(String),
      trigger: "entered_segment",
      organizationId: customer.id,
      segment: { id: segmentId, name: "Buyers" },
      pixel: { id: customer.organization.pixelId, domain: expect.any(String) },
      visitor: expect.objectContaining({ email, pageviews: 2 }),
      company: null,
    })
    await customer.visit({ email, paths: ["/pricing"] })
    await looked(customer)
    expect(await events(webhook.id)).toEqual(["segment.entered"])
  })

  it("who leaves is sent to the alert about leaving alone", async () => {
    const segmentId = await customer.segment({ field: "company.seniority", op: "eq", value: "vp" })
    const email = person()
    const entering = await alert(segmentId)
    const leaving = await alert(segmentId, { trigger: "left_segment" })
    await settled(customer)

    await customer.visit({ email })
    await putPeople(server.databaseUrl, customer.id, [{ email, seniority: "vp" }])
    await expect.poll(() => events(entering), waiting).toEqual(["segment.entered"])
    await putPeople(server.databaseUrl, customer.id, [{ email, seniority: "manager" }])

    await expect.poll(() => events(leaving), waiting).toEqual(["segment.left"])
    expect(await events(entering)).toEqual(["segment.entered"])
    const left = (await receiver.waitFor(2, path)).at(-1)
    expect(left!.event).toMatchObject({ event: "segment.left", visitor: { email } })
  })

  it("who was in it when the alert was made is not sent, until they leave and enter again", async () => {
    const email = person()
    await customer.visit({ email })
    await putPeople(server.databaseUrl, customer.id, [{ email, seniority: "vp" }])
    const segmentId = await customer.segment({ field: "company.seniority", op: "eq", value: "vp" })
    const id = await alert(segmentId)
    await settled(customer)
    await customer.visit({ email, paths: ["/pricing"] })
    await looked(customer)
    expect(await events(id)).toEqual([])

    await putPeople(server.databaseUrl, customer.id, [{ email, seniority: "manager" }])
    await looked(customer)
    await putPeople(server.databaseUrl, customer.id, [{ email, seniority: "vp" }])

    await expect.poll(() => events(id), waiting).toEqual(["segment.entered"])
  })

  it("who enters while everyone is looked at for the first time is sent, and who was in it is not", async () => {
    const [inIt, entering, newcomer] = [person(), person(), person()]
    await customer.visit({ email: inIt, paths: ["/pricing"] })
    await customer.visit({ email: entering, paths: ["/"] })
    await customer.pass(3_600)
    await server.sql(
      "update visitor set first_seen_at = first_seen_at - interval '1 hour' where organization_id = $1",
      [customer.id],
    )
    const segmentId = await customer.segment(pricing)
    const free = await holdTurns()
    const id = await alert(segmentId)
    await watched()
    // Views are dated a second before they are sent.
    await new Promise((resolve) => setTimeout(resolve, 1_500))

    await customer.visit({ email: inIt, paths: ["/pricing"] })
    await customer.visit({ email: entering, paths: ["/pricing"] })
    await customer.visit({ email: newcomer, paths: ["/pricing"] })
    await free()

    await receiver.waitFor(2, path)
    await settled(customer)
    await looked(customer)
    const told = receiver.received
      .filter((one) => one.path === path)
      .map(({ event }) => (event["visitor"] as { email: string }).email)
    expect(new Set(told)).toEqual(new Set([entering, newcomer]))
    expect(await events(id)).toHaveLength(2)
  })

  it("is not sent for a change of the segment's rule, and then for entering by the new one", async () => {
    const [reader, other] = [person(), person()]
    await customer.visit({ email: reader, paths: ["/pricing"] })
    await customer.visit({ email: other, paths: ["/"] })
    const segmentId = await customer.segment({ field: "behavior.pageviews", op: "gte", value: 1 })
    const entering = await alert(segmentId)
    const leaving = await alert(segmentId, { trigger: "left_segment" })
    await settled(customer)

    await customer.ask("PATCH", `/v1/data/segments/${segmentId}`, {
      ruleAst: { version: 1, window: "all", rule: pricing },
    })
    await settled(customer)
    await looked(customer)
    expect([...(await events(entering)), ...(await events(leaving))]).toEqual([])

    await customer.visit({ email: other, paths: ["/pricing"] })
    await expect.poll(() => events(entering), waiting).toEqual(["segment.entered"])
    expect(await events(leaving)).toEqual([])
  })

  it("is not sent for what happened while the alert was off", async () => {
    const segmentId = await customer.segment(pricing)
    const id = await alert(segmentId)
    await settled(customer)
    await customer.ask("PATCH", `/v1/data/webhooks/${id}`, { status: "inactive" })
    await customer.visit({ email: person(), paths: ["/pricing"] })
    await looked(customer)
    await customer.ask("PATCH", `/v1/data/webhooks/${id}`, { status: "active" })
    await settled(customer)
    expect(await events(id)).toEqual([])

    await customer.visit({ email: person(), paths: ["/pricing"] })
    await expect.poll(() => events(id), waiting).toEqual(["segment.entered"])
  })

  it("leaves when a window passes, without coming back", async () => {
    const segmentId = await customer.segment(pricing)
    const id = await alert(segmentId, { trigger: "left_segment" })
    await settled(customer)
    const email = person()
    await customer.visit({ email, paths: ["/pricing"] })
    await looked(customer)

    const month = "interval '31 days'"
    await server.sql(
      `update session set started_at = started_at - ${month}, ended_at = ended_at - ${month} where organization_id = $1`,
      [customer.id],
    )
    await server.sql(
      `update visitor set last_seen_at = last_seen_at - ${month}, first_seen_at = first_seen_at - ${month} where organization_id = $1`,
      [customer.id],
    )
    await looked(customer)

    await expect.poll(() => events(id), waiting).toEqual(["segment.left"])
  })

  it("enters and leaves with a list, which a sweep finds", async () => {
    const { data: list } = await customer.ask<{ id: string }>("POST", "/v1/data/lists", {
      name: "Targets",
      subject: "people",
    })
    const email = person()
    const members = `/v1/data/lists/${list.id}/members`
    const segmentId = await customer.segment({
      field: "contact.list",
      op: "in_list",
      value: list.id,
    })
    await customer.visit({ email })
    const entering = await alert(segmentId)
    const leaving = await alert(segmentId, { trigger: "left_segment" })
    await settled(customer)

    await customer.ask("POST", members, { values: [email] })
    await sweep(customer)
    await expect.poll(() => events(entering), waiting).toEqual(["segment.entered"])
    await customer.ask("DELETE", members, { values: [email] })
    await sweep(customer)
    await expect.poll(() => events(leaving), waiting).toEqual(["segment.left"])
    expect(await events(entering)).toEqual(["segment.entered"])
  })

  it("on another site is not in the segment of a site", async () => {
    const pixelId = await customer.pixel("other.example")
    const segmentId = await customer.segment(pricing)
    const id = await alert(segmentId, { pixelId })
    await settled(customer)
    const email = person()

    await customer.visit({ email, paths: ["/pricing"] })
    await looked(customer)
    expect(await events(id)).toEqual([])
    await customer.visit({ email, paths: ["/pricing"], pixelId })

    const [one] = await receiver.waitFor(1, path)
    expect(one!.event).toMatchObject({ pixel: { id: pixelId, domain: "other.example" } })
  })
})

describe("who is not sent", () => {
  const everyone = { field: "behavior.pageviews", op: "gte", value: 1 }

  it("someone suppressed, also when the suppression ends", async () => {
    const email = person()
    const rules = [{ type: "email", value: email }]
    await customer.ask("POST", "/v1/data/suppression-rules", { rules })
    const id = await alert(await customer.segment(pricing))
    await settled(customer)
    const isSuppressed = async (suppressed: boolean) =>
      await expect
        .poll(
          () =>
            server.sql("select from visitor where organization_id = $1 and suppressed = $2", [
              customer.id,
              suppressed,
            ]),
          waiting,
        )
        .toHaveLength(1)
    await customer.visit({ email })
    await isSuppressed(true)
    await customer.visit({ email, paths: ["/pricing"] })
    await looked(customer)
    await sweep(customer)
    expect(await events(id)).toEqual([])

    await customer.ask("DELETE", "/v1/data/suppression-rules", { rules })
    await isSuppressed(false)
    await customer.visit({ email })
    await looked(customer)
    await sweep(customer)
    expect(await events(id)).toEqual([])
  })

  it("someone held back, until they are released", async () => {
    await server.sql("update organization set credit_limit = 0 where id = $1", [customer.id])
    const id = await alert(await customer.segment(everyone))
    await settled(customer)

    await customer.visit({ email: person() })
    await looked(customer)
    await sweep(customer)

    expect(await events(id)).toEqual([])
    expect(
      await server.sql("select from segment_member where organization_id = $1", [customer.id]),
    ).toEqual([])
  })

  it("someone erased: they vanish without a message, and nothing of them is kept", async () => {
    const segmentId = await customer.segment(everyone)
    const entering = await alert(segmentId)
    const leaving = await alert(segmentId, { trigger: "left_segment" })
    await settled(customer)
    const email = person()
    await customer.visit({ email })
    await expect.poll(() => events(entering), waiting).toEqual(["segment.entered"])

    const erased = await customer.ask("DELETE", `/v1/data/visitors/${sha256(email)}`)
    expect(erased.status).toBe(200)
    await looked(customer)
    await sweep(customer)

    expect(await events(leaving)).toEqual([])
    expect(
      await server.sql("select from segment_member where organization_id = $1", [customer.id]),
    ).toEqual([])
  })
})

it("two people who turn out to be one have entered once", async () => {
  const segmentId = await customer.segment({ field: "behavior.pageviews", op: "gte", value: 1 })
  const entering = await alert(segmentId)
  const leaving = await alert(segmentId, { trigger: "left_segment" })
  await settled(customer)
  const [first, second] = [person(), person()]
  await customer.visit({ email: first })
  await expect.poll(() => events(entering), waiting).toEqual(["segment.entered"])
  await customer.visit({ email: second })
  await expect.poll(() => events(entering), waiting).toHaveLength(2)

  await putPeople(server.databaseUrl, customer.id, [{ email: first, emails: [first, second] }])
  await looked(customer)
  await sweep(customer)

  expect(await events(entering)).toHaveLength(2)
  expect(await events(leaving)).toEqual([])
  expect(
    await server.sql("select from segment_member where organization_id = $1", [customer.id]),
  ).toHaveLength(1)
})

describe("a request", () => {
  it.each(["entered_segment", "left_segment"])(
    "with the trigger %s needs a segment",
    async (trigger) => {
      const url = `${receiver.url}${path}`
      for (const body of [{ trigger }, { trigger, segmentId: null }]) {
        const refused = await customer.ask("POST", "/v1/data/webhooks", { name: "A", url, ...body })
        expect(refused.status).toBe(400)
        expect(refused.error.details).toEqual({
          issues: [
            {
              path: "/body/segmentId",
              code: "required",
              message: "Expected the id of a segment, received none.",
            },
          ],
        })
      }
      const { webhook } = await customer.webhook(url)
      const change = await customer.ask("PATCH", `/v1/data/webhooks/${webhook.id}`, { trigger })
      expect(change.status).toBe(400)
    },
  )

  it.each([
    ["path", "/pricing"],
    ["minSeconds", 5],
    ["listId", randomUUID()],
    ["identified", "any"],
    ["again", "24h"],
  ])("with %s is refused, because the trigger has no use for it", async (field, value) => {
    const segmentId = await customer.segment(pricing)
    const refused = await customer.ask("POST", "/v1/data/webhooks", {
      name: "A",
      url: receiver.url + path,
      trigger: "entered_segment",
      segmentId,
      [field]: value,
    })

    expect(refused.status).toBe(400)
    expect(refused.error.details).toMatchObject({
      issues: [{ path: `/body/${field}`, code: "mutually_exclusive" }],
    })
  })

  it("to preview one is refused, because who entered in the past is not stored", async () => {
    const refused = await customer.ask("POST", "/v1/data/webhooks/preview", {
      trigger: "entered_segment",
      segmentId: await customer.segment(pricing),
    })

    expect(refused.status).toBe(400)
    expect(refused.error.details).toMatchObject({ issues: [{ path: "/body/trigger" }] })
  })

  it("to delete the segment of one is refused and names it", async () => {
    const segmentId = await customer.segment(pricing)
    const id = await alert(segmentId)

    const refused = await customer.ask("DELETE", `/v1/data/segments/${segmentId}`)
    expect(refused.status).toBe(409)
    expect(refused.error).toMatchObject({
      code: "SEGMENT_IN_USE",
      details: { webhookIds: [id] },
    })
    await customer.ask("DELETE", `/v1/data/webhooks/${id}`)
    expect((await customer.ask("DELETE", `/v1/data/segments/${segmentId}`)).status).toBe(200)
    await expect
      .poll(
        () => server.sql("select from segment_watch where organization_id = $1", [customer.id]),
        waiting,
      )
      .toEqual([])
  })
})
