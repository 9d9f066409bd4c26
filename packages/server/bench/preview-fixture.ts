// Signals over 14 days from shared people, as the server stores them. Topics and people are skewed. Every fifth person
// has a second address, and half of those have signals of their own.
import { sharedOrganizationId } from "../src/access/organization.ts"
import { query } from "./database.ts"

export interface Size {
  readonly signals: number
  readonly people: number
}

export const sizeDefault: Size = {
  signals: Number(process.env["BENCH_SIGNALS"] ?? 2_000_000),
  people: Number(process.env["BENCH_PEOPLE"] ?? 200_000),
}
const daysDefault = 14

/** The newest date is today, so today is the data date. */
export const previewDate = new Date().toISOString().slice(0, 10)

const lot = (n: string, salt: number) =>
  `((hashint8extended(${n}, ${salt}) & 2147483647)::float8 / 2147483648.0)`
const owner = `'${sharedOrganizationId}'::uuid`

/** `days`: the fewer, the more signals on each. */
export const fillSignals = async (
  database: string,
  days = daysDefault,
  { signals, people }: Size = sizeDefault,
): Promise<void> => {
  const address = `'person' || n || '@company' || c || '.example'`
  const aliased = Math.floor(people / 10)
  const statements = [
    `create unlogged table bench_source as
     select n, c, ${address} as email, encode(sha256((${address})::bytea), 'hex') as hash
     from generate_series(1, ${people}::bigint) as n,
       lateral (select floor(${lot("n", 1)} * 50000)::int8 as c) as company`,
    `insert into person (organization_id, email_hash, email, emails, business_email, first_name,
       last_name, linkedin_url, phones, job_title, seniority, department, company_name,
       company_domain, company_employee_count, company_total_revenue, industry, city, state,
       country, is_b2b)
     select ${owner}, hash, email, array[email], email, 'Jane', 'Mercer ' || n,
       case when n % 3 = 0 then 'https://www.linkedin.com/in/mercer-' || n end,
       case when n % 4 = 0 then array['+14155550134'] else '{}' end,
       (array['VP Operations', 'Software Engineer', 'Account Executive', 'Senior Analyst'])
         [1 + floor(${lot("n", 2)} * 4)::int],
       (array['owner', 'founder', 'c_suite', 'partner', 'vp', 'head', 'director', 'manager',
         'senior', 'entry', 'intern'])[1 + floor(${lot("n", 3)} * 11)::int],
       'operations', 'Company ' || c, 'company' || c || '.example',
       10 + floor(${lot("c", 5)} * 20000)::int, '1 million to 5 million',
       'industry ' || floor(${lot("c", 6)} * 40)::int, 'Hamburg', 'CA', 'US', 'y'
     from bench_source order by hash`,
    `insert into person_address (organization_id, email_hash, person_hash)
     select ${owner}, encode(sha256(('alias' || n)::bytea), 'hex'), hash
     from bench_source where n % 5 = 0`,
    `insert into signal_person (email_hash, organization_ids)
     select decode(hash, 'hex'), array[${owner}] from bench_source order by hash`,
    `insert into signal_person (email_hash, organization_ids)
     select decode(email_hash, 'hex'), array[${owner}] from person_address
     order by email_hash limit ${aliased}`,
    `create unlogged table bench_raw as
     select topic, person, d, max(score)::smallint as score
     from (
       select floor(1000 * power(${lot("n", 10)}, 2.2))::int + 1 as topic,
         1 + floor(${lot("n", 11)} * 100)::int as score,
         1 + floor(${people + aliased} * power(${lot("n", 12)}, 1.5))::int as person,
         '${previewDate}'::date - (n % ${days})::int as d
       from generate_series(1, ${signals}::bigint) as n
     ) as said
     group by topic, person, d`,
    `insert into signal (organization_id, origin, date, topic_id, score, people)
     select ${owner}, 'import', d, topic, score, array_agg(person order by person)
     from bench_raw group by d, topic, score order by d, topic, score`,
    `insert into signal_date (organization_id, origin, date, signals)
     select ${owner}, 'import', d, count(*) from bench_raw group by d`,
    `insert into topic select id, 'Topic ' || id, 'b2b', 'industry', 'category'
     from generate_series(1, 1000) as id`,
    `create table bench_signals (hem uuid, topic int, score smallint, d date)`,
    `insert into bench_signals
     select substr(encode(p.email_hash, 'hex'), 1, 32)::uuid, r.topic, r.score, r.d
     from bench_raw as r join signal_person as p on p.id = r.person`,
    `create index on bench_signals (topic, d, score) include (hem)`,
    `drop table bench_raw, bench_source`,
    "vacuum analyze",
  ]
  for (const statement of statements) {
    await query(database, statement)
  }
}

/**
 * Data of the organization itself: every twentieth shared person again, with another seniority and
 * no company, and rules. Then the plain layout, without the signals, for the handwritten statement.
 */
export const fillOwn = async (database: string, organizationId: string): Promise<void> => {
  const own = `'${organizationId}'::uuid`
  const shared = (columns: string, condition: string) =>
    `select ${columns} from person where organization_id = ${owner} and ${condition}`
  const number = "substr(last_name, 8)::int"
  const hem = (hash: string) => `substr(${hash}, 1, 32)::uuid`
  const statements = [
    `insert into person (organization_id, email_hash, email, emails, job_title, seniority)
     ${shared(
       `${own}, email_hash, email, emails, 'Head of Own', 'director'`,
       `${number} % 20 = 0`,
     )}`,
    `insert into suppression_rule (organization_id, type, value, match_key, created_at, takes_part_at)
     select ${own}, type, value, match_key, now() - interval '2 days', now() - interval '2 days'
     from (
       ${shared("'email', email, email_hash", `${number} % 200 = 7`)}
       union all
       ${shared("distinct 'domain', company_domain, company_domain", `${number} % 500 = 11`)}
       union all
       ${shared(
         "distinct 'company_domain', company_domain, company_domain",
         `${number} % 500 = 13`,
       )}
       union all
       select 'industry', 'industry 39', 'industry 39'
     ) as rule (type, value, match_key)`,
    `insert into suppression_list (organization_id, cycle_at, changed_at)
     values (${own}, now() - interval '1 day', now() - interval '2 days')`,
    `create table bench_profiles (hem uuid, is_own boolean, industry text, seniority text,
       company text, title text, email text, domain text, company_domain text, primary key (hem, is_own))`,
    `insert into bench_profiles
     select ${hem("email_hash")}, organization_id = ${own}, industry, seniority, company_name,
       job_title, email, split_part(email, '@', 2), company_domain
     from person order by 1, 2`,
    "create table bench_aliases (hem uuid primary key, person uuid)",
    `insert into bench_aliases
     select ${hem("email_hash")}, ${hem("person_hash")} from person_address order by 1`,
    "create index on bench_aliases (person)",
    "create table bench_rules (type text, key text, primary key (type, key))",
    `insert into bench_rules
     select type, case type when 'email' then ${hem("match_key")}::text else match_key end
     from suppression_rule`,
    "vacuum analyze",
  ]
  for (const statement of statements) await query(database, statement)
}
