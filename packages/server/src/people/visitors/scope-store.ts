// SQL that selects the visitors of a list: seen within its window and on its pixel, and matching its rule.
import { DateTime } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { ListScope } from "./list-scope.ts"
import { reachDays } from "./timeframe.ts"
import { compileRule } from "./query/compile.ts"
import { fragmentOf } from "../../platform/database/sql-text.ts"
import { ofPlaces, onSites, placesOfPeople } from "./sites-store.ts"

export const scopes = (sql: SqlClient.SqlClient) => {
  const nothing = sql.literal("")

  const since = (column: string, from: DateTime.Utc | undefined) =>
    from === undefined
      ? nothing
      : sql`and ${sql.literal(column)} >= ${DateTime.toDateUtc(from)}::timestamptz`

  const before = (column: string, until: DateTime.Utc | undefined) =>
    until === undefined
      ? nothing
      : sql`and ${sql.literal(column)} < ${DateTime.toDateUtc(until)}::timestamptz`

  /** Only people with a session in a window that has ended. Of any other window, the time they were last seen says it. */
  const present = ({ from, organizationId, pixelId, until }: ListScope, visitorId: string) =>
    until === undefined
      ? nothing
      : sql`and ${sql.literal(visitorId)} in (
          select session.visitor_id from session
          where session.organization_id = ${organizationId} and session.visitor_id is not null
            ${since("session.ended_at", from)} ${before("session.started_at", until)}
            and session.ended_at < ${DateTime.toDateUtc(DateTime.add(until, { days: reachDays }))}::timestamptz
            ${fragmentOf(onSites("session.pixel_id", pixelId))}
        )`

  /**
   * Visitors in scope that qualify. Without a rule it reads only the columns of the list's index. `among`: a condition on
   * the column with the visitor's id.
   */
  const seen = (
    scope: ListScope,
    among: (visitorId: string) => Statement.Fragment = () => nothing,
  ) => {
    const { from, organizationId, pixelId, rule, suppressed, until } = scope
    const filter =
      suppressed === "include"
        ? nothing
        : sql`and visitor.suppressed = ${sql.literal(String(suppressed === "only"))}`
    const qualifies =
      rule === undefined ? nothing : sql`and ${fragmentOf(compileRule(rule, scope))}`
    if (pixelId === undefined) {
      return sql`
        select id as visitor_id, email_hash, last_seen_at
        from visitor
        where organization_id = ${organizationId} and not held_back ${since("last_seen_at", from)}
          ${before("first_seen_at", until)} ${present(scope, "visitor.id")}
          ${filter} ${qualifies} ${among("visitor.id")}`
    }
    // Postgres drops the join if no column of the visitor is used.
    return sql`
      select visitor_id, visitor_pixel.email_hash, visitor_pixel.last_seen_at
      from ${fragmentOf(placesOfPeople(organizationId, pixelId))}
      left join visitor on visitor.organization_id = visitor_pixel.organization_id
        and visitor.id = visitor_id
      where visitor_pixel.organization_id = ${organizationId}
        ${fragmentOf(ofPlaces("pixel_id", pixelId))}
        and not visitor_pixel.held_back
        ${since("visitor_pixel.last_seen_at", from)}
        ${present(scope, "visitor_pixel.visitor_id")} ${filter} ${qualifies}
        ${among("visitor_pixel.visitor_id")}`
  }

  return { seen, since, before }
}
