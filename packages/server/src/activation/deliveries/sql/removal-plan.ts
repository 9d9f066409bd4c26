// Selects whom a delivery removes (spec 2.16): people whom the destination holds and who are not in the source run, or whom
// a rule in force suppresses. A service is asked only about people whom this destination put there.
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { members, visitorWith } from "../../../intent/audiences/aliases/leads.ts"
import { isSuppressed } from "../../../intent/audiences/matching/compile.ts"
import { domainOfRule } from "../../../intent/audiences/matching/profile.ts"
import { fragmentOf, SqlText, sqlText } from "../../../platform/database/sql-text.ts"
import { unguardedMax } from "../delivery.ts"
import type { Holding, PlanQuestion } from "../plan.ts"

/** Everyone whom the destination holds, as `known`. */
const held = (
  { destinationId, organizationId }: PlanQuestion,
  { listId }: Holding,
): SqlText => sqlText`
  from destination_contact as known
  where known.organization_id = ${organizationId}::uuid
    and known.destination_id = ${destinationId}::uuid and not known.has_left
    ${listId === null ? SqlText.of("") : sqlText`and known.list_id = ${listId}`}`

/** Of those, the ones that may be removed. */
const removable = ({ leaving }: Holding): SqlText => {
  switch (leaving) {
    case "remove_from_list":
      return SqlText.of("and known.is_added and known.email is not null")
    case "remove_tag":
      return SqlText.of("and known.email is not null")
    default:
      return SqlText.of("")
  }
}

const resultOf = (organizationId: string, runId: SqlText, alias: string): SqlText => sqlText`
  left join run_result as ${SqlText.of(alias)}
    on ${SqlText.of(alias)}.organization_id = ${organizationId}::uuid
    and ${SqlText.of(alias)}.run_id = ${runId}
    and ${SqlText.of(alias)}.hashed_email = known.hashed_email`

const sourceOf = ({ organizationId, sourceRunId }: PlanQuestion) =>
  resultOf(organizationId, sqlText`${sourceRunId}::uuid`, "source")

/** Who is not in the source run. */
const left = (question: PlanQuestion, holding: Holding): SqlText => sqlText`
  select known.hashed_email, 'left' as reason
  from (select known.hashed_email ${held(question, holding)} ${removable(holding)}) as known
  ${sourceOf(question)}
  where source.hashed_email is null`

/** Who is matched by a rule in force, as of the source run, or else of the last one that was delivered. */
const suppressed = (question: PlanQuestion, holding: Holding): SqlText => {
  const { destinationId, organizationId } = question
  const root = SqlText.of("encode(held.hashed_email, 'hex')")
  const viewer = { organizationId, erased: [], hasVisitors: true, hasPeople: true }
  const formerRun = sqlText`(
    select last_successful_run_id from destination
    where organization_id = ${organizationId}::uuid and id = ${destinationId}::uuid
  )`
  return sqlText`
    select known.hashed_email, 'suppressed' as reason
    from (
      select held.hashed_email, person.is_marked,
        ${members(viewer, { root, visitorId: SqlText.of("person.id") })} || array(
          select encode(sha256(convert_to(address.email, 'UTF8')), 'hex')
          from unnest(held.emails) as address (email)
          where address.email is not null
        ) as members,
        ${domainOfRule(SqlText.of("held.email"))} as email_domain,
        held.company_domain, held.industry
      from (
        select known.hashed_email,
          coalesce(source.email, former.email, known.email) as email,
          array[known.email, source.email, source.business_email, source.personal_email,
            former.email, former.business_email, former.personal_email] as emails,
          coalesce(source.company_domain, former.company_domain) as company_domain,
          lower(coalesce(source.company_industry, former.company_industry)) as industry
        from (
          select known.hashed_email, known.email ${held(question, holding)} ${removable(holding)}
        ) as known
        ${sourceOf(question)}
        ${resultOf(organizationId, formerRun, "former")}
      ) as held
      left join lateral (
        select v.id, v.suppressed as is_marked from ${visitorWith(viewer, root)}
      ) as person on true
    ) as known
    where coalesce(known.is_marked, false) or ${isSuppressed(organizationId)}`
}

/** Returns whether someone has to approve the removals. Runs in the transaction that plans the delivery. */
export const planningRemovals = (sql: SqlClient.SqlClient) => {
  /** An older run that is sent again doesn't say who left. */
  const isNewest = ({ destinationId, organizationId, sourceRunId }: PlanQuestion) => sql`
    select
    from destination
    left join audience_run as former on former.organization_id = destination.organization_id
      and former.id = destination.last_successful_run_id
    join audience_run as source on source.organization_id = destination.organization_id
      and source.id = ${sourceRunId}
    where destination.organization_id = ${organizationId} and destination.id = ${destinationId}
      and (
        former.id is null
        or (source.completed_at, source.id) >= (former.completed_at, former.id)
      )`

  const keep = ({ deliveryId, organizationId }: PlanQuestion, selected: SqlText) =>
    sql`
    insert into delivery_removal as removal
      (organization_id, delivery_id, hashed_email, place, reason)
    select ${organizationId}::uuid, ${deliveryId}::uuid, selected.hashed_email, 0, selected.reason
    from (${fragmentOf(selected)}) as selected
    on conflict (organization_id, delivery_id, hashed_email) do update set reason = excluded.reason`
      .unprepared

  const hasRules = ({ organizationId }: PlanQuestion) => sql`
    select from suppression_rule where organization_id = ${organizationId} limit 1`

  /**
   * Whoever left stays on a list that another destination put them on too. From then on they are that destination's.
   */
  const handOver = (
    { deliveryId, destinationId, organizationId }: PlanQuestion,
    listId: string,
  ) => sql`
    with theirs as materialized (
      select other.destination_id, other.hashed_email
      from destination as mine
      join destination as their on their.organization_id = mine.organization_id
        and their.connected_account_id = mine.connected_account_id and their.id <> mine.id
        and their.status <> 'draft' and their.deleted_at is null
      join delivery_removal as removal on removal.organization_id = mine.organization_id
        and removal.delivery_id = ${deliveryId} and removal.reason = 'left'
      join destination_contact as other on other.organization_id = mine.organization_id
        and other.destination_id = their.id and other.hashed_email = removal.hashed_email
        and other.list_id = ${listId} and other.is_sent and not other.has_left
      where mine.organization_id = ${organizationId} and mine.id = ${destinationId}
    ), handed as (
      update destination_contact as known set is_added = true
      from theirs
      where known.organization_id = ${organizationId}
        and known.destination_id = theirs.destination_id
        and known.hashed_email = theirs.hashed_email
    ), settled as (
      update destination_contact as known
      set has_left = true, is_sent = false, is_added = false, content_hash = null
      where known.organization_id = ${organizationId} and known.destination_id = ${destinationId}
        and known.hashed_email in (select hashed_email from theirs)
    )
    delete from delivery_removal
    where organization_id = ${organizationId} and delivery_id = ${deliveryId}
      and hashed_email in (select hashed_email from theirs)`

  const number = ({ deliveryId, organizationId }: PlanQuestion) =>
    sql`
    update delivery_removal as removal set place = numbered.place
    from (
      select hashed_email, row_number() over (order by hashed_email) as place
      from delivery_removal
      where organization_id = ${organizationId} and delivery_id = ${deliveryId}
    ) as numbered
    where removal.organization_id = ${organizationId} and removal.delivery_id = ${deliveryId}
      and removal.hashed_email = numbered.hashed_email`.unprepared

  /** More than half of what it holds. */ // spec 2.16.9
  const isTooMuch = (question: PlanQuestion, holding: Holding) =>
    sql<{ readonly isTooMuch: boolean }>`
      select total.held > ${unguardedMax} and total.removed * 2 > total.held as "isTooMuch"
      from (
        select
          (select count(*) ${fragmentOf(held(question, holding))}) as held,
          (
            select count(*) from delivery_removal
            where organization_id = ${question.organizationId}
              and delivery_id = ${question.deliveryId}
          ) as removed
      ) as total`.unprepared.pipe(Effect.map(([row]) => row!.isTooMuch))

  return Effect.fnUntraced(function* (question: PlanQuestion, holding: Holding) {
    if (holding.leaving === "keep") return false
    if ((yield* isNewest(question)).length === 0) return false
    yield* keep(question, left(question, holding))
    // Rules are looked up person by person.
    yield* sql`select set_config('enable_nestloop', 'on', true)`
    if ((yield* hasRules(question)).length > 0) {
      yield* keep(question, suppressed(question, holding))
    }
    if (holding.leaving === "remove_from_list") yield* handOver(question, holding.listId!)
    yield* number(question)
    return yield* isTooMuch(question, holding)
  })
}
