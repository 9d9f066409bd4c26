// SQL that finds out for some people, or companies, which entries of the settings hold (spec 2.23): one statement for all
// of them and all entries.
import { DateTime } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { fragmentOf, SqlText, sqlText } from "../../../platform/database/sql-text.ts"
import { compileRule } from "../../visitors/query/compile.ts"
import { lastSeen, type RuleScope } from "../../visitors/query/rule-scope.ts"
import type { RuleNode } from "../../visitors/query/rule.ts"
import type { HeldInterest, ScoreConfig } from "../score.ts"
import { daysBefore, milliseconds, type Result, valuesOf } from "./values.ts"

/** People whose interest counts for their company. Each has at least 1, and the sum is at most 100. */ // spec 2.23
export const countedPeopleMax = 100

/** How long interest looks back. */
export const interestHours = 90 * 24

/** Someone, or a company, and which entries hold. */
export interface Evaluated {
  readonly id: string
  /** Null for someone without a score, and for whom an entry took too long. */
  readonly fit: ReadonlyArray<boolean> | null
  readonly interest: ReadonlyArray<boolean> | null
}

export interface EvaluatedPerson extends Evaluated {
  readonly emailHash: string
  readonly companyKey: string | null
  readonly hasScore: boolean
  readonly seenAt: string
  /** Milliseconds since 1970, with fractions. */
  readonly seenMs: number
}

export interface EvaluatedCompany extends Evaluated {
  readonly hasScore: boolean
  readonly seenAt: string
  readonly anonymousSeenAt: string | null
  readonly anonymousSeenMs: number | null
  /** Entries that hold for any of its people. */
  readonly peopleFit: number
  readonly peopleInterests: ReadonlyArray<PersonInterest>
}

/** The interest of one of a company's people. */
export interface PersonInterest extends HeldInterest {
  readonly interest: number
  /** False: it was computed by settings that were replaced since, so `held` means nothing here. */
  readonly isCurrent: boolean
}

/** An entry's rule and the part that it belongs to. */
export interface EntryRule {
  readonly part: "fit" | "interest"
  readonly index: number
}

/** How to ask about companies. */
export interface CompanyQuestion {
  readonly config: ScoreConfig
  readonly revision: number
  /** Whether an entry's rule tests only what companies have. */
  askable(part: EntryRule["part"], index: number): boolean
}

export const evaluation = (sql: SqlClient.SqlClient) => {
  const nothing = sql.literal("")
  const { domainsIn, idsIn } = valuesOf(sql)

  /** True and false in the order of the entries; an entry that is left out is false. */
  const conditions = (
    scope: RuleScope,
    entries: ReadonlyArray<{ readonly rule: RuleNode }>,
    isAsked: (index: number) => boolean,
  ): Statement.Fragment => {
    if (entries.length === 0) return sql`'{}'::boolean[]`
    const { from } = scope
    const inWindow =
      from === undefined
        ? SqlText.of("true")
        : sqlText`${lastSeen(scope)} >= ${DateTime.toDateUtc(from)}::timestamptz`
    const each = entries.map(({ rule }, index) =>
      isAsked(index)
        ? sqlText`coalesce(${inWindow} and ${compileRule(rule, scope)}, false)`
        : SqlText.of("false"),
    )
    return fragmentOf(
      SqlText.of("array[").followedBy(SqlText.join(each, ", ")).followedBy(SqlText.of("]")),
    )
  }

  const scopesOf = (organizationId: string, asOf: DateTime.Utc) => {
    const all = { organizationId, pixelId: undefined, from: undefined, until: undefined, asOf }
    return { all, lately: { ...all, from: DateTime.subtract(asOf, { hours: interestHours }) } }
  }

  /** Only one entry, or all of them. */
  const asks = (part: EntryRule["part"], only: EntryRule | undefined) => (index: number) =>
    only === undefined || (only.part === part && only.index === index)

  const evaluatePeople = (
    organizationId: string,
    config: ScoreConfig,
    ids: ReadonlyArray<string>,
    asOf: DateTime.Utc,
    only?: EntryRule,
  ): Result<ReadonlyArray<EvaluatedPerson>> => {
    const { all, lately } = scopesOf(organizationId, asOf)
    const ifScored = (array: Statement.Fragment) =>
      sql`case when not visitor.suppressed and not visitor.held_back then ${array} end`
    return sql<EvaluatedPerson>`
      select visitor.id, visitor.email_hash as "emailHash", visitor.company_key as "companyKey",
        not visitor.suppressed and not visitor.held_back as "hasScore",
        visitor.last_seen_at::text as "seenAt",
        (extract(epoch from visitor.last_seen_at) * 1000)::float8 as "seenMs",
        ${ifScored(conditions(all, config.fit, asks("fit", only)))} as fit,
        ${ifScored(conditions(lately, config.interest, asks("interest", only)))} as interest
      from visitor
      where visitor.organization_id = ${organizationId}
        and visitor.id = any (array${idsIn(ids)})`.unprepared
  }

  /** Entries that hold for any of a company's people, found by as many looks into an index as there are combinations. */
  const peopleFit = (organizationId: string, revision: number) => {
    const next = (after: Statement.Fragment) => sql`
      select fit_held from visitor_score
      where organization_id = ${organizationId} and company_key = c.domain
        and revision = ${revision} and fit_held <> 0 ${after}
      order by fit_held limit 1`
    return sql`(
      with recursive combination as (
        (${next(nothing)})
        union all
        select (${next(sql`and fit_held > combination.fit_held`)})
        from combination where combination.fit_held is not null
      )
      select coalesce(bit_or(fit_held), 0) from combination
    )`
  }

  /**
   * Fit is asked of the company with all of its sessions, and interest of its anonymous sessions alone. Only entries that
   * test nothing of a person are asked.
   */
  const evaluateCompanies = (
    organizationId: string,
    { askable, config, revision }: CompanyQuestion,
    domains: ReadonlyArray<string>,
    asOf: DateTime.Utc,
    only?: EntryRule,
  ): Result<ReadonlyArray<EvaluatedCompany>> => {
    const { all, lately } = scopesOf(organizationId, asOf)
    const isAsked = (part: EntryRule["part"]) => (index: number) =>
      askable(part, index) && asks(part, only)(index)
    /** Null for a company without a score. */
    const held = (array: Statement.Fragment) => sql`case when not c.suppressed then ${array} end`
    const subject = "companies" as const
    const fit = conditions({ ...all, subject, sessions: "counted" }, config.fit, isAsked("fit"))
    const interest = conditions(
      { ...lately, subject, sessions: "anonymous" },
      config.interest,
      isAsked("interest"),
    )
    return sql<EvaluatedCompany>`
      select c.domain as id, not c.suppressed as "hasScore", c.last_seen_at::text as "seenAt",
        c.anonymous_seen_at::text as "anonymousSeenAt",
        (extract(epoch from c.anonymous_seen_at) * 1000)::float8 as "anonymousSeenMs",
        ${peopleFit(organizationId, revision)} as "peopleFit",
        coalesce((
          select jsonb_agg(to_jsonb(one)) from (
            select interest, interest_held as held, revision = ${revision} as "isCurrent",
              ${daysBefore(sql, "seen_at", "computed_at")} as days,
              ${milliseconds(sql, "seen_at")} as "seenMs"
            from visitor_score
            where organization_id = ${organizationId} and company_key = c.domain and interest > 0
            order by interest desc limit ${sql.literal(String(countedPeopleMax))}
          ) as one
        ), '[]') as "peopleInterests",
        ${held(fit)} as fit, ${held(interest)} as interest
      from (
        select company.*, (
          select max(ended_at) from session
          where session.organization_id = ${organizationId}
            and session.network_domain = company.domain and session.visitor_id is null
            and session.ended_at >= ${DateTime.toDateUtc(lately.from)}::timestamptz
        ) as anonymous_seen_at
        from company
        where company.organization_id = ${organizationId}
          and company.domain in ${domainsIn(domains)}
        offset 0
      ) as c`.unprepared
  }

  return { evaluatePeople, evaluateCompanies }
}
