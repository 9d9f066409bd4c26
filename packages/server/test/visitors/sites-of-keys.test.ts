// What a key for several sites reads (spec 7.1.9): people and companies once each, whatever sites they were seen on, and
// nothing of the other sites.
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { caller } from "../access/request.ts"
import { putTopics } from "../audiences/support.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { type Person, putPerson, putPixel, putPlace, putSessions } from "./sessions/person.ts"

let server: TestServer
let call: ReturnType<typeof caller>
let apiKey: string
let shop: string
let docs: string
let hidden: string
let onShop: Person
let onDocs: Person
let onBoth: Person
let elsewhere: Person

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

/** One visit of a person, whose company is that of their network. */
const visit = async (person: Person, pixelId: string, minutes: number, company: string) => {
  const at = ago(minutes)
  const organization = { ...server, pixelId }
  await putSessions(server, organization, { person, startedAt: at })
  await putPlace(server, organization, person, at)
  await server.sql(
    `with known as (
       insert into company (organization_id, domain, sessions, anonymous_sessions, first_seen_at,
         last_seen_at)
       values ($1, $2, 1, 0, $3, $3) on conflict do nothing)
     insert into company_pixel (organization_id, domain, pixel_id, sessions, anonymous_sessions,
       first_seen_at, last_seen_at)
     values ($1, $2, $4, 1, 0, $3, $3)`,
    [server.organizationId, company, at, pixelId],
  )
  await server.sql("update visitor set company_domain = $2, company_key = $2 where id = $1", [
    person.id,
    company,
  ])
}

const keyFor = async (...pixelIds: ReadonlyArray<string>) => {
  const { accessToken } = await server.makeUser("admin")
  const answer = await call(
    "POST /v1/api-keys",
    { name: "Sites", pixelIds, scopes: ["visitors:read"] },
    { token: accessToken },
  )
  const made: { readonly secret: string } = answer.body.data
  return made.secret
}

beforeAll(async () => {
  vi.stubEnv("ALLOW_PRIVATE_WEBHOOKS", "on")
  server = await startServer({ workers: false })
  call = caller(server)
  shop = server.pixelId
  docs = await putPixel(server, server, "docs.example")
  hidden = await putPixel(server, server, "hidden.example")
  const person = () => putPerson(server, server, `${randomUUID()}@acme.example`)
  ;[onShop, onDocs, onBoth, elsewhere] = [
    await person(),
    await person(),
    await person(),
    await person(),
  ]
  await visit(onShop, shop, 40, "shop-only.example")
  await visit(onDocs, docs, 30, "docs-only.example")
  await visit(onBoth, shop, 60, "both.example")
  await visit(onBoth, docs, 20, "both.example")
  await visit(onBoth, hidden, 10, "both.example")
  await visit(elsewhere, hidden, 5, "elsewhere.example")
  apiKey = await keyFor(shop, docs)
})
afterAll(() => server.close())

interface Row {
  readonly email: string
  readonly sessions: number
  readonly lastSeenAt: string
}

const read = async (request: string, body?: unknown, key = apiKey) => {
  const { body: answer, status } = await call(request, body, { apiKey: key })
  return { status, data: answer.data as unknown, meta: answer.meta as { readonly total?: number } }
}

it("each person is listed once, in the order of their last visit there, with their sessions there", async () => {
  const { data, meta } = await read("GET /v1/data")

  const rows = data as ReadonlyArray<Row>
  expect(rows.map(({ email }) => email)).toEqual([onBoth.email, onDocs.email, onShop.email])
  expect(rows.map(({ sessions }) => sessions)).toEqual([2, 1, 1])
  expect(Date.parse(rows[0]!.lastSeenAt)).toBeLessThan(Date.now() - 15 * 60_000)
  expect(meta.total).toBe(3)
})

it("pages, searches, scores, queries and periods agree with the list", async () => {
  const emails: Array<string> = []
  let cursor = ""
  do {
    const { data, meta } = await read(`GET /v1/data?limit=1${cursor}`)
    emails.push(...(data as ReadonlyArray<Row>).map(({ email }) => email))
    const { nextCursor } = meta as { readonly nextCursor: string | null }
    cursor = nextCursor === null ? "" : `&cursor=${encodeURIComponent(nextCursor)}`
  } while (cursor !== "")
  const rule = (field: string, op: string, value: unknown) => ({
    ruleAst: { version: 1, rule: { field, op, value } },
  })

  expect(emails).toEqual([onBoth.email, onDocs.email, onShop.email])
  const counts = [
    await read(`GET /v1/data?q=${encodeURIComponent("acme.example")}`),
    await read("GET /v1/data?sort=score"),
    await read("GET /v1/data?suppressed=exclude"),
    await read(
      `GET /v1/data?from=${new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10)}`,
    ),
    await read("POST /v1/data/query", rule("behavior.sessions", "gte", 1)),
    await read("POST /v1/data/query", rule("company.sessions", "gte", 1)),
    await read("POST /v1/data/query", rule("timing.last_seen_at", "exists", true)),
  ]
  expect(counts.map(({ meta, status }) => [status, meta.total])).toEqual(counts.map(() => [200, 3]))
  const twice = await read("POST /v1/data/query", rule("behavior.sessions", "gte", 2))
  expect((twice.data as ReadonlyArray<Row>).map(({ email }) => email)).toEqual([onBoth.email])
  // Three visits, one of them to a site that the key is not for.
  const thrice = await read("POST /v1/data/query", rule("behavior.sessions", "gte", 3))
  expect(thrice.meta.total).toBe(0)
  const tried = await read("POST /v1/data/segments/preview", rule("behavior.sessions", "gte", 1))
  expect(tried.data).toMatchObject({ count: 3 })
})

it("companies are listed once each, with their sessions there", async () => {
  const { data, meta } = await read("GET /v1/data/companies")
  const rows = data as ReadonlyArray<{ readonly domain: string; readonly sessions: number }>

  expect(rows.map(({ domain, sessions }) => [domain, sessions])).toEqual([
    ["both.example", 2],
    ["docs-only.example", 1],
    ["shop-only.example", 1],
  ])
  expect(meta.total).toBe(3)
  for (const request of ["GET /v1/data/companies?minSessions=2", "GET /v1/data/companies?q=both"]) {
    expect((await read(request)).meta.total).toBe(1)
  }
  const one = await read("GET /v1/data/companies/both.example")
  expect(one.data).toMatchObject({ sessions: 2, people: [{ email: onBoth.email }] })
  expect((await read("GET /v1/data/companies/elsewhere.example")).status).toBe(404)
  expect((await read("GET /v1/data/companies/both.example/activity")).data).toMatchObject({
    people: [{ emailHash: onBoth.visitorId, days: expect.any(Array) }],
  })
})

it("the overview counts the sessions and people of the sites, each person once", async () => {
  const { data } = await read("GET /v1/data/overview?timeframe=7d&compare=previous")
  const { days, totals } = data as {
    readonly days: ReadonlyArray<{ readonly sessions: number }>
    readonly totals: object
  }

  expect(totals).toMatchObject({ sessions: 4, people: 3, companies: 3 })
  expect(days).toHaveLength(7)
  expect(days.reduce((sum, { sessions }) => sum + sessions, 0)).toBe(4)
  const hours = await read("GET /v1/data/overview?timeframe=24h")
  expect(hours.data).toMatchObject({ totals: { sessions: 4, people: 3 } })
  const channels = await read("GET /v1/data/overview/breakdown?by=channel")
  expect(channels.data).toMatchObject({ totals: { sessions: 4, people: 3 } })
})

it("a look-up finds who was there, with the sessions there, and no one else", async () => {
  const found = await read(`GET /v1/data?email=${onBoth.email}`)
  const sessions = await read(`GET /v1/data/visitors/${onBoth.visitorId}/sessions`)
  const all = await read(
    `GET /v1/data/visitors/${onBoth.visitorId}/sessions`,
    undefined,
    server.apiKey,
  )

  expect((found.data as { journey: { sessions: unknown } }).journey.sessions).toHaveLength(2)
  expect(sessions.data).toHaveLength(2)
  expect(all.data).toHaveLength(3)
  const others = (
    all.data as ReadonlyArray<{ readonly sessionId: string; readonly pixelId?: string }>
  )
    .map(({ sessionId }) => sessionId)
    .filter((id) => !JSON.stringify(sessions.data).includes(id))
  const path = `GET /v1/data/visitors/${onBoth.visitorId}/sessions`
  expect(others).toHaveLength(1)
  expect((await read(`${path}/${others[0]}/events`)).status).toBe(404)
  expect((await read(`GET /v1/data?email=${elsewhere.email}`)).status).toBe(404)
  for (const of of ["sessions", "origins", "score", "topics", "notes"]) {
    expect([of, (await read(`GET /v1/data/visitors/${elsewhere.visitorId}/${of}`)).status]).toEqual(
      [of, 404],
    )
  }
})

it("another pixel is not found, by id, and unknown, by domain; a key of one site reads that site", async () => {
  expect((await read(`GET /v1/data?pixelId=${hidden}`)).status).toBe(404)
  expect((await read("GET /v1/data?domain=hidden.example")).meta.total).toBe(0)
  expect((await read(`GET /v1/data?pixelId=${docs}`)).meta.total).toBe(2)
  expect((await read("GET /v1/data?domain=docs.example")).meta.total).toBe(2)
  expect((await read(`GET /v1/data/overview?pixelId=${hidden}`)).status).toBe(404)
  const one = await keyFor(docs)
  expect((await read("GET /v1/data", undefined, one)).meta.total).toBe(2)
  expect((await read("GET /v1/data/companies", undefined, one)).meta.total).toBe(2)
})

it("a cursor of a key for other sites is refused", async () => {
  const { meta } = await read("GET /v1/data?limit=1", undefined, server.apiKey)
  const { nextCursor } = meta as { readonly nextCursor?: string }

  const answer = await call(
    `GET /v1/data?limit=1&cursor=${encodeURIComponent(nextCursor ?? "")}`,
    undefined,
    { apiKey },
  )

  expect([answer.status, answer.body.error.code]).toEqual([400, "INVALID_CURSOR"])
})

it("the topics of a company are those of its people who were there", async () => {
  const { organizationId } = server
  await server.sql("update organization set intent_enabled = true where id = $1", [organizationId])
  await putTopics(server, [71, 72])
  const there = await putPerson(server, server)
  const notThere = await putPerson(server, server)
  await visit(there, shop, 4, "topics.example")
  await visit(notThere, hidden, 4, "topics.example")
  await server.sql(
    `with basis as (
       insert into visitor_topic_basis (organization_id, date, sources) values ($1, current_date, '{1}'))
     insert into visitor_topic (organization_id, visitor_id, source_id, topic_id, score)
     values ($1, $2, 1, 71, 40), ($1, $3, 1, 71, 90), ($1, $3, 1, 72, 80)`,
    [organizationId, there.id, notThere.id],
  )
  const topicsOf = async (key: string) => {
    const { data } = await read("GET /v1/data/companies/topics.example/topics", undefined, key)
    return (data as { readonly topics: unknown }).topics
  }

  expect(await topicsOf(apiKey)).toEqual([
    expect.objectContaining({ topicId: 71, score: 40, people: 1 }),
  ])
  expect(await topicsOf(server.apiKey)).toEqual([
    expect.objectContaining({ topicId: 71, score: 90, people: 2 }),
    expect.objectContaining({ topicId: 72, score: 80, people: 1 }),
  ])
})

it("a key whose site was deleted sees nothing", async () => {
  const gone = await putPixel(server, server, "gone.example")
  const key = await keyFor(gone)
  await visit(await putPerson(server, server), gone, 3, "gone-only.example")
  expect((await read("GET /v1/data", undefined, key)).meta.total).toBe(1)

  await call(`DELETE /v1/data/pixels/${gone}`, undefined, { apiKey: server.apiKey })

  expect((await read("GET /v1/data", undefined, key)).meta.total).toBe(0)
  expect((await read("GET /v1/data/companies", undefined, key)).meta.total).toBe(0)
  expect((await read("GET /v1/data/pixels", undefined, key)).data).toEqual([])
})

it("a key whose site was deleted does not see the site's webhooks and what they were sent", async () => {
  const gone = await putPixel(server, server, "left.example")
  const key = await keyFor(gone)
  const webhook = {
    name: "CRM",
    url: "https://192.0.2.1/",
    status: "inactive",
    pixelId: gone,
  }
  const made = await call("POST /v1/data/webhooks", webhook, { apiKey: server.apiKey })
  const { id } = (made.body.data as { readonly webhook: { readonly id: string } }).webhook
  const deliveries = async () =>
    (await read(`GET /v1/data/webhooks/${id}/deliveries`, undefined, key)).status
  expect(await deliveries()).toBe(200)

  await call(`DELETE /v1/data/pixels/${gone}`, undefined, { apiKey: server.apiKey })

  // The key is remembered for less than 5 seconds.
  await expect.poll(deliveries, { timeout: 30_000 }).toBe(404)
  expect((await read("GET /v1/data/webhooks", undefined, key)).data).toEqual([])
})
