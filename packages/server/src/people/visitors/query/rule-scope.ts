// Where a rule is evaluated. Over people, the statement reads `visitor` for the whole organization, or `visitor_pixel`
// joined with `visitor` for one pixel (visitors/store.ts). Over companies, it reads `company as c`, or `company_pixel as
// c` joined with `company` (companies/store.ts).
import { DateTime } from "effect"
import type { ListScope } from "../list-scope.ts"
import { SqlText, sqlText } from "../../../platform/database/sql-text.ts"

/** What a rule selects. */
export type RuleSubject = "people" | "companies"

export type RuleScope = Pick<
  ListScope,
  "organizationId" | "pixelId" | "from" | "until" | "asOf"
> & {
  /** Default: people. */
  readonly subject?: RuleSubject
  /** Of companies: sessions of suppressed people do not count. */
  readonly withoutSuppressed?: boolean
}

/** The id of the visitor being tested. */
export const visitorId = ({ pixelId }: RuleScope): SqlText =>
  SqlText.of(pixelId === undefined ? "visitor.id" : "visitor_pixel.visitor_id")

/** Selects the subject's sessions of the whole history within the pixel scope. */
export const allSessions = (scope: RuleScope): SqlText => {
  const own = sqlText`session.organization_id = ${scope.organizationId}::uuid
      and ${scope.subject === "companies" ? ofCompany(scope) : sqlText`session.visitor_id = ${visitorId(scope)}`}`
  return scope.pixelId === undefined
    ? own
    : sqlText`${own} and session.pixel_id = ${scope.pixelId}::uuid`
}

/** Those of the company's people, and anonymous ones from its network. */ // spec 13.1
const ofCompany = ({ organizationId, withoutSuppressed }: RuleScope): SqlText => sqlText`(
        (session.visitor_id is null and session.network_domain = c.domain)
        or session.visitor_id = any(array(
          select visitor.id from visitor
          where visitor.organization_id = ${organizationId}::uuid and visitor.company_key = c.domain
            ${SqlText.of(withoutSuppressed === true ? "and not visitor.suppressed" : "")}
        ))
      )`

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
