// Selects a delivery's contacts in one pass over its source run and stores them as batches of positions in the results
// (spec 2.16): a hundred integers and letters per row. A million contacts take a few megabytes, a crash resumes at the
// current batch, and nothing here identifies a person.
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { fragmentOf, SqlText, sqlText } from "../../../platform/database/sql-text.ts"
import { batchSize } from "../delivery.ts"
import type { Holding, PlanQuestion } from "../plan.ts"
import { planningRemovals } from "./removal-plan.ts"

interface Kept {
  readonly sourceCount: number
  readonly batchCount: number
}

export interface Planned extends Kept {
  readonly removedSinceBaseline: number
  readonly awaitsApproval: boolean
}

/** If it takes longer, the statement's plan is wrong. Units: milliseconds. */
const statementTimeoutMs = 600_000

/** `position` and `change` of everyone in the source run. */
const everyone = ({ organizationId, sourceRunId }: PlanQuestion): SqlText => sqlText`
  select result.position, 'a' as change
  from run_result as result
  where result.organization_id = ${organizationId}::uuid and result.run_id = ${sourceRunId}::uuid`

/** The source run, joined as `known` with what was last sent to the destination. */
const withLastSent = ({ destinationId, organizationId }: PlanQuestion): SqlText => sqlText`
  from run_result as result
  left join destination_contact as known
    on known.organization_id = ${organizationId}::uuid
    and known.destination_id = ${destinationId}::uuid
    and known.hashed_email = result.hashed_email`

const ofSource = ({ organizationId, sourceRunId }: PlanQuestion): SqlText => sqlText`
  where result.organization_id = ${organizationId}::uuid and result.run_id = ${sourceRunId}::uuid`

/** The receiver does not have them: never sent, skipped since, gone since, or on another list. */
const isNew = ({ listId }: Holding): SqlText =>
  listId === null
    ? SqlText.of("known.is_sent is not true")
    : sqlText`(known.is_sent is not true or known.list_id is distinct from ${listId})`

const compared = (question: PlanQuestion, holding: Holding): SqlText => sqlText`
  select result.position,
    case
      when ${isNew(holding)} then 'a'
      when known.content_hash is distinct from ${holding.hash} then 'u'
      else 'n'
    end as change
  ${withLastSent(question)}
  ${ofSource(question)}`

/** Results are kept for a year. After that, only the record of what was sent is left to compare with. */
const baselineIsKept = ({ baselineRunId, organizationId }: PlanQuestion): SqlText => sqlText`(
  select results_removed_at is null from audience_run
  where organization_id = ${organizationId}::uuid and id = ${baselineRunId!}::uuid
)`

/** Not in the baseline run, never sent, not sent by its deliveries, or sent with other content. */
const changed = (question: PlanQuestion, holding: Holding): SqlText => sqlText`
  select position, change
  from (
    select result.position,
      case
        when ${isNew(holding)} then 'a'
        when former.hashed_email is null and ${baselineIsKept(question)} then 'a'
        when known.content_hash is distinct from ${holding.hash} then 'u'
      end as change
    ${withLastSent(question)}
    left join run_result as former
      on former.organization_id = ${question.organizationId}::uuid
      and former.run_id = ${question.baselineRunId!}::uuid
      and former.hashed_email = result.hashed_email
    ${ofSource(question)}
  ) as judged
  where change is not null`

/** Contacts that the original delivery did not send: failed or not reached. */
const leftOver = (question: PlanQuestion, originalId: string): SqlText => sqlText`
  select piece.position, substr(batch.changes, piece.place::integer, 1) as change
  from delivery as original
  join delivery_batch as batch
    on batch.organization_id = original.organization_id and batch.delivery_id = original.id
  cross join lateral unnest(batch.positions) with ordinality as piece (position, place)
  where original.organization_id = ${question.organizationId}::uuid
    and original.id = ${originalId}::uuid
    and (
      (
        batch.batch_index >= original.batch_index
        and coalesce(batch.attempts[piece.place], 0) >= 0
      )
      or piece.position in (
        select result.position
        from delivery_failure as failure
        join run_result as result
          on result.organization_id = failure.organization_id
          and result.run_id = ${question.sourceRunId}::uuid
          and result.hashed_email = failure.hashed_email
        where failure.organization_id = ${question.organizationId}::uuid
          and failure.delivery_id = ${originalId}::uuid
      )
    )`

const byMode = (question: PlanQuestion, holding: Holding): SqlText => {
  switch (question.mode) {
    case "initial":
      return everyone(question)
    case "full_resync":
      return compared(question, holding)
    case "incremental":
      // There is always a baseline; without one this would be the initial delivery.
      return changed(question, holding)
  }
}

/** Selects and stores the batches of a delivery without any, and who left. Runs in the caller's transaction, which fences it. */
export const planning = (sql: SqlClient.SqlClient) => {
  const planRemovals = planningRemovals(sql)
  const settings = sql`
    select
      set_config('statement_timeout', ${String(statementTimeoutMs)}, true),
      set_config('work_mem', '128MB', true),
      set_config('plan_cache_mode', 'force_custom_plan', true),
      set_config('jit', 'off', true)`

  /** Fresh tables have no statistics, and one lookup per contact would take minutes. */
  const setBased = sql`select set_config('enable_nestloop', 'off', true)`

  /** The delivery that this one retries. If that one ended before it was planned, the delivery it retried in turn. */
  const repeated = ({ organizationId, retryOfDeliveryId }: PlanQuestion) =>
    sql<{ readonly id: string }>`
      with recursive former as (
        select id, retry_of_delivery_id, batch_count from delivery
        where organization_id = ${organizationId} and id = ${retryOfDeliveryId}
        union all
        select delivery.id, delivery.retry_of_delivery_id, delivery.batch_count
        from former
        join delivery on delivery.organization_id = ${organizationId}
          and delivery.id = former.retry_of_delivery_id
        where former.batch_count is null
      )
      select id from former where batch_count is not null`.pipe(Effect.map(([row]) => row?.id))

  const keep = (question: PlanQuestion, selected: SqlText) => {
    const { deliveryId, organizationId } = question
    const size = sql.literal(String(batchSize))
    return sql<Kept>`
      with selected as (${fragmentOf(selected)}), numbered as (
        select position, change, row_number() over (order by position) - 1 as place
        from selected
      ), kept as (
        insert into delivery_batch
          (organization_id, delivery_id, batch_index, sequence, positions, changes)
        select ${organizationId}, ${deliveryId}, place / ${size}, min(place) + 1,
          array_agg(position order by position), string_agg(change, '' order by position)
        from numbered
        group by place / ${size}
        returning cardinality(positions) as contacts
      )
      select coalesce(sum(contacts), 0)::int as "sourceCount", count(*)::int as "batchCount"
      from kept`.unprepared.pipe(Effect.map(([row]) => row!)) // Always one row.
  }

  const removed = ({ baselineRunId, organizationId, sourceRunId }: PlanQuestion) =>
    baselineRunId === null
      ? Effect.succeed(0)
      : sql<{ readonly removed: number }>`
          select count(*)::int as removed
          from run_result as former
          where former.organization_id = ${organizationId} and former.run_id = ${baselineRunId}
            and not exists (
              select from run_result as result
              where result.organization_id = ${organizationId}
                and result.run_id = ${sourceRunId}
                and result.hashed_email = former.hashed_email
            )`.unprepared.pipe(Effect.map(([row]) => row!.removed))

  return Effect.fn("DeliveryStore.plan")(function* (question: PlanQuestion, holding: Holding) {
    yield* settings
    const original = yield* repeated(question)
    yield* setBased
    const selected =
      original === undefined ? byMode(question, holding) : leftOver(question, original)
    const kept = yield* keep(question, selected)
    const removedSinceBaseline = yield* removed(question)
    const awaitsApproval = yield* planRemovals(question, holding)
    return { ...kept, removedSinceBaseline, awaitsApproval } satisfies Planned
  })
}
