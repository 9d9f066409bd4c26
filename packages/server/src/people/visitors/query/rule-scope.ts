// Where a rule is evaluated. Over people, the statement reads `visitor` for the whole organization, or `visitor_pixel`
// joined with `visitor` for one pixel or several (visitors/store.ts). Over companies, it reads `company as c`, or `company_pixel as
// c` joined with `company` (companies/store.ts), or `c` with the columns of `company` and `anonymous_seen_at`,
// if only anonymous sessions count (score/computing-store.ts).
import { DateTime } from "effect"
import type { ListScope } from "../list-scope.ts"
import { onSites } from "../sites-store.ts"
import type { RuleSubject } from "./predicate.ts"
import { SqlText, sqlText } from "../../../platform/database/sql-text.ts"

export type RuleScope = Pick<
  ListScope,
  "organizationId" | "pixelId" | "from" | "until" | "asOf"
> & {
  /** Default: people. */
  readonly subject?: RuleSubject
  /** Which sessions of a company count. `counted`: without those of suppressed people. Default: all of them. */
  readonly sessions?: "all" | "counted" | "anonymous"
}

/** The id of the visitor being tested. */
export const visitorId = ({ pixelId }: RuleScope): SqlText =>
  SqlText.of(pixelId === undefined ? "visitor.id" : "visitor_pixel.visitor_id")

/** When the subject was last seen within the pixel scope. */
export const lastSeen = ({ pixelId, sessions, subject }: RuleScope): SqlText => {
  if (subject !== "companies") {
    return SqlText.of(`${pixelId === undefined ? "visitor" : "visitor_pixel"}.last_seen_at`)
  }
  return SqlText.of(sessions === "anonymous" ? "c.anonymous_seen_at" : "c.last_seen_at")
}

/** Selects a person's sessions of the whole history within the pixel scope. */
export const allSessions = (scope: RuleScope): SqlText => sqlText`
      session.organization_id = ${scope.organizationId}::uuid
      and session.visitor_id = ${visitorId(scope)} ${onPixel(scope)}`

const onPixel = ({ pixelId }: RuleScope): SqlText => onSites("session.pixel_id", pixelId)

const inWindow = ({ from, until }: RuleScope): SqlText => {
  const since =
    from === undefined
      ? SqlText.of("")
      : sqlText`and session.ended_at >= ${DateTime.toDateUtc(from)}::timestamptz`
  return until === undefined
    ? since
    : sqlText`${since} and session.started_at < ${DateTime.toDateUtc(until)}::timestamptz`
}

/** The `from` and `where` of a subject's sessions within the window, to which conditions are added. */
export const sessionsInWindow = (scope: RuleScope): SqlText =>
  scope.subject === "companies"
    ? ofCompany(scope)
    : sqlText`session where ${allSessions(scope)} ${inWindow(scope)}`

/** Anonymous ones from the company's network, and those of its people: each part has an index. */ // spec 13.1
const ofCompany = (scope: RuleScope): SqlText => {
  const organizationId = sqlText`${scope.organizationId}::uuid`
  const inScope = sqlText`${onPixel(scope)} ${inWindow(scope)}`
  const isAnonymous = sqlText`session.organization_id = ${organizationId}
          and session.visitor_id is null and session.network_domain = c.domain ${inScope}`
  if (scope.sessions === "anonymous") return sqlText`session where ${isAnonymous}`
  const counted = SqlText.of(scope.sessions === "counted" ? "and not person.suppressed" : "")
  return sqlText`(
        select session.* from session where ${isAnonymous}
        union all
        select session.* from visitor as person
        join session on session.organization_id = person.organization_id
          and session.visitor_id = person.id
        where person.organization_id = ${organizationId} and person.company_key = c.domain
          ${counted} ${inScope}
      ) as session where true`
}
