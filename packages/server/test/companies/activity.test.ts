// GET /v1/data/overview/breakdown and GET /v1/data/companies/{domain}/activity on a running server (spec 13.3.10, 13.3.11).
import { NotFoundError } from "@footfall/sdk"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"

let server: TestServer
const dayMs = 86_400_000

const visit = (
  anonymousId: string,
  url: string,
  event: Record<string, unknown> = {},
  hoursAgo = 0,
) => {
  const time = new Date(Date.now() - hoursAgo * 3_600_000).toISOString()
  return server.collect({
    v: 1,
    sentAt: new Date().toISOString(),
    anonymousId,
    consent: "granted",
    events: [{ id: randomUUID(), type: "page", time, url, ...event }],
  })
}

interface Refusal {
  readonly error: {
    readonly details: { readonly issues: ReadonlyArray<{ path: string; message: string }> }
  }
}

const ask = async (path: string) => {
  const response = await server.get(path)
  return { status: response.status, body: (await response.json()) as Refusal }
}

beforeAll(async () => {
  server = await startServer()
  const [ann, guest, other] = [randomUUID(), randomUUID(), randomUUID()]
  await visit(
    ann,
    "https://tidewater.example/?utm_source=News&utm_medium=email&utm_campaign=Spring",
  )
  await visit(ann, "https://tidewater.example/pricing")
  await visit(ann, "https://tidewater.example/PRICING")
  await visit(ann, "https://tidewater.example/", {
    type: "identify",
    email: "ann@harbor.example",
    traits: { firstName: "Ann", lastName: "Lee" },
  })
  await visit(guest, "https://tidewater.example/pricing")
  await visit(other, "https://tidewater.example/docs")
  await server.drain()
  // One more visit yesterday, by the same person.
  await server.sql(
    `insert into session (organization_id, id, pixel_id, anonymous_id, visitor_id, started_at,
       ended_at, pageviews, unique_pages, pricing_page_views, demo_page_views, page_urls,
       page_times, page_views, channel, device_type, converted)
     select organization_id, gen_random_uuid(), $2, $3, id, $4, $4, 2, 1, 2, 0,
       '{https://tidewater.example/pricing}', array[$4::timestamptz], '{2}', 'direct', 'mobile', false
     from visitor where organization_id = $1`,
    [server.organizationId, server.pixelId, ann, new Date(Date.now() - 8 * dayMs)],
  )
})
afterAll(() => server.close())

describe("key pages", () => {
  it("have the names of the site's settings, then pricing and demo, also for earlier visits", async () => {
    const { pixelId, sdk } = server
    const names = async () => {
      const { rows } = await sdk.overview.breakdown({ by: "page", timeframe: "7d" })
      const { people } = await sdk.companies.activity("harbor.example", { timeframe: "24h" })
      const [{ emailHash }] = people as [(typeof people)[number]]
      const { data: sessions } = await sdk.visitors.sessions(emailHash)
      const { sessionId } = sessions[0]!
      const { data: events } = await sdk.visitors.sessions.events(emailHash, sessionId)
      return {
        rows: Object.fromEntries(rows.map(({ keyPage, value }) => [value, keyPage])),
        days: people[0]!.days.map(({ keyPages }) => keyPages),
        events: events.map(({ keyPage }) => keyPage),
      }
    }
    expect(await names()).toEqual({
      rows: { "/": null, "/pricing": "pricing", "/docs": null },
      days: [["pricing"]],
      events: [null, "pricing", "pricing"],
    })

    await sdk.pixels.update(pixelId, {
      settings: {
        keyPages: [
          { path: "/docs", name: "Docs" },
          { path: "/$", name: "Home" },
        ],
      },
    })
    expect(await names()).toEqual({
      rows: { "/": "Home", "/pricing": "pricing", "/docs": "Docs" },
      days: [["Home", "pricing"]],
      events: ["Home", "pricing", "pricing"],
    })

    const { settings } = await sdk.pixels.update(pixelId, { settings: { keyPages: null } })
    expect(settings.keyPages).toEqual([])
  })
})

describe("a breakdown", () => {
  it("counts the sessions of each page, with its own views, and those of the period before", async () => {
    const { rows, totals } = await server.sdk.overview.breakdown({
      by: "page",
      timeframe: "7d",
      compare: "previous",
    })

    expect(rows).toEqual([
      {
        value: "/pricing",
        keyPage: "pricing",
        ...{ sessions: 2, anonymousSessions: 1, pageviews: 3, people: 1, companies: 1 },
        comparison: { sessions: 1, anonymousSessions: 0, pageviews: 2, people: 1, companies: 1 },
      },
      expect.objectContaining({
        value: "/",
        sessions: 1,
        comparison: { sessions: 0, anonymousSessions: 0, pageviews: 0, people: 0, companies: 0 },
      }),
      expect.objectContaining({ value: "/docs", sessions: 1, people: 0, companies: 0 }),
    ])
    expect(totals).toMatchObject({ sessions: 3, comparison: { sessions: 1 } })
  })

  it("counts sources without case, and sessions without one as null", async () => {
    const { rows } = await server.sdk.overview.breakdown({ by: "source", timeframe: "7d" })

    expect(rows.map(({ comparison, sessions, value }) => [value, sessions, comparison])).toEqual([
      [null, 2, null],
      ["news", 1, null],
    ])
  })

  it("says that there are more values than the limit", async () => {
    const one = await server.sdk.overview.breakdown({ by: "page", limit: 1 })
    const all = await server.sdk.overview.breakdown({ by: "page", limit: 3 })

    expect([one.rows.length, one.hasMore]).toEqual([1, true])
    expect([all.rows.length, all.hasMore]).toEqual([3, false])
  })

  it("counts the last 24 hours, and the dates of a year before", async () => {
    const lately = await server.sdk.overview.breakdown({
      by: "device",
      timeframe: "24h",
      compare: "year",
    })

    expect(lately.rows).toMatchObject([
      { value: "desktop", sessions: 3, comparison: { sessions: 0 } },
    ])
  })

  it("is empty for a domain without a pixel", async () => {
    const { rows, totals } = await server.sdk.overview.breakdown({
      by: "page",
      domain: "elsewhere.example",
      compare: "year",
    })

    expect(rows).toEqual([])
    expect(totals).toMatchObject({ sessions: 0, comparison: { sessions: 0 } })
  })

  it.each([
    ["/v1/data/overview/breakdown", "/query/by", "required"],
    ["/v1/data/overview/breakdown?by=shoe", "/query/by", "shoe"],
    ["/v1/data/overview/breakdown?by=page&limit=101", "/query/limit", "101"],
    ["/v1/data/overview/breakdown?by=page&from=2019-01-01", "/query/from", "2019-01-01"],
    ["/v1/data/overview/breakdown?by=page&timeframe=all", "/query/timeframe", "all"],
    ["/v1/data/companies/harbor.example/activity?from=2019-01-01", "/query/from", "2019-01-01"],
  ])("refuses %s and names the parameter", async (path, name, received) => {
    const { body, status } = await ask(path)

    expect(status).toBe(400)
    expect(body.error.details.issues).toEqual([
      expect.objectContaining({ path: name, message: expect.stringContaining(received) }),
    ])
  })
})

describe("a company's activity", () => {
  it("shows each person's page views by day, by any name below the domain", async () => {
    const activity = await server.sdk.companies.activity("www.harbor.example")

    expect(activity).toMatchObject({
      timeZone: "UTC",
      people: [
        {
          name: "Ann Lee",
          days: [
            { sessions: 1, pageviews: 2, pricingPageViews: 2 },
            { sessions: 1, pageviews: 3, pricingPageViews: 2 },
          ],
        },
      ],
      others: { people: 0, days: [] },
      anonymous: [],
    })
    const [person] = activity.people
    expect(person!.days.map(({ date }) => date)).toEqual(
      [8, 0].map((days) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10)),
    )
  })

  it("covers only the period that it is asked for", async () => {
    const { people } = await server.sdk.companies.activity("harbor.example", { timeframe: "24h" })

    expect(people[0]!.days).toHaveLength(1)
  })

  it("sums up the people beyond 50", async () => {
    await server.sql(
      `with person as (
         insert into visitor (organization_id, id, email, email_hash, company_domain, company_key,
           first_seen_at, last_seen_at)
         select $1, gen_random_uuid(), 'p' || n || '@crowd.example',
           encode(sha256(('p' || n || '@crowd.example')::bytea), 'hex'), 'crowd.example', 'crowd.example',
           now(), now()
         from generate_series(1, 53) as n
         returning organization_id, id
       )
       insert into session (organization_id, id, pixel_id, anonymous_id, visitor_id, started_at,
         ended_at, pageviews, unique_pages, pricing_page_views, demo_page_views, page_urls,
         page_times, channel, device_type, converted)
       select organization_id, gen_random_uuid(), $2, gen_random_uuid(), id, now(), now(), 2, 1, 0,
         0, '{}', '{}', 'direct', 'desktop', false
       from person`,
      [server.organizationId, server.pixelId],
    )
    await server.sql(
      `insert into company (organization_id, domain, first_seen_at, last_seen_at, sessions, anonymous_sessions)
       values ($1, 'crowd.example', now(), now(), 53, 0) on conflict do nothing`,
      [server.organizationId],
    )
    const { others, people } = await server.sdk.companies.activity("crowd.example")

    expect(people).toHaveLength(50)
    expect(others).toMatchObject({ people: 3, days: [{ sessions: 3, pageviews: 6 }] })
  })

  it("is not found for a company that was never seen, or a name without one", async () => {
    for (const name of ["unknown.example", "com"]) {
      await expect(server.sdk.companies.activity(name)).rejects.toBeInstanceOf(NotFoundError)
    }
  })
})
