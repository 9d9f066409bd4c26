// What the fields of lists, topics and scores read, for the large organization of visitors-fixture.ts: a list of 1,000,000
// domains and one of 1,000,000 people, five topics of every third visitor, and a score of everyone.
import { query } from "./database.ts"
import { organizationOf } from "./fixture.ts"
import { createIndexes, dropIndexes, makeLargeFixture } from "./visitors-fixture.ts"

export const companyList = "00000000-0000-4000-8000-00000000c0c0"
export const peopleList = "00000000-0000-4000-8000-0000000000e0"
/** One of 100 topics. */
export const topic = 7

/** Takes about ten minutes. */
export const makeFieldsFixture = async (database: string): Promise<void> => {
  await makeLargeFixture(database)
  await fillFields(database)
}

export const fillFields = async (database: string): Promise<void> => {
  const organizationId = await organizationOf(database)
  await query(
    database,
    `insert into list (organization_id, id, name, subject, size) values
       ('${organizationId}', '${companyList}', 'Target accounts', 'companies', 1000000),
       ('${organizationId}', '${peopleList}', 'Customers', 'people', 1000000)`,
  )
  // One in fifty of the visitors' companies, and domains that never visited.
  await query(
    database,
    `insert into list_member (organization_id, list_id, key, value)
     select '${organizationId}', '${companyList}', domain, domain
     from (select case when n <= 400 then 'company' || n * 50 - 1 || '.example'
         else 'elsewhere' || n || '.example' end as domain
       from generate_series(1, 1000000) as n) as member`,
  )
  // One in a hundred visitors.
  await query(
    database,
    `insert into list_member (organization_id, list_id, key, value)
     select '${organizationId}', '${peopleList}', hash, hash
     from (
       select hash from bench_person where n % 100 = 0
       union all
       select encode(sha256(('elsewhere' || n)::bytea), 'hex') from generate_series(1, 980000) as n
     ) as member`,
  )
  const [source] = await query(
    database,
    `insert into visitor_topic_source (organization_id, origin, date, version, is_whole)
     values ('${organizationId}', 'import', current_date, now(), true) returning id`,
  )
  await query(
    database,
    `insert into visitor_topic_basis (organization_id, date, sources)
     values ('${organizationId}', current_date, array[${Number(source!["id"])}])`,
  )
  await query(
    database,
    `insert into visitor_topic (organization_id, visitor_id, source_id, topic_id, score)
     select '${organizationId}', id, ${Number(source!["id"])},
       (abs(hashint8extended(n, 80)) % 20 * 5 + place)::int, 1 + abs(hashint8extended(n, 80 + place)) % 100
     from bench_person cross join generate_series(1, 5) as place
     where n % 3 = 0`,
  )
  const indexes = await dropIndexes(database, ["visitor_score"])
  await query(database, "truncate visitor_score")
  await query(
    database,
    `insert into visitor_score (organization_id, visitor_id, email_hash, seen_at, computed_at,
       revision, fit, interest, rank)
     select '${organizationId}', id, hash, last_seen_at, now(), 0, fit, interest,
       round(0.5 * fit + 0.5 * interest)
     from (select id, hash, last_seen_at, abs(hashint8extended(n, 90)) % 101 as fit,
         abs(hashint8extended(n, 91)) % 101 as interest
       from bench_person) as score`,
  )
  await createIndexes(database, indexes)
  for (const table of ["list_member", "visitor_topic", "visitor_score"]) {
    await query(database, `vacuum analyze ${table}`)
  }
  await query(database, "truncate score_stale, score_stale_company, visitor_topic_stale")
  await query(database, "checkpoint")
}
