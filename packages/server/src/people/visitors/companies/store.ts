// SQL for reading companies. A page is found by key through an index. Only its own companies are described, by
// summing up their sessions within window and scope (spec 13.1).
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { isoTime } from "../../../platform/database/iso-time.ts"
import type { ListKey, ListStart } from "../../../platform/database/lists.ts"
import {
  nullAfter,
  type StatementTimedOut,
  withinLimit,
  withinTransaction,
} from "../../../platform/database/statement-timeout.ts"
import type { Sites } from "../../../collect/pixels/store.ts"
import { fragmentOf } from "../../../platform/database/sql-text.ts"
import type { ListOrder, SuppressedFilter } from "../list-scope.ts"
import { shownMarks } from "../marks-store.ts"
import { compileRule } from "../query/compile.ts"
import type { RuleNode } from "../query/rule.ts"
import { scoreOrder, shownScore } from "../score-order-store.ts"
import { ofPlaces, onSites, placesOfCompanies } from "../sites-store.ts"
import { reachDays } from "../timeframe.ts"
import type { ListedOwner, ListedScore } from "../visitor-row.ts"

export interface CompanyScope {
  readonly organizationId: string
  readonly pixelId: Sites
  /** Start of the window; undefined for the whole history. */
  readonly from: DateTime.Utc | undefined
  /** Where a window that has ended ends; exclusive. */
  readonly until?: DateTime.Utc | undefined
  /** Whose sessions count, and which companies are in scope. `only`: those that `exclude` leaves out. */
  readonly suppressed: SuppressedFilter
  /** Part of the name or domain. */
  readonly q?: string | undefined
  /** Within window and scope. */
  readonly minSessions?: number | undefined
  /** Only companies without an identified person in scope. */
  readonly isAnonymous?: boolean | undefined
  /** Only companies that match, at a time. */
  readonly rule?: { readonly node: RuleNode; readonly asOf: DateTime.Utc } | undefined
  /** Default: last seen first. */
  readonly sort?: ListOrder | undefined
}

/** A company with totals of its sessions within window and scope. */
export interface CompanyRow {
  readonly domain: string
  readonly name: string | null
  readonly industry: string | null
  readonly employeeCount: number | null
  readonly totalRevenue: string | null
  readonly linkedinUrl: string | null
  readonly city: string | null
  readonly state: string | null
  readonly country: string | null
  readonly firstSeenAt: string
  readonly lastSeenAt: string
  readonly sessions: number
  readonly anonymousSessions: number
  readonly pageviews: number
  readonly pricingPageViews: number
  readonly demoPageViews: number
  readonly peopleCount: number
  /** Identified people who are suppressed; never part of `peopleCount`. */
  readonly suppressedPeopleCount: number
  readonly landingPage: string | null
  readonly referrerDomain: string | null
  readonly utmSource: string | null
  readonly utmMedium: string | null
  readonly utmCampaign: string | null
  readonly suppressed: boolean
  /** Null for a suppressed company, or one that is not computed yet. */
  readonly score: ListedScore | null
  /** Null if no member looks after it. */
  readonly owner: ListedOwner | null
  /** In their order without case. */
  readonly tags: ReadonlyArray<string>
  /** Its place in a list by score. */
  readonly scoreKey?: ListKey
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const nothing = sql.literal("")
  const iso = (column: string) => sql.literal(isoTime(column))
  const byScore = scoreOrder(sql, "companies")

  const since = (column: string, from: DateTime.Utc | undefined) =>
    from === undefined
      ? nothing
      : sql`and ${sql.literal(column)} >= ${DateTime.toDateUtc(from)}::timestamptz`

  const before = (column: string, until: DateTime.Utc | undefined) =>
    until === undefined
      ? nothing
      : sql`and ${sql.literal(column)} < ${DateTime.toDateUtc(until)}::timestamptz`

  /** Only companies with a session in a window that has ended. Of any other window, the time they were last seen says it. */
  const present = ({ from, organizationId, pixelId, until }: CompanyScope) =>
    until === undefined
      ? nothing
      : sql`and c.domain in (
          select case when s.visitor_id is null then s.network_domain else v.company_key end
          from session s
          left join visitor v on v.organization_id = s.organization_id and v.id = s.visitor_id
          where s.organization_id = ${organizationId}
            ${since("s.ended_at", from)} ${before("s.started_at", until)}
            and s.ended_at < ${DateTime.toDateUtc(DateTime.add(until, { days: reachDays }))}::timestamptz
            ${fragmentOf(onSites("s.pixel_id", pixelId))}
        )`

  /** The same for some companies, whose sessions are few to look up. */
  const presentEach = (scope: CompanyScope) =>
    scope.until === undefined ? nothing : sql`and exists (${sessionsOf(scope)})`

  /**
   * Sessions of company `c.domain` within window and scope, each with its visitor if it has one. `filter`: a condition on
   * visitor `v`.
   */
  const sessionsOf = ({ from, organizationId, pixelId, until }: CompanyScope, filter = nothing) => {
    const inScope = sql`
      ${since("s.ended_at", from)} ${before("s.started_at", until)}
      ${fragmentOf(onSites("s.pixel_id", pixelId))}`
    return sql`
      select s.*, false as is_person, false as is_suppressed
      from session s
      where s.organization_id = ${organizationId} and s.network_domain = c.domain
        and s.visitor_id is null ${inScope}
      union all
      select s.*, not v.held_back as is_person, v.suppressed as is_suppressed
      from visitor v
      join session s on s.organization_id = v.organization_id and s.visitor_id = v.id
      where v.organization_id = ${organizationId} and v.company_key = c.domain ${inScope}
        ${filter}`
  }

  /** Those that are not suppressed. A company's own mark is not considered. */
  const countedSessionsOf = (scope: CompanyScope) => sessionsOf(scope, sql`and not v.suppressed`)

  /** Only companies that the scope selects by their suppression. */
  const selected = (scope: CompanyScope) => {
    if (scope.suppressed === "include") return nothing
    // Joining all companies of a pixel to read their marks would take as long as the rest of the list.
    const mark =
      scope.pixelId === undefined
        ? sql.literal("c.suppressed")
        : sql`exists (
            select from company
            where organization_id = ${scope.organizationId} and domain = c.domain and suppressed
          )`
    // Few companies have suppressed people, so the sessions of the others are not read.
    const isCounted = sql`(not ${mark} and (
      not exists (
        select from visitor v
        where v.organization_id = ${scope.organizationId} and v.company_key = c.domain
          and v.suppressed and v.company_key is not null
      ) or exists (${countedSessionsOf(scope)})
    ))`
    return scope.suppressed === "exclude" ? sql`and ${isCounted}` : sql`and not ${isCounted}`
  }

  /** Companies in scope, by the columns of the list's index. */
  const seen = (scope: CompanyScope, isPresent = present(scope)) => {
    const { from, isAnonymous, minSessions, organizationId, pixelId, q, rule, until } = scope
    const pattern = `%${(q ?? "").toLowerCase().replaceAll(/[\\%_]/g, "\\$&")}%`
    const name = sql.literal(pixelId === undefined ? "c.name" : "company.name")
    const named =
      q === undefined
        ? nothing
        : sql`and (c.domain like ${pattern} or lower(${name}) like ${pattern})`
    const anonymous = isAnonymous === true ? sql`and c.sessions = c.anonymous_sessions` : nothing
    const isExcluding = scope.suppressed === "exclude"
    // The total of all sessions in the whole history is stored, and no window has more.
    const enough =
      minSessions === undefined
        ? nothing
        : sql`and c.sessions >= ${minSessions} ${
            from === undefined && until === undefined && !isExcluding
              ? nothing
              : sql`and (
                  select count(*) from (
                    select 1 from (${isExcluding ? countedSessionsOf(scope) : sessionsOf(scope)})
                      as visit limit ${minSessions}
                  ) as enough
                ) >= ${minSessions}`
          }`
    const qualified =
      rule === undefined
        ? nothing
        : sql`and ${fragmentOf(
            compileRule(rule.node, {
              organizationId,
              pixelId,
              from,
              until,
              asOf: rule.asOf,
              subject: "companies",
              sessions: isExcluding ? "counted" : "all",
            }),
          )}`
    const places = fragmentOf(placesOfCompanies(organizationId, pixelId, "c"))
    const onPixel =
      q === undefined && rule === undefined
        ? places
        : sql`${places} join company
            on company.organization_id = c.organization_id and company.domain = c.domain`
    return sql`
      select c.domain, c.first_seen_at, c.last_seen_at
      from ${pixelId === undefined ? sql.literal("company as c") : onPixel}
      where c.organization_id = ${organizationId}
        ${fragmentOf(ofPlaces("c.pixel_id", pixelId))}
        ${since("c.last_seen_at", from)} ${isPresent} ${named} ${anonymous} ${selected(scope)} ${enough} ${qualified}`
  }

  const described = (page: Statement.Fragment, scope: CompanyScope) => {
    const { organizationId } = scope
    const counted = scope.suppressed === "exclude" ? sql`where not is_suppressed` : nothing
    const statement = sql<CompanyRow>`
      with page as materialized (${page})
      select
        c.domain, company.name, company.industry, company.employee_count as "employeeCount",
        company.total_revenue as "totalRevenue", company.linkedin_url as "linkedinUrl",
        company.city, company.state, company.country,
        ${iso("c.first_seen_at")} as "firstSeenAt", ${iso("c.last_seen_at")} as "lastSeenAt",
        activity.sessions, activity.anonymous as "anonymousSessions", activity.pageviews,
        activity.pricing as "pricingPageViews", activity.demo as "demoPageViews",
        activity.people as "peopleCount", activity.suppressed_people as "suppressedPeopleCount",
        activity.landing as "landingPage",
        activity.referrer as "referrerDomain", activity.touch[1] as "utmSource",
        activity.touch[2] as "utmMedium", activity.touch[3] as "utmCampaign",
        company.suppressed, ${shownScore(sql, "company.suppressed")} as score,
        ${shownMarks(sql, "companies", { organizationId: "company.organization_id", id: "company.domain" })}
        ${scope.sort === "score" ? byScore.keyOf("c") : nothing}
      from page as c
      join company on company.organization_id = ${organizationId} and company.domain = c.domain
      left join company_score as score on score.organization_id = ${organizationId}
        and score.domain = c.domain
      cross join lateral (
        with session_of as materialized (${sessionsOf(scope)}),
        present as (select * from session_of ${counted})
        select
          count(*)::int as sessions,
          count(*) filter (where visitor_id is null)::int as anonymous,
          coalesce(sum(pageviews), 0)::int as pageviews,
          coalesce(sum(pricing_page_views), 0)::int as pricing,
          coalesce(sum(demo_page_views), 0)::int as demo,
          (select count(distinct visitor_id)::int from session_of
           where is_person and not is_suppressed) as people,
          (select count(distinct visitor_id)::int from session_of
           where is_person and is_suppressed) as suppressed_people,
          (array_agg(entry_url order by started_at, id) filter (where entry_url is not null))[1]
            as landing,
          (array_agg(referrer_domain order by started_at, id) filter (where referrer is not null))[1]
            as referrer,
          (select array[utm_source, utm_medium, utm_campaign] from present
           where channel <> 'direct' order by started_at desc, id desc limit 1) as touch
        from present
      ) as activity
      order by ${scope.sort === "score" ? byScore.orderOf("c") : sql.literal("c.last_seen_at desc, c.domain")}`
    return planned(statement, scope)
  }

  /** A rule and an order by score are planned for their values, because a generic plan would be far off. */
  const planned = <A>(statement: Statement.Statement<A>, { rule, sort }: CompanyScope) =>
    rule === undefined && sort !== "score" ? statement : statement.unprepared

  const among = (domains: ReadonlyArray<string>) => sql`domain = any (
    array(select jsonb_array_elements_text(${JSON.stringify(domains)}::text::jsonb))
  )`

  const count = (scope: CompanyScope) =>
    Effect.map(
      planned(
        sql<{ readonly total: number }>`
          select count(*)::int as total from (${seen(scope)}) as seen`,
        scope,
      ),
      (rows) => rows[0]!.total,
    )

  return {
    /** One page, last seen or highest score first. */
    list: (
      scope: CompanyScope,
      start: ListStart,
      limit: number,
    ): Effect.Effect<ReadonlyArray<CompanyRow>, StatementTimedOut> => {
      if (scope.sort === "score") {
        const { from, organizationId } = scope
        const listed = { organizationId, listed: seen(scope), from, isPlain: isPlain(scope) }
        return withinLimit(described(byScore.page(listed, start, limit), scope))
      }
      const offset = "offset" in start ? start.offset : 0
      const behind =
        "after" in start
          ? sql`where last_seen_at <= ${start.after[0]}::timestamptz
              and (last_seen_at < ${start.after[0]}::timestamptz or domain > ${start.after[1]})`
          : nothing
      // Companies seen last were seen after a window that has ended. Without `offset 0`, Postgres takes them one by one,
      // expects most of them to be in the window, and reads all of its sessions for each.
      const whole = scope.until === undefined ? nothing : sql.literal("offset 0")
      const page = sql`
        select * from (${seen(scope)} ${whole}) as seen ${behind}
        order by last_seen_at desc, domain
        limit ${sql.literal(String(limit))} offset ${offset}::bigint`
      return withinLimit(described(page, scope))
    },

    count: (scope: CompanyScope): Effect.Effect<number> => Effect.orDie(count(scope)),

    /** Like `count`, but returns null if it takes longer than `limitMs`. */
    countWithin: (scope: CompanyScope, limitMs: number): Effect.Effect<number | null> =>
      nullAfter(sql, limitMs, count(scope)),

    /** The company with a registrable domain, if within scope and window. */
    find: (scope: CompanyScope, domain: string): Effect.Effect<CompanyRow | undefined> =>
      described(sql`select * from (${seen(scope)}) as seen where domain = ${domain}`, scope).pipe(
        Effect.map((rows) => rows[0]),
        Effect.orDie,
      ),

    /** Returns the companies with these domains that are in scope, by domain. */
    findByDomains: (
      scope: CompanyScope,
      domains: ReadonlyArray<string>,
    ): Effect.Effect<ReadonlyMap<string, CompanyRow>, SqlError.SqlError> =>
      domains.length === 0
        ? Effect.succeed(new Map())
        : described(
            sql`
              select * from (${seen(scope)}) as seen where ${among(domains)}`,
            scope,
          ).pipe(Effect.map((rows) => new Map(rows.map((row) => [row.domain, row])))),

    /**
     * Which of the domains are companies in scope. Runs in the caller's transaction and leaves it intact on failure:
     * StatementTimedOut after `limitMs`.
     */
    inScopeWithin: (
      scope: CompanyScope,
      domains: ReadonlyArray<string>,
      limitMs: number,
    ): Effect.Effect<ReadonlySet<string>, StatementTimedOut | SqlError.SqlError> =>
      withinTransaction(
        sql,
        limitMs,
        Effect.map(
          planned(
            sql<{ readonly domain: string }>`
              select domain from (${seen(scope, presentEach(scope))}) as seen
              where ${among(domains)}`,
            scope,
          ),
          (rows) => new Set(rows.map(({ domain }) => domain)),
        ),
      ),

    /** Ids of the company's people in scope, last seen first; without suppressed people and people held back. */
    people: (
      scope: CompanyScope,
      domain: string,
      limit: number,
    ): Effect.Effect<ReadonlyArray<string>> =>
      sql<{ readonly id: string }>`
        select v.id from visitor v
        where v.organization_id = ${scope.organizationId} and v.company_key = ${domain}
          and not v.suppressed and not v.held_back
          and exists (
            select from session s
            where s.organization_id = v.organization_id and s.visitor_id = v.id
              ${since("s.ended_at", scope.from)} ${before("s.started_at", scope.until)}
              ${fragmentOf(onSites("s.pixel_id", scope.pixelId))}
          )
        order by v.last_seen_at desc, v.id
        limit ${sql.literal(String(limit))}`.pipe(
        Effect.map((rows) => rows.map(({ id }) => id)),
        Effect.orDie,
      ),
  }
})

const isPlain = ({ isAnonymous, minSessions, pixelId, q, rule, until }: CompanyScope) =>
  pixelId === undefined &&
  rule === undefined &&
  q === undefined &&
  until === undefined &&
  minSessions === undefined &&
  isAnonymous !== true

export class CompanyStore extends Context.Service<CompanyStore, Effect.Success<typeof make>>()(
  "@footfall/server/visitors/CompanyStore",
) {
  static readonly layer = Layer.effect(CompanyStore, make)
}
