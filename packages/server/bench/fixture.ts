// Data for the benchmarks: one organization with a key and a pixel, created in plain SQL, and 200,000 visitors with two
// sessions each.
import { Redacted } from "effect"
import { createHash, randomUUID } from "node:crypto"
import { apiKeyDigest, makeApiKey } from "../src/access/api-key.ts"
import { query } from "./database.ts"

export const secret = "the secret of the benchmarks keeps nothing secret"
export const domain = "tidewater.example"

export interface Fixture {
  readonly organizationId: string
  readonly apiKey: string
  readonly pixelId: string
}

export const makeFixture = async (database: string): Promise<Fixture> => {
  const organizationId = randomUUID()
  const pixelId = randomUUID()
  await query(
    database,
    "insert into organization (id, name, slug, is_operator) values ($1, 'Bench', 'bench', true)",
    [organizationId],
  )
  await query(
    database,
    "insert into pixel (organization_id, id, domain, name) values ($1, $2, $3, 'Bench')",
    [organizationId, pixelId, domain],
  )
  return { organizationId, pixelId, apiKey: await addKey(database, organizationId) }
}

export const addKey = async (database: string, organizationId: string): Promise<string> => {
  const key = makeApiKey()
  await query(
    database,
    `insert into api_key (organization_id, id, name, prefix, last4, digest)
     values ($1, $2, 'Bench', 'sk_benc', 'bnch', $3)`,
    [organizationId, randomUUID(), apiKeyDigest(key)],
  )
  return Redacted.value(key)
}

/** The organization in a filled database. */
export const organizationOf = async (database: string): Promise<string> => {
  const [row] = await query(database, "select id from organization where is_operator")
  return String(row?.["id"])
}

export const visitorCount = 200_000

/** Visitors last seen within the last 25 days, evenly spread, with profiles, addresses, two sessions and places. */
export const fillVisitors = async (
  database: string,
  { organizationId, pixelId }: Fixture,
  count = visitorCount,
): Promise<void> => {
  const salt = createHash("md5").update(organizationId).digest("hex").slice(0, 8)
  const id = (kind: number) => `('${salt}-0000-400${kind}-8000-' || lpad(to_hex(n), 12, '0'))::uuid`
  const address = "'person' || n || '@company' || n % 5000 || '.example'"
  const hash = `encode(sha256((${address})::bytea), 'hex')`
  const seen = `now() - (n * 10.8 || ' seconds')::interval`
  const series = `generate_series(1, ${count}) as n`
  const statements = [
    `insert into visitor (organization_id, id, email, email_hash, email_sha1, email_md5,
       first_seen_at, last_seen_at, first_name, last_name, phones, phones_dnc, job_title,
       seniority, department, company_name, company_domain, company_employee_count,
       company_total_revenue, company_zip_code, industry, city, state, country)
     select '${organizationId}', ${id(1)}, ${address}, ${hash}, md5(n::text) || '00000000',
       md5(${address}), ${seen} - interval '2 days', ${seen}, 'Jane', 'Mercer ' || n,
       array['+14155550134'], array[false], 'VP Operations', 'vp', 'operations',
       'Company ' || n % 5000, 'company' || n % 5000 || '.example', 340,
       '50 million to 100 million', '94111', 'maritime transportation', 'San Francisco', 'CA', 'US'
     from ${series}`,
    `insert into visitor_address (organization_id, email_hash, visitor_id, email, kind, first_seen_at)
     select '${organizationId}', ${hash}, ${id(1)}, ${address}, 'business', ${seen} from ${series}`,
    `insert into visitor_pixel (organization_id, visitor_id, pixel_id, email_hash, first_seen_at,
       last_seen_at, custom_attribution)
     select '${organizationId}', ${id(1)}, '${pixelId}', ${hash}, ${seen} - interval '2 days', ${seen},
       '{"plan": ["trial", 1]}' from ${series}`,
    ...[2, 3].map(
      (kind) => `insert into session (organization_id, id, pixel_id, anonymous_id, visitor_id,
         started_at, ended_at, pageviews, unique_pages, pricing_page_views, demo_page_views,
         page_urls, page_times, entry_url, exit_url, referrer, referrer_domain, channel, utm_source,
         utm_medium, utm_campaign, click_ids, device_type, country, converted)
       select '${organizationId}', ${id(kind)}, '${pixelId}', ${id(4)}, ${id(1)},
         at - interval '3 minutes', at, 3, 3, 1, 0,
         array['https://${domain}/pricing', 'https://${domain}/product', 'https://${domain}/'],
         array[at, at - interval '1 minute', at - interval '3 minutes'],
         'https://${domain}/', 'https://${domain}/pricing', 'https://search.example/', 'search.example',
         'email', 'newsletter', 'email', 'spring-launch',
         jsonb_build_object('gclid', jsonb_build_array('abc' || n, extract(epoch from at) * 1000)),
         'desktop', 'US', true
       from (select n, ${seen} - interval '${(kind - 2) * 2} days' as at from ${series}) as visit`,
    ),
    "vacuum analyze visitor",
    "vacuum analyze visitor_address",
    "vacuum analyze visitor_pixel",
    "vacuum analyze session",
  ]
  for (const statement of statements) await query(database, statement)
}
