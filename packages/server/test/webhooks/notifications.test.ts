// Visitor webhooks for people to read (spec 14): messages to Slack, Teams or Discord, digests, and what happens to
// people who may no longer be sent. src/activation/webhooks/formats/formats.test.ts tests the formats.
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { Pace } from "../../src/activation/webhooks/sending/pace.ts"
import { SendingStore } from "../../src/activation/webhooks/sending/store.ts"
import { digestEnd } from "../../src/activation/webhooks/triggers/store.ts"
import { onServices } from "../runs/support.ts"
import type { TestServer } from "../support/server.ts"
import { type Receiver, startReceiver, status, verify } from "./receiver.ts"
import { type Created, Customer, startSite } from "./site.ts"

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
  receiver.answer = status(200, {}, "ok")
})

const jane = () => ({
  email: `jane-${randomUUID()}@acme.example`,
  traits: { firstName: "Jane", lastName: "Mercer", companyName: "Acme" },
})
const received = () => receiver.received.filter((one) => one.path === path)
const issuesOf = (details: unknown) =>
  (details as { issues: ReadonlyArray<{ path: string }> }).issues.map((issue) => issue.path)

/** Suppresses the person, and waits until that takes effect. */
const suppress = async (email: string) => {
  await customer.ask("POST", "/v1/data/suppression-rules", {
    rules: [{ type: "email", value: email }],
  })
  await expect
    .poll(
      () =>
        server.sql(
          "select from visitor where organization_id = $1 and email = $2 and not suppressed",
          [customer.id, email],
        ),
      { timeout: 30_000 },
    )
    .toEqual([])
}

/** Ends the hour or day of every digest. */
const endDigests = () =>
  server.sql(
    `update webhook_delivery set next_attempt_at = now()
     where organization_id = $1 and digest_until is not null and status = 'queued'`,
    [customer.id],
  )

describe.each(["slack", "teams", "discord"] as const)("%s", (format) => {
  it("receives a message with a link and without a signature, which the history keeps", async () => {
    const { webhook, webhookSecret } = await customer.webhook(receiver.url + path, { format })
    const { email, traits } = jane()

    await customer.visit({ email, traits, paths: ["/pricing"] })

    const [message] = await receiver.waitFor(1, path)
    const record = await customer.delivery(webhook.id)
    expect(webhookSecret).toBe(null)
    expect(webhook.signingVersion).toBe(null)
    expect(message!.headers).not.toHaveProperty("webhook-signature")
    expect(message!.body).toContain("Jane Mercer visited tidewater.example")
    expect(message!.body).toContain(`${server.url}/console/people/${record.visitorHash}`)
    expect(record).toMatchObject({ event: "visitor.identified", status: "succeeded" })
  })

  it("receives a test message in its format", async () => {
    const { webhook } = await customer.webhook(receiver.url + path, { format })

    const test = await customer.ask("POST", `/v1/data/webhooks/${webhook.id}/test`, {})

    expect(test.data).toMatchObject({ ok: true, statusCode: 200 })
    const key = { slack: "blocks", teams: "attachments", discord: "embeds" }[format]
    expect(received()[0]?.event).toHaveProperty(key)
  })

  it("gets one digest per hour, with counts and people", async () => {
    const { webhook } = await customer.webhook(receiver.url + path, { format, digest: "hourly" })
    const people = [jane(), jane(), jane()]
    for (const { email, traits } of people) await customer.visit({ email, traits })
    expect(received()).toEqual([])

    await endDigests()

    await receiver.waitFor(1, path)
    const record = await customer.delivery(webhook.id)
    expect(received()).toHaveLength(1)
    // Discord's colons are escaped.
    expect(received()[0]!.body.replaceAll("\\", "")).toContain("3 visitors in the last hour: 3 new")
    expect(record).toMatchObject({
      event: "visitor.digest",
      visitorHash: null,
      status: "succeeded",
    })
    expect(await customer.deliveries(webhook.id)).toHaveLength(1)
  })
})

describe("a digest", () => {
  const daily = (change = {}) =>
    customer.webhook(receiver.url + path, { format: "slack", digest: "daily", ...change })

  it("is due at its hour if daily, and is one delivery however many people visited", async () => {
    const { webhook } = await daily({ digestHour: 5 })
    for (let count = 0; count < 3; count++) await customer.visit(jane())

    const rows = await server.sql(
      `select extract(hour from digest_until at time zone 'utc')::int as hour,
         digest_until > now() and digest_until <= now() + interval '1 day' as "isNext"
       from webhook_delivery where webhook_id = $1`,
      [webhook.id],
    )
    expect(rows).toEqual([{ hour: 5, isNext: true }])
  })

  it("leaves out people suppressed before it is sent, and is skipped when no one is left", async () => {
    const { webhook } = await daily()
    const person = jane()
    await customer.visit(person)
    await suppress(person.email)

    await endDigests()

    expect(await customer.delivery(webhook.id)).toMatchObject({ status: "skipped" })
    expect(received()).toEqual([])
  })

  it("leaves out people suppressed after a failed attempt", async () => {
    receiver.answer = status(500)
    const { webhook } = await daily()
    const [kept, left] = [jane(), jane()]
    await customer.visit(kept)
    await customer.visit(left)
    await endDigests()
    await customer.delivery(webhook.id, ({ statusCode }) => statusCode === 500)
    await suppress(left.email)
    receiver.answer = status(200, {}, "ok")

    await endDigests()

    expect(await customer.delivery(webhook.id)).toMatchObject({ status: "succeeded" })
    const [first, second] = received().map(({ body }) => body)
    expect(first).toContain("2 visitors in the last day")
    expect(second).toContain("1 visitor in the last day")
    expect(second).not.toContain(left.email)
  })

  it("leaves out people suppressed before a redelivery, and is skipped when no one is left", async () => {
    const { webhook } = await daily()
    const [kept, left] = [jane(), jane()]
    await customer.visit(kept)
    await customer.visit(left)
    await endDigests()
    const { id } = await customer.delivery(webhook.id)
    const again = () =>
      customer.ask("POST", `/v1/data/webhooks/${webhook.id}/deliveries/${id}/redeliver`)
    await suppress(left.email)

    await again()

    await receiver.waitFor(2, path)
    expect(received()[1]!.body).toContain("1 visitor in the last day")
    await customer.delivery(webhook.id)
    await suppress(kept.email)

    await again()

    expect(await customer.delivery(webhook.id, ({ status }) => status === "skipped")).toMatchObject(
      { id },
    )
    expect(received()).toHaveLength(2)
  })

  it("holds nothing about erased people, before and after it is sent", async () => {
    const { webhook } = await daily()
    const [kept, erased] = [jane(), jane()]
    await customer.visit(kept)
    await customer.visit(erased)
    const { data } = await customer.ask<ReadonlyArray<{ email: string; emailHash: string }>>(
      "GET",
      "/v1/data?timeframe=24h",
    )
    const hashOf = (email: string) => data.find((one) => one.email === email)?.emailHash
    await customer.ask("DELETE", `/v1/data/visitors/${hashOf(erased.email)}`)
    await endDigests()

    await receiver.waitFor(1, path)
    await customer.delivery(webhook.id)
    expect(received()[0]!.body).toContain("1 visitor in the last day")
    expect(received()[0]!.body).not.toContain(hashOf(erased.email))

    await customer.ask("DELETE", `/v1/data/visitors/${hashOf(kept.email)}`)
    expect(
      await server.sql("select payload, payload_at from webhook_delivery where webhook_id = $1", [
        webhook.id,
      ]),
    ).toEqual([{ payload: null, payload_at: null }])
  })

  it.each([
    [{ digest: "hourly" }, "/body/digest"],
    [{ format: "standard", digest: "daily" }, "/body/digest"],
    [{ format: "slack", digestHour: 5 }, "/body/digestHour"],
    [{ format: "slack", digest: "hourly", digestHour: 5 }, "/body/digestHour"],
    [{ format: "slack", digest: "daily", digestHour: 24 }, "/body/digestHour"],
    [{ format: "pager" }, "/body/format"],
    [{ format: "slack", digest: "monthly" }, "/body/digest"],
    [{ format: "slack", digest: "daily", digestDay: 1 }, "/body/digestDay"],
    [{ format: "slack", digest: "weekly", digestDay: 0 }, "/body/digestDay"],
    [{ format: "slack", digest: "weekly", digestDay: 8 }, "/body/digestDay"],
  ])("%j is 400 at %s", async (change, field) => {
    const { error, status: code } = await customer.ask("POST", "/v1/data/webhooks", {
      name: "Sales",
      url: receiver.url,
      ...change,
    })

    expect([code, error.code, issuesOf(error.details)]).toEqual([400, "VALIDATION_ERROR", [field]])
  })

  it("has the hour 8 by default, Monday if it is weekly, and loses them with a digest that has no use for them", async () => {
    const { webhook } = await daily()
    const change = (body: object) =>
      customer.ask<object>("PATCH", `/v1/data/webhooks/${webhook.id}`, body)

    expect(webhook).toMatchObject({ format: "slack", digest: "daily", digestHour: 8 })
    expect((await change({ digestHour: 0 })).data).toMatchObject({ digestHour: 0 })
    expect((await change({ name: "Sales" })).data).toMatchObject({ digestHour: 0 })
    expect((await change({ format: "standard" })).status).toBe(400)
    expect((await change({ digest: "weekly" })).data).toMatchObject({ digestHour: 0, digestDay: 1 })
    expect((await change({ digestDay: 5 })).data).toMatchObject({ digestHour: 0, digestDay: 5 })
    expect((await change({ digest: "hourly" })).data).toMatchObject({
      digestHour: null,
      digestDay: null,
    })
    expect((await change({ format: "standard", digest: "immediate" })).data).toMatchObject({
      format: "standard",
      digest: "immediate",
    })
  })
})

it("a digest belongs to the hour of its statement, however long ago the transaction began", async () => {
  // A schema searched before the database's own, with another clock: the transaction began at the end of an hour.
  await server.sql(
    `create schema clock_of_test;
     create function clock_of_test.now() returns timestamptz language sql stable
       as $$ select timestamptz '2026-03-11 10:59:59Z' $$;
     create function clock_of_test.statement_timestamp() returns timestamptz language sql stable
       as $$ select timestamptz '2026-03-11 11:00:35Z' $$;
     create function clock_of_test.digest_end(digest text, digest_hour int)
       returns timestamptz language sql stable
       set search_path = clock_of_test, pg_catalog, public
       as $$ select ${digestEnd("digest_until")}
         from (values (digest, digest_hour, 1, null::uuid, null::uuid))
           as w (digest, digest_hour, digest_day, organization_id, id) $$`,
  )

  const [row] = await server.sql(
    `select clock_of_test.digest_end('hourly', null) = '2026-03-11 12:00:00Z' as hour,
       clock_of_test.digest_end('daily', 11) = '2026-03-12 11:00:00Z' as day`,
  )

  expect(row).toEqual({ hour: true, day: true })
})

/** What SQL answers at a moment, for a webhook of an organization in the zone, with digests that were due before. */
const endAtOf =
  (digest: "daily" | "weekly", day: number) =>
  async (
    zone: string,
    moment: string,
    hour: number,
    digests: ReadonlyArray<readonly [until: string, status: string]> = [],
  ) => {
    const rows = await server.sql(
      `with organization as (select $1::text as time_zone, gen_random_uuid() as id),
       webhook_delivery as (
         select organization.id as organization_id, organization.id as webhook_id,
           $5 as digest, (each ->> 0)::timestamptz as digest_until, each ->> 1 as status
         from organization, jsonb_array_elements($4::jsonb) as each
       ), w as (
         select $5 as digest, $3::int as digest_hour, $6::int as digest_day, id as organization_id, id
         from organization
       )
       select ${digestEnd("digest_until").replaceAll("statement_timestamp()", "$2::timestamptz")}
         as due from w`,
      [zone, moment, hour, JSON.stringify(digests), digest, day],
    )
    return (rows[0] as { readonly due: Date }).due.toISOString()
  }

describe("a weekly digest", () => {
  const onMondays = endAtOf("weekly", 1)
  const onSundays = endAtOf("weekly", 7)

  it.each([
    // 2026-07-06 is a Monday.
    ["UTC", "2026-07-01T07:00:00Z", 8, "2026-07-06T08:00:00.000Z"],
    ["UTC", "2026-07-06T07:59:59Z", 8, "2026-07-06T08:00:00.000Z"],
    ["UTC", "2026-07-06T08:00:00Z", 8, "2026-07-13T08:00:00.000Z"],
    // It is Monday in Auckland, and Sunday in Los Angeles.
    ["Pacific/Auckland", "2026-07-05T19:00:00Z", 8, "2026-07-05T20:00:00.000Z"],
    ["America/Los_Angeles", "2026-07-06T03:00:00Z", 8, "2026-07-06T15:00:00.000Z"],
  ])("in %s at %s is due on Monday at hour %d: %s (spec 14.4)", async (zone, moment, hour, due) => {
    expect(await onMondays(zone, moment, hour)).toBe(due)
  })

  it.each([
    // The hour is skipped: at the next moment that exists, and a week later at its hour.
    ["America/New_York", "2026-03-02T12:00:00Z", 2, "2026-03-08T07:00:00.000Z"],
    ["America/New_York", "2026-03-08T07:00:00Z", 2, "2026-03-15T06:00:00.000Z"],
    // It comes twice: once.
    ["America/New_York", "2026-10-26T12:00:00Z", 1, "2026-11-01T06:00:00.000Z"],
    ["America/New_York", "2026-11-01T05:30:00Z", 1, "2026-11-08T06:00:00.000Z"],
    ["America/New_York", "2026-11-01T06:30:00Z", 1, "2026-11-08T06:00:00.000Z"],
  ])(
    "in %s at %s is due on the Sunday on which clocks change at hour %d: %s (spec 14.4)",
    async (zone, moment, hour, due) => {
      expect(await onSundays(zone, moment, hour)).toBe(due)
    },
  )

  it("that is open when its day changes keeps its time, and the next one is not due on the same date", async () => {
    const open = ["2026-07-06T08:00:00Z", "queued"] as const
    expect(await onSundays("UTC", "2026-07-01T07:00:00Z", 8, [open])).toBe(
      "2026-07-06T08:00:00.000Z",
    )
    const sent = ["2026-07-06T08:00:00Z", "succeeded"] as const
    expect(await onMondays("America/New_York", "2026-07-06T08:00:01Z", 8, [sent])).toBe(
      "2026-07-13T12:00:00.000Z",
    )
  })
})

describe("a daily digest", () => {
  const endAt = endAtOf("daily", 1)

  it.each([
    ["UTC", "2026-07-01T07:59:59Z", 8, "2026-07-01T08:00:00.000Z"],
    ["UTC", "2026-07-01T08:00:00Z", 8, "2026-07-02T08:00:00.000Z"],
    ["Asia/Kolkata", "2026-07-01T02:29:00Z", 8, "2026-07-01T02:30:00.000Z"],
    ["Asia/Kolkata", "2026-07-01T02:30:00Z", 8, "2026-07-02T02:30:00.000Z"],
    ["America/New_York", "2026-03-07T13:30:00Z", 8, "2026-03-08T12:00:00.000Z"],
    // The hour is skipped: at the next moment that exists, and the day after at its hour.
    ["America/New_York", "2026-03-08T06:30:00Z", 2, "2026-03-08T07:00:00.000Z"],
    ["America/New_York", "2026-03-08T07:00:00Z", 2, "2026-03-09T06:00:00.000Z"],
    // It comes twice: once.
    ["America/New_York", "2026-11-01T04:30:00Z", 1, "2026-11-01T06:00:00.000Z"],
    ["America/New_York", "2026-11-01T05:30:00Z", 1, "2026-11-02T06:00:00.000Z"],
    ["America/New_York", "2026-11-01T06:30:00Z", 1, "2026-11-02T06:00:00.000Z"],
    ["Asia/Beirut", "2021-03-27T21:00:00Z", 0, "2021-03-27T22:00:00.000Z"],
    ["Pacific/Apia", "2011-12-30T09:00:00Z", 8, "2011-12-30T18:00:00.000Z"],
  ])(
    "in %s at %s is due at hour %d of the organization's clocks: %s (spec 14.4)",
    async (zone, moment, hour, due) => {
      expect(await endAt(zone, moment, hour)).toBe(due)
    },
  )

  it("that is open when the zone changes keeps its time, and the next one is due on another date", async () => {
    const open = ["2026-07-01T08:00:00Z", "queued"] as const
    const zone = "America/New_York"
    expect(await endAt(zone, "2026-07-01T07:00:00Z", 8, [open])).toBe("2026-07-01T08:00:00.000Z")
    // It is 4 in New York: at 8 there would be another one on this date.
    const sent = ["2026-07-01T08:00:00Z", "succeeded"] as const
    expect(await endAt(zone, "2026-07-01T08:00:01Z", 8, [sent])).toBe("2026-07-02T12:00:00.000Z")
    expect(await endAt(zone, "2026-07-02T11:00:00Z", 8, [sent])).toBe("2026-07-02T12:00:00.000Z")
    // One that was skipped gathers no one.
    const skipped = ["2026-07-01T12:00:00Z", "skipped"] as const
    expect(await endAt("UTC", "2026-07-01T07:00:00Z", 8, [skipped])).toBe(
      "2026-07-01T08:00:00.000Z",
    )
  })
})

it("a chat that asks for a pause gets only test calls and redeliveries until then, and no other event fails because of it", async () => {
  receiver.answer = status(429, { "retry-after": "600" }, "rate_limited")
  const { webhook } = await customer.webhook(receiver.url + path, { format: "slack" })
  await customer.visit(jane())
  await customer.delivery(webhook.id, ({ statusCode }) => statusCode === 429)

  for (let count = 0; count < 3; count++) await customer.visit(jane())
  await server.sql(
    "update webhook_delivery set next_attempt_at = now() where webhook_id = $1 and status = 'queued'",
    [webhook.id],
  )
  // One round of the worker later.
  await customer.ask("POST", `/v1/data/webhooks/${webhook.id}/test`, {})
  await expect.poll(() => received().length).toBe(2)

  const records = await customer.deliveries(webhook.id)
  expect(records.map(({ statusCode }) => statusCode).filter((code) => code !== null)).toEqual([429])
  expect(records.every((record) => record.status === "queued")).toBe(true)
  // Another process takes no delivery for it either.
  const taken = await onServices(
    server,
    Effect.flatMap(SendingStore, (store) => store.claim({ free: 100, ofSlow: 100 }, [])),
  )
  expect(taken.filter(({ webhookId }) => webhookId === webhook.id)).toEqual([])

  // A redelivery is one attempt that a user starts, so it does not wait.
  const { id } = records.find(({ statusCode }) => statusCode === 429)!
  await server.sql(
    "update webhook_delivery set status = 'failed', next_attempt_at = null, completed_at = now() where id = $1",
    [id],
  )
  await customer.ask("POST", `/v1/data/webhooks/${webhook.id}/deliveries/${id}/redeliver`)
  await expect.poll(() => received().length, { timeout: 30_000 }).toBe(3)
})

it("a paused chat does not count as work in progress for its organization", () => {
  const pace = new Pace()
  const webhook = { organizationId: randomUUID(), webhookId: randomUUID() }

  pace.rest(webhook, Date.now() + 600_000)

  expect(pace.inHand(0).map(({ count }) => count)).toEqual([0])
})

it("a format without signatures has no secret to rotate, and the change to one with them gives one", async () => {
  const { webhook } = await customer.webhook(receiver.url + path, { format: "discord" })
  const rotate = () =>
    customer.ask<Created>("POST", `/v1/data/webhooks/${webhook.id}/rotate-secret`, {
      graceHours: 0,
    })
  expect(await rotate()).toMatchObject({ status: 409, error: { code: "CONFLICT" } })

  await customer.ask("PATCH", `/v1/data/webhooks/${webhook.id}`, { format: "standard" })
  const { data } = await rotate()
  await customer.ask("POST", `/v1/data/webhooks/${webhook.id}/test`, {})

  expect(data.webhook.signingVersion).toBe("v1")
  const [one] = await receiver.waitFor(1, path)
  expect(() => verify(data.webhookSecret, one!)).not.toThrow()
})

it("changing the format applies to waiting deliveries and to redeliveries", async () => {
  receiver.answer = status(400)
  const { webhook } = await customer.webhook(receiver.url + path)
  await customer.visit(jane())
  const { id } = await customer.delivery(webhook.id, ({ statusCode }) => statusCode === 400)
  const inFormat = async (format: string) =>
    (await customer.ask("PATCH", `/v1/data/webhooks/${webhook.id}`, { format })).status
  receiver.answer = status(204)

  expect(await inFormat("slack")).toBe(200)
  await server.sql("update webhook_delivery set next_attempt_at = now() where id = $1", [id])
  await customer.delivery(webhook.id, ({ status }) => status === "succeeded")
  expect(await inFormat("standard")).toBe(200)
  await customer.ask("POST", `/v1/data/webhooks/${webhook.id}/deliveries/${id}/redeliver`)
  await expect.poll(() => received().length, { timeout: 30_000 }).toBe(3)

  const [first, second, third] = received().map(({ event }) => Object.keys(event))
  expect(first).toContain("organizationId")
  expect(second).toContain("blocks")
  expect(third).toEqual(first)
})
