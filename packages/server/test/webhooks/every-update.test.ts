// The trigger every_update: visitor.identified, then visitor.updated, at most one per visitor in 60 seconds, and one at
// the end of the session (spec 8.5).
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { putPeople } from "../people/people-layer.ts"
import { makeSource } from "../sources/source.ts"
import type { TestServer } from "../support/server.ts"
import { type Receiver, startReceiver } from "./receiver.ts"
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
const webhook = (change = {}) =>
  customer.webhook(receiver.url + path, { trigger: "every_update", ...change })

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

/** Another person visits, and the end of that session is sent. The worker checks other ends at the same time. */
const endsOfOthers = async () => {
  const before = receiver.received.filter((one) => one.path === path).length
  await customer.visit({ email: person() })
  await customer.pass(31 * 60)
  await receiver.waitFor(before + 2, path)
}

/** The names of the events sent so far, once nothing is due. */
const events = async (webhookId: string): Promise<ReadonlyArray<unknown>> => {
  await expect
    .poll(
      () =>
        server.sql(
          `select 1 from webhook_delivery
           where webhook_id = $1 and status = 'queued' and next_attempt_at <= now()`,
          [webhookId],
        ),
      { timeout: 30_000 },
    )
    .toEqual([])
  return receiver.received
    .filter((one) => one.path === path)
    .map(({ event }) => String(event["event"]).replace("visitor.", ""))
}

describe("every_update", () => {
  it("is sent for the person, then for each new session, but not for pages within a session", async () => {
    const { webhook: one } = await webhook()
    const email = person()
    const browser = await customer.visit({ email })
    await customer.pass(61)
    await customer.visit({ anonymousId: browser, paths: ["/docs"] })
    expect(await events(one.id)).toEqual(["identified"])

    await customer.visit({ email })

    expect(await events(one.id)).toEqual(["identified", "updated"])
  })

  it("waits until 60 seconds are over, and combines what happens in the meantime into one event", async () => {
    const { webhook: one } = await webhook()
    const email = person()
    await customer.visit({ email })
    await customer.visit({ email })
    await customer.visit({ email, paths: ["/late"] })
    expect(await events(one.id)).toEqual(["identified"])
    const [waiting, ...more] = await customer.deliveries(one.id, "&status=queued")
    expect(more).toEqual([])
    const [first] = await customer.deliveries(one.id, "&status=succeeded")
    const wait = Date.parse(waiting!.nextAttemptAt!) - Date.parse(first!.createdAt)
    expect(Math.abs(wait - 60_000)).toBeLessThan(1_000)

    await customer.pass(60)

    expect(await events(one.id)).toEqual(["identified", "updated"])
    const told = receiver.received.findLast((received) => received.path === path)
    expect(told?.event).toMatchObject({
      sessions: 3,
      visitedPages: expect.arrayContaining(["https://tidewater.example/late"]),
    })
  })

  it("is sent for a new profile value, but not for a known one", async () => {
    const { webhook: one } = await webhook()
    const email = person()
    const browser = await customer.visit({ email })
    await customer.pass(61)
    await customer.visit({ anonymousId: browser, email })
    expect(await events(one.id)).toEqual(["identified"])

    await customer.visit({ anonymousId: browser, email, traits: { firstName: "Ada" } })

    expect(await events(one.id)).toEqual(["identified", "updated"])
    expect(receiver.received.at(-1)?.event).toMatchObject({ firstName: "Ada" })
  })

  it("is sent for a change by an import alone, with the pixel of the last session", async () => {
    const pixelId = await customer.pixel("shop.example")
    const email = person()
    await customer.visit({ email, minutesAgo: 90 })
    await customer.visit({ email, pixelId })
    const { webhook: one } = await webhook()
    const { webhook: here } = await webhook({ pixelId: customer.organization.pixelId })

    await putPeople(server.databaseUrl, customer.id, [{ email, jobTitle: "CFO" }])
    await putPeople(server.databaseUrl, customer.id, [{ email, jobTitle: "CFO" }])

    expect(await events(one.id)).toEqual(["updated"])
    expect(receiver.received.at(-1)?.event).toMatchObject({
      jobTitle: "CFO",
      pixel: { id: pixelId, domain: "shop.example" },
    })
    expect(await customer.deliveries(here.id)).toEqual([])
  })

  it("is sent once for the end of a session, 30 minutes after its last event", async () => {
    const { webhook: one } = await webhook()
    const browser = await customer.visit({ email: person() })
    await customer.pass(20 * 60)
    await customer.visit({ anonymousId: browser })
    await customer.pass(20 * 60)
    expect(await events(one.id)).toEqual(["identified"])

    await customer.pass(11 * 60)

    await receiver.waitFor(2, path)
    expect(await events(one.id)).toEqual(["identified", "updated"])
    // A late event extends the session after its end was sent.
    await customer.visit({ anonymousId: browser, minutesAgo: 20 })
    await customer.visit({ email: person() })
    await customer.pass(60 * 60)
    // The event for the other session, whose end is checked at the same time.
    await receiver.waitFor(4, path)
    expect(await events(one.id)).toEqual(["identified", "updated", "identified", "updated"])
  })

  it("does not send an end again when a source sends an event for that session days later", async () => {
    const { webhook: one } = await webhook()
    const browser = await customer.visit({ email: person() })
    await customer.pass(31 * 60)
    await receiver.waitFor(2, path)
    await customer.pass(5 * 24 * 60 * 60)
    // As after three days.
    await server.sql("delete from webhook_session where told_at is not null")
    const source = await makeSource(server, customer.organization)

    await source.batch(
      source.page({ anonymousId: browser, timestamp: minutesAgo(5 * 24 * 60 + 20) }),
    )
    await server.drain()

    const lengths = await server.sql(
      `select round(extract(epoch from ended_at - started_at) / 60)::int as minutes
       from session where organization_id = $1`,
      [customer.id],
    )
    expect(lengths).toEqual([{ minutes: 11 }])
    await endsOfOthers()
    expect(await events(one.id)).toEqual(["identified", "updated", "identified", "updated"])
  })

  it("does not send the ends of sessions from an import of history", async () => {
    const { webhook: one } = await webhook()
    const source = await makeSource(server, customer.organization)
    const anonymousId = randomUUID()

    await source.post("import", {
      batch: [
        source.page({ anonymousId, timestamp: minutesAgo(700 * 24 * 60) }),
        {
          type: "identify",
          anonymousId,
          traits: { email: person() },
          timestamp: minutesAgo(700 * 24 * 60),
        },
      ],
    })
    await server.drain()
    await receiver.waitFor(1, path)

    await endsOfOthers()
    expect(await events(one.id)).toEqual(["identified", "identified", "updated"])
  })

  it("does not send the end to a first_match webhook", async () => {
    const { webhook: one } = await webhook({ trigger: "first_match" })
    await customer.visit({ email: person() })

    expect(
      await server.sql("select 1 from webhook_session where organization_id = $1", [customer.id]),
    ).toEqual([])
    expect(await events(one.id)).toEqual(["identified"])
  })

  it("evaluates the segment at every event", async () => {
    const segmentId = await customer.segment({
      field: "behavior.pricing_page_views",
      op: "gte",
      value: 1,
    })
    const { webhook: one } = await webhook({ segmentId })
    const email = person()
    await customer.visit({ email })
    expect(await events(one.id)).toEqual([])

    await customer.visit({ email, paths: ["/pricing"] })

    expect(await events(one.id)).toEqual(["identified"])
  })
})
