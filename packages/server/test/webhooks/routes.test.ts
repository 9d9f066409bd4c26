// Creating, changing and deleting visitor webhooks, and the delivery history (spec 2.20, 4.6, 5.4, 5.6, 10.2, 10.3).
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import type { Webhook } from "../../src/activation/webhooks/webhook.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { type Created, Customer } from "./site.ts"

let server: TestServer
let customer: Customer
const url = "https://hooks.example/footfall"

beforeAll(async () => {
  vi.stubEnv("LOG_LEVEL", "silent")
  server = await startServer({ workers: false })
  vi.unstubAllEnvs()
})
afterAll(() => server.close())
beforeEach(async () => {
  customer = await Customer.of(server)
})

const create = (body: object) => customer.ask<Created>("POST", "/v1/data/webhooks", body)
const issuesOf = (details: unknown) =>
  (details as { issues: ReadonlyArray<{ path: string; code: string }> }).issues.map(
    ({ code, path }) => `${path} ${code}`,
  )

describe("creation", () => {
  it("returns 201 with the defaults and a secret", async () => {
    const { data, status } = await create({ name: "  CRM ", url })

    expect(status).toBe(201)
    expect(data.webhookSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(data.webhook).toEqual({
      id: expect.any(String),
      organizationId: customer.id,
      name: "CRM",
      url,
      recipients: null,
      trigger: "first_match",
      path: null,
      minSeconds: null,
      segmentId: null,
      listId: null,
      identified: null,
      again: null,
      pixelId: null,
      pixelDeleted: false,
      format: "standard",
      digest: "immediate",
      digestHour: null,
      digestDay: null,
      status: "active",
      signingVersion: "v1",
      timeoutMs: 10_000,
      stats: {
        deliveries: 0,
        succeeded: 0,
        failed: 0,
        successRate: null,
        consecutiveFailures: 0,
        lastDeliveredAt: null,
        lastErrorAt: null,
        lastErrorMessage: null,
      },
      retrying: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    const list = await customer.ask<ReadonlyArray<Webhook>>("GET", "/v1/data/webhooks")
    expect(list.data).toEqual([data.webhook])
    expect(list.meta).toMatchObject({ total: 1 })
    expect(await customer.read(data.webhook.id)).toEqual(data.webhook)
  })

  it.each([
    [{ name: "", url }, "/body/name min_length"],
    [{ name: "x".repeat(161), url }, "/body/name max_length"],
    [{ name: "x", url, timeoutMs: 999 }, "/body/timeoutMs min"],
    [{ name: "x", url, timeoutMs: 30_001 }, "/body/timeoutMs max"],
    [{ name: "x", url, status: "auto_disabled" }, "/body/status enum"],
    [{ name: "x", url, trigger: "always" }, "/body/trigger enum"],
    [{ name: "x", url, secret: "mine" }, "/body/secret unknown_field"],
    [{ name: "x", url: "no address" }, "/body/url format"],
    [{ name: "x", url: "http://hooks.example/" }, "/body/url url_not_allowed"],
    [{ name: "x", url: "https://u:p@hooks.example/" }, "/body/url url_not_allowed"],
    [{ name: "x", url: "https://127.0.0.1/" }, "/body/url url_not_allowed"],
    [{ name: "x", url: "https://0x7f.1/" }, "/body/url url_not_allowed"],
    [{ name: "x", url: "https://[::ffff:10.0.0.1]/" }, "/body/url url_not_allowed"],
    [{ name: "x", url: `https://hooks.example/${"a".repeat(2_048)}` }, "/body/url url_not_allowed"],
  ])("refuses %j", async (body, issue) => {
    const { error, status } = await create(body)

    expect(status).toBe(400)
    expect(error.code).toBe("VALIDATION_ERROR")
    expect(issuesOf(error.details)).toContain(issue)
  })

  it.each([
    { name: "x".repeat(160), url, timeoutMs: 1_000 },
    { name: "x", url, timeoutMs: 30_000, status: "inactive", trigger: "every_update" },
  ])("accepts values at the limits", async (body) => {
    expect((await create(body)).status).toBe(201)
  })

  it("is 404 with an unknown segment or pixel, and so is a change", async () => {
    const { data } = await create({ name: "x", url })
    for (const change of [{ segmentId: randomUUID() }, { pixelId: randomUUID() }]) {
      expect((await create({ name: "x", url, ...change })).status).toBe(404)
      const path = `/v1/data/webhooks/${data.webhook.id}`
      expect((await customer.ask("PATCH", path, change)).status).toBe(404)
    }
  })

  it("is refused from the 21st on, also with 30 concurrent requests", async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => create({ name: "x", url, status: "inactive" })),
    )

    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused).toHaveLength(10)
    for (const { error, status } of refused) {
      expect(status).toBe(409)
      expect(error).toMatchObject({ code: "CONFLICT", details: { limit: 20 } })
    }
    const deleted = answers.find(({ status }) => status === 201)!.data.webhook.id
    await customer.ask("DELETE", `/v1/data/webhooks/${deleted}`)
    expect((await create({ name: "x", url })).status).toBe(201)
  })
})

describe("a change", () => {
  it("keeps omitted fields, and both of two concurrent changes", async () => {
    const { data } = await create({ name: "One", url })
    const path = `/v1/data/webhooks/${data.webhook.id}`

    await Promise.all([
      customer.ask("PATCH", path, { name: "Two" }),
      customer.ask("PATCH", path, { timeoutMs: 5_000 }),
      customer.ask("PATCH", path, { status: "inactive" }),
    ])

    expect(await customer.read(data.webhook.id)).toMatchObject({
      name: "Two",
      url,
      timeoutMs: 5_000,
      status: "inactive",
    })
    const refused = await customer.ask("PATCH", path, { url: "https://10.0.0.1/" })
    expect(issuesOf(refused.error.details)).toEqual(["/body/url url_not_allowed"])
  })

  it("is 404 for a deleted webhook, as is every other request about it", async () => {
    const { data } = await create({ name: "One", url })
    const path = `/v1/data/webhooks/${data.webhook.id}`
    expect((await customer.ask("DELETE", path)).data).toEqual({ deleted: true })

    const asked = [
      ["GET", ""],
      ["PATCH", "", { name: "x" }],
      ["DELETE", ""],
      ["POST", "/rotate-secret"],
      ["POST", "/test"],
      ["GET", "/deliveries"],
    ] as const
    for (const [method, end, body] of asked) {
      expect((await customer.ask(method, path + end, body)).status).toBe(404)
    }
  })
})

describe("a request without fields", () => {
  it.each(["rotate-secret", "test"])("%s accepts no body or {}, and nothing else", async (end) => {
    const { data } = await create({ name: "One", url: "https://hooks.invalid/" })
    const path = `/v1/data/webhooks/${data.webhook.id}/${end}`

    expect((await customer.ask("POST", path)).status).toBe(200)
    expect((await customer.ask("POST", path, {})).status).toBe(200)
    expect((await customer.ask("POST", path, { x: 1 })).status).toBe(400)
    expect((await customer.ask("POST", path, [])).status).toBe(400)
  })

  it.each([
    [0, 200],
    [72, 200],
    [73, 400],
    [-1, 400],
    [1.5, 400],
  ])("a rotation with graceHours %d is %i", async (graceHours, expected) => {
    const { data } = await create({ name: "One", url })
    const path = `/v1/data/webhooks/${data.webhook.id}/rotate-secret`

    expect((await customer.ask("POST", path, { graceHours })).status).toBe(expected)
  })
})

describe("a segment that a webhook uses", () => {
  const rule = { field: "behavior.sessions", op: "gte", value: 1 }

  it("cannot be deleted: SEGMENT_IN_USE lists the webhooks", async () => {
    const segmentId = await customer.segment(rule)
    const one = (await create({ name: "One", url, segmentId })).data.webhook.id
    const other = (await create({ name: "Two", url, segmentId, status: "inactive" })).data.webhook
      .id

    const refused = await customer.ask("DELETE", `/v1/data/segments/${segmentId}`)

    expect(refused).toMatchObject({
      status: 409,
      error: { code: "SEGMENT_IN_USE", details: { webhookIds: [one, other] } },
    })
    await customer.ask("PATCH", `/v1/data/webhooks/${one}`, { segmentId: null })
    await customer.ask("DELETE", `/v1/data/webhooks/${other}`)
    expect((await customer.ask("DELETE", `/v1/data/segments/${segmentId}`)).status).toBe(200)
  })

  it("deleted while a webhook is created with it: one of the two is refused", async () => {
    for (let round = 0; round < 10; round++) {
      const segmentId = await customer.segment(rule)
      const [made, deleted] = await Promise.all([
        create({ name: "One", url, segmentId }),
        customer.ask("DELETE", `/v1/data/segments/${segmentId}`),
      ])

      expect([made.status, deleted.status]).toBeOneOf([
        [201, 409],
        [404, 200],
      ])
    }
  })
})

describe("the webhook of a pixel that was deleted", () => {
  it("says so until the webhook has another pixel, or none", async () => {
    const domain = "deleted-pixel.example"
    const pixel = await customer.ask<{ readonly id: string }>("POST", "/v1/data/pixels", { domain })
    const { data } = await create({ name: "One site", url, pixelId: pixel.data.id })
    const path = `/v1/data/webhooks/${data.webhook.id}`
    expect(data.webhook.pixelDeleted).toBe(false)

    expect((await customer.ask("DELETE", `/v1/data/pixels/${pixel.data.id}`)).status).toBe(200)

    const found = await customer.ask<Webhook>("GET", path)
    expect(found.data).toMatchObject({ pixelId: pixel.data.id, pixelDeleted: true })
    const list = await customer.ask<ReadonlyArray<Webhook>>("GET", "/v1/data/webhooks")
    expect(list.data.find(({ id }) => id === found.data.id)?.pixelDeleted).toBe(true)
    const changed = await customer.ask<Webhook>("PATCH", path, { pixelId: null })
    expect(changed.data).toMatchObject({ pixelId: null, pixelDeleted: false })
  })
})

describe("the history", () => {
  it("is newest first, in pages, and can be filtered by status", async () => {
    const { data } = await create({ name: "One", url, status: "inactive" })
    const { id } = data.webhook
    await server.sql(
      `insert into webhook_delivery (organization_id, id, webhook_id, event, trigger, pixel_id,
         status, created_at, next_attempt_at)
       select $1, gen_random_uuid(), $2, 'visitor.updated', 'every_update', $3,
         case when n % 3 = 0 then 'queued' else 'failed' end, now() - make_interval(secs => n), now()
       from generate_series(1, 30) as n`,
      [customer.id, id, customer.organization.pixelId],
    )
    const path = `/v1/data/webhooks/${id}/deliveries`
    type Page = { readonly deliveries: ReadonlyArray<{ id: string }>; readonly total: number }

    const first = await customer.ask<Page>("GET", path)
    const second = await customer.ask<Page>("GET", `${path}?cursor=${first.meta["nextCursor"]}`)
    const byOffset = await customer.ask<Page>("GET", `${path}?offset=25`)
    const queued = await customer.ask<Page>("GET", `${path}?status=queued`)

    expect(first.data.deliveries).toHaveLength(25)
    expect(first.data.total).toBe(30)
    expect(second.data).toEqual(byOffset.data)
    expect(second.meta).toMatchObject({ hasMore: false, nextCursor: null })
    const ids = [...first.data.deliveries, ...second.data.deliveries].map((one) => one.id)
    expect(new Set(ids).size).toBe(30)
    expect(queued.data.total).toBe(10)
    expect((await customer.ask("GET", `${path}?limit=101`)).status).toBe(400)
    expect((await customer.ask("GET", `${path}?visitorHash=jane`)).status).toBe(400)
    expect((await customer.ask("GET", `${path}?status=sent`)).status).toBe(400)
  })

  it("can be filtered by person, with the hash of any of their addresses", async () => {
    const { data } = await create({ name: "Of one", url, status: "inactive" })
    const { id } = data.webhook
    const [first, second, other] = [1, 2, 3].map((n) => `${n}`.repeat(64))
    const [jane, john] = [crypto.randomUUID(), crypto.randomUUID()]
    await server.sql(
      `insert into visitor_address (organization_id, email_hash, visitor_id, first_seen_at)
       values ($1, $2, $3, now()), ($1, $4, $3, now()), ($1, $5, $6, now())`,
      [customer.id, first, jane, second, other, john],
    )
    await server.sql(
      `insert into webhook_delivery (organization_id, id, webhook_id, event, trigger, pixel_id,
         visitor_id, visitor_hash, status, created_at, next_attempt_at)
       select $1, gen_random_uuid(), $2, 'visitor.updated', 'every_update', $3, who, hash, 'failed',
         now(), now()
       from (values ($4::uuid, $5::text), ($4, $6), ($7, $8)) as sent (who, hash)`,
      [customer.id, id, customer.organization.pixelId, jane, first, second, john, other],
    )
    const path = `/v1/data/webhooks/${id}/deliveries`
    type Page = {
      readonly deliveries: ReadonlyArray<{ visitorHash: string }>
      readonly total: number
    }
    const of = async (hash: string | undefined) => {
      const answer = await customer.ask<Page>("GET", `${path}?visitorHash=${hash}`)
      return answer.data.deliveries.map(({ visitorHash }) => visitorHash).toSorted()
    }

    expect(await of(first)).toEqual([first, second])
    expect(await of(second)).toEqual([first, second])
    expect(await of(other)).toEqual([other])
    expect(await of("4".repeat(64))).toEqual([])
    const { meta } = await customer.ask<Page>("GET", `${path}?visitorHash=${first}&limit=1`)
    const next = (hash: string | undefined) =>
      customer.ask("GET", `${path}?visitorHash=${hash}&cursor=${meta["nextCursor"]}`)
    expect([(await next(first)).status, (await next(other)).status]).toEqual([200, 400])
  })
})

describe("the rate limit", () => {
  it("is 60 a minute per group and key", async () => {
    const limited = await startServer({ workers: false, rateLimits: true })
    try {
      const answer = await limited.get("/v1/data/webhooks")
      expect(answer.headers.get("ratelimit-limit")).toBe("60")
      expect(answer.headers.get("ratelimit-remaining")).toBe("59")
    } finally {
      await limited.close()
    }
  })
})
