// SQL of notes: who has to be computed again (spec 2.23). A turn deletes notes before it reads what they are about, so
// whatever changes meanwhile is noted again; a crash loses nothing.
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { RuleSubject } from "../../visitors/query/predicate.ts"
import type { Result } from "./values.ts"

export interface TakenNotes {
  /** How many were noted, up to the limit. */
  readonly picked: number
  /** Those of them whose rows no one else holds. */
  readonly ids: ReadonlyArray<string>
}

/** The organizations with notes in a table, each found by one look into its index. */
export const notedIn = (sql: SqlClient.SqlClient, table: string) => {
  const from = sql.literal(table)
  return sql`
    with recursive noted as (
      (select organization_id from ${from} order by organization_id limit 1)
      union all
      select (
        select stale.organization_id from ${from} as stale
        where stale.organization_id > noted.organization_id
        order by stale.organization_id limit 1
      )
      from noted where noted.organization_id is not null
    )
    select organization_id from noted where organization_id is not null`
}

export const notes = (sql: SqlClient.SqlClient) => {
  /** The segments of people, or companies, that alerts watch. */
  const watched = (organizationId: string, subject: RuleSubject) => sql`
    select segment_watch.id from segment_watch
    join segment on segment.organization_id = segment_watch.organization_id
      and segment.id = segment_watch.segment_id and segment.subject = ${subject}
    where segment_watch.organization_id = ${organizationId} and not segment_watch.is_over`

  return {
    /**
     * Takes people who were noted, deletes their notes and passes them and their companies on to the alerts about segments.
     * `picked`: how many were noted, up to the limit.
     */
    takeNotedPeople: (organizationId: string, limit: number): Result<TakenNotes> =>
      sql<TakenNotes>`
        with noted as materialized (
          select distinct visitor_id from score_stale
          where organization_id = ${organizationId}
          order by visitor_id limit ${limit}
        ), locked as materialized (
          select visitor_id from visitor_score
          where organization_id = ${organizationId}
            and visitor_id in (select visitor_id from noted)
          for no key update skip locked
        ), done as (
          delete from score_stale as stale
          where stale.organization_id = ${organizationId}
            and stale.visitor_id in (select visitor_id from noted)
            and (stale.visitor_id in (select visitor_id from locked) or not exists (
              select from visitor_score
              where organization_id = ${organizationId} and visitor_id = stale.visitor_id
            ))
        ), passed_on as (
          insert into segment_stale (organization_id, watch_id, subject)
          select ${organizationId}::uuid, watch.id, locked.visitor_id::text
          from locked cross join (${watched(organizationId, "people")}) as watch
          union all
          select distinct ${organizationId}::uuid, watch.id, visitor.company_key
          from locked cross join (${watched(organizationId, "companies")}) as watch
          join visitor on visitor.organization_id = ${organizationId}
            and visitor.id = locked.visitor_id and visitor.company_key is not null
        )
        select (select count(*) from noted)::int as picked,
          array(select visitor_id::text from locked) as ids`.pipe(Effect.map(([row]) => row!)),

    /** Like `takeNotedPeople`, for companies. */
    takeNotedCompanies: (organizationId: string, limit: number): Result<TakenNotes> =>
      sql<TakenNotes>`
        with noted as materialized (
          select distinct domain from score_stale_company
          where organization_id = ${organizationId}
          order by domain limit ${limit}
        ), locked as materialized (
          select domain from company_score
          where organization_id = ${organizationId} and domain in (select domain from noted)
          for no key update skip locked
        ), done as (
          delete from score_stale_company as stale
          where stale.organization_id = ${organizationId}
            and stale.domain in (select domain from noted)
            and (stale.domain in (select domain from locked) or not exists (
              select from company_score
              where organization_id = ${organizationId} and domain = stale.domain
            ))
        ), passed_on as (
          insert into segment_stale (organization_id, watch_id, subject)
          select ${organizationId}::uuid, watch.id, locked.domain
          from locked cross join (${watched(organizationId, "companies")}) as watch
        )
        select (select count(*) from noted)::int as picked,
          array(select domain from locked) as ids`.pipe(Effect.map(([row]) => row!)),
  }
}
