// Keys with sites (spec 7.1.9), as a matrix over the contract: every operation that a key may call, with objects of one
// site, asked with a key of another site of the same organization. It learns nothing and changes nothing.
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { sitesRule } from "../../src/access/key-rights.ts"
import { Api } from "../../src/app/api.ts"
import { putPixel } from "../visitors/sessions/person.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { cases, type Parts } from "./cases.ts"
import { type Operation, operations } from "./operations.ts"
import { type Answer, send, Tenant } from "./world.ts"

let server: TestServer
let ours: Tenant
let nearKey: string
let farKey: string
let farPixel: string

beforeAll(async () => {
  vi.stubEnv("ALLOW_PRIVATE_WEBHOOKS", "on")
  server = await startServer({ workers: false, smtpUrl: "smtp://127.0.0.1:1" })
  ours = await Tenant.make(server)
  farPixel = await putPixel(server, ours.organization, "far.example")
  nearKey = await keyFor(ours.organization.pixelId)
  farKey = await keyFor(farPixel)
})
afterAll(() => server.close())

const keyFor = async (...pixelIds: ReadonlyArray<string>) => {
  const body = { name: "Site", pixelIds }
  return (await ours.ask<{ secret: string }>("POST", "/v1/api-keys", body)).data.secret
}

const rules = new Map(
  Object.values(Api.groups).flatMap((group) =>
    Object.values(group.endpoints).map(
      (endpoint) =>
        [
          `${group.identifier}.${endpoint.identifier}` as string,
          sitesRule(endpoint, group),
        ] as const,
    ),
  ),
)

const withKeys = operations().filter(({ credentials }) => credentials.includes("apiKey"))
const rows = withKeys.flatMap((operation) =>
  operation.objectParameters.flatMap((parameter) => {
    const isolated = cases[`${operation.name} ${parameter}`]
    const isPublic = /^(topics|topicTrends|siteAnalysis)\./.test(operation.name)
    return isolated === undefined || isPublic ? [] : [{ operation, parameter, isolated }]
  }),
)

const ask = (operation: Operation, parts: Parts, apiKey: string) => {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(parts.path?.[name] ?? ""),
  )
  const query = new URLSearchParams(parts.query).toString()
  return send(server)({
    method: operation.method,
    path: query === "" ? path : `${path}?${query}`,
    ...(parts.body === undefined ? {} : { body: parts.body }),
    ...(parts.file === undefined ? {} : { file: parts.file }),
    apiKey,
  })
}

/** What would tell that a site has seen someone, besides what the request itself says. */
const traces = ({ body }: Answer, parts: Parts): ReadonlyArray<string> => {
  const text = JSON.stringify(body)
  const sent = JSON.stringify(parts)
  const found = text.match(/[0-9a-f]{64}|[\w-]+@acme\.example|[0-9a-f-]{36}(\.example)?/g) ?? []
  return found.filter((trace) => !sent.includes(trace))
}

describe("a key of another site", () => {
  it.each(rows)("learns nothing by $operation.name $parameter", async ({ isolated, operation }) => {
    const rule = rules.get(operation.name)
    const parts = await isolated.good(ours)
    const answer = await ask(operation, parts, farKey)

    if (rule === undefined) {
      expect(answer).toMatchObject({ status: 403, body: { error: { code: "NOT_FOR_SITE_KEYS" } } })
    } else if (answer.status === 200) {
      // A list or a count, which is empty.
      expect(["handler"]).toContain(rule)
      expect(traces(answer, parts)).toEqual([])
      const { data, meta = {} } = answer.body as {
        readonly data: { readonly count?: number }
        readonly meta?: { readonly total?: number }
      }
      expect(meta.total ?? data.count ?? 0).toBe(0)
    } else {
      expect([400, 404]).toContain(answer.status)
      expect(traces(answer, parts)).toEqual([])
    }
  })

  it.each(
    rows.filter(({ operation }) =>
      ["person", "company", "site"].includes(rules.get(operation.name) ?? ""),
    ),
  )(
    "would learn it with a key of that site: $operation.name $parameter",
    async ({ isolated, operation, parameter }) => {
      const parts = await isolated.good(ours)
      const pixelId = rules.get(operation.name) === "site" ? parts.path?.["id"] : undefined
      const key = pixelId === undefined ? nearKey : await keyFor(pixelId)

      const answer = await ask(operation, parts, key)

      expect([parameter, answer.status < 300, answer.body]).toEqual([parameter, true, answer.body])
    },
  )
})

describe("operations without a parameter that names an object", () => {
  const others = withKeys.filter(
    ({ name, objectParameters }) =>
      objectParameters.length === 0 && !/^(topics|topicTrends|siteAnalysis)\./.test(name),
  )

  it.each(others)(
    "$name is for the organization, or says nothing of another site",
    async (operation) => {
      await ours.visitor()
      const body = operation.method === "GET" ? {} : { body: {} }
      const answer = await ask(operation, body, farKey)
      const rule = rules.get(operation.name)

      if (rule === undefined) {
        expect(answer).toMatchObject({
          status: 403,
          body: { error: { code: "NOT_FOR_SITE_KEYS" } },
        })
        return
      }
      const text = JSON.stringify(answer.body)
      expect(text).not.toContain(ours.organization.pixelId)
      expect(text).not.toContain("@acme.example")
    },
  )

  it("the list of pixels has those of the key alone", async () => {
    const list = async (apiKey: string) =>
      (await send(server)({ method: "GET", path: "/v1/data/pixels", apiKey })).body["data"]

    expect(await list(farKey)).toEqual([expect.objectContaining({ id: farPixel })])
    expect(await list(nearKey)).toEqual([
      expect.objectContaining({ id: ours.organization.pixelId }),
    ])
  })

  it("a key can't create a site", async () => {
    const answer = await send(server)({
      method: "POST",
      path: "/v1/data/pixels",
      body: { domain: "new.example" },
      apiKey: farKey,
    })

    expect(answer).toMatchObject({ status: 403, body: { error: { code: "NOT_FOR_SITE_KEYS" } } })
  })
})

describe("visitor webhooks of a key with sites", () => {
  const hook = (pixelId?: string | null) => ({
    name: "CRM",
    url: "https://192.0.2.1/",
    status: "inactive",
    ...(pixelId === undefined ? {} : { pixelId }),
  })
  const create = (apiKey: string, body: object, headers = {}) =>
    fetch(`${server.url}/v1/data/webhooks`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": apiKey, ...headers },
      body: JSON.stringify(body),
    })

  it("need one of its sites, and are all that it sees", async () => {
    const near = await create(nearKey, hook(ours.organization.pixelId))
    const { data } = (await near.json()) as { data: { webhook: { id: string } } }
    const { id } = data.webhook
    const far = async (method: string, path = "", body?: object) =>
      (
        await send(server)({
          method,
          path: `/v1/data/webhooks/${id}${path}`,
          ...(body === undefined ? {} : { body }),
          apiKey: farKey,
        })
      ).status
    const own = (method: string, body: object) =>
      send(server)({ method, path: `/v1/data/webhooks/${id}`, body, apiKey: nearKey })

    expect(near.status).toBe(201)
    expect((await create(farKey, hook())).status).toBe(400)
    expect((await create(farKey, hook(null))).status).toBe(400)
    expect((await create(farKey, hook(ours.organization.pixelId))).status).toBe(404)
    expect((await create(farKey, hook(randomUUID()))).status).toBe(404)
    for (const [method, path, body] of [
      ["GET"],
      ["PATCH", "", { name: "Mine" }],
      ["PATCH", "", { pixelId: farPixel }],
      ["DELETE"],
      ["POST", "/rotate-secret", {}],
      ["POST", "/test"],
      ["GET", "/deliveries"],
      ["GET", `/deliveries/${randomUUID()}`],
      ["POST", `/deliveries/${randomUUID()}/redeliver`],
    ] as const) {
      expect([method, path, await far(method, path, body)]).toEqual([method, path, 404])
    }
    expect((await own("PATCH", { pixelId: null })).status).toBe(400)
    expect((await own("PATCH", { pixelId: farPixel })).status).toBe(404)
    expect((await own("PATCH", { name: "Renamed" })).status).toBe(200)
    const listed = async (apiKey: string) =>
      (await send(server)({ method: "GET", path: "/v1/data/webhooks", apiKey })).body["data"]
    expect(await listed(nearKey)).toEqual([expect.objectContaining({ id, name: "Renamed" })])
    expect(await listed(farKey)).toEqual([])
  })

  it("show nothing that was sent while they were for another site", async () => {
    const made = await create(ours.organization.apiKey, hook(ours.organization.pixelId))
    const { id } = ((await made.json()) as { data: { webhook: { id: string } } }).data.webhook
    const deliveryId = randomUUID()
    await server.sql(
      `insert into webhook_delivery (organization_id, id, webhook_id, event, trigger, pixel_id,
         company_domain, next_attempt_at)
       values ($1, $2, $3, 'company.identified', 'company_seen', $4, 'acme.example', now())`,
      [ours.organization.organizationId, deliveryId, id, ours.organization.pixelId],
    )
    const asked = (apiKey: string, method: string, path: string, body?: object) =>
      send(server)({
        method,
        path: `/v1/data/webhooks/${id}${path}`,
        apiKey,
        ...(body === undefined ? {} : { body }),
      })
    const totalFor = async (apiKey: string) =>
      (await asked(apiKey, "GET", "/deliveries")).body["data"]
    const moved = await asked(ours.organization.apiKey, "PATCH", "", { pixelId: farPixel })

    expect(moved.status).toBe(200)
    expect(await totalFor(ours.organization.apiKey)).toMatchObject({ total: 1 })
    expect(await totalFor(farKey)).toMatchObject({ total: 0, deliveries: [] })
    expect((await asked(farKey, "GET", `/deliveries/${deliveryId}`)).status).toBe(404)
    expect((await asked(farKey, "POST", `/deliveries/${deliveryId}/redeliver`)).status).toBe(404)
    expect((await asked(farKey, "DELETE", "")).status).toBe(200)
  })

  it("a preview needs one of its sites too", async () => {
    const preview = async (pixelId: string | undefined) =>
      (
        await send(server)({
          method: "POST",
          path: "/v1/data/webhooks/preview",
          body: { trigger: "first_match", ...(pixelId === undefined ? {} : { pixelId }) },
          apiKey: farKey,
        })
      ).status

    expect(await preview(undefined)).toBe(400)
    expect(await preview(ours.organization.pixelId)).toBe(404)
    expect(await preview(farPixel)).toBe(200)
  })

  it("get no stored response of another key, whatever the body asks for", async () => {
    const headers = { "idempotency-key": "webhook" }
    const body = hook(ours.organization.pixelId)
    const first = await create(ours.organization.apiKey, body, headers)
    const again = await create(farKey, body, headers)

    expect([first.status, again.status]).toEqual([201, 404])
  })
})
