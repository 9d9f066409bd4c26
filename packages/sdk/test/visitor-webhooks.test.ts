// The calls of visitor webhooks as the server receives them, and their results. One row per endpoint of spec 5.6.

import { describe, expect, it } from "vitest"
import { ConflictError, Footfall } from "../src/index.ts"
import { accessToken, apiKey } from "./support/credentials.ts"
import { scriptedServer } from "./support/scripted-server.ts"
import { refuse, succeed } from "./support/steps.ts"

const id = "72c2caee-8b8d-4561-a8f3-fa549b992a9d"
const deliveryId = "3f0c8a52-1d2e-4b6a-9c7d-8e9f0a1b2c3d"
const webhooks = "/v1/data/webhooks"
const params = {
  name: "CRM",
  url: "https://hooks.tidewater.example/",
  trigger: "every_update",
} as const
const secret = { data: { webhook: { id }, webhookSecret: "whsec_AA==" } }

interface Row {
  readonly name: string
  readonly call: (footfall: Footfall) => Promise<unknown>
  readonly line: string
  readonly body?: unknown
  readonly data: unknown
  /** Default: the data. */
  readonly given?: unknown
}

const rows: ReadonlyArray<Row> = [
  {
    name: "list",
    call: (f) => f.webhooks.list(),
    line: `GET ${webhooks}`,
    data: [{ id }],
  },
  {
    name: "create",
    call: (f) => f.webhooks.create(params),
    line: `POST ${webhooks}`,
    body: params,
    ...secret,
  },
  { name: "get", call: (f) => f.webhooks.get(id), line: `GET ${webhooks}/${id}`, data: { id } },
  {
    name: "update",
    call: (f) => f.webhooks.update(id, { status: "active", segmentId: null }),
    line: `PATCH ${webhooks}/${id}`,
    body: { status: "active", segmentId: null },
    data: { id },
  },
  {
    name: "delete",
    call: (f) => f.webhooks.delete(id),
    line: `DELETE ${webhooks}/${id}`,
    data: { deleted: true },
  },
  {
    name: "rotateSecret",
    call: (f) => f.webhooks.rotateSecret(id, { graceHours: 0 }),
    line: `POST ${webhooks}/${id}/rotate-secret`,
    body: { graceHours: 0 },
    ...secret,
  },
  {
    name: "rotateSecret without hours",
    call: (f) => f.webhooks.rotateSecret(id),
    line: `POST ${webhooks}/${id}/rotate-secret`,
    body: {},
    ...secret,
  },
  {
    name: "test",
    call: (f) => f.webhooks.test(id),
    line: `POST ${webhooks}/${id}/test`,
    body: undefined,
    data: { ok: false, statusCode: null, latencyMs: 3, error: "No response within 1000 ms." },
  },
  {
    name: "delivery",
    call: (f) => f.webhooks.delivery(id, deliveryId),
    line: `GET ${webhooks}/${id}/deliveries/${deliveryId}`,
    body: undefined,
    data: { id: deliveryId, payload: "{}" },
  },
  {
    name: "redeliver",
    call: (f) => f.webhooks.redeliver(id, deliveryId),
    line: `POST ${webhooks}/${id}/deliveries/${deliveryId}/redeliver`,
    body: undefined,
    data: { delivery: { id: deliveryId } },
    given: { id: deliveryId },
  },
]

describe("visitor webhooks", () => {
  it.each(rows)("$name sends its request and returns the data", async (row) => {
    await using server = await scriptedServer([succeed(row.data)])

    const given = await row.call(new Footfall({ apiKey, accessToken, baseUrl: server.baseUrl }))

    const [received] = server.received
    const { body, headers, method, path } = received ?? expect.fail("nothing was sent")
    expect(given).toEqual(row.given ?? row.data)
    expect(`${method} ${path}`).toBe(row.line)
    expect(body === "" ? undefined : JSON.parse(body)).toEqual(row.body)
    expect(headers).toMatchObject({ "x-api-key": apiKey })
    expect(headers).not.toHaveProperty("authorization")
  })

  it("send the access token if there is no key", async () => {
    await using server = await scriptedServer([succeed([])])

    await new Footfall({ accessToken, baseUrl: server.baseUrl }).webhooks.list()

    expect(server.received[0]?.headers).toMatchObject({ authorization: `Bearer ${accessToken}` })
  })

  it("deliveries are requested page by page with the same filter", async () => {
    const page = (one: string, more: object) =>
      succeed({ deliveries: [{ id: one }], total: 2 }, { limit: 1, offset: 0, ...more })
    await using server = await scriptedServer([
      page("first", { hasMore: true, nextCursor: "cursor-2" }),
      page("second", { hasMore: false, nextCursor: null }),
    ])
    const footfall = new Footfall({ apiKey, baseUrl: server.baseUrl })

    const found: Array<string> = []
    const list = footfall.webhooks.deliveries(id, { status: "failed", limit: 1 })
    for await (const one of list) found.push(one.id)

    expect(found).toEqual(["first", "second"])
    expect(server.received.map(({ path, query }) => [path, Object.fromEntries(query)])).toEqual([
      [`${webhooks}/${id}/deliveries`, { status: "failed", limit: "1" }],
      [`${webhooks}/${id}/deliveries`, { status: "failed", limit: "1", cursor: "cursor-2" }],
    ])
  })

  it("redelivering an event that is no longer stored is a ConflictError", async () => {
    await using server = await scriptedServer([refuse(409, "CONFLICT")])
    const footfall = new Footfall({ apiKey, baseUrl: server.baseUrl })

    const error: unknown = await footfall.webhooks.redeliver(id, deliveryId).catch((each) => each)

    expect(error).toBeInstanceOf(ConflictError)
    expect(server.received).toHaveLength(1)
  })
})
