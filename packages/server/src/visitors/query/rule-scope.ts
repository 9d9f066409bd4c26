// Where a rule is asked: the statement that asks it reads `visitor` in the whole organization, and
// `visitor_pixel` with `visitor` beside it in the scope of one pixel (visitors/store.ts).
import { DateTime } from "effect"
import type { ListScope } from "../list-scope.ts"
import { SqlText, sqlText } from "../../database/sql-text.ts"

export type RuleScope = Pick<ListScope, "organizationId" | "pixelId" | "from" | "asOf">

/** The visitor that is asked about. */
export const visitorId = ({ pixelId }: RuleScope): SqlText =>
  SqlText.of(pixelId === undefined ? "visitor.id" : "visitor_pixel.visitor_id")

/** Picks the visitor's sessions of the whole history inside the pixel scope. */
export const allSessions = (scope: RuleScope): SqlText => {
  const ofVisitor = sqlText`session.organization_id = ${scope.organizationId}::uuid
      and session.visitor_id = ${visitorId(scope)}`
  return scope.pixelId === undefined
    ? ofVisitor
    : sqlText`${ofVisitor} and session.pixel_id = ${scope.pixelId}::uuid`
}

/** Picks those of them in the window. */
export const sessionsInWindow = (scope: RuleScope): SqlText =>
  scope.from === undefined
    ? allSessions(scope)
    : sqlText`${allSessions(scope)}
      and session.ended_at >= ${DateTime.toDateUtc(scope.from)}::timestamptz`
