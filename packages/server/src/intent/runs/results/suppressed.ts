// Who of a run's people is suppressed now (spec 2.6): rules are compared with the run's data and with every address that
// the person has now.
import { SqlText, sqlText } from "../../../platform/database/sql-text.ts"
import { members, visitorWith } from "../../audiences/aliases/leads.ts"
import { isSuppressed } from "../../audiences/matching/compile.ts"
import { domainOfRule } from "../../audiences/matching/profile.ts"

/** Hashes of the addresses in the result row itself. */
const ownHashes = SqlText.of(`array(
  select encode(sha256(convert_to(address.email, 'UTF8')), 'hex')
  from (values (result.email), (result.business_email), (result.personal_email)) as address (email)
  where address.email is not null
)`)

/**
 * Each `place` of someone whom a rule in force matches.
 *
 * *Requires*: `from` has the results as `result`, and as `piece` the `place` of each.
 */
export const suppressedAmong = (
  organizationId: string,
  { from, where }: { readonly from: SqlText; readonly where: SqlText },
): SqlText => {
  const root = SqlText.of("encode(result.hashed_email, 'hex')")
  const viewer = { organizationId, erased: [], hasVisitors: true, hasPeople: true }
  return sqlText`
    select known.place
    from (
      select piece.place::integer, person.is_marked,
        ${members(viewer, { root, visitorId: SqlText.of("person.id") })} || ${ownHashes} as members,
        ${domainOfRule(SqlText.of("result.email"))} as email_domain,
        result.company_domain, lower(result.company_industry) as industry
      from ${from}
      left join lateral (
        select v.id, v.suppressed as is_marked from ${visitorWith(viewer, root)}
      ) as person on true
      where ${where}
    ) as known
    where coalesce(known.is_marked, false) or ${isSuppressed(organizationId)}`
}
