// How webhooks are sent: success, failure and the waits between attempts, 410, redirects, auto-disable, inactive
// webhooks, redelivery, rotation and test calls (spec 4.6, 5.6, 8.1, 8.5; B5 to B8).
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { readAheadMsMax, webhookQueue } from "../../src/activation/webhooks/sending/queue.ts"
import {
  type Settled,
  SettlementStore,
} from "../../src/activation/webhooks/sending/settlement-store.ts"
import { onServices } from "../runs/support.ts"
import type { TestServer } from "../support/server.ts"
import { type Received, type Receiver, startReceiver, status, verify } from "./receiver.ts"
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
  receiver.answer = status(204)
})

const person = (): string => `${randomUUID()}@acme.example`
const received = (): ReadonlyArray<Received> => receiver.received.filter((one) => one.path === path)

/** A webhook with one attempted event. */
const tried = async (change = {}): Promise<Created> => {
  const created = await customer.webhook(receiver.url + path, change)
  await customer.visit({ email: person() })
  await customer.delivery(created.webhook.id, ({ attempts, nextAttemptAt, status }) =>
    status === "queued" ? attempts > 0 && nextAttemptAt !== null : true,
  )
  return created
}

/** Ends the wait, and resolves after the next attempt. */
const nextAttempt = async (webhookId: string, attempts: number) => {
  await server.sql(
    "update webhook_delivery set next_attempt_at = now() where webhook_id = $1 and status = 'queued'",
    [webhookId],
  )
  return customer.delivery(
    webhookId,
    (record) =>
      record.attempts === attempts && (record.status !== "queued" || record.nextAttemptAt !== null),
  )
}

/** Seconds between the failure and the next attempt. */
const waits = async (webhookId: string): Promise<number> => {
  const [row] = await server.sql(
    `select extract(epoch from next_attempt_at - updated_at)::float8 as seconds
     from webhook_delivery where webhook_id = $1`,
    [webhookId],
  )
  return Number(row?.["seconds"])
}

describe("the outcome of an expired claim", () => {
  it("is ignored, also for the webhook's counters, and the next claim's outcome counts", async () => {
    receiver.answer = status(500)
    const { webhook } = await tried()
    const [row] = await server.sql(
      `update webhook_delivery set next_attempt_at = now() + interval '1 hour',
         claim = claim + 1, attempts = attempts + 1, leased_until = now() + interval '1 hour'
       where webhook_id = $1
       returning organization_id as "organizationId", id, claim::text`,
      [webhook.id],
    )
    const { claim, ...key } = row as { claim: string; id: string; organizationId: string }
    const settledBy = (of: bigint): Settled => ({
      delivery: {
        ...key,
        webhookId: webhook.id,
        claim: String(of),
        isRedelivery: false,
        url: webhook.url,
        format: "standard",
      },
      settlement: { status: "succeeded", failures: 1, waitSeconds: 0 },
      attempt: {
        isSuccess: true,
        isGone: false,
        isFinal: false,
        statusCode: 200,
        errorMessage: null,
        responseSnippet: null,
        retryAfterSeconds: 0,
      },
    })
    const settle = (of: bigint) =>
      onServices(
        server,
        Effect.flatMap(SettlementStore, (store) => store.settle([settledBy(of)])),
      )

    await settle(BigInt(claim) - 1n)
    const lost = [
      (await customer.deliveries(webhook.id))[0],
      (await customer.read(webhook.id)).stats,
    ]
    await settle(BigInt(claim))
    await settle(BigInt(claim))
    const held = [await customer.delivery(webhook.id), (await customer.read(webhook.id)).stats]

    expect(lost).toMatchObject([{ status: "queued", attempts: 2 }, { succeeded: 0 }])
    expect(held).toMatchObject([{ status: "succeeded", attempts: 2 }, { succeeded: 1 }])
  })
})

describe("a failure", () => {
  it("is retried after each wait in the table, ±20 %, and fails for good at the eighth (B5)", async () => {
    receiver.answer = status(500, {}, "try again")
    const { webhook, webhookSecret } = await tried()

    for (const [index, seconds] of webhookQueue.retrySeconds.entries()) {
      const waited = await waits(webhook.id)
      expect(waited).toBeGreaterThan(seconds * 0.799)
      expect(waited).toBeLessThan(seconds * 1.201)
      const record = await nextAttempt(webhook.id, index + 2)
      expect(record.status).toBe(index === 6 ? "failed" : "queued")
    }

    expect(await customer.delivery(webhook.id)).toMatchObject({
      status: "failed",
      attempts: 8,
      statusCode: 500,
      errorMessage: "Expected a 2xx response, received 500.",
      responseSnippet: "try again",
      nextAttemptAt: null,
      completedAt: expect.any(String),
    })
    const all = received()
    expect(all).toHaveLength(8)
    expect(new Set(all.map(({ headers }) => headers["webhook-id"])).size).toBe(1)
    expect(new Set(all.map(({ body }) => body)).size).toBe(1)
    expect(all.map(({ headers }) => headers["webhook-attempt"])).toEqual(
      Array.from({ length: 8 }, (_, index) => String(index + 1)),
    )
    for (const one of all) verify(webhookSecret, one)
    const { retrying, stats } = await customer.read(webhook.id)
    expect(retrying).toMatchObject({ count: 8 })
    expect(stats).toMatchObject({
      deliveries: 1,
      succeeded: 0,
      failed: 1,
      successRate: 0,
      consecutiveFailures: 1,
      lastDeliveredAt: null,
      lastErrorMessage: "Expected a 2xx response, received 500.",
    })
  })

  it("that is followed by a success ends as succeeded", async () => {
    receiver.answer = status(503)
    const { webhook } = await tried()
    expect(await customer.read(webhook.id)).toMatchObject({
      stats: { consecutiveFailures: 0 },
      retrying: {
        count: 1,
        errorMessage: "Expected a 2xx response, received 503.",
        at: expect.stringMatching(/Z$/),
      },
    })
    receiver.answer = status(200)

    const record = await nextAttempt(webhook.id, 2)

    expect(record).toMatchObject({ status: "succeeded", attempts: 2, statusCode: 200 })
    expect(await customer.read(webhook.id)).toMatchObject({
      stats: { succeeded: 1, failed: 0, successRate: 100, consecutiveFailures: 0 },
      retrying: null,
    })
  })

  it.each([
    [429, "3600", 3_600],
    [503, "3600", 3_600],
    [429, "999999", 86_400],
    [500, "3600", 5],
    [429, "soon", 5],
  ])("%i with Retry-After %s waits %i s", async (code, retryAfter, seconds) => {
    receiver.answer = status(code, { "retry-after": retryAfter })
    const { webhook } = await tried()

    const waited = await waits(webhook.id)

    expect(waited).toBeGreaterThan(seconds === 5 ? 3.99 : seconds - 1)
    expect(waited).toBeLessThan(seconds === 5 ? 6.01 : seconds + 1)
  })

  it("with a date in Retry-After waits until then, and never shorter than the table says", async () => {
    const inAnHour = new Date(Date.now() + 3_600_000).toUTCString()
    receiver.answer = status(503, { "retry-after": inAnHour })
    const { webhook } = await tried()
    const waited = await waits(webhook.id)
    expect(waited).toBeGreaterThan(3_580)
    expect(waited).toBeLessThanOrEqual(3_601)

    receiver.answer = status(429, { "retry-after": "1" })
    await nextAttempt(webhook.id, 2)

    expect(await waits(webhook.id)).toBeGreaterThan(webhookQueue.retrySeconds[1]! * 0.799)
  })

  it.each([301, 302, 303, 307, 308])(
    "includes a redirect %i, which is never followed (B7)",
    async (code) => {
      const elsewhere = `/${randomUUID()}`
      receiver.answer = status(code, { location: receiver.url + elsewhere })

      const { webhook } = await tried()

      const record = await customer.delivery(webhook.id, () => true)
      expect(record).toMatchObject({ status: "queued", statusCode: code })
      expect(receiver.received.filter((one) => one.path === elsewhere)).toEqual([])
    },
  )

  it("includes a timeout after timeoutMs", async () => {
    receiver.answer = () => undefined
    const { webhook } = await tried({ timeoutMs: 1_000 })

    expect(await customer.delivery(webhook.id, () => true)).toMatchObject({
      status: "queued",
      statusCode: null,
      errorMessage: "No response within 1000 ms.",
    })
  })

  it("keeps at most 1 KiB of the response, and nothing that cannot be stored", async () => {
    receiver.answer = status(500, {}, "\u0000ü".repeat(2_000))
    const { webhook } = await tried()

    const { responseSnippet } = await customer.delivery(webhook.id, () => true)

    expect(Buffer.byteLength(responseSnippet ?? "")).toBeLessThanOrEqual(1_024)
    expect(responseSnippet).toMatch(/^( ü)+ ?$/)
  })
})

describe("auto-disable", () => {
  it("happens at once after a 410, without further requests (B6), and is in the audit log", async () => {
    receiver.answer = status(410)
    const { webhook } = await tried()
    await customer.visit({ email: person() })

    expect(await customer.read(webhook.id)).toMatchObject({
      status: "auto_disabled",
      stats: { failed: 1, consecutiveFailures: 1 },
    })
    expect(await customer.deliveries(webhook.id)).toMatchObject([
      { status: "failed", attempts: 1, statusCode: 410 },
    ])
    expect(received()).toHaveLength(1)
    expect(
      await server.sql(
        "select actor_type, action from audit_entry where target_id = $1 order by action",
        [webhook.id],
      ),
    ).toEqual([
      { actor_type: "system", action: "webhook.auto_disabled" },
      { actor_type: "api_key", action: "webhook.created" },
    ])
  })

  const failing = (webhookId: string, hours: number, failures: number) =>
    server.sql(
      `update webhook set failing_since = now() - make_interval(hours => $2),
         consecutive_failures = $3 where id = $1`,
      [webhookId, hours, failures],
    )
  const lastAttempt = (webhookId: string) =>
    server.sql(
      "update webhook_delivery set failures = 7, next_attempt_at = now() where webhook_id = $1",
      [webhookId],
    )

  it.each([
    { hours: 73, failures: 19, disabled: true },
    { hours: 73, failures: 18, disabled: false },
    { hours: 71, failures: 30, disabled: false },
  ])(
    "after $hours hours and $failures events before this one: $disabled",
    async ({ disabled, failures, hours }) => {
      receiver.answer = status(500)
      const { webhook } = await tried()
      await failing(webhook.id, hours, failures)
      await lastAttempt(webhook.id)

      await customer.delivery(webhook.id)

      const read = await customer.read(webhook.id)
      expect(read.status).toBe(disabled ? "auto_disabled" : "active")
      expect(read.stats.consecutiveFailures).toBe(failures + 1)
    },
  )

  it("does not happen after a 410 from a former URL", async () => {
    const held: Array<() => void> = []
    receiver.answer = (_, response) => void held.push(() => response.writeHead(410).end())
    const { webhook } = await customer.webhook(receiver.url + path)
    await customer.visit({ email: person() })
    await receiver.waitFor(1, path)

    const url = `${receiver.url}/${randomUUID()}`
    await customer.ask("PATCH", `/v1/data/webhooks/${webhook.id}`, { url })
    for (const answer of held) answer()

    expect(await customer.delivery(webhook.id)).toMatchObject({ status: "failed", statusCode: 410 })
    expect((await customer.read(webhook.id)).status).toBe("active")
  })

  it("the hours of failure start over with a new URL", async () => {
    receiver.answer = status(500)
    const { webhook } = await tried()
    await failing(webhook.id, 73, 19)
    const url = `${receiver.url}/${randomUUID()}`
    await customer.ask("PATCH", `/v1/data/webhooks/${webhook.id}`, { url })
    await lastAttempt(webhook.id)

    await customer.delivery(webhook.id)

    expect((await customer.read(webhook.id)).status).toBe("active")
  })

  it("PATCH active restarts it with no failures; PATCH inactive keeps it off", async () => {
    receiver.answer = status(410)
    const { webhook } = await tried()
    const patch = (status: string) =>
      customer.ask("PATCH", `/v1/data/webhooks/${webhook.id}`, { status })

    expect((await patch("inactive")).data).toMatchObject({ status: "inactive" })
    await server.sql("update webhook set status = 'auto_disabled' where id = $1", [webhook.id])
    expect((await patch("active")).data).toMatchObject({
      status: "active",
      stats: { consecutiveFailures: 0, failed: 1 },
    })
  })
})

describe("inactive", () => {
  it("queued deliveries wait, and are sent when the webhook is active again", async () => {
    receiver.answer = status(500)
    const { webhook } = await tried()
    await customer.ask("PATCH", `/v1/data/webhooks/${webhook.id}`, { status: "inactive" })
    receiver.answer = status(204)
    await server.sql("update webhook_delivery set next_attempt_at = now() where webhook_id = $1", [
      webhook.id,
    ])
    // Other webhooks are sent in the meantime.
    await tried()
    expect(await customer.deliveries(webhook.id)).toMatchObject([{ status: "queued", attempts: 1 }])

    await customer.ask("PATCH", `/v1/data/webhooks/${webhook.id}`, { status: "active" })

    expect(await customer.delivery(webhook.id)).toMatchObject({ status: "succeeded", attempts: 2 })
  })
})

describe("skipped", () => {
  it.each([
    ["suppressed", "update visitor set suppressed = true where organization_id = $1"],
    ["held back", "update visitor set held_back = true where organization_id = $1"],
  ])("a person %s between queueing and sending", async (_, change) => {
    receiver.answer = status(500)
    const { webhook } = await tried()
    receiver.answer = status(204)
    await server.sql(change, [customer.id])
    await server.sql("update webhook_delivery set next_attempt_at = now() where webhook_id = $1", [
      webhook.id,
    ])

    expect(await customer.delivery(webhook.id)).toMatchObject({ status: "skipped", attempts: 1 })
    expect(received()).toHaveLength(1)
    expect((await customer.read(webhook.id)).stats.deliveries).toBe(0)
  })

  it("an erased person's data is removed from queued and recorded deliveries (L2)", async () => {
    receiver.answer = status(500, {}, "who is that?")
    const { webhook } = await tried()
    const { visitorHash } = await customer.delivery(webhook.id, () => true)

    await customer.ask("DELETE", `/v1/data/visitors/${visitorHash}`)

    expect(await customer.deliveries(webhook.id)).toMatchObject([
      { status: "skipped", visitorHash: null, responseSnippet: null },
    ])
    const left = await server.sql(
      `select row_to_json(d)::text as text from webhook_delivery d where webhook_id = $1
       union all select row_to_json(m)::text from webhook_visitor m where webhook_id = $1`,
      [webhook.id],
    )
    expect(left).toHaveLength(1)
    expect(JSON.stringify(left)).not.toContain("acme.example")
    expect(JSON.stringify(left)).not.toContain(String(visitorHash))
  })

  it("a deleted webhook's queued deliveries are skipped", async () => {
    receiver.answer = status(500)
    const { webhook } = await tried()

    const { data } = await customer.ask("DELETE", `/v1/data/webhooks/${webhook.id}`)

    expect(data).toEqual({ deleted: true })
    expect(
      await server.sql("select status, payload from webhook_delivery where webhook_id = $1", [
        webhook.id,
      ]),
    ).toEqual([{ status: "skipped", payload: null }])
    expect((await customer.ask("GET", `/v1/data/webhooks/${webhook.id}/deliveries`)).status).toBe(
      404,
    )
  })
})

describe("redelivery", () => {
  const redeliver = (webhookId: string, deliveryId: string) =>
    customer.ask<{ delivery: { status: string } }>(
      "POST",
      `/v1/data/webhooks/${webhookId}/deliveries/${deliveryId}/redeliver`,
    )

  it("is another attempt on the same record, with the same id and body, and counts nowhere", async () => {
    const { webhook } = await tried()
    const { id } = await customer.delivery(webhook.id)
    await customer.ask("PATCH", `/v1/data/webhooks/${webhook.id}`, { status: "inactive" })
    const { stats } = await customer.read(webhook.id)
    receiver.answer = status(500)

    const { data, status: code } = await redeliver(webhook.id, id)

    expect(code).toBe(202)
    expect(data.delivery).toMatchObject({ id, status: "queued" })
    const record = await customer.delivery(webhook.id)
    expect(record).toMatchObject({ status: "failed", attempts: 2, statusCode: 500 })
    const [first, second] = received()
    expect(second?.body).toBe(first?.body)
    expect(second?.headers).toMatchObject({
      "webhook-id": first?.headers["webhook-id"],
      "webhook-attempt": "2",
    })
    expect((await customer.read(webhook.id)).stats).toMatchObject({
      deliveries: stats.deliveries,
      succeeded: stats.succeeded,
      failed: stats.failed,
      consecutiveFailures: stats.consecutiveFailures,
    })
  })

  it("is a conflict for a queued delivery and for one that is no longer stored", async () => {
    receiver.answer = status(500)
    const { webhook } = await tried()
    const { id } = await customer.delivery(webhook.id, () => true)
    const queued = await redeliver(webhook.id, id)
    expect(queued).toMatchObject({ status: 409, error: { code: "CONFLICT" } })
    expect(queued.error.details).toEqual({ status: "queued" })

    await server.sql(
      "update webhook_delivery set status = 'failed', payload = null where webhook_id = $1",
      [webhook.id],
    )

    const gone = await redeliver(webhook.id, id)
    expect(gone).toMatchObject({ status: 409, error: { code: "CONFLICT" } })
    expect((await redeliver(webhook.id, randomUUID())).status).toBe(404)
  })
})

describe("secrets", () => {
  it("both sign during a rotation, then only the new one (F9); each is shown once (F10)", async () => {
    const { webhook, webhookSecret } = await tried()
    const rotated = await customer.ask<Created>(
      "POST",
      // A path may spell the id this way.
      `/v1/data/webhooks/${webhook.id.toUpperCase()}/rotate-secret`,
      { graceHours: 1 },
    )
    const secret = rotated.data.webhookSecret
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(secret).not.toBe(webhookSecret)

    await customer.visit({ email: person() })
    const [, during] = await receiver.waitFor(2, path)
    verify(secret, during!)
    verify(webhookSecret, during!)
    await server.sql("update webhook set former_secret_until = now() where id = $1", [webhook.id])
    await customer.visit({ email: person() })
    const [, , after] = await receiver.waitFor(3, path)
    verify(secret, after!)
    expect(() => verify(webhookSecret, after!)).toThrow()

    const paths = ["", `/${webhook.id}`, `/${webhook.id}/deliveries`]
    for (const one of paths) {
      const { text } = await customer.ask("GET", `/v1/data/webhooks${one}`)
      expect(text).not.toContain("whsec_")
    }
    const stored = await server.sql("select row_to_json(w)::text as text from webhook w")
    expect(JSON.stringify(stored)).not.toContain(Buffer.from(secret).toString("hex"))
    expect(JSON.stringify(stored)).not.toContain("whsec_")
  })
})

describe("a test call", () => {
  it("sends a sample person, signed and marked, and counts nowhere", async () => {
    const { webhook, webhookSecret } = await customer.webhook(receiver.url + path, {
      status: "inactive",
      trigger: "every_update",
    })
    receiver.answer = status(418)

    const { data, status: code } = await customer.ask(
      "POST",
      `/v1/data/webhooks/${webhook.id}/test`,
    )

    expect(code).toBe(200)
    expect(data).toEqual({
      ok: false,
      statusCode: 418,
      latencyMs: expect.any(Number),
      error: "Expected a 2xx response, received 418.",
    })
    const [one] = received()
    verify(webhookSecret, one!)
    expect(one?.headers).toMatchObject({ "webhook-test": "true", "webhook-attempt": "1" })
    expect(one?.event).toMatchObject({
      id: one?.headers["webhook-id"],
      event: "webhook.test",
      test: true,
      trigger: "every_update",
      organizationId: customer.id,
    })
    expect(await customer.deliveries(webhook.id)).toEqual([])
    expect((await customer.read(webhook.id)).stats).toMatchObject({
      deliveries: 0,
      lastErrorAt: null,
    })
  })
})

describe("a slow receiver", () => {
  it("does not block others, and gets at most ten concurrent requests (B8)", async () => {
    const slow = `/${randomUUID()}`
    let atOnce = 0
    let atOnceMax = 0
    let given = 0
    receiver.answer = (one, response) => {
      if (one.path !== slow) return void response.writeHead(204).end()
      atOnceMax = Math.max(atOnceMax, ++atOnce)
      response.on("close", () => {
        atOnce--
        given++
      })
    }
    const others = await Customer.of(server)
    const { webhook } = await customer.webhook(receiver.url + slow, { timeoutMs: 30_000 })
    for (let count = 0; count < 30; count++) {
      await server.sql(
        `insert into visitor (organization_id, id, email, email_hash, first_seen_at, last_seen_at)
         values ($1, gen_random_uuid(), 'a@b.example', md5(random()::text), now(), now())`,
        [customer.id],
      )
    }
    await server.sql(
      `insert into webhook_delivery (organization_id, id, webhook_id, event, trigger, pixel_id,
         visitor_id, visitor_hash, next_attempt_at)
       select $1, gen_random_uuid(), $2, 'visitor.identified', 'first_match', $3, id, email_hash,
         now()
       from visitor where organization_id = $1`,
      [customer.id, webhook.id, customer.organization.pixelId],
    )
    await receiver.waitFor(10, slow)

    await others.webhook(receiver.url + path)
    await others.visit({ email: person() })
    await receiver.waitFor(1, path)

    // None of the slow requests has ended in the meantime.
    expect(given).toBe(0)
    expect(atOnceMax).toBe(10)
  })

  /** Queues this many events for the webhook, due now. */
  const queue = async (webhookId: string, count: number, isRedelivery = false) => {
    await server.sql(
      `with person as (
         insert into visitor (organization_id, id, email, email_hash, first_seen_at, last_seen_at)
         select $1, gen_random_uuid(), 'a@b.example', md5(random()::text), now(), now()
         from generate_series(1, $4::int)
         returning id, email_hash
       )
       insert into webhook_delivery (organization_id, id, webhook_id, event, trigger, pixel_id,
         visitor_id, visitor_hash, next_attempt_at, is_redelivery)
       select $1, gen_random_uuid(), $2, 'visitor.identified', 'first_match', $3, id, email_hash,
         now(), $5
       from person`,
      [customer.id, webhookId, customer.organization.pixelId, count, isRedelivery],
    )
  }

  /** Responds to nothing on the path before `release`. */
  const holding = (slow: string) => {
    const held: Array<() => void> = []
    receiver.answer = (one, response) => {
      if (one.path !== slow) return void response.writeHead(204).end()
      held.push(() => response.writeHead(204).end())
    }
    return {
      count: () => held.length,
      release: () => {
        receiver.answer = status(204)
        for (const answer of held) answer()
      },
    }
  }

  it("gets at most ten redeliveries at once, while this server sends to the others", async () => {
    const slow = `/${randomUUID()}`
    const held = holding(slow)
    const { webhook } = await customer.webhook(receiver.url + slow, { timeoutMs: 30_000 })
    await queue(webhook.id, 300, true)
    await receiver.waitFor(10, slow)

    const others = await Customer.of(server)
    await others.webhook(receiver.url + path)
    await others.visit({ email: person() })
    await receiver.waitFor(1, path)

    expect(held.count()).toBe(10)
    held.release()
    await receiver.waitFor(300, slow)
  })

  it("gets nothing more at its former URL from deliveries that waited there", async () => {
    const slow = `/${randomUUID()}`
    const { webhook } = await customer.webhook(receiver.url + slow, { timeoutMs: 30_000 })
    await queue(webhook.id, 1)
    await receiver.waitFor(1, slow)
    // It answered quickly, so many deliveries are claimed at once from now on.
    const held = holding(slow)
    await queue(webhook.id, 30)
    await receiver.waitFor(11, slow)

    await customer.ask("PATCH", `/v1/data/webhooks/${webhook.id}`, { url: receiver.url + path })
    await new Promise((resolve) => setTimeout(resolve, readAheadMsMax + 500))
    held.release()

    await receiver.waitFor(20, path)
    expect(receiver.received.filter((one) => one.path === slow)).toHaveLength(11)
  })
})
