// SQL of a company's activity: its page views by day, and by person or country (spec 13.3.11).
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import {
  type StatementTimedOut,
  withinLimit,
} from "../../../platform/database/statement-timeout.ts"
import type { Sites } from "../../../collect/pixels/store.ts"
import { fragmentOf } from "../../../platform/database/sql-text.ts"
import { onSites } from "../sites-store.ts"
import { reachDays } from "../timeframe.ts"
import type { Span } from "../overview/windows.ts"

export interface ActivityQuestion extends Span {
  readonly organizationId: string
  readonly domain: string
  readonly pixelId: Sites
  readonly timeZone: string
}

/** Who: a person, or the anonymous visitors from one country, and when. */
interface Place {
  readonly emailHash: string | null
  /** Of anonymous visits. */
  readonly country: string | null
  /** `YYYY-MM-DD`. */
  readonly date: string
}

export interface ActivityRow extends Place {
  readonly name: string | null
  readonly jobTitle: string | null
  readonly sessions: number
  readonly pageviews: number
  readonly pricingPageViews: number
  readonly demoPageViews: number
}

export interface PageRow extends Place {
  readonly pixelId: string
  readonly url: string
}

/** Pages that are compared with the names of key pages. */
const pagesMax = 20_000

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  /** Its sessions without suppressed people. Anyone held back is an anonymous visitor. */
  const visits = ({ domain, from, organizationId, pixelId, timeZone, until }: ActivityQuestion) => {
    const at = (moment: DateTime.Utc) => sql`${DateTime.toDateUtc(moment)}::timestamptz`
    const inSpan = sql`s.ended_at >= ${at(from)}
      and s.ended_at < ${at(until)} + make_interval(days => ${sql.literal(String(reachDays))})
      and s.started_at >= ${at(from)} and s.started_at < ${at(until)}
      ${fragmentOf(onSites("s.pixel_id", pixelId))}`
    return sql`
      select visit.*, v.email_hash as "emailHash", v.first_name, v.last_name, v.job_title,
        case when v.id is null then s.country end as country,
        to_char((s.started_at at time zone ${timeZone}::text)::date, 'YYYY-MM-DD') as date,
        s.pixel_id, s.pageviews, s.pricing_page_views, s.demo_page_views, s.page_urls
      from (
        select s.id, null::uuid as visitor_id
        from session s
        where s.organization_id = ${organizationId} and s.network_domain = ${domain}
          and s.visitor_id is null and ${inSpan}
        union all
        select s.id, case when v.held_back then null else v.id end
        from visitor v
        join session s on s.organization_id = v.organization_id and s.visitor_id = v.id
        where v.organization_id = ${organizationId} and v.company_key = ${domain}
          and not v.suppressed and ${inSpan}
      ) as visit
      join session s on s.organization_id = ${organizationId} and s.id = visit.id
      left join visitor v on v.organization_id = ${organizationId} and v.id = visit.visitor_id`
  }

  return {
    exists: (organizationId: string, domain: string): Effect.Effect<boolean> =>
      sql`select from company where organization_id = ${organizationId} and domain = ${domain}`.pipe(
        Effect.map((rows) => rows.length > 0),
        Effect.orDie,
      ),

    /** Days in order. */
    days: (
      question: ActivityQuestion,
    ): Effect.Effect<ReadonlyArray<ActivityRow>, StatementTimedOut> =>
      withinLimit(sql<ActivityRow>`
        select "emailHash", country, date,
          nullif(concat_ws(' ', min(first_name), min(last_name)), '') as name,
          min(job_title) as "jobTitle", count(*)::int as sessions,
          sum(pageviews)::int as pageviews, sum(pricing_page_views)::int as "pricingPageViews",
          sum(demo_page_views)::int as "demoPageViews"
        from (${visits(question)}) as visit
        group by "emailHash", country, date
        order by date, "emailHash", country`),

    /** The distinct pages of each day; not all of them if they are very many. */
    pages: (question: ActivityQuestion): Effect.Effect<ReadonlyArray<PageRow>, StatementTimedOut> =>
      withinLimit(sql<PageRow>`
        select distinct "emailHash", country, date, pixel_id as "pixelId", page.url
        from (${visits(question)}) as visit
        cross join lateral unnest(visit.page_urls) as page (url)
        limit ${sql.literal(String(pagesMax))}`),
  }
})

export class ActivityStore extends Context.Service<ActivityStore, Effect.Success<typeof make>>()(
  "@footfall/server/visitors/ActivityStore",
) {
  static readonly layer = Layer.effect(ActivityStore, make)
}
