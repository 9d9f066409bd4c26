// Periods that end before now (spec 1.5.3): lists, single records, queries and sessions, by a running server, against a
// naive evaluator. Days are those of the organization's time zone.
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { sha256 } from "../suppression/visitors.ts"
import { startServer, type TestServer } from "../support/server.ts"

const timeZone = "Asia/Kolkata"
const hourMs = 3_600_000
const dayMs = 24 * hourMs

interface Visit {
  readonly email: string | null
  readonly company: string
  readonly startedAt: number
  readonly endedAt: number
}

let server: TestServer
const visits: Array<Visit> = []

/** The same numbers in every run. */
let seed = 36
const random = (below: number): number => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return seed % below
}

const dateIn = (at: number) => new Intl.DateTimeFormat("sv-SE", { timeZone }).format(at)
const dayBack = (days: number) => dateIn(Date.now() - days * dayMs)
/** India has no daylight saving. */
const startOf = (date: string) => Date.parse(`${date}T00:00:00+05:30`)

beforeAll(async () => {
  server = await startServer({ workers: false })
  const { organizationId, pixelId } = server
  await server.sql(`update organization set time_zone = $2 where id = $1`, [
    organizationId,
    timeZone,
  ])
  const now = Date.now()
  for (let person = 0; person < 40; person++) {
    const email = person % 5 === 0 ? null : `person${person}@company${person % 7}.example`
    const company = `company${person % 7}.example`
    for (let visit = random(5); visit >= 0; visit--) {
      const startedAt = now - dayMs - random(30 * 24) * hourMs
      visits.push({ email, company, startedAt, endedAt: startedAt + random(20) * hourMs })
    }
  }
  // Exactly at the edges of a day.
  const edge = startOf(dayBack(9))
  for (const [email, startedAt, endedAt] of [
    ["ends-at-start@edge.example", edge - hourMs, edge],
    ["ends-before@edge.example", edge - hourMs, edge - 1],
    ["starts-at-end@edge.example", edge + dayMs, edge + dayMs + hourMs],
    ["starts-before-end@edge.example", edge + dayMs - 1, edge + 2 * dayMs],
    ["spans@edge.example", edge - hourMs, edge + 3 * dayMs],
  ] as const) {
    visits.push({ email, company: "edge.example", startedAt, endedAt })
  }
  const ids = new Map<string, string>()
  for (const [email, own] of Map.groupBy(visits, (visit) => visit.email)) {
    if (email === null) continue
    const id = randomUUID()
    ids.set(email, id)
    const first = Math.min(...own.map(({ startedAt }) => startedAt))
    const last = Math.max(...own.map(({ endedAt }) => endedAt))
    await server.sql(
      `insert into visitor (organization_id, id, email, email_hash, email_domain, company_domain, company_key,
         first_seen_at, last_seen_at)
       values ($1, $2, $3, $4, $5, $5, $5, $6, $7)`,
      [
        organizationId,
        id,
        email,
        sha256(email),
        own[0]!.company,
        new Date(first).toISOString(),
        new Date(last).toISOString(),
      ],
    )
    await server.sql(
      `insert into visitor_address (organization_id, email_hash, visitor_id, email, first_seen_at)
       values ($1, $2, $3, $4, now())`,
      [organizationId, sha256(email), id, email],
    )
    await server.sql(
      `insert into visitor_pixel (organization_id, visitor_id, pixel_id, email_hash, first_seen_at, last_seen_at)
       values ($1, $2, $3, $4, $5, $6)`,
      [
        organizationId,
        id,
        pixelId,
        sha256(email),
        new Date(first).toISOString(),
        new Date(last).toISOString(),
      ],
    )
  }
  for (const { company, email, endedAt, startedAt } of visits) {
    await server.sql(
      `insert into session (organization_id, id, pixel_id, anonymous_id, visitor_id, network_domain, started_at,
         ended_at, pageviews, unique_pages, pricing_page_views, demo_page_views, page_urls, page_times,
         channel, device_type, converted)
       values ($1, $2, $3, $2, $4, $5, $6, $7, 1, 1, 0, 0, '{}', '{}', 'direct', 'desktop', false)`,
      [
        organizationId,
        randomUUID(),
        pixelId,
        email === null ? null : ids.get(email),
        company,
        new Date(startedAt).toISOString(),
        new Date(endedAt).toISOString(),
      ],
    )
  }
  for (const [domain, own] of Map.groupBy(visits, ({ company }) => company)) {
    await server.sql(
      `insert into company (organization_id, domain, sessions, anonymous_sessions, first_seen_at, last_seen_at)
       values ($1, $2, $3, $4, $5, $6)`,
      [
        organizationId,
        domain,
        own.length,
        own.filter(({ email }) => email === null).length,
        new Date(Math.min(...own.map(({ startedAt }) => startedAt))).toISOString(),
        new Date(Math.max(...own.map(({ endedAt }) => endedAt))).toISOString(),
      ],
    )
  }
})
afterAll(() => server.close())

interface Row {
  readonly email: string
  readonly domain: string
  readonly sessions: number
  readonly startTime: string
}
interface Answer {
  readonly data: ReadonlyArray<Row>
  readonly meta: { readonly total: number | null; readonly nextCursor: string | null }
  readonly error: {
    readonly code: string
    readonly details: {
      readonly issues: ReadonlyArray<{ readonly path: string }>
      readonly seconds: number
    }
  }
}

const ask = async (path: string, body?: unknown) => {
  const response = await fetch(server.url + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { "x-api-key": server.apiKey, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, ...((await response.json()) as Answer) }
}

/** Every row, by cursor, a few per page. */
const everyRow = async (path: string): Promise<ReadonlyArray<Row>> => {
  const rows: Array<Row> = []
  for (let cursor = ""; ;) {
    const { data, meta } = await ask(`${path}&limit=7${cursor}`)
    rows.push(...data)
    if (meta.nextCursor === null) return rows
    cursor = `&cursor=${encodeURIComponent(meta.nextCursor)}`
  }
}

const present = (from: string, to: string) =>
  visits.filter(
    ({ endedAt, startedAt }) => endedAt >= startOf(from) && startedAt < startOf(to) + dayMs,
  )

const counted = (all: ReadonlyArray<Visit>, keyOf: (visit: Visit) => string | null) => {
  const counts: Record<string, number> = {}
  for (const visit of all) {
    const key = keyOf(visit)
    if (key !== null) counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}

const sessionsBy = (key: "email" | "domain", rows: ReadonlyArray<Row>) =>
  Object.fromEntries(rows.map((row) => [row[key], row.sessions]))

const periods = [
  [9, 9],
  [30, 20],
  [15, 3],
  [31, 2],
  [12, 12],
  [4, 0],
  [31, 31],
] as const

describe("a period that ends before now", () => {
  it.each(periods)(
    "from %i to %i days ago lists whoever had a session in it, with the sessions in it",
    async (from, to) => {
      const days = { from: dayBack(from), to: dayBack(to) }
      const expected = present(days.from, days.to)
      const query = `from=${days.from}&to=${days.to}`

      const people = counted(expected, ({ email }) => email)
      expect(sessionsBy("email", await everyRow(`/v1/data?${query}`))).toEqual(people)
      const ofPixel = await ask(`/v1/data?${query}&pixelId=${server.pixelId}&limit=100`)
      expect(sessionsBy("email", ofPixel.data)).toEqual(people)
      expect(ofPixel.meta.total).toBe(Object.keys(people).length)
      const companies = await everyRow(`/v1/data/companies?${query}`)
      expect(sessionsBy("domain", companies)).toEqual(counted(expected, ({ company }) => company))
    },
  )

  it("holds for one record, its sessions, and what a rule counts", async () => {
    const days = { from: dayBack(15), to: dayBack(5) }
    const query = `from=${days.from}&to=${days.to}`
    const expected = present(days.from, days.to)
    const people = counted(expected, ({ email }) => email)
    const [email = "", sessions] = Object.entries(people).toSorted((a, b) => b[1] - a[1])[0]!

    const one = await ask(`/v1/data?${query}&email=${encodeURIComponent(email)}`)
    expect((one.data as unknown as Row).sessions).toBe(sessions)
    const listed = await everyRow(`/v1/data/visitors/${sha256(email)}/sessions?${query}`)
    expect(listed.map(({ startTime }) => startTime)).toEqual(
      expected
        .filter((visit) => visit.email === email)
        .map(({ startedAt }) => new Date(startedAt).toISOString())
        .toSorted()
        .toReversed(),
    )
    const rule = { field: "behavior.sessions", op: "gte", value: 2 }
    const found = await ask("/v1/data/query", {
      ...days,
      limit: 100,
      ruleAst: { version: 1, rule },
    })
    expect(found.status).toBe(200)
    expect(sessionsBy("email", found.data)).toEqual(
      Object.fromEntries(Object.entries(people).filter(([, count]) => count >= 2)),
    )
  })

  it("that begins after a person's last session has no such person", async () => {
    const { status } = await ask(
      `/v1/data?from=${dayBack(60)}&to=${dayBack(50)}&email=person1@company1.example`,
    )

    expect(status).toBe(404)
  })

  it.each([
    "/v1/data?",
    "/v1/data/companies?",
    `/v1/data/visitors/${sha256("a@b.example")}/sessions?`,
  ])("%s refuses a last day without a first one, and days in the wrong order", async (path) => {
    for (const days of [`to=${dayBack(2)}`, `from=${dayBack(2)}&to=${dayBack(3)}`]) {
      const { error, status } = await ask(path + days)

      expect(status).toBe(400)
      expect(error.details.issues[0]?.path).toBe("/query/from")
    }
  })

  it("binds its cursor: other days refuse it", async () => {
    const { meta } = await ask(`/v1/data?from=${dayBack(30)}&to=${dayBack(2)}&limit=2`)
    const next = `&limit=2&cursor=${encodeURIComponent(meta.nextCursor!)}`

    expect((await ask(`/v1/data?from=${dayBack(30)}&to=${dayBack(2)}${next}`)).status).toBe(200)
    expect((await ask(`/v1/data?from=${dayBack(30)}&to=${dayBack(3)}${next}`)).status).toBe(400)
  })
})

/** Every statement that reads the table waits this long. */
const holdUp = async (table: "company" | "visitor", seconds: number) => {
  const released = server.sql(
    `do $$ begin lock table ${table} in access exclusive mode; perform pg_sleep(${seconds}); end $$`,
  )
  const locks = () =>
    server.sql(
      `select from pg_locks where relation = '${table}'::regclass and mode = 'AccessExclusiveLock' and granted`,
    )
  await expect.poll(async () => (await locks()).length).toBe(1)
  return { released }
}

describe("a list of people that takes long", () => {
  it.each([
    ["of a period that has ended", () => `from=${dayBack(30)}&to=${dayBack(2)}`],
    ["with q", () => "q=person&timeframe=all"],
  ])(
    "%s has no total if counting takes more than two seconds; the page is still returned",
    async (_, query) => {
      const { released } = await holdUp("visitor", 2.5)

      const { data, meta, status } = await ask(`/v1/data?${query()}`)
      await released

      expect([status, meta.total]).toEqual([200, null])
      expect(data).toEqual((await ask(`/v1/data?${query()}`)).data)
    },
  )
})

describe("a list of companies that takes long", () => {
  it.each([
    ["of a period that has ended", () => `from=${dayBack(30)}&to=${dayBack(2)}`],
    ["with q", () => "q=company&timeframe=all"],
    ["with minSessions", () => "minSessions=2&timeframe=all"],
    ["of suppressed companies", () => "suppressed=only&timeframe=all"],
  ])(
    "%s has no total if counting takes more than two seconds; the page is still returned",
    async (_, query) => {
      const { released } = await holdUp("company", 2.5)

      const { data, meta, status } = await ask(`/v1/data/companies?${query()}`)
      await released

      expect([status, meta.total]).toEqual([200, null])
      expect(data).toEqual((await ask(`/v1/data/companies?${query()}`)).data)
    },
  )

  it("is QUERY_TOO_SLOW if the page takes more than ten seconds", async () => {
    // Waiting for a lock would end earlier.
    await server.sql("alter table company rename to company_kept")
    await server.sql(
      `create view company as
         select kept.* from company_kept as kept cross join (select pg_sleep(11) offset 0) as wait`,
    )

    const answers = await Promise.all(
      [`from=${dayBack(30)}&to=${dayBack(2)}`, "timeframe=all"].map((query) =>
        ask(`/v1/data/companies?${query}`),
      ),
    )
    await server.sql("drop view company; alter table company_kept rename to company")

    for (const { error, status } of answers) {
      expect([status, error.code, error.details.seconds]).toEqual([422, "QUERY_TOO_SLOW", 10])
    }
  })
})
