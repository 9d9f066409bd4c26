// The endpoints of scores, black-box, with the worker that computes them (spec 2.23, 5.18).
import { createHash } from "node:crypto"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { startServer, type TestOrganization, type TestServer } from "../support/server.ts"
import { request as ask } from "../suppression/request.ts"
import { settle, someone } from "../visitors/query/scene.ts"
import type { Person, Visit } from "../visitors/query/person.ts"

let server: TestServer
let tenant: TestOrganization

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  tenant = await server.makeOrganization()
})

const hour = 3_600_000
const day = 24 * hour

const request = (method: string, target: string, body?: unknown) =>
  ask(server, tenant, { method, path: `/v1/data${target}`, body })

const sessions = { field: "behavior.sessions", op: "gte", value: 1 }
const hasPhone = { field: "contact.has_phone", op: "eq", value: true }
const isLarge = { field: "company.employee_count", op: "gte", value: 200 }
const pricing = { field: "behavior.pricing_page_views", op: "gte", value: 1 }

const simple = {
  fit: [
    { name: "Large company", rule: isLarge, points: 60 },
    { name: "Has a phone", rule: hasPhone, points: -20 },
  ],
  interest: [{ name: "Viewed pricing", rule: pricing, points: 80, halfLifeDays: 2 }],
  threshold: 50,
}

/** Last seen this long ago. Their hash in lists is that of their id. */
const visitor = (
  ago: number,
  profile: Partial<Person["profile"]> = {},
  visit: Partial<Visit> = {},
  change: Partial<Person> = {},
): Person => {
  const one = someone([Math.floor((Date.now() - ago) / 1000) * 1000], change, visit)
  return { ...one, profile: { ...one.profile, ...profile } }
}
const hashOf = ({ id }: Person) => createHash("sha256").update(id).digest("hex")

const lastSeen = ({ visits }: Person) => new Date(visits[0]!.endedAt).toISOString()

const scoreOf = async (person: Person) => {
  const { data, status } = await request("GET", `/visitors/${hashOf(person)}/score`)
  return status === 200 ? data : status
}

const waiting = { timeout: 30_000, interval: 100 }

describe("the settings", () => {
  it("are the default until an organization makes its own, and again after {}", async () => {
    const before = await request("GET", "/score")
    expect(before.data).toMatchObject({ custom: false, threshold: 60, tooSlow: [] })

    const changed = await request("PUT", "/score", simple)

    expect(changed.data).toEqual({
      ...simple,
      weights: { fit: 0.5, interest: 0.5 },
      custom: true,
      tooSlow: [],
    })
    expect((await request("GET", "/score")).data).toEqual(changed.data)
    expect((await request("PUT", "/score", {})).data).toEqual(before.data)
    expect((await request("GET", "/score")).data).toEqual(before.data)
  })

  it("that are left out are those of the default", async () => {
    const { data: shipped } = await request("GET", "/score")

    const { data } = await request("PUT", "/score", { threshold: 75 })

    expect(data).toEqual({ ...shipped, threshold: 75, custom: true })
  })

  it.each([
    [
      { fit: [{ name: "x", rule: { field: "nope", op: "eq", value: 1 }, points: 1 }] },
      "/fit/0/rule/field",
    ],
    [
      {
        fit: [],
        interest: [
          { name: "x", rule: sessions, points: 1, halfLifeDays: 7 },
          { name: "y", rule: { all: [sessions, { any: [] }] }, points: 1, halfLifeDays: 7 },
        ],
      },
      "/interest/1/rule/all/1/any",
    ],
    [
      {
        fit: [
          {
            name: "x",
            rule: { any: [sessions, { field: "score.total", op: "gte", value: 50 }] },
            points: 1,
          },
        ],
      },
      "/fit/0/rule/any/1/field",
    ],
    [
      {
        fit: [
          {
            name: "x",
            rule: {
              field: "company.list",
              op: "in_list",
              value: "7c0d5b8e-2f4a-4c61-9e3b-5a8d1c7f2e90",
            },
            points: 1,
          },
        ],
      },
      "/fit/0/rule/value",
    ],
  ])("with a wrong rule are refused with a pointer to it", async (body, path) => {
    const refused = await request("PUT", "/score", body)

    expect(refused.status).toBe(400)
    expect(refused.error).toMatchObject({ code: "INVALID_RULE", details: { path } })
    expect((await request("GET", "/score")).data.custom).toBe(false)
  })

  it.each([
    ["a 26th entry", { fit: entries(13), interest: interests(13) }, "/body/interest"],
    ["two entries with one name", { fit: [...entries(1), ...entries(1)] }, "/body/fit/1/name"],
    ["101 points", { fit: [{ ...entries(1)[0], points: 101 }] }, "/body/fit/0/points"],
    ["no half-life", { interest: entries(1) }, "/body/interest/0/halfLifeDays"],
    ["a weight of 2", { weights: { fit: 2, interest: 0 } }, "/body/weights/fit"],
    ["a threshold of 0", { threshold: 0 }, "/body/threshold"],
  ])("with %s are refused", async (_, body, path) => {
    const refused = await request("PUT", "/score", body)

    expect(refused.status).toBe(400)
    expect(refused.error).toMatchObject({
      code: "VALIDATION_ERROR",
      details: { issues: [{ path }] },
    })
  })

  it("have at most 100 predicates in all", async () => {
    const many = (count: number) => ({ all: Array.from({ length: count }, () => sessions) })
    const fit = [50, 50].map((count, index) => ({
      name: String(index),
      rule: many(count),
      points: 1,
    }))

    expect((await request("PUT", "/score", { fit, interest: [] })).status).toBe(200)
    const refused = await request("PUT", "/score", {
      fit: [...fit, { name: "one more", rule: sessions, points: 1 }],
      interest: [],
    })

    expect(refused.error).toMatchObject({
      code: "INVALID_RULE",
      details: { path: "/fit/2/rule", reason: "too_many_predicates" },
    })
  })

  it("keep a list that they test from being deleted", async () => {
    const { data: list } = await request("POST", "/lists", { name: "A", subject: "companies" })
    const rule = { field: "company.list", op: "in_list", value: list.id }
    await request("PUT", "/score", { fit: [{ name: "Ours", rule, points: 10 }] })

    const refused = await request("DELETE", `/lists/${list.id}`)

    expect(refused.error).toMatchObject({ code: "LIST_IN_USE", details: { score: true } })
    await request("PUT", "/score", {})
    expect((await request("DELETE", `/lists/${list.id}`)).status).toBe(200)
  })
})

describe("the score of a person", () => {
  it("names every entry that counted, with its faded points", async () => {
    await request("PUT", "/score", simple)
    const one = visitor(
      2 * day,
      { company_employee_count: 500, phones: ["+1"] },
      { pricingPageViews: 1 },
    )
    await settle(server, tenant, [one])

    await expect
      .poll(() => scoreOf(one), waiting)
      .toMatchObject({
        total: 40,
        fit: 40,
        interest: 40,
        hot: false,
        entries: [
          {
            ...{ part: "fit", name: "Large company", points: 60 },
            reason: { code: "company_size", params: { min: 200 } },
          },
          {
            ...{ part: "fit", name: "Has a phone", points: -20 },
            reason: { code: "rule", params: { name: "Has a phone" } },
          },
          {
            ...{ part: "interest", name: "Viewed pricing", points: 40 },
            reason: { code: "visited_pricing", params: { count: 1, at: lastSeen(one) } },
          },
        ],
        previous: { dayAgo: null, monday: null },
      })
    const { data } = await request("GET", "?timeframe=all")
    expect(data[0].score.top).toEqual({
      part: "fit",
      code: "company_size",
      params: { min: 200 },
      points: 60,
    })
  })

  it("follows a visit, and new settings, without anyone asking", async () => {
    await request("PUT", "/score", simple)
    const one = visitor(30_000, { company_employee_count: 500 })
    await settle(server, tenant, [one])
    await expect.poll(() => scoreOf(one), waiting).toMatchObject({ fit: 60, interest: 0 })

    await server.sql("update session set pricing_page_views = 1 where visitor_id = $1", [one.id])

    await expect.poll(() => scoreOf(one), waiting).toMatchObject({ interest: 80, hot: true })

    await request("PUT", "/score", { ...simple, fit: [], weights: { fit: 1, interest: 1 } })

    await expect.poll(() => scoreOf(one), waiting).toMatchObject({ fit: 0, total: 80 })
  })

  it("is 404 for someone unknown, suppressed or held back, whatever was computed before", async () => {
    const quiet = await startServer({ workers: false })
    const suppressed = visitor(hour, {}, {}, { suppressed: true })
    const heldBack = visitor(hour, {}, {}, { heldBack: true })
    const shown = visitor(hour)
    await settle(quiet, quiet, [suppressed, heldBack, shown])
    const statusOf = (person: Person) =>
      quiet.get(`/v1/data/visitors/${hashOf(person)}/score`).then(({ status }) => status)
    expect(await statusOf(shown)).toBe(404)
    await quiet.sql(
      "update visitor_score set rank = 5, fit = 5, interest = 5, revision = 0, computed_at = now()",
    )

    const all = [suppressed, heldBack, visitor(0), shown]
    expect(await Promise.all(all.map(statusOf))).toEqual([404, 404, 404, 200])
    const { data } = (await (await quiet.get("/v1/data?sort=score")).json()) as {
      data: ReadonlyArray<{ emailHash: string; score: unknown }>
    }
    expect(new Map(data.map(({ emailHash, score }) => [emailHash, score]))).toEqual(
      new Map([
        [hashOf(shown), { total: 5, fit: 5, interest: 5, hot: false, top: null }],
        [hashOf(suppressed), null],
      ]),
    )
    await quiet.close()
  })

  it("remembers with which total the day and the week began", async () => {
    const one = visitor(hour)
    await settle(server, tenant, [one])
    await expect.poll(() => scoreOf(one), waiting).toMatchObject({ previous: { dayAgo: null } })
    await server.sql(
      `update visitor_score set rank = 77, computed_at = now() - interval '8 days' where visitor_id = $1`,
      [one.id],
    )
    expect(await scoreOf(one)).toMatchObject({ total: 77, previous: { dayAgo: 77, monday: 77 } })

    await server.sql("update visitor set job_title = 'x' where id = $1", [one.id])

    await expect.poll(() => scoreOf(one).then(({ total }) => total), waiting).not.toBe(77)
    expect(await scoreOf(one)).toMatchObject({ previous: { dayAgo: 77, monday: 77 } })
  })

  it("changes with a list that the settings test", async () => {
    const { data: list } = await request("POST", "/lists", { name: "A", subject: "people" })
    const rule = { field: "contact.list", op: "in_list", value: list.id }
    await request("PUT", "/score", { fit: [{ name: "Ours", rule, points: 10 }] })
    const one = visitor(hour)
    await settle(server, tenant, [one])
    await expect.poll(() => scoreOf(one), waiting).toMatchObject({ fit: 0 })

    await request("POST", `/lists/${list.id}/members`, { values: [hashOf(one)] })

    await expect.poll(() => scoreOf(one), waiting).toMatchObject({ fit: 10 })
  })

  it("is gone with the person", async () => {
    const one = visitor(hour)
    await settle(server, tenant, [one])
    await expect.poll(() => scoreOf(one), waiting).toMatchObject({ fit: 0 })

    await request("DELETE", `/visitors/${hashOf(one)}`)

    expect(await scoreOf(one)).toBe(404)
    for (const table of ["visitor_score", "score_stale"]) {
      expect(await server.sql(`select from ${table} where visitor_id = $1`, [one.id])).toEqual([])
    }
  })
})

describe("the list by score", () => {
  /** Five people with totals by design: two share one, and one has none. */
  const crowd = async () => {
    await request("PUT", "/score", {
      fit: [10, 20, 30].map((count) => ({
        name: String(count),
        rule: { field: "company.employee_count", op: "gte", value: count },
        points: 20,
      })),
      interest: [],
      weights: { fit: 1, interest: 0 },
    })
    const people = [
      visitor(4 * hour, { company_employee_count: 10 }),
      visitor(3 * hour, { company_employee_count: 30 }),
      visitor(2 * hour, { company_employee_count: 10 }),
      visitor(1 * hour, { company_employee_count: 50 }, {}, { suppressed: true }),
      visitor(40 * day, { company_employee_count: 20 }),
    ]
    await settle(server, tenant, people)
    await expect
      .poll(
        () =>
          server.sql("select from score_stale where organization_id = $1", [tenant.organizationId]),
        waiting,
      )
      .toEqual([])
    return people
  }
  const order = (people: ReadonlyArray<Person>, rows: ReadonlyArray<{ emailHash: string }>) =>
    rows.map(({ emailHash }) => people.findIndex((one) => hashOf(one) === emailHash))

  it("has the highest first, then those seen last, and those without a score at the end", async () => {
    const people = await crowd()

    const all = await request("GET", "?sort=score&timeframe=all")

    expect(order(people, all.data)).toEqual([1, 4, 2, 0, 3])
    expect(all.meta).toMatchObject({ total: 5, hasMore: false })
    const lately = await request("GET", "?sort=score")
    expect(order(people, lately.data)).toEqual([1, 2, 0, 3])
    const counted = await request("GET", "?sort=score&suppressed=exclude")
    expect(order(people, counted.data)).toEqual([1, 2, 0])
    const onPixel = await request("GET", `?sort=score&timeframe=all&pixelId=${tenant.pixelId}`)
    expect(order(people, onPixel.data)).toEqual([1, 4, 2, 0, 3])
  })

  it("is the same page by page, by cursor and by number", async () => {
    const people = await crowd()
    const byCursor: Array<{ emailHash: string }> = []
    let next: string | null = ""
    while (next !== null) {
      const cursor = next === "" ? "" : `&cursor=${encodeURIComponent(next)}`
      const page = await request("GET", `?sort=score&timeframe=all&limit=1${cursor}`)
      byCursor.push(...page.data)
      next = page.meta.nextCursor
    }
    expect(order(people, byCursor)).toEqual([1, 4, 2, 0, 3])
    const second = await request("GET", "?sort=score&timeframe=all&limit=2&page=2")
    expect(order(people, second.data)).toEqual([2, 0])
  })

  it("goes on after the cursor's place when scores change meanwhile", async () => {
    const people = await crowd()
    const first = await request("GET", "?sort=score&timeframe=all&limit=2")
    expect(order(people, first.data)).toEqual([1, 4])

    // The first falls behind, and the last gets ahead.
    await server.sql("update visitor_score set rank = 1 where visitor_id = $1", [people[1]!.id])
    await server.sql("update visitor_score set rank = 90 where visitor_id = $1", [people[0]!.id])

    const cursor = encodeURIComponent(first.meta.nextCursor)
    const rest = await request("GET", `?sort=score&timeframe=all&cursor=${cursor}`)
    expect(order(people, rest.data)).toEqual([2, 1, 3])
  })

  it("takes no cursor of the list by time, and the reverse", async () => {
    await crowd()
    const { meta } = await request("GET", "?timeframe=all&limit=1")

    const refused = await request(
      "GET",
      `?sort=score&timeframe=all&cursor=${encodeURIComponent(meta.nextCursor)}`,
    )

    expect(refused.error).toMatchObject({ code: "INVALID_CURSOR" })
  })

  it("narrows like any list: by a rule", async () => {
    const people = await crowd()

    const { data } = await request("POST", "/query", {
      sort: "score",
      ruleAst: {
        version: 1,
        window: "all",
        rule: { field: "company.employee_count", op: "lte", value: 20 },
      },
    })

    expect(order(people, data)).toEqual([4, 2, 0])
  })
})

describe("the score of a company", () => {
  it("is that of its people, and of those unknown there", async () => {
    await request("PUT", "/score", { ...simple, weights: { fit: 1, interest: 1 } })
    const people = [
      visitor(60_000, { company_employee_count: 500 }, { pricingPageViews: 1 }),
      visitor(60_000, { phones: ["+1"] }),
    ]
    await settle(server, tenant, people)
    await server.sql(`update visitor set company_key = 'acme.example' where organization_id = $1`, [
      tenant.organizationId,
    ])
    await server.sql(
      `insert into company (organization_id, domain, sessions, anonymous_sessions, first_seen_at, last_seen_at)
       values ($1, 'acme.example', 3, 1, now(), now())`,
      [tenant.organizationId],
    )
    const company = async () => {
      const { data, status } = await request("GET", "/companies/www.acme.example/score")
      return status === 200 ? data : status
    }

    // One person with 80 counts 40.
    await expect.poll(company, waiting).toMatchObject({
      fit: 40,
      interest: 40,
      total: 80,
      hot: true,
      entries: [
        { name: "Large company", points: 60 },
        { name: "Has a phone", points: -20 },
        {
          ...{ part: "interest", name: "Viewed pricing", points: 80 },
          reason: { code: "visited_pricing", params: { count: 1, at: lastSeen(people[0]!) } },
        },
      ],
    })

    await server.sql(
      `insert into session (organization_id, id, pixel_id, anonymous_id, started_at, ended_at,
         pageviews, unique_pages, pricing_page_views, demo_page_views, page_urls, page_times,
         channel, device_type, converted, network_domain)
       select $1, gen_random_uuid(), $2, gen_random_uuid(), now(), now(), 1, 1, 1, 0, '{}', '{}',
         'direct', 'desktop', false, 'acme.example'
       from generate_series(1, 2)`,
      [tenant.organizationId, tenant.pixelId],
    )

    await expect.poll(company, waiting).toMatchObject({ interest: 80 })
    const { data } = await request("GET", "/companies?sort=score")
    expect(data[0]).toMatchObject({ domain: "acme.example", score: { total: 100, interest: 80 } })

    await server.sql("update company set suppressed = true where organization_id = $1", [
      tenant.organizationId,
    ])

    expect(await company()).toBe(404)
    const shown = await request("GET", "/companies?sort=score&suppressed=include")
    expect(
      shown.data.find(({ domain }: { domain: string }) => domain === "acme.example").score,
    ).toBe(null)
  })
})

describe("companies with the same score", () => {
  it("are in the order of how far their interest adds up beyond 100, page by page", async () => {
    await request("PUT", "/score", { ...simple, fit: [] })
    const crowd = (ago: number, count: number) =>
      Array.from({ length: count }, () => visitor(ago, {}, { pricingPageViews: 1 }))
    // The busiest one was seen first.
    const ofCompany = new Map([
      ["busiest.example", crowd(3 * hour, 5)],
      ["busy.example", crowd(2 * hour, 4)],
      ["full.example", crowd(hour, 3)],
      ["quiet.example", crowd(hour, 1)],
    ])
    await settle(server, tenant, [...ofCompany.values()].flat())
    for (const [domain, people] of ofCompany) {
      await server.sql(
        `insert into company (organization_id, domain, sessions, anonymous_sessions, first_seen_at, last_seen_at)
         values ($1, $2, 1, 0, $3, $3)`,
        [tenant.organizationId, domain, lastSeen(people[0]!)],
      )
      await server.sql("update visitor set company_key = $1 where id = any ($2)", [
        domain,
        people.map(({ id }) => id),
      ])
    }
    const found = async (cursor: string | null, fields: string) => {
      const at = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`
      return request("GET", `/companies?sort=score&limit=1${fields}${at}`)
    }
    const pages = async (fields = "") => {
      const domains: Array<string> = []
      let cursor: string | null = null
      do {
        const { data, meta } = await found(cursor, fields)
        domains.push(...data.map((one: { domain: string }) => one.domain))
        cursor = meta.nextCursor
      } while (cursor !== null && domains.length < 4)
      return domains
    }

    await expect.poll(() => pages(), waiting).toEqual([...ofCompany.keys()])
    expect(await pages("&minSessions=1")).toEqual([...ofCompany.keys()])
  })
})

function entries(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    name: `entry ${index}`,
    rule: sessions,
    points: 1,
  }))
}

function interests(count: number) {
  return entries(count).map((entry) => ({ ...entry, halfLifeDays: 7 }))
}
