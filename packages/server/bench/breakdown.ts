// Breakdowns of 100,000 sessions in 7 days, and the activity of a company with 5,000 people (spec 13.3.10, 13.3.11), each
// compared with a statement written by hand in psql.
import { type BenchPostgres, query } from "./database.ts"
import { domain, fillVisitors, makeFixture, secret } from "./fixture.ts"
import { freePort, median, ready, serverBin, start, stop } from "./processes.ts"
import { psqlMs } from "./psql.ts"
import type { Row } from "./report.ts"

const rounds = 5
const visitorCount = 50_000
const company = "company0.example"

interface Question {
  readonly name: string
  readonly path: string
  readonly byHand: string
  /** A multiple of the statement. */
  readonly atMost: number
}

export const breakdown = async (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> => {
  const database = await postgres.database("bench_breakdown")
  const fixture = await makeFixture(database)
  await fillVisitors(database, fixture, visitorCount)
  await fillCompany(database, fixture.organizationId)
  const port = await freePort()
  const server = start([serverBin, "start", "--json", "--no-workers"], {
    DATABASE_URL: database,
    FOOTFALL_SECRET: secret,
    RATE_LIMITS: "off",
    LOG_LEVEL: "error",
    PORT: String(port),
  })
  const ask = async (path: string): Promise<number> => {
    const begin = performance.now()
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { "x-api-key": fixture.apiKey },
    })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(text)
    return performance.now() - begin
  }
  try {
    await ready(port, 0)
    const rows: Array<Row> = []
    for (const { atMost, byHand, name, path } of questionsOf(fixture.organizationId)) {
      await ask(path)
      const [ours, hand]: [Array<number>, Array<number>] = [[], []]
      for (let round = 0; round < rounds; round++) {
        ours.push(await ask(path))
        hand.push(...(await psqlMs(database, [{ text: byHand, values: [] }])))
      }
      rows.push({
        name,
        floor: `${median(hand).toFixed(0)} ms`,
        ours: `${median(ours).toFixed(0)} ms`,
        ratio: median(ours) / median(hand),
        bar: { atMost },
      })
    }
    return rows
  } finally {
    await stop(server)
    await postgres.drop("bench_breakdown")
  }
}

const questionsOf = (organizationId: string): ReadonlyArray<Question> => {
  const figures = `count(*), count(*) filter (where s.visitor_id is null),
    count(distinct v.id), count(distinct v.company_key)`
  const visits = `session s
    left join visitor v on v.organization_id = s.organization_id and v.id = s.visitor_id and not v.suppressed
    where s.organization_id = '${organizationId}' and s.started_at >= now() - interval '30 days'`
  return [
    {
      name: "breakdown: 100,000 sessions by channel",
      path: "/v1/data/overview/breakdown?by=channel&timeframe=30d",
      byHand: `select s.channel, sum(s.pageviews), ${figures} from ${visits} group by 1 order by 3 desc limit 10`,
      atMost: 3,
    },
    {
      name: "breakdown: 100,000 sessions by page",
      path: "/v1/data/overview/breakdown?by=page&timeframe=30d",
      byHand: `select substr(page.url, length('https://${domain}') + 1), ${figures}
        from ${visits.replace("where", "cross join lateral unnest(s.page_urls) as page (url) where")}
        group by 1 order by 2 desc limit 10`,
      atMost: 4,
    },
    {
      name: "activity: a company with 5,000 people",
      path: `/v1/data/companies/${company}/activity?timeframe=30d`,
      byHand: `select v.email_hash, s.started_at::date, count(*), sum(s.pageviews)
        from visitor v
        join session s on s.organization_id = v.organization_id and s.visitor_id = v.id
        where v.organization_id = '${organizationId}' and v.company_key = '${company}'
          and s.started_at >= now() - interval '30 days'
        group by 1, 2`,
      atMost: 6,
    },
  ]
}

/** A tenth of the people are of one company. */
const fillCompany = async (database: string, organizationId: string): Promise<void> => {
  const statements = [
    "update visitor set company_key = case when email_hash < '1999' then 'company0.example' end",
    `insert into company (organization_id, domain, sessions, anonymous_sessions, first_seen_at, last_seen_at)
     values ('${organizationId}', '${company}', 10000, 0, now() - interval '30 days', now())
     on conflict do nothing`,
    "vacuum analyze visitor",
  ]
  for (const statement of statements) await query(database, statement)
}
