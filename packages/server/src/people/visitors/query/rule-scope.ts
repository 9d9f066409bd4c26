// Where a rule is evaluated. Over people, the statement reads `visitor` for the whole organization, or `visitor_pixel`
// joined with `visitor` for one pixel (visitors/store.ts). Over companies, it reads `company as c`, or `company_pixel as
// c` joined with `company` (companies/store.ts).
import { DateTime } from "effect"
import type { ListScope } from "../list-scope.ts"
import type { RuleSubject } from "./predicate.ts"
import { SqlText, sqlText } from "../../../platform/database/sql-text.ts"

export type RuleScope = Pick<
  ListScope,
  "organizationId" | "pixelId" | "from" | "until" | "asOf"
> & {
  /** Default: people. */
  readonly subject?: RuleSubject
  /** Of companies: sessions of suppressed people do not count. */
  readonly withoutSuppressed?: boolean
  /**
   * The statement's `visitor` is a company. Which of its sessions count: all of them, without those of suppressed
   * people, or only those in which no one is known.
   */
  readonly ofCompany?: "all" | "anonymous"
}

const anonymousSessions =
  "session.visitor_id is null and session.network_domain = visitor.company_key"

/** Selects the sessions of a person, or of a company. */
const owned = (scope: RuleScope): SqlText => {
  if (scope.ofCompany === undefined) return sqlText`session.visitor_id = ${visitorId(scope)}`
  if (scope.ofCompany === "anonymous") return SqlText.of(anonymousSessions)
  return sqlText`(${SqlText.of(anonymousSessions)} or session.visitor_id = any (array(
        select person.id from visitor as person
        where person.organization_id = ${scope.organizationId}::uuid
          and person.company_key = visitor.company_key and not person.suppressed)))`
}

/** The id of the visitor being tested. */
export const visitorId = ({ pixelId }: RuleScope): SqlText =>
  SqlText.of(pixelId === undefined ? "visitor.id" : "visitor_pixel.visitor_id")

/** Selects the visitor's sessions of the whole history within the pixel scope. */
export const allSessions = (scope: RuleScope): SqlText => sqlText`
      session.organization_id = ${scope.organizationId}::uuid
      and ${owned(scope)} ${onPixel(scope)}`

const onPixel = ({ pixelId }: RuleScope): SqlText =>
  pixelId === undefined ? SqlText.of("") : sqlText`and session.pixel_id = ${pixelId}::uuid`

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
export const sessionsInWindow = (scope: RuleScope): SqlText => {
  if (scope.subject === "companies") return ofCompany(scope, SqlText.of("c.domain"))
  return scope.ofCompany === "all"
    ? ofCompany({ ...scope, withoutSuppressed: true }, SqlText.of("visitor.company_key"))
    : sqlText`session where ${allSessions(scope)} ${inWindow(scope)}`
}

/** Anonymous ones from the company's network, and those of its people: each part has an index. */ // spec 13.1
const ofCompany = (scope: RuleScope, domain: SqlText): SqlText => {
  const organizationId = sqlText`${scope.organizationId}::uuid`
  const counted = SqlText.of(scope.withoutSuppressed === true ? "and not person.suppressed" : "")
  const inScope = sqlText`${onPixel(scope)} ${inWindow(scope)}`
  return sqlText`(
        select session.* from session
        where session.organization_id = ${organizationId} and session.visitor_id is null
          and session.network_domain = ${domain} ${inScope}
        union all
        select session.* from visitor as person
        join session on session.organization_id = person.organization_id
          and session.visitor_id = person.id
        where person.organization_id = ${organizationId} and person.company_key = ${domain}
          ${counted} ${inScope}
      ) as session where true`
}
