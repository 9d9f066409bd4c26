// SQL that describes the visitors of a page: who they are, and totals of their sessions within its window. Only the
// rows of the page are joined and summed up.
import { DateTime } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { isoTime } from "../../platform/database/iso-time.ts"
import { fragmentOf } from "../../platform/database/sql-text.ts"
import type { ListScope } from "./list-scope.ts"
import { shownMarks } from "./marks-store.ts"
import { scopes } from "./scope-store.ts"
import { onSites } from "./sites-store.ts"
import { scoreOrder, shownScore } from "./score-order-store.ts"
import type { VisitorRow } from "./visitor-row.ts"

/** Distinct pages of a visitor. spec 2.1. */
const visitedPagesMax = 100
/** Click ids are shown for this long. spec 1.8. */
const clickIdDays = 90

export const descriptions = (sql: SqlClient.SqlClient) => {
  const iso = (column: string) => sql.literal(isoTime(column))
  const nothing = sql.literal("")
  const { before, since } = scopes(sql)
  const byScore = scoreOrder(sql, "people")

  /** Totals of the sessions of `visitor.id` within window and scope. spec 2.1. */
  const activity = ({ asOf, from, pixelId, until }: ListScope) => sql`
    with present as materialized (
      select started_at, id, pageviews, pricing_page_views, demo_page_views, entry_url, referrer,
        referrer_domain, channel, utm_source, utm_medium, utm_campaign, utm_term, utm_content,
        click_ids, page_urls, page_times
      from session
      where organization_id = page.organization_id and visitor_id = visitor.id
        ${since("ended_at", from)} ${before("started_at", until)}
        ${fragmentOf(onSites("pixel_id", pixelId))}
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
         from (
           select unnest(page_urls) as url, unnest(page_times) as viewed_at from present
         ) as page_view
         group by url
         order by max(viewed_at) desc, url
         limit ${sql.literal(String(visitedPagesMax))}
       ) as latest) as visited,
      (select jsonb_object_agg(key, value ->> 0)
       from (
         select distinct on (key) key, value
         from present, jsonb_each(click_ids)
         where click_ids <> '{}' and to_timestamp((value ->> 1)::numeric / 1000)
           >= ${DateTime.toDateUtc(asOf)}::timestamptz
             - make_interval(days => ${sql.literal(String(clickIdDays))})
         order by key, (value ->> 1)::numeric desc, (value ->> 0) collate "C" desc
       ) as latest) as click_ids
    from present`

  /**
   * Describes the rows of `page` (visitor_id, email_hash, last_seen_at, and their places by score if the scope asks for
   * that order) with totals of their sessions. `more`: the columns `Row` has in addition to a visitor's.
   *
   * The organization is a column of `page` and not a parameter of each condition. Otherwise Postgres plans the statement
   * again for every page of a small organization, which takes a third of the time of a page.
   */
  return <Row extends VisitorRow = VisitorRow>(
    page: Statement.Fragment,
    scope: ListScope,
    more = nothing,
  ) => {
    const { organizationId, pixelId, sort } = scope
    const onPixel = fragmentOf(onSites("pixel_id", pixelId))
    const firstSeen = pixelId === undefined ? "visitor.first_seen_at" : "place.first_seen_at"
    return sql<Row>`
      with page as materialized (
        select listed.*, ${organizationId}::uuid as organization_id from (${page}) as listed
      )
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
        coalesce(activity.click_ids, '{}') as "clickIds", suppressed,
        ${shownScore(sql, "suppressed")} as score,
        ${shownMarks(sql, "people", { organizationId: "page.organization_id", id: "page.visitor_id" })}
        ${more}
      from page
      join visitor on visitor.organization_id = page.organization_id
        and visitor.id = page.visitor_id
      left join visitor_score as score on score.organization_id = page.organization_id
        and score.visitor_id = page.visitor_id
      cross join lateral (
        select
          min(first_seen_at) as first_seen_at,
          (select jsonb_object_agg(key, value ->> 0)
           from (
             select distinct on (key) key, value
             from visitor_pixel as source, jsonb_each(source.custom_attribution)
             where source.organization_id = page.organization_id
               and source.visitor_id = visitor.id and source.custom_attribution <> '{}'
               ${onPixel}
             order by key, (value ->> 1)::numeric desc, (value ->> 0) collate "C" desc
           ) as latest) as attribution
        from visitor_pixel
        where organization_id = page.organization_id and visitor_id = visitor.id ${onPixel}
      ) as place
      cross join lateral (
        select jsonb_agg(
          jsonb_build_object('email', address.email, 'kind', kind)
          order by (address.email = visitor.email) desc, address.first_seen_at, address.email_hash
        ) as addresses
        from visitor_address as address
        where address.organization_id = page.organization_id and visitor_id = visitor.id
          and address.email is not null
      ) as known
      cross join lateral (${activity(scope)}) as activity
      order by ${sort === "score" ? byScore.orderOf("page") : sql.literal("page.last_seen_at desc, page.email_hash")}`
  }
}
