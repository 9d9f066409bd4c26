// Every statement that reads visitors. A page is found by its key or through the
// index alone, then only its own rows are joined and added up, so a deep page costs what the first
// one costs (decisions.md 1.6). Events are never read here: sessions hold what a list needs.
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, type SqlError, Statement } from "effect/sql"
import { isoTime } from "../database/iso-time.ts"
import type { ListStart } from "../database/list-start.ts"
import type { ListScope } from "./list-scope.ts"
import { compileRule } from "./query/compile.ts"
import type { SqlText } from "./query/sql-text.ts"
import type { VisitorRow } from "./visitor-row.ts"

/** Distinct pages of a visitor. decisions.md 2.1. */
const visitedPagesMax = 100
/** Click ids are shown this long. decisions.md 1.8. */
const clickIdDays = 90

/** A statement took longer than it may, and was ended. */
export class StatementTimedOut extends Schema.TaggedError<StatementTimedOut>()(
  "StatementTimedOut",
  {},
) {}

interface IdentifiedRow extends VisitorRow {
  readonly visitorId: string
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const iso = (column: string) => sql.literal(isoTime(column))
  const nothing = sql.literal("")
  const since = (column: string, from: DateTime.Utc | undefined) =>
    from === undefined
      ? nothing
      : sql`and ${sql.literal(column)} >= ${DateTime.toDateUtc(from)}::timestamptz`

  /** Who was seen in scope and qualifies: without a rule, the columns of the list's index alone. */
  const seen = (scope: ListScope) => {
    const { from, organizationId, pixelId, rule, suppressed } = scope
    const filter =
      suppressed === "include"
        ? nothing
        : sql`and visitor.suppressed = ${sql.literal(String(suppressed === "only"))}`
    const qualifies = rule === undefined ? nothing : sql`and ${piece(compileRule(rule, scope))}`
    if (pixelId === undefined) {
      return sql`
        select id as visitor_id, email_hash, last_seen_at
        from visitor
        where organization_id = ${organizationId} and not held_back ${since("last_seen_at", from)}
          ${filter} ${qualifies}`
    }
    // Postgres leaves the join out where nothing of the visitor is asked.
    return sql`
      select visitor_id, visitor_pixel.email_hash, visitor_pixel.last_seen_at
      from visitor_pixel
      left join visitor on visitor.organization_id = visitor_pixel.organization_id
        and visitor.id = visitor_id
      where visitor_pixel.organization_id = ${organizationId} and pixel_id = ${pixelId}
        and not visitor_pixel.held_back
        ${since("visitor_pixel.last_seen_at", from)} ${filter} ${qualifies}`
  }

  const piece = ({ parts, values }: SqlText) =>
    Statement.fragment(
      parts.flatMap((part, index) =>
        index === 0
          ? [Statement.literal(part)]
          : [Statement.parameter(values[index - 1]), Statement.literal(part)],
      ),
    )

  /** Behind the key `[lastSeenAt, emailHash]`: descending, then ascending (decisions.md 1.6). */
  const from = (start: ListStart) =>
    "after" in start
      ? sql`where last_seen_at <= ${start.after[0]}::timestamptz
          and (last_seen_at < ${start.after[0]}::timestamptz or email_hash > ${start.after[1]})`
      : nothing

  const among = (visitorIds: ReadonlyArray<string>) =>
    sql`visitor_id = any (
      array(select jsonb_array_elements_text(${JSON.stringify(visitorIds)}::text::jsonb)::uuid))`

  /**
   * Adds up the sessions of the rows of `page` (visitor_id, email_hash, last_seen_at). `more`: further
   * columns.
   */
  const described = (page: ReturnType<typeof seen>, scope: ListScope, more = nothing) => {
    const { organizationId, pixelId } = scope
    const onPixel = pixelId === undefined ? nothing : sql`and pixel_id = ${pixelId}`
    const firstSeen = pixelId === undefined ? "visitor.first_seen_at" : "place.first_seen_at"
    return sql<VisitorRow>`
      with page as materialized (${page})
      select
        visitor.email, page.email_hash as "emailHash", email_sha1 as sha1, email_md5 as md5,
        coalesce(known.addresses, '[]') as addresses,
        phones, phones_dnc as "phonesDnc",
        coalesce(place.attribution, '{}') as "customAttribution",
        first_name as "firstName", last_name as "lastName", linkedin_url as "linkedinUrl",
        company_name as "companyName", company_domain as "companyDomain",
        company_linkedin_url as "companyLinkedinUrl",
        company_employee_count as "companyEmployeeCount",
        company_total_revenue as "companyTotalRevenue", industry,
        company_zip_code as "companyZipCode", job_title as "jobTitle", seniority, department,
        city, state, visitor.country,
        activity.sessions, activity.pageviews, activity.pricing as "pricingPageViews",
        activity.demo as "demoPageViews",
        ${iso(firstSeen)} as "firstSeenAt", ${iso("page.last_seen_at")} as "lastSeenAt",
        activity.landing as "landingPage", coalesce(activity.visited, '{}') as "visitedPages",
        activity.referrer[1] as referrer, activity.referrer[2] as "referrerDomain",
        activity.touch[1] as "utmSource", activity.touch[2] as "utmMedium",
        activity.touch[3] as "utmCampaign", activity.touch[4] as "utmTerm",
        activity.touch[5] as "utmContent",
        coalesce(activity.click_ids, '{}') as "clickIds", suppressed ${more}
      from page
      join visitor on visitor.organization_id = ${organizationId} and visitor.id = page.visitor_id
      cross join lateral (
        select
          min(first_seen_at) as first_seen_at,
          (select jsonb_object_agg(key, value ->> 0)
           from (
             select distinct on (key) key, value
             from visitor_pixel as source, jsonb_each(source.custom_attribution)
             where source.organization_id = ${organizationId} and source.visitor_id = visitor.id
               ${onPixel}
             order by key, (value ->> 1)::numeric desc, (value ->> 0) collate "C" desc
           ) as latest) as attribution
        from visitor_pixel
        where organization_id = ${organizationId} and visitor_id = visitor.id ${onPixel}
      ) as place
      cross join lateral (
        select jsonb_agg(
          jsonb_build_object('email', address.email, 'kind', kind)
          order by (address.email = visitor.email) desc, address.first_seen_at, address.email_hash
        ) as addresses
        from visitor_address as address
        where address.organization_id = ${organizationId} and visitor_id = visitor.id
          and address.email is not null
      ) as known
      cross join lateral (${activity(scope)}) as activity
      order by page.last_seen_at desc, page.email_hash`
  }

  /** What the sessions of `visitor.id` in window and scope add up to. decisions.md 2.1. */
  const activity = ({ asOf, from, organizationId, pixelId }: ListScope) => sql`
    with present as materialized (
      select started_at, id, pageviews, pricing_page_views, demo_page_views, entry_url, referrer,
        referrer_domain, channel, utm_source, utm_medium, utm_campaign, utm_term, utm_content,
        click_ids, page_urls, page_times
      from session
      where organization_id = ${organizationId} and visitor_id = visitor.id
        ${since("ended_at", from)}
        ${pixelId === undefined ? nothing : sql`and pixel_id = ${pixelId}`}
    )
    select
      count(*)::int as sessions,
      coalesce(sum(pageviews), 0)::int as pageviews,
      coalesce(sum(pricing_page_views), 0)::int as pricing,
      coalesce(sum(demo_page_views), 0)::int as demo,
      (array_agg(entry_url order by started_at, id) filter (where entry_url is not null))[1]
        as landing,
      (select array[referrer, referrer_domain] from present where referrer is not null
       order by started_at, id limit 1) as referrer,
      (select array[utm_source, utm_medium, utm_campaign, utm_term, utm_content] from present
       where channel <> 'direct' order by started_at desc, id desc limit 1) as touch,
      (select array_agg(url order by viewed_at desc, url)
       from (
         select url, max(viewed_at) as viewed_at
         from present, unnest(page_urls, page_times) as page_view (url, viewed_at)
         group by url
         order by max(viewed_at) desc, url
         limit ${sql.literal(String(visitedPagesMax))}
       ) as latest) as visited,
      (select jsonb_object_agg(key, value ->> 0)
       from (
         select distinct on (key) key, value
         from present, jsonb_each(click_ids)
         where to_timestamp((value ->> 1)::numeric / 1000)
           >= ${DateTime.toDateUtc(asOf)}::timestamptz
             - make_interval(days => ${sql.literal(String(clickIdDays))})
         order by key, (value ->> 1)::numeric desc, (value ->> 0) collate "C" desc
       ) as latest) as click_ids
    from present`

  const list = (scope: ListScope, start: ListStart, limit: number) => {
    const offset = "offset" in start ? start.offset : 0
    const page = sql`
      select visitor_id, email_hash, last_seen_at
      from (${seen(scope)}) as seen
      ${from(start)}
      order by last_seen_at desc, email_hash
      limit ${sql.literal(String(limit))} offset ${offset}::bigint`
    return planned(described(page, scope), scope)
  }

  const count = (scope: ListScope) => {
    const statement = sql<{ readonly total: number }>`
      select count(*)::int as total from (${seen(scope)}) as seen`
    return Effect.map(planned(statement, scope), (rows) => rows[0]!.total)
  }

  /** A rule is planned for its values each time: a plan for any values would be far off. */
  const planned = <A>(statement: Statement.Statement<A>, { rule }: ListScope) =>
    rule === undefined ? statement : statement.unprepared

  return {
    /** One page of the list, in its order. */
    list: (
      scope: ListScope,
      start: ListStart,
      limit: number,
    ): Effect.Effect<ReadonlyArray<VisitorRow>> => Effect.orDie(list(scope, start, limit)),

    /** The same, when it may take longer than a statement may. */
    listWithin: (
      scope: ListScope,
      start: ListStart,
      limit: number,
    ): Effect.Effect<ReadonlyArray<VisitorRow>, StatementTimedOut> =>
      list(scope, start, limit).pipe(
        Effect.catchReason(
          "SqlError",
          "StatementTimeoutError",
          () => new StatementTimedOut(),
          Effect.die,
        ),
      ),

    /**
     * Which of the visitors are in scope. Joins the caller's transaction, which a failure leaves as it
     * was: StatementTimedOut when it takes longer than `limitMs`.
     */
    inScopeWithin: (
      scope: ListScope,
      visitorIds: ReadonlyArray<string>,
      limitMs: number,
    ): Effect.Effect<ReadonlySet<string>, StatementTimedOut | SqlError.SqlError> =>
      Effect.gen(function* () {
        const [limit] = yield* sql<{ readonly former: string }>`
          select current_setting('statement_timeout') as former`
        yield* sql`select set_config('statement_timeout', ${String(limitMs)}, true)`
        const rows = yield* planned(
          sql<{ readonly id: string }>`
            select visitor_id as id from (${seen(scope)}) as seen where ${among(visitorIds)}`,
          scope,
        )
        // The savepoint takes it back only when it fails.
        yield* sql`select set_config('statement_timeout', ${limit!.former}, true)`
        return new Set(rows.map(({ id }) => id))
      }).pipe(
        sql.withTransaction,
        Effect.catchReason("SqlError", "StatementTimeoutError", () => new StatementTimedOut()),
      ),

    /** Those of the visitors who are in scope, by id. */
    ofIds: (
      scope: ListScope,
      visitorIds: ReadonlyArray<string>,
    ): Effect.Effect<ReadonlyMap<string, VisitorRow>, SqlError.SqlError> =>
      Effect.map(
        described(
          sql`select * from (${seen(scope)}) as seen where ${among(visitorIds)}`,
          scope,
          sql.literal(`, page.visitor_id as "visitorId"`),
        ),
        (rows) =>
          // The column was asked for.
          new Map((rows as ReadonlyArray<IdentifiedRow>).map((row) => [row.visitorId, row])),
      ),

    /** People in scope. */
    count: (scope: ListScope): Effect.Effect<number> => Effect.orDie(count(scope)),

    /** The same, unless it takes longer than `limitMs`: then null, and the statement is ended. */
    countWithin: (scope: ListScope, limitMs: number): Effect.Effect<number | null> =>
      Effect.gen(function* () {
        yield* sql`select set_config('statement_timeout', ${String(limitMs)}, true)`
        return yield* count(scope)
      }).pipe(
        sql.withTransaction,
        Effect.catchReason("SqlError", "StatementTimeoutError", () => Effect.succeed(null)),
        Effect.orDie,
      ),

    /** The person with an address, when in scope; any address of the person will do. */
    find: (scope: ListScope, emailHash: string): Effect.Effect<VisitorRow | undefined> => {
      const page = sql`
        select seen.visitor_id, seen.email_hash, last_seen_at
        from visitor_address as address
        join (${seen(scope)}) as seen on seen.visitor_id = address.visitor_id
        where organization_id = ${scope.organizationId} and address.email_hash = ${emailHash}`
      return described(page, scope).pipe(
        Effect.map((rows) => rows[0]),
        Effect.orDie,
      )
    },
  }
})

export class VisitorStore extends Context.Service<VisitorStore, Effect.Success<typeof make>>()(
  "@footfall/server/visitors/VisitorStore",
) {
  static readonly layer = Layer.effect(VisitorStore, make)
}
