// Where a rule is evaluated: the statement reads `visitor` for the whole organization, or `visitor_pixel` joined with
// `visitor` for one pixel (visitors/store.ts).
import { DateTime } from "effect"
import type { ListScope } from "../list-scope.ts"
import { SqlText, sqlText } from "../../../platform/database/sql-text.ts"

export type RuleScope = Pick<ListScope, "organizationId" | "pixelId" | "from" | "until" | "asOf">

/** The id of the visitor being tested. */
export const visitorId = ({ pixelId }: RuleScope): SqlText =>
  SqlText.of(pixelId === undefined ? "visitor.id" : "visitor_pixel.visitor_id")

/** Selects the visitor's sessions of the whole history within the pixel scope. */
export const allSessions = (scope: RuleScope): SqlText => {
  const ofVisitor = sqlText`session.organization_id = ${scope.organizationId}::uuid
      and session.visitor_id = ${visitorId(scope)}`
  return scope.pixelId === undefined
    ? ofVisitor
    : sqlText`${ofVisitor} and session.pixel_id = ${scope.pixelId}::uuid`
}

/** Selects those within the window. */
export const sessionsInWindow = (scope: RuleScope): SqlText => {
  const since =
    scope.from === undefined
      ? allSessions(scope)
      : sqlText`${allSessions(scope)}
      and session.ended_at >= ${DateTime.toDateUtc(scope.from)}::timestamptz`
  return scope.until === undefined
    ? since
    : sqlText`${since}
      and session.started_at < ${DateTime.toDateUtc(scope.until)}::timestamptz`
}
