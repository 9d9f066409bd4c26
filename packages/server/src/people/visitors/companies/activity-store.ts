// SQL of a company's activity: its page views by day, and by person or country (spec 13.3.11).
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { reachDays } from "../timeframe.ts"
import type { Span } from "../overview/windows.ts"

export interface ActivityQuestion extends Span {
  readonly organizationId: string
  readonly domain: string
  /** Undefined: every pixel. */
  readonly pixelId: string | undefined
  readonly timeZone: string
}

/** What one person did on one day, or all anonymous visitors from one country. */
export interface ActivityRow {
  readonly emailHash: string | null
  readonly name: string | null
  readonly jobTitle: string | null
  /** Of anonymous visits. */
  readonly country: string | null
  /** `YYYY-MM-DD`. */
  readonly date: string
  readonly sessions: number
  readonly pageviews: number
  readonly pricingPageViews: number
  readonly demoPageViews: number
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  return {
    /**
     * Days in order, without suppressed people. Anyone held back is an anonymous visitor. Undefined for an unknown
     * company.
     */
    read: ({
      domain,
      from,
      organizationId,
      pixelId,
      timeZone,
      until,
    }: ActivityQuestion): Effect.Effect<ReadonlyArray<ActivityRow> | undefined> => {
      const at = (moment: DateTime.Utc) => sql`${DateTime.toDateUtc(moment)}::timestamptz`
      const inSpan = sql`s.ended_at >= ${at(from)}
        and s.ended_at < ${at(until)} + make_interval(days => ${sql.literal(String(reachDays))})
        and s.started_at >= ${at(from)} and s.started_at < ${at(until)}
        ${pixelId === undefined ? sql.literal("") : sql`and s.pixel_id = ${pixelId}`}`
      const columns = sql.literal(
        "s.started_at, s.pageviews, s.pricing_page_views, s.demo_page_views, s.country",
      )
      return sql<{ readonly rows: ReadonlyArray<ActivityRow> }>`
        with visit as (
          select ${columns}, null::uuid as visitor_id
          from session s
          where s.organization_id = ${organizationId} and s.network_domain = ${domain}
            and s.visitor_id is null and ${inSpan}
          union all
          select ${columns}, case when v.held_back then null else v.id end
          from visitor v
          join session s on s.organization_id = v.organization_id and s.visitor_id = v.id
          where v.organization_id = ${organizationId} and v.company_key = ${domain}
            and not v.suppressed and ${inSpan}
        ), counted as (
          select visitor_id, case when visitor_id is null then country end as country,
            to_char((started_at at time zone ${timeZone}::text)::date, 'YYYY-MM-DD') as date,
            count(*)::int as sessions, sum(pageviews)::int as pageviews,
            sum(pricing_page_views)::int as "pricingPageViews",
            sum(demo_page_views)::int as "demoPageViews"
          from visit
          group by 1, 2, 3
        ), named as (
          select v.email_hash as "emailHash",
            nullif(concat_ws(' ', v.first_name, v.last_name), '') as name,
            v.job_title as "jobTitle", counted.country, date, sessions, pageviews,
            "pricingPageViews", "demoPageViews"
          from counted
          left join visitor v on v.organization_id = ${organizationId}
            and v.id = counted.visitor_id
        )
        select coalesce((select jsonb_agg(named order by date, "emailHash", country) from named),
          '[]') as rows
        from company
        where organization_id = ${organizationId} and domain = ${domain}`.pipe(
        Effect.map(([found]) => found?.rows),
        Effect.orDie,
      )
    },
  }
})

export class ActivityStore extends Context.Service<ActivityStore, Effect.Success<typeof make>>()(
  "@footfall/server/visitors/ActivityStore",
) {
  static readonly layer = Layer.effect(ActivityStore, make)
}
