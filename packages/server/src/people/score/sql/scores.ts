// SQL that locks and writes the rows of scores (spec 2.23).
import { DateTime, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { TopReason } from "../../visitors/score-reason.ts"
import { begun, type Result, valuesOf } from "./values.ts"

interface ScoreToWrite {
  readonly id: string
  readonly seenAt: string
  readonly rank: number
  readonly fit: number | null
  readonly interest: number | null
  readonly isHot: boolean
  readonly fitHeld: number
  readonly top: TopReason | null
}

export interface PersonToWrite extends ScoreToWrite {
  readonly emailHash: string
  readonly companyKey: string | null
  readonly interestHeld: number
}

export interface CompanyToWrite extends ScoreToWrite {
  /** How far the sum of its interest is above 100. */
  readonly surplus: number
  readonly anonymousHeld: number
  readonly anonymousSeenAt: string | null
}

export const scoreRows = (sql: SqlClient.SqlClient) => {
  const { domainsIn, idsIn, json } = valuesOf(sql)

  /** The columns that both kinds of scores have, from `n`. A total that began the day or the week is kept. */
  const written = (revision: number, asOf: DateTime.Utc) => {
    const kept = (unit: "day" | "week") => {
      const column = sql.literal(`s.${unit}_total`)
      return sql`case
        when s.computed_at >= ${begun(sql, unit, asOf)} then ${column}
        else nullif(s.rank, -1) end`
    }
    return sql`
      seen_at = n."seenAt", rank = n.rank, fit = n.fit, interest = n.interest,
      is_hot = n."isHot", fit_held = n."fitHeld", top = nullif(n.top, 'null'), revision = ${revision},
      computed_at = ${DateTime.toDateUtc(asOf)}, day_total = ${kept("day")},
      week_total = ${kept("week")}`
  }

  const newColumns = sql.literal(
    `"seenAt" timestamptz, rank smallint, fit smallint, interest smallint, "isHot" boolean, "fitHeld" integer, top jsonb`,
  )

  return {
    /** Those whose rows no one else holds. */
    lockPeople: (
      organizationId: string,
      ids: ReadonlyArray<string>,
    ): Result<ReadonlyArray<string>> =>
      Effect.map(
        sql<{ readonly id: string }>`
          select visitor_id as id from visitor_score
          where organization_id = ${organizationId} and visitor_id = any (array${idsIn(ids)})
          for no key update skip locked`,
        (rows) => rows.map(({ id }) => id),
      ),

    lockCompanies: (
      organizationId: string,
      domains: ReadonlyArray<string>,
    ): Result<ReadonlyArray<string>> =>
      Effect.map(
        sql<{ readonly id: string }>`
          select domain as id from company_score
          where organization_id = ${organizationId} and domain in ${domainsIn(domains)}
          for no key update skip locked`,
        (rows) => rows.map(({ id }) => id),
      ),

    /** Updates locked rows. Notes the companies whose score this may change. */
    writePeople: (
      organizationId: string,
      people: ReadonlyArray<PersonToWrite>,
      revision: number,
      asOf: DateTime.Utc,
    ): Result<void> =>
      Effect.asVoid(sql`
        with n as materialized (
          select * from jsonb_to_recordset(${json(people)}) as n (
            id uuid, "emailHash" text, "companyKey" text, "interestHeld" integer, ${newColumns}
          )
        ), former as materialized (
          select s.visitor_id, s.company_key, s.fit_held, s.interest, s.revision
          from n
          join visitor_score s on s.organization_id = ${organizationId} and s.visitor_id = n.id
        ), written as (
          update visitor_score as s set
            email_hash = n."emailHash", company_key = n."companyKey",
            interest_held = n."interestHeld", ${written(revision, asOf)}
          from n, organization
          where s.organization_id = ${organizationId} and s.visitor_id = n.id
            and organization.id = ${organizationId}
        )
        insert into score_stale_company (organization_id, domain)
        select distinct ${organizationId}::uuid, company.domain
        from n
        join former on former.visitor_id = n.id
        cross join lateral (values (former.company_key), (n."companyKey")) as company (domain)
        where company.domain is not null
          and (former.company_key, former.fit_held, former.interest, former.revision)
            is distinct from (n."companyKey", n."fitHeld", n.interest, ${revision}::integer)`),

    writeCompanies: (
      organizationId: string,
      companies: ReadonlyArray<CompanyToWrite>,
      revision: number,
      asOf: DateTime.Utc,
    ): Result<void> =>
      Effect.asVoid(sql`
        update company_score as s set
          anonymous_held = n."anonymousHeld", anonymous_seen_at = n."anonymousSeenAt",
          surplus = n.surplus,
          ${written(revision, asOf)}
        from jsonb_to_recordset(${json(companies)}) as n (
          id text, surplus smallint, "anonymousHeld" integer, "anonymousSeenAt" timestamptz, ${newColumns}
        ), organization
        where s.organization_id = ${organizationId} and s.domain = n.id
          and organization.id = ${organizationId}`),
  }
}
