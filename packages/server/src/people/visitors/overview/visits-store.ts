// SQL of the sessions that began in a span, each with its person and its company (spec 13.3.3).
import { DateTime } from "effect"
import type { SqlClient } from "effect/sql"
import type { Sites } from "../../../collect/pixels/store.ts"
import { fragmentOf } from "../../../platform/database/sql-text.ts"
import type { SuppressedFilter } from "../list-scope.ts"
import { onSites } from "../sites-store.ts"
import { reachDays } from "../timeframe.ts"
import type { Span } from "./windows.ts"

export interface VisitScope extends Span {
  readonly organizationId: string
  readonly pixelId: Sites
}

/** `columns`: those of session `s`. */
export const visitsIn = (
  sql: SqlClient.SqlClient,
  { from, organizationId, pixelId, until }: VisitScope,
  columns: string,
) => {
  const at = (moment: DateTime.Utc) => sql`${DateTime.toDateUtc(moment)}::timestamptz`
  return sql`
    select ${sql.literal(columns)}, s.visitor_id, s.pageviews, company.domain,
      v.id is not null and not v.held_back as is_known,
      coalesce(v.suppressed, s.network_suppressed or hidden.domain is not null) as suppressed,
      hidden.domain is not null as is_company_suppressed
    from session s
    left join visitor v on v.organization_id = s.organization_id and v.id = s.visitor_id
    cross join lateral (
      select case when s.visitor_id is null then s.network_domain else v.company_key end
    ) as company (domain)
    left join company hidden on hidden.organization_id = s.organization_id
      and hidden.domain = company.domain and hidden.suppressed
    where s.organization_id = ${organizationId} and s.ended_at >= ${at(from)}
      and s.ended_at < ${at(until)} + make_interval(days => ${sql.literal(String(reachDays))})
      and s.started_at >= ${at(from)} and s.started_at < ${at(until)}
      ${fragmentOf(onSites("s.pixel_id", pixelId))}`
}

/** Whether the filter counts a row. `isSuppressed`: a condition on it. */
export const counts = (
  sql: SqlClient.SqlClient,
  filter: SuppressedFilter,
  isSuppressed = "suppressed",
) => sql.literal({ include: "true", exclude: `not ${isSuppressed}`, only: isSuppressed }[filter])
