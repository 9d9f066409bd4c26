// A large organization: two million visitors with five sessions each, ten million in all, created with set-based SQL.
// Companies, roles, paths and campaigns are distributed realistically, and many people share the time they were last
// seen. Neither visitors nor sessions are on disk in the order of any list.
import { randomUUID } from "node:crypto"
import { query } from "./database.ts"
import { domain, type Fixture, makeFixture } from "./fixture.ts"

export const visitors = 2_000_000
const sessionsEach = 5
/** People were last seen within this time, most of them recently. About two share each second. */
const days = 90

const companies = 20_000
/** Paths through the site, three pages each. */
const trails = 4_000

interface LargeFixture extends Fixture {
  /** The second pixel, which has a tenth of the sessions. */
  readonly otherPixelId: string
}

const largeTables = ["visitor", "visitor_address", "visitor_name", "visitor_pixel", "session"]

/** Takes a few minutes and about 10 GB. */
export const makeLargeFixture = async (database: string): Promise<void> => {
  const fixture = await makeFixture(database)
  const otherPixelId = randomUUID()
  await query(
    database,
    "insert into pixel (organization_id, id, domain, name) values ($1, $2, 'other.example', 'Other')",
    [fixture.organizationId, otherPixelId],
  )
  const large = { ...fixture, otherPixelId }
  await makeStocks(database)
  const indexes = await dropIndexes(database, largeTables)
  await setNotes(database, "disable")
  await fillVisitors(database, large)
  await Promise.all([0, 1].map((half) => fillSessions(database, large, half)))
  await setNotes(database, "enable")
  await createIndexes(database, indexes)
  for (const table of largeTables) {
    await query(database, `vacuum analyze ${table}`)
  }
  await query(database, "checkpoint")
}

/** What rows note for workers is not measured here, and takes longer than the rows. */
const setNotes = (database: string, what: "disable" | "enable"): Promise<unknown> =>
  query(
    database,
    `alter table session ${what} trigger user;
     alter table visitor ${what} trigger visitor_score_insert;
     alter table visitor_address ${what} trigger user`,
  )

/** A pseudorandom number below `bound`: the same for the same `n` and `salt`. */
const lot = (n: string, salt: number, bound: number): string =>
  `(abs(hashint8extended(${n}::bigint, ${salt})) % ${bound})::int`

const words = (list: ReadonlyArray<string>): string =>
  `array[${list.map((word) => `'${word}'`).join(", ")}]`

const pick = (list: ReadonlyArray<string>, n: string, salt: number): string =>
  `(${words(list)})[1 + ${lot(n, salt, list.length)}]`

const industries = [
  "maritime transportation",
  "software development",
  "financial services",
  "hospitals and health care",
  "retail",
  "manufacturing",
  "logistics",
  "higher education",
  "construction",
  "media production",
  "insurance",
  "telecommunications",
]
const seniorities = ["entry", "entry", "senior", "senior", "senior", "manager", "manager"].concat([
  "director",
  "head",
  "vp",
  "c_suite",
  "owner",
])
const departments = ["sales", "marketing", "engineering", "operations", "finance", "legal"]
const titles = [
  "Account Executive",
  "Software Engineer",
  "Senior Analyst",
  "Operations Manager",
  "Director of Logistics",
  "VP Operations",
  "Head of Demand Generation",
  "Chief Financial Officer",
  "Warehouse Supervisor",
  "Product Designer",
  "Leiter Einkauf",
  "Responsable des opérations",
]
const cities = ["San Francisco", "Hamburg", "Lyon", "Kraków", "Austin", "Toronto"]
const channels = ["direct", "direct", "organic_search", "paid_search", "email", "referral"]
const sources = ["newsletter", "Google", "linkedin", "partner-site"]

/** Companies, and session trails of three pages. */
const makeStocks = async (database: string): Promise<void> => {
  await query(
    database,
    `create unlogged table bench_company as
     select n, 'Company ' || n || (${words([" GmbH", " Inc.", " & Söhne", " Ltd"])})[1 + n % 4] as name,
       'company' || n || '.example' as domain, ${pick(industries, "n", 1)} as industry,
       10 + ${lot("n", 2, 20_000)} as employees,
       (${words(["1 million to 5 million", "50 million to 100 million", "1 billion and over"])})[1 + n % 3]
         as revenue, lpad((n % 99999)::text, 5, '0') as zip
     from generate_series(0, ${companies - 1}) as n`,
  )
  await query(database, "alter table bench_company add primary key (n)")
  const path = (salt: number) =>
    `case when ${lot("n", salt, 25)} = 0 then '/pricing'
      when ${lot("n", salt + 10, 60)} = 0 then '/demo'
      else '/' || ${pick(["product", "blog", "docs", "customers", "solutions"], "n", salt + 20)}
        || '/' || ${pick(["dock-planning", "warehouse-management", "freight", "api"], "n", salt + 30)}
        || '-' || ${lot("n", salt + 40, 400)} end`
  await query(
    database,
    `create unlogged table bench_trail as
     select n, array['https://www.${domain}' || a, 'https://www.${domain}' || b,
         'https://www.${domain}' || c] as urls,
       E'\\n' || a || E'\\n' || b || E'\\n' || c || E'\\n' as paths,
       (a = '/pricing')::int + (b = '/pricing')::int + (c = '/pricing')::int as pricing,
       (a = '/demo')::int + (b = '/demo')::int + (c = '/demo')::int as demo
     from (select n, ${path(3)} as a, ${path(4)} as b, ${path(5)} as c
       from generate_series(0, ${trails - 1}) as n) as trail`,
  )
  await query(database, "alter table bench_trail add primary key (n)")
  await query(database, "analyze bench_company, bench_trail")
}

/** Drops primary keys and indexes of the tables, and what refers to them. Returns the statements that recreate them. */
export const dropIndexes = async (
  database: string,
  tables: ReadonlyArray<string>,
): Promise<ReadonlyArray<string>> => {
  const rows = await query(
    database,
    `select i.indexdef as definition, i.indexname as name, i.tablename as place,
       c.conname is not null as is_key
     from pg_indexes as i
     left join pg_constraint as c on c.conname = i.indexname and c.contype = 'p'
     where i.tablename = any ($1)
       -- A name is written by its key.
       and i.indexname <> 'visitor_name_pkey'`,
    [tables],
  )
  const references = await query(
    database,
    `select conrelid::regclass as place, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and confrelid = any ($1::text[]::regclass[])`,
    [tables],
  )
  for (const { name, place } of references) {
    await query(database, `alter table ${place} drop constraint ${name}`)
  }
  for (const { is_key, name, place } of rows) {
    await query(
      database,
      is_key === true ? `alter table ${place} drop constraint ${name}` : `drop index ${name}`,
    )
  }
  return [
    ...rows.flatMap(({ definition, is_key, name, place }) => [
      String(definition),
      ...(is_key === true
        ? [`alter table ${place} add constraint ${name} primary key using index ${name}`]
        : []),
    ]),
    ...references.map(
      ({ definition, name, place }) => `alter table ${place} add constraint ${name} ${definition}`,
    ),
  ]
}

export const createIndexes = async (
  database: string,
  definitions: ReadonlyArray<string>,
): Promise<void> => {
  for (const definition of definitions) {
    await query(database, `set maintenance_work_mem = '512MB'; ${definition}`)
  }
}

/** Half of the people were seen within the last tenth of the days. */
const lastSeen = `date_trunc('second', now()) - make_interval(secs => floor(
  ${lot("person.n", 50, days * 86_400)} * case when ${lot("person.n", 51, 2)} = 0 then 0.1 else 1.0 end))`

const fillVisitors = async (
  database: string,
  { organizationId, otherPixelId, pixelId }: LargeFixture,
): Promise<void> => {
  await query(
    database,
    `create unlogged table bench_person as
     select person.n, md5('v' || person.n)::uuid as id, address.email,
       encode(sha256(address.email::bytea), 'hex') as hash, ${lastSeen} as last_seen_at,
       company.n as company
     from generate_series(1, ${visitors}) as person (n)
     join bench_company as company on company.n = ${lot("person.n", 52, companies)}
     cross join lateral (select 'person' || person.n || '@' || company.domain) as address (email)`,
  )
  await query(
    database,
    `insert into visitor (organization_id, id, email, email_hash, email_sha1, email_md5,
       first_seen_at, last_seen_at, first_name, last_name, phones, phones_dnc, job_title,
       seniority, department, company_name, company_domain, company_key, company_employee_count,
       company_total_revenue, company_zip_code, industry, city, country)
     select '${organizationId}', p.id, p.email, p.hash, md5(p.n::text) || '00000000', md5(p.email),
       p.last_seen_at - interval '30 days', p.last_seen_at, 'Jane', 'Mercer ' || p.n,
       case when p.n % 3 = 0 then array['+14155550134'] else '{}' end,
       case when p.n % 3 = 0 then array[false] end,
       case when p.n % 10 > 0 then ${pick(titles, "p.n", 60)} end,
       case when p.n % 10 > 0 then ${pick(seniorities, "p.n", 61)} end,
       case when p.n % 10 > 0 then ${pick(departments, "p.n", 62)} end,
       c.name, c.domain, c.domain, c.employees, c.revenue, c.zip, c.industry, ${pick(cities, "p.n", 63)}, 'US'
     from bench_person as p
     join bench_company as c on c.n = p.company`,
  )
  await query(
    database,
    `insert into visitor_address (organization_id, email_hash, visitor_id, email, kind, first_seen_at)
     select '${organizationId}', hash, id, email, 'business', last_seen_at from bench_person`,
  )
  for (const [pixel, every] of [
    [pixelId, 1],
    [otherPixelId, 2],
  ] as const) {
    await query(
      database,
      `insert into visitor_pixel (organization_id, visitor_id, pixel_id, email_hash, first_seen_at,
         last_seen_at, custom_attribution)
       select '${organizationId}', id, '${pixel}', hash, last_seen_at - interval '30 days',
         last_seen_at - interval '${every - 1} days',
         jsonb_build_object('plan', jsonb_build_array(
           (array['trial', 'Pro', 'enterprise'])[1 + n % 3], extract(epoch from last_seen_at) * 1000))
       from bench_person where n % ${every} = 0`,
    )
  }
}

/** For half of the visitors. Inserts one session of each at a time, in order of days. */
const fillSessions = async (
  database: string,
  { organizationId, otherPixelId, pixelId }: LargeFixture,
  half: number,
): Promise<void> => {
  for (let visit = 0; visit < sessionsEach; visit++) {
    const pixel =
      visit === 1
        ? `case when p.n % 2 = 0 then '${otherPixelId}'::uuid else '${pixelId}'::uuid end`
        : `'${pixelId}'::uuid`
    await query(
      database,
      `insert into session (organization_id, id, pixel_id, anonymous_id, visitor_id, started_at,
         ended_at, active_seconds, pageviews, unique_pages, pricing_page_views, demo_page_views,
         page_urls, page_times, entry_url, exit_url, referrer, referrer_domain, channel, utm_source,
         utm_medium, utm_campaign, click_ids, device_type, country, converted, form_submissions,
         custom_events, paths, page_views, tracked)
       select '${organizationId}', md5('s' || v.n)::uuid,
         ${pixel}, md5('b' || p.n)::uuid, p.id, v.at - interval '3 minutes', v.at,
         case when v.n % 2 = 0 then 100 end, 3, 3, t.pricing, t.demo,
         t.urls, array[v.at, v.at - interval '1 minute', v.at - interval '3 minutes'],
         t.urls[3], t.urls[1],
         case when v.n % 3 = 0 then 'https://search.example/' end,
         case when v.n % 3 = 0 then 'search.example' end,
         ${pick(channels, "v.n", 70)},
         case when v.n % 4 = 0 then ${pick(sources, "v.n", 71)} end,
         case when v.n % 4 = 0 then 'email' end, case when v.n % 4 = 0 then 'spring-launch' end,
         case when v.n % 10 = 0
           then jsonb_build_object('gclid', jsonb_build_array('abc' || v.n, extract(epoch from v.at) * 1000))
           else '{}' end,
         'desktop', 'US', v.n % 5 = 0, (v.n % 50 = 0)::int,
         case when v.n % 20 = 0 then E'\\nsigned up\\n' else '' end, t.paths, '{1,1,1}',
         case when v.n % 20 = 0 then jsonb_build_object('signed up', jsonb_build_array(
           1 + v.n / 20 % 3, jsonb_build_object('plan', jsonb_build_array(
             (array['trial', 'pro', 'enterprise', 'team'])[1 + v.n / 20 % 4])))) end
       from bench_person as p
       cross join lateral (
         select p.n::bigint * ${sessionsEach} + ${visit} as n,
           p.last_seen_at - make_interval(days => ${visit} * 6, mins => ${visit} * (p.n % 1000)) as at
       ) as v
       join bench_trail as t on t.n = ${lot("v.n", 72, trails)}
       where p.n % 2 = ${half}`,
    )
  }
}
