// SQL that merges a batch of staged people into `person` and updates their addresses in `person_address`.
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { sharedOrganizationId } from "../../access/organization.ts"
import type { Changed, ImportOrigin } from "../imports/import-kind.ts"
import { personFields } from "./person-fields.ts"
import type { KnownAddress } from "./visitor-enrichment.ts"

interface Merged extends Changed {
  readonly touched: ReadonlyArray<KnownAddress>
}

/**
 * Computes the new row of each staged person: the submitted value, or the stored one if none was submitted, or null
 * if cleared. Inserts new people and updates those that changed. A second change to a person in the same import is
 * not counted again.
 */
export const mergeStatement = (sql: SqlClient.SqlClient) => {
  const columns = personFields.map(({ column }) => column)
  const list = (alias: string) => sql.csv(columns.map((name) => sql`${sql(alias)}.${sql(name)}`))
  const names = sql.csv(columns.map((name) => sql`${sql(name)}`))
  const merged = sql.csv(
    columns.map((name, place) => sql`${mergedValue(sql, name, place)} as ${sql(name)}`),
  )
  const assignments = sql.csv(columns.map((name) => sql`${sql(name)} = excluded.${sql(name)}`))

  return ({ organizationId, importId }: ImportOrigin) =>
    sql<Merged>`
      with merged as materialized (
        select
          s.position, s.email_hash, n.*,
          p.email_hash is null as is_new,
          p.import_id is not distinct from ${importId}::uuid and p.import_id is not null as is_repeated,
          p.email_hash is not null
            and (${list("p")}) is distinct from (${list("n")}) as is_changed
        from import_person s
        left join lateral (
          select * from person
          where organization_id = ${organizationId} and email_hash = s.email_hash
          limit 1
        ) as p on true
        cross join lateral (select ${merged}) as n
      ), written as (
        insert into person (organization_id, email_hash, import_id, ${names})
        select ${organizationId}::uuid, m.email_hash, ${importId}::uuid, ${list("m")}
        from merged m
        where m.is_new or m.is_changed
        order by m.email_hash
        on conflict (organization_id, email_hash) do update set
          ${assignments}, import_id = excluded.import_id, updated_at = now()
      ), address as (
        select
          m.position, m.is_new, m.email_hash as person_hash,
          encode(sha256(convert_to(e.email, 'UTF8')), 'hex') as email_hash
        from merged m
        cross join lateral (
          select unnest(m.emails || array[m.business_email, m.personal_email]) as email
        ) as e
        where (m.is_new or m.is_changed) and e.email is not null and e.email is distinct from m.email
      ), named as (
        insert into import_person_address (position, person_hash, email_hash)
        select a.position, a.person_hash, a.email_hash
        from address a
        where a.email_hash <> a.person_hash
      ), dropped as (
        delete from person_address
        where ctid = any (array(
          select old.ctid
          from merged m
          cross join lateral (
            select a.ctid
            from person_address a
            where a.organization_id = ${organizationId}
              and a.person_hash = m.email_hash
              and not a.is_link
              and not exists (
                select
                from unnest(m.emails || array[m.business_email, m.personal_email]) as e (email)
                where encode(sha256(convert_to(e.email, 'UTF8')), 'hex') = a.email_hash
              )
            offset 0
          ) as old
          where m.is_changed
        ))
      ), touched as (
        select distinct v.organization_id, v.email_hash
        from merged m
        cross join lateral (
          select v.organization_id, v.email_hash
          from visitor_address v
          where v.email_hash = m.email_hash and ${enrichesVisitor(sql, organizationId)}
          offset 0
        ) as v
        where m.is_new or m.is_changed
      )
      select c.inserted, c.updated, t.touched
      from (
        select
          count(*) filter (where is_new)::int as inserted,
          count(*) filter (where is_changed and not is_repeated)::int as updated
        from merged
      ) as c
      cross join (
        select coalesce(jsonb_agg(jsonb_build_object(
          'organizationId', t.organization_id, 'emailHash', t.email_hash
        ) order by t.organization_id, t.email_hash), '[]') as touched
        from touched t
      ) as t`.pipe(
      Effect.map(([row]) => row!), // An aggregate returns one row.
    )
}

/** Shared people enrich the visitors of every organization. */
export const enrichesVisitor = (sql: SqlClient.SqlClient, organizationId: string) =>
  organizationId === sharedOrganizationId ? sql`true` : sql`v.organization_id = ${organizationId}`

/** Merges the staged row `s` with the stored row `p`. */
const mergedValue = (sql: SqlClient.SqlClient, column: string, place: number) => {
  const isCleared = sql`s.cleared & ${sql.literal(String(2 ** place))} <> 0`
  const submitted = sql`s.${sql(column)}`
  const known = sql`p.${sql(column)}`
  switch (column) {
    case "emails":
    case "phones":
      return sql`case when ${isCleared} then '{}'::text[] else coalesce(${submitted}, ${known}, '{}'::text[]) end`
    case "phones_dnc":
      // Do-not-call marks belong to the phones submitted with them. One mark may apply to all phones.
      return sql`case
        when ${isCleared} then null
        when s.phones_dnc is not null then s.phones_dnc
        when s.phones_dnc_all is not null then nullif(
          array_fill(s.phones_dnc_all, array[cardinality(coalesce(s.phones, p.phones))]), '{}'
        )
        when s.phones is distinct from p.phones and s.phones is not null then null
        when s.cleared & ${sql.literal(String(phonesBit))} <> 0 then null
        else p.phones_dnc
      end`
    default:
      return sql`case when ${isCleared} then null else coalesce(${submitted}, ${known}) end`
  }
}

const phonesBit = 2 ** personFields.findIndex(({ column }) => column === "phones")
