// SQL of the contacts of one batch as they are when it is read: erased people are absent, and whom a rule in
// force matches is marked (decisions.md 2.6, 2.16). Rules are compared with what the run knew and with every
// address the person has now; without rules nothing is looked up.
import { members, visitorWith } from "../../audiences/aliases/leads.ts"
import { isSuppressed } from "../../audiences/matching/compile.ts"
import { domainOfRule } from "../../audiences/matching/profile.ts"
import { resultColumns } from "../../runs/results/result-row.ts"
import { SqlText, sqlText } from "../../visitors/query/sql-text.ts"

export interface BatchQuestion {
  readonly organizationId: string
  readonly deliveryId: string
  readonly sourceRunId: string
  readonly batchIndex: number
}

/** Hashes of the addresses that a result row names itself. */
const ownHashes = SqlText.of(`array(
  select encode(sha256(convert_to(address.email, 'UTF8')), 'hex')
  from (values (result.email), (result.business_email), (result.personal_email)) as address (email)
  where address.email is not null
)`)

const suppressed = (organizationId: string): SqlText => {
  const root = SqlText.of("encode(result.hashed_email, 'hex')")
  const beholder = { organizationId, erased: [], hasVisitors: true, hasPeople: true }
  return sqlText`case
    when result.position is null or not exists (
      select from suppression_rule where organization_id = ${organizationId}::uuid
    ) then false
    else (
      select coalesce(known.is_marked, false) or ${isSuppressed(organizationId)}
      from (
        select person.is_marked,
          ${members(beholder, { root, visitorId: SqlText.of("person.id") })} || ${ownHashes} as members,
          ${domainOfRule(SqlText.of("result.email"))} as email_domain,
          result.company_domain, lower(result.company_industry) as industry
        from (select) as nobody
        left join lateral (
          select v.id, v.suppressed as is_marked from ${visitorWith(beholder, root)}
        ) as person on true
      ) as known
    )
  end`
}

/** Rows of `BatchContactRow`, in the order of sending. */
export const batchContacts = (question: BatchQuestion): SqlText => {
  const { batchIndex, deliveryId, organizationId, sourceRunId } = question
  return sqlText`
    select piece.place::integer, batch.sequence + piece.place::integer - 1 as sequence,
      substr(batch.changes, piece.place::integer, 1) as change,
      coalesce(batch.attempts[piece.place], 0)::integer as attempts,
      ${suppressed(organizationId)} as "isSuppressed",
      ${SqlText.of(resultColumns)}
    from delivery_batch as batch
    cross join lateral unnest(batch.positions) with ordinality as piece (position, place)
    left join run_result as result
      on result.organization_id = batch.organization_id
      and result.run_id = ${sourceRunId}::uuid
      and result.position = piece.position
    where batch.organization_id = ${organizationId}::uuid
      and batch.delivery_id = ${deliveryId}::uuid
      and batch.batch_index = ${batchIndex}::integer
      and coalesce(batch.attempts[piece.place], 0) >= 0
    order by piece.place`
}
