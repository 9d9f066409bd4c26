// SQL of the overview (spec 13.3.3). Days are those of the organization's time zone. A day's totals are computed from its
// sessions and stored; hours are counted from the sessions themselves. To count distinct people over several days, each
// day stores how long ago its visitors came before: those who came earlier within the window were counted on that day.
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { advisoryLocks } from "../../../platform/database/advisory-locks.ts"
import { transaction } from "../../../platform/database/transaction.ts"
import { fragmentOf } from "../../../platform/database/sql-text.ts"
import {
  type StatementTimedOut,
  withinLimit,
} from "../../../platform/database/statement-timeout.ts"
import type { SuppressedFilter } from "../list-scope.ts"
import { onSites } from "../sites-store.ts"
import { reachDays } from "../timeframe.ts"
import type { Figures } from "./figures.ts"
import type { OverviewRow } from "./overview-row.ts"
import { counts, type VisitScope, visitsIn } from "./visits-store.ts"
import { windowDaysMax } from "./windows.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

/** The pixel id of rows that cover all pixels. */
const allPixels = "00000000-0000-0000-0000-000000000000"
/** Twice the longest window, and two days because dates differ between time zones. */
const keptDays = 2 * windowDaysMax + 2
/** Longer gaps make no difference for any window. */
const gapMax = windowDaysMax
/** Clocks are never set back further, so a day's sessions begin at most this long before its last midnight. */
const setBackMax = "3 hours"
/** More days than an organization has turns for in a pass. */
const staleMax = 1_000

/** A window of hours in one scope. */
export interface HoursQuestion extends VisitScope {
  /** Where the hours after the first one begin, in order. */
  readonly starts: ReadonlyArray<DateTime.Utc>
  readonly suppressed: SuppressedFilter
}

export interface HourRow extends Figures {
  /** From 0; null: the whole window. */
  readonly hour: number | null
}

interface StaleDay {
  readonly organizationId: string
  readonly day: string
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const days = (
    organizationId: string,
    {
      from,
      pixelId,
      timeZone,
      until,
    }: {
      readonly pixelId: string | undefined
      readonly timeZone: string
      readonly from: string
      readonly until: string
    },
  ): Effect.Effect<ReadonlyArray<OverviewRow>> =>
    sql<OverviewRow>`
      select to_char(day, 'YYYY-MM-DD') as date, sessions, anonymous_sessions as "anonymousSessions",
        pageviews, pricing_page_views as "pricingPageViews", demo_page_views as "demoPageViews",
        suppressed_sessions as "suppressedSessions",
        suppressed_anonymous_sessions as "suppressedAnonymousSessions",
        suppressed_pageviews as "suppressedPageviews",
        suppressed_pricing_page_views as "suppressedPricingPageViews",
        suppressed_demo_page_views as "suppressedDemoPageViews",
        people, suppressed_people as "suppressedPeople", companies,
        coalesce(counted_companies, companies) as "countedCompanies"
      from overview_day
      where organization_id = ${organizationId} and pixel_id = ${pixelId ?? allPixels}
        and day >= ${from}::date and day <= ${until}::date and time_zone = ${timeZone}
      order by day`.pipe(Effect.orDie)

  /** The first day that is stored. */
  const keptFrom = sql`(now() at time zone 'utc')::date - ${sql.literal(String(keptDays))}`

  /** The first days to recompute, oldest first per organization, because later days build on earlier ones. */
  const stale: Result<ReadonlyArray<StaleDay>> = sql<StaleDay>`
    select each.organization_id as "organizationId", to_char(marked.day, 'YYYY-MM-DD') as day
    from (select distinct organization_id from overview_stale) as each
    cross join lateral (
      select distinct stale.day from overview_stale as stale
      where stale.organization_id = each.organization_id and stale.day >= ${keptFrom}
      order by stale.day limit ${sql.literal(String(staleMax))}
    ) as marked
    order by each.organization_id, marked.day`

  /**
   * Computes totals of the sessions that started on the day, per pixel and for all pixels. Marks the next day of
   * each company that is new on this day, no longer on it, or has changed its suppression on it.
   */
  const sums = (organizationId: string, day: string, timeZone: string) => {
    const dayOf = (moment: string) =>
      sql`(${sql.literal(moment)} at time zone ${timeZone}::text)::date`
    // If midnight comes twice, the last one.
    const midnight = sql`(${day}::date::timestamp at time zone ${timeZone}::text)`
    const from = sql`(${midnight} - ${sql.literal(`interval '${setBackMax}'`)})`
    const until = sql`((${day}::date + 1)::timestamp at time zone ${timeZone}::text)`
    const before = (moment: string) => sql`case when ${sql.literal(moment)} is not null
      then least(${sql.literal(String(gapMax))},
        ${day}::date - ${dayOf(moment)}) end`
    const companyGap = (before: string) => sql`coalesce(
      least(${sql.literal(String(gapMax))}, ${day}::date - ${sql.literal(before)})::text, 'new')`
    const companyBefore = (which: string) => sql`
      select c.day, c.suppressed from overview_company c
      where c.organization_id = ${organizationId} and c.domain = scoped.domain
        and c.day < ${day}::date and ${sql.literal(which)}
        and (scoped.pixel_id = ${allPixels}::uuid or c.pixel_id = scoped.pixel_id)
      order by c.day desc, c.suppressed
      limit 1`
    const onPixel = sql`(scoped.pixel_id = ${allPixels}::uuid or earlier.pixel_id = scoped.pixel_id)`
    return sql`
      with present as materialized (
        select s.*, company.domain, v.id is not null and not v.held_back as is_known,
          coalesce(v.suppressed, s.network_suppressed or hidden.domain is not null) as suppressed,
          hidden.domain is not null as is_company_suppressed
        from session s
        left join visitor v on v.organization_id = s.organization_id and v.id = s.visitor_id
        cross join lateral (
          select case when s.visitor_id is null then s.network_domain else v.company_key end
        ) as company (domain)
        left join company hidden on hidden.organization_id = s.organization_id
          and hidden.domain = company.domain and hidden.suppressed
        where s.organization_id = ${organizationId} and s.ended_at >= ${from}
          and s.ended_at < ${until} + make_interval(days => ${sql.literal(String(reachDays))})
          and s.started_at >= ${from} and s.started_at < ${until}
          and ${dayOf("s.started_at")} = ${day}::date
      ), scoped_sums as (
        select coalesce(pixel_id, ${allPixels}::uuid) as pixel_id, count(*) as sessions,
          count(*) filter (where visitor_id is null) as anonymous, sum(pageviews) as pageviews,
          sum(pricing_page_views) as pricing, sum(demo_page_views) as demo,
          count(*) filter (where suppressed) as suppressed,
          count(*) filter (where suppressed and visitor_id is null) as suppressed_anonymous,
          coalesce(sum(pageviews) filter (where suppressed), 0) as suppressed_pageviews,
          coalesce(sum(pricing_page_views) filter (where suppressed), 0) as suppressed_pricing,
          coalesce(sum(demo_page_views) filter (where suppressed), 0) as suppressed_demo
        from present
        group by grouping sets ((), (pixel_id))
        having count(*) > 0
      ), people as (
        select scoped.pixel_id, scoped.suppressed,
          coalesce((${before("earlier.started_at")})::text, 'new') as gap, count(*) as n
        from (
          select distinct pixel_id, visitor_id, suppressed from present where is_known
          union
          select distinct ${allPixels}::uuid, visitor_id, suppressed from present where is_known
        ) as scoped
        left join lateral (
          select earlier.started_at from session earlier
          where earlier.organization_id = ${organizationId}
            and earlier.visitor_id = scoped.visitor_id and earlier.started_at < ${midnight}
            and ${dayOf("earlier.started_at")} < ${day}::date and ${onPixel}
          order by earlier.started_at desc
          limit 1
        ) as earlier on true
        group by 1, 2, 3
      ), company_now as materialized (
        select domain, pixel_id, bool_and(suppressed or is_company_suppressed) as suppressed
        from present
        where domain is not null
        group by domain, pixel_id
      ), gone as (
        delete from overview_company c
        where c.organization_id = ${organizationId} and c.day = ${day}::date
          and not exists (select 1 from company_now n
            where n.domain = c.domain and n.pixel_id = c.pixel_id)
        returning c.domain, c.pixel_id
      ), come as (
        insert into overview_company (organization_id, day, domain, pixel_id, suppressed)
        select ${organizationId}::uuid, ${day}::date, n.domain, n.pixel_id, n.suppressed
        from company_now n
        where not exists (select 1 from overview_company c
          where c.organization_id = ${organizationId} and c.day = ${day}::date
            and c.domain = n.domain and c.pixel_id = n.pixel_id)
        returning domain, pixel_id
      ), turned as (
        update overview_company c set suppressed = n.suppressed
        from company_now n
        where c.organization_id = ${organizationId} and c.day = ${day}::date
          and n.domain = c.domain and n.pixel_id = c.pixel_id and n.suppressed <> c.suppressed
        returning c.domain, c.pixel_id
      ), later as (
        insert into overview_stale (organization_id, day, time_zone)
        select distinct ${organizationId}::uuid, next.day, ${timeZone}::text
        from (
          select * from gone union all select * from come union all select * from turned
        ) as moved
        cross join lateral (values (moved.pixel_id), (${allPixels}::uuid)) as k (pixel_id)
        cross join lateral (values (true), (false)) as or_not (suppressed)
        cross join lateral (
          select c.day from overview_company c
          where c.organization_id = ${organizationId} and c.domain = moved.domain
            and c.day > ${day}::date and (or_not.suppressed or not c.suppressed)
            and (k.pixel_id = ${allPixels}::uuid or c.pixel_id = k.pixel_id)
          order by c.day limit 1
        ) as next
      ), scoped_companies as materialized (
        select scoped.pixel_id, scoped.suppressed, ${companyGap("earlier.day")} as gap,
          ${companyGap("case when earlier.suppressed then counted.day else earlier.day end")}
            as counted_gap
        from (
          select coalesce(pixel_id, ${allPixels}::uuid) as pixel_id, domain,
            bool_and(suppressed) as suppressed
          from company_now
          group by grouping sets ((domain), (domain, pixel_id))
        ) as scoped
        left join lateral (${companyBefore("true")}) as earlier on true
        left join lateral (
          ${companyBefore("earlier.suppressed and not scoped.suppressed and not c.suppressed")}
        ) as counted on true
      ), companies as (
        select pixel_id, gap, count(*) as n from scoped_companies group by 1, 2
      ), counted_companies as (
        select pixel_id, counted_gap as gap, count(*) as n
        from scoped_companies where not suppressed
        group by 1, 2
      )
      insert into overview_day (organization_id, pixel_id, day, sessions, anonymous_sessions,
        pageviews, pricing_page_views, demo_page_views, suppressed_sessions,
        suppressed_anonymous_sessions, suppressed_pageviews, suppressed_pricing_page_views,
        suppressed_demo_page_views, people, suppressed_people, companies, counted_companies,
        time_zone)
      select ${organizationId}::uuid, s.pixel_id, ${day}::date, s.sessions, s.anonymous,
        s.pageviews, s.pricing, s.demo, s.suppressed, s.suppressed_anonymous,
        s.suppressed_pageviews, s.suppressed_pricing, s.suppressed_demo,
        coalesce((select jsonb_object_agg(gap, n) from people p
          where p.pixel_id = s.pixel_id and not p.suppressed), '{}'),
        coalesce((select jsonb_object_agg(gap, n) from people p
          where p.pixel_id = s.pixel_id and p.suppressed), '{}'),
        coalesce((select jsonb_object_agg(gap, n) from companies c
          where c.pixel_id = s.pixel_id), '{}'),
        coalesce((select jsonb_object_agg(gap, n) from counted_companies c
          where c.pixel_id = s.pixel_id), '{}'),
        ${timeZone}
      from scoped_sums s`
  }

  /**
   * Runs in one transaction, so a crash leaves the day marked. Reads the marks first: changes committed later may
   * be missing from the totals, and their mark stays. Then the time zone: when it changes, every day is marked. A mark
   * from another zone means sessions that were written while it changed; on this zone's calendar they may be up to two
   * days away.
   */
  const computeDay = (organizationId: string, day: string): Result<void> =>
    Effect.gen(function* () {
      const [lock] = yield* sql<{ readonly isMine: boolean }>`
        select pg_try_advisory_xact_lock(${advisoryLocks.overview}, hashtext(${organizationId}))
          as "isMine"`
      if (lock?.isMine !== true) return
      yield* sql`select set_config('statement_timeout', '10min', true)`
      const notes = yield* sql<{ readonly timeZone: string }>`
        delete from overview_stale
        where organization_id = ${organizationId} and day = ${day}::date
        returning time_zone as "timeZone"`
      // Another process computed the day.
      if (notes.length === 0) return
      yield* sql`
        delete from overview_day where organization_id = ${organizationId} and day = ${day}::date`
      const [zone] = yield* sql<{ readonly timeZone: string }>`
        select time_zone as "timeZone" from organization where id = ${organizationId}`
      const timeZone = zone?.timeZone ?? "UTC"
      if (notes.some((note) => note.timeZone !== timeZone)) {
        yield* sql`
          insert into overview_stale (organization_id, day, time_zone)
          select ${organizationId}::uuid, ${day}::date + away, ${timeZone}::text
          from unnest(array[-2, -1, 1, 2]) as away`
      }
      yield* sums(organizationId, day, timeZone)
    }).pipe(transaction, Effect.provideService(SqlClient.SqlClient, sql))

  /** Counts the sessions that began in the window, each hour, or each day of several sites, by itself and all together. */
  const counted = ({ starts, suppressed, ...scope }: HoursQuestion) => {
    const { from, organizationId, pixelId } = scope
    const bounds = sql`${starts.map((moment) => DateTime.formatIso(moment))}::timestamptz[]`
    const selects = (isSuppressed: string) => counts(sql, suppressed, isSuppressed)
    const known = sql.literal("is_known and")
    return sql<HourRow>`
      with visit as materialized (
        ${visitsIn(sql, scope, "s.started_at, s.pricing_page_views, s.demo_page_views")}
      ), present as materialized (
        select *, width_bucket(started_at, ${bounds}) as hour from visit
      ), newcomer as (
        select visitor_id, min(started_at) as started_at
        from present
        where is_known and not exists (
          select from session earlier
          where earlier.organization_id = ${organizationId}
            and earlier.visitor_id = present.visitor_id
            and earlier.started_at < ${DateTime.toDateUtc(from)}::timestamptz
            ${fragmentOf(onSites("earlier.pixel_id", pixelId))}
        )
        group by visitor_id
      ), visits as (
        select present.hour, count(*) filter (where ${selects("suppressed")}) as sessions,
          count(*) filter (where ${selects("suppressed")} and visitor_id is null) as anonymous,
          coalesce(sum(pageviews) filter (where ${selects("suppressed")}), 0) as pageviews,
          coalesce(sum(pricing_page_views) filter (where ${selects("suppressed")}), 0) as pricing,
          coalesce(sum(demo_page_views) filter (where ${selects("suppressed")}), 0) as demo,
          count(distinct visitor_id) filter (where ${known} ${selects("suppressed")}) as people,
          count(distinct newcomer.visitor_id) filter (where ${known} ${selects("suppressed")})
            as new_people,
          count(distinct visitor_id) filter (where ${known} suppressed) as suppressed_people
        from present
        left join newcomer using (visitor_id, started_at)
        group by grouping sets ((), (hour))
      ), companies as (
        select hour, count(*) filter (where ${selects("is_hidden")}) as companies
        from (
          select hour, grouping(hour) as is_all, domain,
            bool_and(suppressed or is_company_suppressed) as is_hidden
          from present
          where domain is not null
          group by grouping sets ((domain), (domain, hour))
        ) as seen
        group by hour, is_all
      )
      select visits.hour, sessions::int, anonymous::int as "anonymousSessions",
        pageviews::int, people::int, new_people::int as "newPeople",
        suppressed_people::int as "suppressedPeople", coalesce(companies, 0)::int as companies,
        pricing::int as "pricingPageViews", demo::int as "demoPageViews"
      from visits
      left join companies on companies.hour is not distinct from visits.hour`
  }

  const deleteOldMarks: Result<void> = sql`delete from overview_stale where day < ${keptFrom}`.pipe(
    Effect.asVoid,
  )

  /** Scans all totals, so it runs only once a day. */
  const deleteOld: Result<void> = Effect.gen(function* () {
    yield* sql`delete from overview_day where day < ${keptFrom}`
    yield* sql`delete from overview_company where day < ${keptFrom}`
  })

  return {
    days,
    /** The hours of one day. */
    hours: (question: HoursQuestion): Effect.Effect<ReadonlyArray<HourRow>> =>
      Effect.orDie(counted(question)),
    /** For a window that may take longer than other statements. */
    hoursWithin: (
      question: HoursQuestion,
    ): Effect.Effect<ReadonlyArray<HourRow>, StatementTimedOut> => withinLimit(counted(question)),
    stale,
    computeDay,
    deleteOldMarks,
    deleteOld,
  }
})

export class OverviewStore extends Context.Service<OverviewStore, Effect.Success<typeof make>>()(
  "@footfall/server/visitors/OverviewStore",
) {
  static readonly layer = Layer.effect(OverviewStore, make)
}
