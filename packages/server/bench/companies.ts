// Companies: how much it costs ingest to look up every visit in an MMDB file of two million networks, how long
// reloading the file blocks the event loop, and how long pages of a list of 500,000 companies take. Overview: 30 days
// of two million visitors.
import { randomUUID } from "node:crypto"
import { rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { mmdbFile, type WrittenNetwork } from "../test/companies/mmdb-file.ts"
import { readCompanies } from "../src/people/identification/resolving/company-files.ts"
import { type BenchPostgres, query } from "./database.ts"
import { domain, type Fixture, makeFixture, secret } from "./fixture.ts"
import { load } from "./load.ts"
import { freePort, median, ready, serverBin, start, stop } from "./processes.ts"
import type { Row } from "./report.ts"

const networks = 2_000_000
const companyCount = 500_000
const visitorCount = 2_000_000
const rounds = 5

const environment = (database: string, port: number) => ({
  DATABASE_URL: database,
  FOOTFALL_SECRET: secret,
  RATE_LIMITS: "off",
  LOG_LEVEL: "error",
  TRUSTED_PROXIES: "127.0.0.0/8",
  PORT: String(port),
})

/** /29 networks in 20.0.0.0/8, each belonging to one of 100,000 companies. */
function* written(): Generator<WrittenNetwork> {
  for (let index = 0; index < networks; index++) {
    const address = new Uint8Array(16)
    const number = (20 << 24) + index * 8
    for (const place of [0, 1, 2, 3]) address[12 + place] = (number >>> (24 - place * 8)) & 0xff
    const n = index % 100_000
    const record = { domain: `company${n}.example`, name: `Company ${n}`, type: "business" }
    yield { address, prefix: 96 + 29, record }
  }
}

const batch = JSON.stringify({
  v: 1,
  sentAt: "2026-11-21T09:00:00.000Z",
  anonymousId: "{{browser}}",
  consent: "granted",
  events: [
    {
      id: "{{id}}",
      type: "page",
      time: "2026-11-21T09:00:00.000Z",
      url: `https://www.${domain}/pricing`,
      referrer: null,
      title: "Pricing",
    },
  ],
})

export const companiesIngest = async (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> => {
  const database = await postgres.database("bench_companies_ingest")
  const fixture = await makeFixture(database)
  const file = join(tmpdir(), `footfall-bench-${process.pid}.mmdb`)
  writeFileSync(file, mmdbFile(written()))
  const port = await freePort()
  const measure = async (
    more: Readonly<Record<string, string>>,
    args: ReadonlyArray<string>,
    requestsPerAddress: number,
  ) => {
    await query(
      database,
      "truncate event_inbox, event, session, browser, company, company_pixel cascade",
    )
    await query(database, "checkpoint")
    const child = start([serverBin, "start", "--json", ...args], {
      ...environment(database, port),
      ...more,
    })
    try {
      await ready(port, 0)
      const result = await load({
        port,
        connections: 64,
        seconds: 5,
        warmUpSeconds: 2,
        method: "POST",
        path: `/p/${fixture.pixelId}/e`,
        headers: {
          "content-type": "text/plain",
          "user-agent": "Mozilla/5.0 (X11; Linux) Chrome/140",
          "x-forwarded-for": "{{address}}",
        },
        requestsPerAddress,
        body: batch,
      })
      if (result.statuses["204"] !== result.answers) throw new Error(JSON.stringify(result))
      return result.perSecond
    } finally {
      await stop(child)
    }
  }
  try {
    const rows: Array<Row> = [await reloadRow(file)]
    for (const [name, args, requestsPerAddress] of [
      ["workers apart", ["--no-workers"], 5],
      ["workers apart, each request from another address", ["--no-workers"], 1],
      ["workers in the same process", [], 5],
    ] as const) {
      const [without, having]: [Array<number>, Array<number>] = [[], []]
      for (let round = 0; round < rounds; round++) {
        without.push(await measure({}, args, requestsPerAddress))
        having.push(await measure({ IP_COMPANY_FILE: file }, args, requestsPerAddress))
      }
      rows.push({
        name: `companies: ingest with 2,000,000 networks, ${name}`,
        floor: `${Math.round(median(without))}/s`,
        ours: `${Math.round(median(having))}/s`,
        ratio: median(having) / median(without),
        bar: { atLeast: 0.95 },
      })
    }
    return rows
  } finally {
    rmSync(file)
  }
}

/** The same way a running server reads a changed file. spec 13.2.5. */
const reloadRow = async (file: string): Promise<Row> => {
  const times: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    const before = performance.eventLoopUtilization()
    await readCompanies(file)
    times.push(performance.eventLoopUtilization(before).active)
  }
  return timeRow("companies: event loop held by a reload, 2,000,000 networks", median(times), 2_000)
}

/** Median response time, after one uncounted request. */
const answerMs = async (port: number, fixture: Fixture, path: string): Promise<number> => {
  const times: Array<number> = []
  for (let round = 0; round <= 9; round++) {
    const begun = performance.now()
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { "x-api-key": fixture.apiKey },
    })
    if (response.status !== 200) throw new Error(await response.text())
    await response.arrayBuffer()
    if (round > 0) times.push(performance.now() - begun)
  }
  return median(times)
}

const timeRow = (name: string, ms: number, atMost: number): Row => ({
  name,
  floor: "-",
  ours: `${ms.toFixed(0)} ms`,
  ratio: ms,
  bar: { atMost },
})

const dayBack = (days: number): string =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** Skips the triggers. The rows already have the values that the triggers would write. */
const fill = (database: string, statements: ReadonlyArray<string>) =>
  query(database, ["set session_replication_role = replica", ...statements].join(";\n"))

export const companies = async (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> => {
  const database = await postgres.database("bench_companies_list")
  const fixture = await makeFixture(database)
  const { organizationId, pixelId } = fixture
  const series = `generate_series(1, ${companyCount}) as n`
  const at = "now() - (n * 4 || ' seconds')::interval"
  await fill(database, [
    `insert into session (organization_id, id, pixel_id, anonymous_id, started_at, ended_at,
       pageviews, unique_pages, pricing_page_views, demo_page_views, page_urls, page_times,
       channel, device_type, converted, network_domain)
     select '${organizationId}', gen_random_uuid(), '${pixelId}', gen_random_uuid(),
       ${at} - interval '1 minute', ${at}, 3, 3, 1, 0, '{}', '{}', 'direct', 'desktop', false,
       'company' || n || '.example'
     from ${series}`,
    `insert into company_pixel (organization_id, domain, pixel_id, sessions, anonymous_sessions,
       first_seen_at, last_seen_at)
     select '${organizationId}', 'company' || n || '.example', '${pixelId}', 1, 1,
       ${at} - interval '1 minute', ${at}
     from ${series}`,
    `insert into company (organization_id, domain, name, sessions, anonymous_sessions,
       first_seen_at, last_seen_at, suppressed)
     select organization_id, domain, 'Company ' || domain, 1, 1, first_seen_at, last_seen_at,
       hashtext(domain) % 200 = 0
     from company_pixel`,
    // A suppressed person in one of a hundred companies.
    `insert into visitor (organization_id, id, email_hash, first_seen_at, last_seen_at, company_key, suppressed)
     select '${organizationId}', gen_random_uuid(), lpad(to_hex(n), 64, '0'), ${at}, ${at},
       'company' || n || '.example', true
     from generate_series(1, ${companyCount}, 100) as n`,
  ])
  for (const table of ["session", "company_pixel", "company", "visitor"]) {
    await query(database, `vacuum analyze ${table}`)
  }
  const port = await freePort()
  const child = start([serverBin, "start", "--json", "--no-workers"], environment(database, port))
  try {
    await ready(port, 0)
    const base = "/v1/data/companies?timeframe=all"
    const of = (name: string, path: string, atMost: number) =>
      answerMs(port, fixture, path).then((ms) =>
        timeRow(`companies: ${name}, 500,000 companies`, ms, atMost),
      )
    return [
      await of("first page", base, 300),
      await of("page 5,000", `${base}&page=5000`, 300),
      await of("page of a pixel", `${base}&pixelId=${pixelId}`, 300),
      await of("name that is in few", `${base}&q=company49999`, 1_000),
      await of("at least 2 sessions", `${base}&minSessions=2`, 1_000),
      await of(
        "10 days that have ended",
        `/v1/data/companies?from=${dayBack(15)}&to=${dayBack(6)}`,
        1_000,
      ),
    ]
  } finally {
    await stop(child)
  }
}

export const overview = async (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> => {
  const database = await postgres.database("bench_overview")
  const fixture = await makeFixture(database)
  const { organizationId, pixelId } = fixture
  const salt = randomUUID().slice(0, 8)
  const id = `('${salt}-0000-4001-8000-' || lpad(to_hex(n), 12, '0'))::uuid`
  const series = `generate_series(1, ${visitorCount}) as n`
  const at = "now() - (n % 60 * 86400 + n % 80000 || ' seconds')::interval"
  await fill(database, [
    `insert into visitor (organization_id, id, email_hash, first_seen_at, last_seen_at, company_key)
     select '${organizationId}', ${id}, lpad(to_hex(n), 64, '0'), ${at}, ${at},
       'company' || n % 20000 || '.example'
     from ${series}`,
    `insert into session (organization_id, id, pixel_id, anonymous_id, visitor_id, started_at,
       ended_at, pageviews, unique_pages, pricing_page_views, demo_page_views, page_urls,
       page_times, channel, device_type, converted)
     select '${organizationId}', gen_random_uuid(), '${pixelId}', gen_random_uuid(), ${id},
       ${at} - interval '1 minute', ${at}, 3, 3, 1, 0, '{}', '{}', 'direct', 'desktop', false
     from ${series}`,
    `insert into overview_stale (organization_id, day)
     select distinct organization_id, (started_at at time zone 'utc')::date from session`,
  ])
  for (const table of ["visitor", "session"]) await query(database, `vacuum analyze ${table}`)
  const port = await freePort()
  const begun = performance.now()
  const child = start([serverBin, "start", "--json"], environment(database, port))
  try {
    await ready(port, 0)
    while ((await query(database, "select 1 from overview_stale limit 1")).length > 0) {
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
    const workedOutMs = performance.now() - begun
    const ms = await answerMs(port, fixture, "/v1/data/overview?timeframe=30d")
    return [
      timeRow("overview: 30 days, 2,000,000 visitors", ms, 300),
      {
        name: "overview: a day worked out, 2,000,000 visitors",
        floor: "-",
        ours: `${(workedOutMs / 61).toFixed(0)} ms`,
        ratio: workedOutMs / 61,
      },
    ]
  } finally {
    await stop(child)
  }
}
