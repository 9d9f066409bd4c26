// SQL of breakdowns: the most frequent values of a dimension among the sessions of a span (spec 13.3.10).
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { fragmentOf } from "../../../platform/database/sql-text.ts"
import {
  type StatementTimedOut,
  withinLimit,
} from "../../../platform/database/statement-timeout.ts"
import type { SuppressedFilter } from "../list-scope.ts"
import { path } from "../query/session-texts.ts"
import type { BreakdownFigures, Dimension } from "./breakdown.ts"
import { counts, type VisitScope, visitsIn } from "./visits-store.ts"

export interface BreakdownQuestion extends VisitScope {
  readonly by: Dimension
  readonly suppressed: SuppressedFilter
}

export interface BreakdownRow extends BreakdownFigures {
  readonly value: string | null
}

/** The figures of a span, and of its most frequent values. */
export interface BreakdownRows {
  readonly totals: BreakdownFigures
  readonly rows: ReadonlyArray<BreakdownRow>
}

/** What a session says about a dimension. */
const columns: Readonly<Record<Dimension, string>> = {
  page: "s.page_urls, s.page_views",
  entry_page: `${path("s.entry_url").text} as value`,
  channel: "s.channel as value",
  source: "coalesce(lower(s.utm_source), s.referrer_domain) as value",
  campaign: "s.utm_campaign as value",
  country: "s.country as value",
  device: "s.device_type as value",
}

/** A suppressed company is not counted with a session that is. */
const isCompany: Readonly<Record<SuppressedFilter, string>> = {
  include: "true",
  exclude: "not is_company_suppressed",
  only: "true",
}

const figures = (views: string, filter: SuppressedFilter) => `count(*)::int as sessions,
      count(*) filter (where visitor_id is null)::int as "anonymousSessions",
      coalesce(sum(${views}), 0)::int as pageviews,
      count(distinct visitor_id) filter (where is_known)::int as people,
      count(distinct domain) filter (where ${isCompany[filter]})::int as companies`

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  /** A page counts its own views, any other value those of its sessions. */
  const said = (by: Dimension) =>
    by === "page"
      ? sql`
          select visit.*, page.value, page.views
          from visit
          cross join lateral (
            select ${fragmentOf(path("page.url"))} as value, sum(coalesce(page.views, 1)) as views
            from unnest(visit.page_urls, visit.page_views) as page (url, views)
            group by 1
          ) as page`
      : sql.literal("select *, pageviews as views from visit")

  /** The first `limit` values, or the named ones. */
  const chosen = (choice: Choice) =>
    "limit" in choice
      ? sql`order by sessions desc, pageviews desc, value collate "C" nulls last
          limit ${sql.literal(String(choice.limit))}`
      : sql`having coalesce(value, '') = any (array(
            select jsonb_array_elements_text(${JSON.stringify(choice.values)}::text::jsonb)))`

  const read = ({ by, suppressed, ...scope }: BreakdownQuestion, choice: Choice) =>
    sql<BreakdownRows>`
      with visit as materialized (
        select * from (${visitsIn(sql, scope, `s.id, ${columns[by]}`)}) as seen
        where ${counts(sql, suppressed)}
      ), said as (${said(by)}),
      chosen as (
        select value, ${sql.literal(figures("views", suppressed))} from said group by value ${chosen(choice)}
      )
      select
        (select to_jsonb(total) from (
          select ${sql.literal(figures("pageviews", suppressed))} from visit) as total) as totals,
        (select coalesce(jsonb_agg(chosen order by sessions desc, pageviews desc,
          value collate "C" nulls last), '[]') from chosen) as rows`.unprepared.pipe(
      Effect.map(([found]) => found!),
    )

  return {
    /** The most frequent values. */
    top: (
      question: BreakdownQuestion,
      limit: number,
    ): Effect.Effect<BreakdownRows, StatementTimedOut> => withinLimit(read(question, { limit })),

    /** The named values; null is the absent one. */
    named: (
      question: BreakdownQuestion,
      values: ReadonlyArray<string | null>,
    ): Effect.Effect<BreakdownRows, StatementTimedOut> =>
      withinLimit(read(question, { values: values.map((value) => value ?? "") })),
  }
})

type Choice = { readonly limit: number } | { readonly values: ReadonlyArray<string> }

export class BreakdownStore extends Context.Service<BreakdownStore, Effect.Success<typeof make>>()(
  "@footfall/server/visitors/BreakdownStore",
) {
  static readonly layer = Layer.effect(BreakdownStore, make)
}
