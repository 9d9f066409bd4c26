// The events of a session, of a visitor and of a company: what they show, to whom, and page by page (spec 5.1.10, 13.3.8).
import { BadRequestError, NotFoundError, type SessionEvent } from "@footfall/sdk"
import { Schema } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { SessionEventList } from "../../src/people/events/api.ts"
import { startServer, testSecret, type TestServer } from "../support/server.ts"
import { rotateDataKeys } from "../support/data-keys.ts"
import { type Person, putAddress, putPerson, putSessions } from "../visitors/sessions/person.ts"
import { beat, page, putVisit, track, type Visit } from "./visit.ts"

const day = 86_400_000
let server: TestServer

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** A visit of a new person, and its id on the wire. */
const visited = async (visit: Visit): Promise<{ person: Person; sessionId: string }> => {
  const person = await putPerson(server, server)
  await putVisit(server, server, { ...visit, visitor: person.id })
  return { person, sessionId: await latestOf(person) }
}

const latestOf = async ({ visitorId }: Person): Promise<string> => {
  const { data } = await server.sdk.visitors.sessions(visitorId, { timeframe: "all" })
  return data[0]!.sessionId
}

const eventsOf = async (visit: Visit): Promise<ReadonlyArray<SessionEvent>> => {
  const { person, sessionId } = await visited(visit)
  return (await server.sdk.visitors.sessions.events(person.visitorId, sessionId)).data
}

/** A company that is only known by its network. */
const companyOf = async (visit: Visit): Promise<{ domain: string; sessionId: string }> => {
  const domain = `${randomUUID()}.example`
  await putVisit(server, server, { ...visit, network: domain })
  await server.sql(
    `insert into company_pixel (organization_id, domain, pixel_id, sessions, anonymous_sessions,
       first_seen_at, last_seen_at) values ($1, $2, $3, 1, 1, now(), now())`,
    [server.organizationId, domain, server.pixelId],
  )
  await server.sql(
    `insert into company (organization_id, domain, sessions, anonymous_sessions, first_seen_at,
       last_seen_at) values ($1, $2, 1, 1, now(), now())`,
    [server.organizationId, domain],
  )
  const { journey } = await server.sdk.companies.get(domain)
  return { domain, sessionId: journey.sessions[0]!.sessionId }
}

const brief = (events: ReadonlyArray<SessionEvent>) =>
  events.map(({ name, path, secondsVisible }) => [name ?? path, secondsVisible])

describe("a session's events", () => {
  it("are its page views and custom events, oldest first, and nothing else", async () => {
    const events = await eventsOf({
      events: [
        track(50, "/pricing", "Plan selected", { plan: "team", seats: 12, yearly: true }),
        page(0, "/", { t: "Start", r: "https://www.search.example/a", u: { source: "ads" } }),
        { type: "identify", at: 1, payload: { e: "jane@acme.example" } },
        { type: "capture", at: 2, payload: { e: "jane@acme.example" } },
        beat(32, "/pricing"),
        page(2.5, "/pricing", { t: "Preise – Übersicht" }),
      ],
    })

    expect(events).toMatchObject([
      {
        type: "page",
        path: "/",
        title: "Start",
        name: null,
        props: null,
        secondsVisible: 2,
        referrerDomain: "search.example",
        utmSource: "ads",
        utmMedium: null,
      },
      {
        type: "page",
        path: "/pricing",
        title: "Preise – Übersicht",
        secondsVisible: 30,
        referrerDomain: null,
        utmSource: null,
      },
      {
        type: "custom",
        path: "/pricing",
        title: null,
        name: "Plan selected",
        props: { plan: "team", seats: 12, yearly: true },
        secondsVisible: null,
      },
    ])
  })

  it("have the documented format, field by field", async () => {
    const { person, sessionId } = await visited({ events: [page(0, "/"), track(1, "/", "x")] })
    const path = `/v1/data/visitors/${person.visitorId}/sessions/${sessionId}/events`
    const body: unknown = await (await server.get(`${path}?limit=1`)).json()

    const decoded = Schema.decodeUnknownSync(SessionEventList, { onExcessProperty: "error" })(body)
    expect([decoded.meta.limit, decoded.meta.hasMore]).toEqual([1, true])
    const whole: unknown = await (await server.get(path)).json()
    expect(Schema.decodeUnknownSync(SessionEventList)(whole).meta).toMatchObject({
      limit: 100,
      hasMore: false,
      nextCursor: null,
    })
  })

  it("name pages by their path, at most 512 characters, and no page for an event without one", async () => {
    const { person, sessionId } = await visited({
      events: [page(0, `/${"x".repeat(600)}`), track(1, "/", "Renewed", {})],
    })
    await server.sql("update event set url = null where type = 'track' and payload ->> 'n' = $1", [
      "Renewed",
    ])

    const { data } = await server.sdk.visitors.sessions.events(person.visitorId, sessionId)

    expect(data.map(({ path }) => path)).toEqual([`/${"x".repeat(511)}`, null])
    expect(data[1]!.props).toEqual({})
  })

  it("include those that were received long after they happened", async () => {
    const startedAt = Date.now() - 200 * day
    const visit = { startedAt, events: [page(0, "/"), page(40, "/pricing")] }

    expect(brief(await eventsOf({ ...visit, daysLate: 100 }))).toEqual([
      ["/", null],
      ["/pricing", null],
    ])
  })

  it("keep a property that is named like one of every object", async () => {
    const props = JSON.parse('{"__proto__": "a", "constructor": "b"}') as Record<string, string>

    const [event] = await eventsOf({ events: [track(0, "/", "Odd", props)] })

    expect(Object.entries(event!.props!)).toEqual(Object.entries(props))
  })

  it("come from the pixel: what track() was given, and how long pages were seen", async () => {
    const email = `${randomUUID()}@acme.example`
    const now = Date.now()
    const event = (type: string, secondsAgo: number, path: string, fields: object = {}) => ({
      id: randomUUID(),
      type,
      time: new Date(now - secondsAgo * 1_000).toISOString(),
      url: `https://tidewater.example${path}?secret=1#here`,
      ...fields,
    })
    await server.collect({
      v: 1,
      sentAt: new Date(now).toISOString(),
      anonymousId: randomUUID(),
      consent: "granted",
      events: [
        event("page", 100, "/", { title: "Start" }),
        event("identify", 99, "/", { email }),
        event("heartbeat", 70, "/", { activeSeconds: 30 }),
        event("heartbeat", 40, "/", { activeSeconds: 30 }),
        event("page", 20, "/pricing", { title: "Pricing" }),
        event("track", 10, "/pricing", { name: "Plan selected", props: { seats: 3 } }),
      ],
    })
    await server.drain()
    const { journey } = await server.sdk.visitors.get({ email })

    const { data } = await server.sdk.visitors.sessions.events(
      (await server.sdk.visitors.get({ email })).emailHash,
      journey.sessions[0]!.sessionId,
    )

    expect(
      data.map(({ name, path, props, secondsVisible, title }) => [
        path,
        title,
        name,
        props,
        secondsVisible,
      ]),
    ).toEqual([
      ["/", "Start", null, null, 60],
      ["/pricing", "Pricing", null, null, null],
      ["/pricing", null, "Plan selected", { seats: 3 }, null],
    ])
    expect(JSON.stringify(data)).not.toContain("secret")
  })
})

describe("reading page by page", () => {
  const visit: Visit = {
    events: [
      page(0, "/a"),
      page(10, "/b"),
      beat(40, "/b"),
      track(41, "/b", "one"),
      page(42, "/c"),
      beat(45, "/a", 5),
      page(300, "/a"),
    ],
  }

  it.each([1, 2, 3, 500])("of %i gives every event once, with the same seconds", async (limit) => {
    const { person, sessionId } = await visited(visit)
    const whole = await server.sdk.visitors.sessions.events(person.visitorId, sessionId)

    const read: Array<SessionEvent> = []
    for await (const event of server.sdk.visitors.sessions.events(person.visitorId, sessionId, {
      limit,
    }))
      read.push(event)

    expect(brief(whole.data)).toEqual([
      ["/a", 10],
      ["/b", 30],
      ["one", null],
      ["/c", null],
      ["/a", null],
    ])
    // The heartbeat of the first page came after others were opened.
    expect(read).toEqual(whole.data)
  })

  it("takes 1 to 500 events", async () => {
    const { person, sessionId } = await visited(visit)
    const ask = (limit: number) =>
      server.sdk.visitors.sessions.events(person.visitorId, sessionId, { limit })

    await expect(ask(0)).rejects.toBeInstanceOf(BadRequestError)
    await expect(ask(501)).rejects.toBeInstanceOf(BadRequestError)
    expect((await ask(500)).data).toHaveLength(5)
  })

  it("refuses the cursor of another session, another owner and another list", async () => {
    const first = await visited(visit)
    const second = await visited(visit)
    const { domain, sessionId } = await companyOf(visit)
    const { events } = server.sdk.visitors.sessions
    const cursorOf = async ({ person, sessionId }: typeof first) =>
      (await events(person.visitorId, sessionId, { limit: 1 })).meta.nextCursor!
    const cursor = await cursorOf(first)
    await putSessions(server, server, {
      person: first.person,
      startedAt: new Date().toISOString(),
      count: 2,
    })
    const { meta } = await server.sdk.visitors.sessions(first.person.visitorId, { limit: 1 })
    const refused = { code: "INVALID_CURSOR", details: { reason: "scope" } }

    await expect(
      events(second.person.visitorId, second.sessionId, { cursor }),
    ).rejects.toMatchObject(refused)
    await expect(
      server.sdk.companies.sessions.events(domain, sessionId, { cursor }),
    ).rejects.toMatchObject(refused)
    await expect(
      events(first.person.visitorId, first.sessionId, { cursor: meta.nextCursor! }),
    ).rejects.toMatchObject(refused)
    expect((await events(first.person.visitorId, first.sessionId, { cursor })).data).toHaveLength(4)
  })

  it("ends with a 404 once the person is suppressed or erased", async () => {
    const { person, sessionId } = await visited(visit)
    const { events } = server.sdk.visitors.sessions
    const { nextCursor } = (await events(person.visitorId, sessionId, { limit: 1 })).meta
    const next = () => events(person.visitorId, sessionId, { cursor: nextCursor! })

    await server.sql("update visitor set suppressed = true where id = $1", [person.id])
    await expect(next()).rejects.toBeInstanceOf(NotFoundError)
    await server.sql("update visitor set suppressed = false where id = $1", [person.id])
    expect((await next()).data).toHaveLength(4)
    await server.sdk.visitors.erase(person.visitorId)
    await expect(next()).rejects.toBeInstanceOf(NotFoundError)
  })
})

describe("whose session it is", () => {
  const events = [page(0, "/"), page(5, "/pricing")]
  const status = async (path: string): Promise<number> => (await server.get(path)).status
  const ofVisitor = ({ visitorId }: Person, sessionId: string) =>
    status(`/v1/data/visitors/${visitorId}/sessions/${sessionId}/events`)
  const ofCompany = (domain: string, sessionId: string) =>
    status(`/v1/data/companies/${domain}/sessions/${sessionId}/events`)

  /** A person of a company, and a session of theirs. */
  const colleague = async () => {
    const { person, sessionId } = await visited({ events })
    const domain = `${randomUUID()}.example`
    await server.sql("update visitor set company_key = $2 where id = $1", [person.id, domain])
    return { person, sessionId, domain }
  }

  it("any address of the person finds it, the first session of many too", async () => {
    const { person, sessionId } = await visited({ events, startedAt: Date.now() - 40 * day })
    const alias = await putAddress(server, server, person.id, `${randomUUID()}@mail.example`)
    await putSessions(server, server, {
      person,
      startedAt: new Date().toISOString(),
      count: 2_500,
    })

    expect(await ofVisitor({ ...person, visitorId: alias }, sessionId)).toBe(200)
  })

  it("the id that was given out before FOOTFALL_SECRET was replaced still finds it", async () => {
    const { person, sessionId } = await visited({ events })
    const newer = "the newer secret of the tests: none either"
    const rotating = await startServer({ beside: server, secret: `${newer},${testSecret}` })
    await rotateDataKeys(server.sql, { from: testSecret, to: newer })
    const { data } = await rotating.sdk.visitors.sessions(person.visitorId)
    await rotateDataKeys(server.sql, { from: newer, to: testSecret })

    expect(data[0]!.sessionId).not.toBe(sessionId)
    for (const id of [sessionId, data[0]!.sessionId]) {
      const found = await rotating.sdk.visitors.sessions.events(person.visitorId, id)
      expect(found.data).toHaveLength(2)
    }
    await rotating.close()
  })

  it("another person's, another organization's and an unknown one are the same 404", async () => {
    const jane = await visited({ events })
    const ann = await visited({ events })
    const stranger = await server.makeOrganization()
    const theirs = await putPerson(server, stranger)
    await putVisit(server, stranger, { events, visitor: theirs.id })
    const path = (visitorId: string, sessionId: string) =>
      `/v1/data/visitors/${visitorId}/sessions/${sessionId}/events`
    const bodies = new Set<string>()
    for (const one of [
      path(jane.person.visitorId, ann.sessionId),
      path(jane.person.visitorId, "0".repeat(32)),
      path(theirs.visitorId, ann.sessionId),
      path("f".repeat(64), ann.sessionId),
      `/v1/data/companies/unknown.example/sessions/${ann.sessionId}/events`,
      `/v1/data/companies/com/sessions/${ann.sessionId}/events`,
    ]) {
      const response = await server.get(one)
      expect(response.status, one).toBe(404)
      bodies.add(JSON.stringify(((await response.json()) as { error: unknown }).error))
    }
    expect(bodies.size).toBe(1)
  })

  it("someone suppressed is 404 on both routes, and shown again afterwards", async () => {
    const { domain, person, sessionId } = await colleague()
    const both = async () => [
      await ofVisitor(person, sessionId),
      await ofCompany(domain, sessionId),
    ]
    const put = (suppressed: boolean) =>
      server.sql("update visitor set suppressed = $2 where id = $1", [person.id, suppressed])

    expect(await both()).toEqual([200, 200])
    await put(true)
    expect(await both()).toEqual([404, 404])
    await put(false)
    expect(await both()).toEqual([200, 200])
  })

  it("someone held back is an anonymous visit of the company, and 404 as a person", async () => {
    const { domain, person, sessionId } = await colleague()
    await server.sql("update visitor set held_back = true where id = $1", [person.id])

    expect(await ofVisitor(person, sessionId)).toBe(404)
    const { data } = await server.sdk.companies.sessions.events(domain, sessionId)
    expect(brief(data)).toEqual([
      ["/", 5],
      ["/pricing", null],
    ])
    expect(JSON.stringify(data)).not.toMatch(new RegExp(`${person.email}|${person.visitorId}`))
  })

  it("someone erased is 404 on both routes, and no event of theirs is left with its properties", async () => {
    const { domain, person, sessionId } = await colleague()
    const secret = randomUUID()
    const { session } = await putVisit(server, server, {
      visitor: person.id,
      events: [page(0, "/", { t: secret }), track(1, "/", "Note", { text: secret })],
    })
    const kept = () =>
      server.sql("select from event where session_id = $1 or payload::text like $2", [
        session,
        `%${secret}%`,
      ])
    expect(await kept()).toHaveLength(2)

    await server.sdk.visitors.erase(person.visitorId)

    expect(await kept()).toHaveLength(0)
    expect(await ofVisitor(person, sessionId)).toBe(404)
    expect(await ofCompany(domain, sessionId)).toBe(404)
  })

  it("an anonymous visit is the company's, by any name below its domain, until someone is identified", async () => {
    const { domain, sessionId } = await companyOf({ events })
    const { person } = await visited({ events })

    expect(await ofCompany(domain, sessionId)).toBe(200)
    expect(await ofCompany(`WWW.${domain}`, sessionId)).toBe(200)
    expect(await ofVisitor(person, sessionId)).toBe(404)
    await server.sql("update session set visitor_id = $1 where network_domain = $2", [
      person.id,
      domain,
    ])
    expect(await ofCompany(domain, sessionId)).toBe(404)
    expect(await ofVisitor(person, sessionId)).toBe(200)
  })
})

it.each([
  ["visitors", "a".repeat(64), "A".repeat(32), "/path/sessionId"],
  ["visitors", "a".repeat(64), "a".repeat(31), "/path/sessionId"],
  ["visitors", "jane@acme.example", "a".repeat(32), "/path/visitorId"],
  ["companies", "acme.example", randomUUID(), "/path/sessionId"],
])("a malformed id is a 400 that names it: %s/%s/%s", async (noun, owner, session, path) => {
  const response = await server.get(`/v1/data/${noun}/${owner}/sessions/${session}/events`)

  expect([response.status, await response.json()]).toMatchObject([
    400,
    { error: { code: "VALIDATION_ERROR", details: { issues: [{ path }] } } },
  ])
})

it("both routes accept a viewer's access token, and share 60 requests a minute", async () => {
  const limited = await startServer({ beside: server, rateLimits: true })
  const { accessToken } = await server.makeUser("viewer")
  const { domain, sessionId } = await companyOf({ events: [page(0, "/")] })
  const { person, sessionId: own } = await visited({ events: [page(0, "/")] })
  const ask = (path: string) =>
    fetch(`${limited.url}/v1/data/${path}/events`, {
      headers: { authorization: `Bearer ${accessToken}` },
    })

  const first = await ask(`companies/${domain}/sessions/${sessionId}`)
  const second = await ask(`visitors/${person.visitorId}/sessions/${own}`)

  expect([first.status, second.status]).toEqual([200, 200])
  expect(second.headers.get("ratelimit-limit")).toBe("60")
  expect(second.headers.get("ratelimit-remaining")).toBe("58")
  await limited.close()
})
