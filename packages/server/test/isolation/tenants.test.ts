// Several organizations side by side: equal names don't conflict, one organization's data doesn't change another's
// responses, and no cached value reaches the wrong one. FOOTFALL_SOAK=1 for the full number of alternations.
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"
import { putPerson, putSessions } from "../visitors/sessions/person.ts"
import { cases, type Parts } from "./cases.ts"
import { type Operation, operations } from "./operations.ts"
import { type Answer, send, Tenant } from "./world.ts"

const alternations = process.env["FOOTFALL_SOAK"] === "1" ? 10_000 : 100
let server: TestServer
let ours: Tenant
let theirs: Tenant

beforeAll(async () => {
  // Connected accounts belong to a provider in this process.
  vi.stubEnv("ALLOW_PRIVATE_WEBHOOKS", "on")
  server = await startServer({ workers: false })
  ours = await Tenant.make(server)
  theirs = await Tenant.make(server)
})
afterAll(() => server.close())

const timestamp = /\d{4}-\d\d-\d\dT[\d:.]+Z/g
const requestId = /req_[0-9a-z]{26}/g

describe("two organizations can have the same (D6)", () => {
  const both = async (make: (tenant: Tenant) => Promise<unknown>) =>
    [await make(ours), await make(theirs)] as const

  it("pixel domain, segment name, rule value, key name", async () => {
    const domain = `${randomUUID()}.example`
    const pixels = await both((tenant) => tenant.ask("POST", "/v1/data/pixels", { domain }))
    const segments = await both((tenant) => tenant.segment("Same"))
    const rules = await both((tenant) => tenant.suppressionRule("same.example"))
    const keys = await both((tenant) => tenant.apiKey("Same"))

    for (const [one, other] of [pixels, segments, rules, keys]) expect(one).not.toEqual(other)
  })

  it("member, who keeps the role given in each", async () => {
    const email = `${randomUUID()}@acme.example`
    const members = ({ organization }: Tenant) =>
      `/v1/organizations/${organization.organizationId}/members`
    await ours.ask("POST", members(ours), { email, role: "viewer" })
    await theirs.ask("POST", members(theirs), { email, role: "admin" })

    const roles = await both(async (tenant) => {
      const { data } = await tenant.ask<ReadonlyArray<{ email: string; role: string }>>(
        "GET",
        members(tenant),
      )
      return data.find((member) => member.email === email)?.role
    })
    expect(roles).toEqual(["viewer", "admin"])
  })

  it("person, who is erased in one and stays in the other", async () => {
    const email = `${randomUUID()}@acme.example`
    const startedAt = new Date().toISOString()
    const visitorIds = await both(async ({ organization }) => {
      const person = await putPerson(server, organization, email)
      await putSessions(server, organization, { person, startedAt })
      return person.visitorId
    })
    const visitorId = String(visitorIds[0])

    await ours.ask("DELETE", `/v1/data/visitors/${visitorId}`)

    const path = `/v1/data/visitors/${visitorId}/sessions`
    await expect(ours.ask("GET", path)).rejects.toThrow("NOT_FOUND")
    expect((await theirs.ask<ReadonlyArray<unknown>>("GET", path)).data).toHaveLength(1)
  })
})

describe("reading", () => {
  /** Every operation that only reads, with what it needs to read a tenant's data. */
  const reads = operations().filter(
    // A download needs no credentials: the signature of its address names the export. An archive is audited and says when
    // it was made.
    ({ method, name }) =>
      method === "GET" && name !== "exportDownloads.download" && name !== "archives.get",
  )
  /** Values that no path's cases provide. */
  const needed: Readonly<Record<string, (tenant: Tenant) => Promise<Parts>>> = {
    "overview.breakdown": async () => ({ query: { by: "page" } }),
    "fileImports.list": async (tenant) => {
      for (let place = 0; place < 2; place++) await tenant.appliedImport()
      return { path: { kind: "suppression-rules" } }
    },
    "tags.list": async (tenant) => {
      await tenant.visitorNote()
      return { query: { subject: "people" } }
    },
    "topics.search": async () => ({ query: { q: "freight" } }),
    "deviceLogins.get": async (tenant) => {
      const { data } = await tenant.ask<{ userCode: string }>("POST", "/v1/auth/device")
      return { query: { userCode: data.userCode } }
    },
    "integrations.lists": async (tenant) => ({
      path: { appSlug: "mailer" },
      query: { connectedAccountId: await tenant.connectedAccount() },
    }),
    "integrations.readableLists": async (tenant) => ({
      path: { appSlug: "mailer" },
      query: { connectedAccountId: await tenant.connectedAccount() },
    }),
    "topicTrends.trend": async (tenant) => {
      await tenant.topicList()
      return { path: { topicId: "1" } }
    },
  }
  /** Objects of the tenant for the path, created by cases.ts. */
  const partsOf = async ({ name }: Operation, tenant: Tenant): Promise<Parts> => {
    const ofPath = Object.entries(cases).find(([key]) => key.startsWith(`${name} path:`))
    return (await (needed[name] ?? ofPath?.[1].good)?.(tenant)) ?? {}
  }
  const asking = async (tenant: Tenant): Promise<ReadonlyArray<Request>> => {
    const requests = reads.map(async (operation) => {
      const parts = await partsOf(operation, tenant)
      return pagesOf(operation).map((page) => ({
        operation,
        tenant,
        parts: { ...parts, query: { ...parts.query, ...page } },
      }))
    })
    return (await Promise.all(requests)).flat()
  }

  it("does not change one organization's lists, counts and statistics with another's data (D7)", async () => {
    await fill(ours, 3)
    const requests = await asking(ours)
    const before = await readAll(requests)

    await server.sql(
      `with people as (
         insert into visitor (organization_id, id, email_hash, first_seen_at, last_seen_at, industry)
         select $1, gen_random_uuid(), md5(n::text) || md5(n::text), now(), now(), 'logistics'
         from generate_series(1, 2000) as n
         returning id, email_hash
       ), addresses as (
         insert into visitor_address (organization_id, email_hash, visitor_id, first_seen_at)
         select $1, email_hash, id, now() from people
       )
       insert into session (organization_id, id, pixel_id, anonymous_id, visitor_id, started_at,
         ended_at, pageviews, unique_pages, pricing_page_views, demo_page_views, page_urls, page_times,
         channel, device_type, converted)
       select $1, gen_random_uuid(), $2, gen_random_uuid(), id, now(), now(), 1, 1, 0, 0, '{}', '{}',
         'direct', 'desktop', false
       from people`,
      [theirs.organization.organizationId, theirs.organization.pixelId],
    )
    await fill(theirs, 20)
    const after = await readAll(requests)

    const refused = requests.filter((_, place) => before[place]?.status !== 200)
    expect(refused.map(({ operation }) => operation.name)).toEqual([])
    expect(after.map(comparable)).toEqual(before.map(comparable))
  })

  it(
    `in turns, ${alternations} times, each organization sees only its own data (D9)`,
    { timeout: 600_000 },
    async () => {
      const pairs = [await asking(ours), await asking(theirs)]
      const own = [await readAll(pairs[0]!), await readAll(pairs[1]!)]

      const mixed = new Set<string>()
      for (let turn = 0; turn < alternations; turn++) {
        const side = turn % 2
        const place = Math.floor(turn / 2) % own[0]!.length
        const [one, other] = await Promise.all([
          read(pairs[side]![place]!),
          read(pairs[1 - side]![place]!),
        ])
        if (comparable(one) !== comparable(own[side]![place]!))
          mixed.add(pairs[0]![place]!.operation.name)
        if (comparable(other) !== comparable(own[1 - side]![place]!)) {
          mixed.add(pairs[0]![place]!.operation.name)
        }
      }

      expect([...mixed]).toEqual([])
    },
  )

  /** One after the other, because a page repeats the total of the first page. */
  const readAll = async (requests: ReadonlyArray<Request>): Promise<ReadonlyArray<Answer>> => {
    const answers: Array<Answer> = []
    for (const request of requests) answers.push(await read(request))
    return answers
  }

  const read = ({ operation, parts, tenant }: Request): Promise<Answer> => {
    const path = operation.path.replaceAll(
      /\{(\w+)\}/g,
      (_, name: string) => parts.path?.[name] ?? "",
    )
    const query = new URLSearchParams(parts.query).toString()
    const isByKey = operation.credentials.includes("apiKey")
    return send(server)({
      method: operation.method,
      path: query === "" ? path : `${path}?${query}`,
      ...(isByKey ? { apiKey: tenant.organization.apiKey } : { token: tenant.owner.accessToken }),
    })
  }
})

/** Adds enough of everything for a second page. */
const fill = async (tenant: Tenant, count: number): Promise<void> => {
  for (let place = 0; place < 51; place++) await tenant.visitor()
  for (let place = 0; place < count; place++) {
    await tenant.pixel()
    await tenant.segment()
    await tenant.suppressionRule()
    await tenant.apiKey()
    await tenant.member()
  }
}

/** The first page, and one that is found with the help of the previous page. */
const pagesOf = ({ query }: Operation): ReadonlyArray<Readonly<Record<string, string>>> => {
  if (query.includes("page")) return [{}, { page: "2" }]
  return query.includes("offset") ? [{}, { limit: "1" }, { limit: "1", offset: "1" }] : [{}]
}

interface Request {
  readonly operation: Operation
  readonly parts: Parts
  readonly tenant: Tenant
}

/** A response without request id and times, and without the cursors that contain them. */
const comparable = ({ body, status }: Answer): string =>
  JSON.stringify({ status, body }, (key, value: unknown) =>
    key === "nextCursor" && typeof value === "string" ? "…" : value,
  )
    .replaceAll(requestId, "…")
    .replaceAll(timestamp, "…")
