// Deliveries as a queue (spec 4.4, 8.3): which one is next, how lost ones are handled, and how work on one ends, for
// now or permanently.
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { isoTime } from "../../../platform/database/iso-time.ts"
import type { TargetStore } from "../../destinations/targets/store.ts"
import type { Claim } from "../../../platform/jobs/queue.ts"
import { jobStore } from "../../../platform/jobs/store.ts"
import { type DeliveryError, deliveryQueue } from "../delivery.ts"
import type { PlanQuestion } from "../plan.ts"
import { cancelled, type Ending } from "../delivery-work.ts"
import type { Persistence, Written } from "./persistence.ts"

/** Deliveries of one party in progress at the same time, in all processes. Our own limit. */
const deliveriesPerPartyMax = 20

/** Which deliveries a process has a place for. */
export interface ClaimRoom {
  /** Parties that get no further place. */
  readonly parties: ReadonlyArray<string>
  /** Destinations that respond promptly; any other may be slow. */
  readonly prompt: ReadonlyArray<string>
  readonly hasRoomForSlow: boolean
  /** Parties that get no further place for slow destinations. */
  readonly partiesOfSlow: ReadonlyArray<string>
}

export const deliveryJobs = (sql: SqlClient.SqlClient) => {
  const jobs = jobStore(sql, deliveryQueue)

  /**
   * The organization may deliver and the destination is active; or the delivery is withdrawn and only claimed to be
   * ended. spec 4.4.
   */
  const isDeliverable = sql.literal(`(job.is_withdrawn or exists (
    select from destination
    join organization on organization.id = destination.organization_id
    where destination.organization_id = job.organization_id
      and destination.id = job.destination_id
      and destination.status = 'active' and destination.deleted_at is null
      and organization.status in ('active', 'trial')
  ))`)

  /** One at a time, so that each starts before the next is selected and the limit is exact. */
  const claim = ({ hasRoomForSlow, parties, partiesOfSlow, prompt }: ClaimRoom) =>
    jobs.claim({
      limit: 1,
      perPartyMax: deliveriesPerPartyMax,
      where: sql`${isDeliverable} and organization.party <> all (${[...parties]}::uuid[])
        and (job.destination_id = any (${[...prompt]}::uuid[])
          or ${hasRoomForSlow}::boolean
            and organization.party <> all (${[...partiesOfSlow]}::uuid[]))`,
    })

  /** A crash after an acknowledgement is not the endpoint's fault, so that attempt is not counted. */
  const requeueLost = Effect.asVoid(sql`
    update delivery set status = 'queued', leased_until = null, updated_at = clock_timestamp(),
      attempts = attempts - case when acknowledged_claim = claim then 1 else 0 end
    where status = 'processing' and leased_until < clock_timestamp()
      and (attempts < ${deliveryQueue.attemptsMax} or acknowledged_claim = claim)`)

  /** A delivery that made progress before its lease ran out is requeued at the next check. */
  const claimLost = (limit: number) =>
    jobs.claimLost(limit, sql.literal("acknowledged_claim is distinct from claim"))

  /**
   * Which of these, longest in progress first, gives way: one of the party with the most in progress, if a delivery is
   * due for a party with fewer. Undefined if none has to.
   */
  const givingWay = (claims: ReadonlyArray<Claim>) =>
    sql<Pick<Claim, "claim" | "id">>`
      with busy as materialized (
        select organization.party, count(*) as held
        from delivery
        join organization on organization.id = delivery.organization_id
        where delivery.status = 'processing' and delivery.leased_until is not null
        group by organization.party
      )
      select mine.id, mine.claim
      from rows from (
        jsonb_to_recordset(${JSON.stringify(claims)}::text::jsonb)
          as ("organizationId" uuid, id uuid, claim text)
      ) with ordinality as mine ("organizationId", id, claim, place)
      join organization on organization.id = mine."organizationId"
      join busy on busy.party = organization.party
      where busy.held > (
        select coalesce(busy.held, 0) as held
        from delivery as job
        join organization on organization.id = job.organization_id
        left join busy on busy.party = organization.party
        where job.status = 'queued' and job.leased_until is null
          and (job.next_attempt_at is null or job.next_attempt_at <= clock_timestamp())
          and ${isDeliverable}
        order by held
        limit 1
      )
      order by busy.held desc, mine.place
      limit 1`.pipe(Effect.map((rows) => rows[0]))

  return { ...jobs, claim, claimLost, givingWay, requeueLost }
}

const removalsNeedApproval = (removals: number): DeliveryError => ({
  code: "REMOVALS_NEED_APPROVAL",
  message: `The delivery would remove ${removals} contacts, more than half of those that the destination has. Approve it to continue.`,
})

const targetOf = ({ destinationId, organizationId }: PlanQuestion) => ({
  organizationId,
  destinationId,
})

export const endings = (
  sql: SqlClient.SqlClient,
  { inTransaction, orLost, persistently }: Persistence,
  jobs: ReturnType<typeof deliveryJobs>,
  targets: TargetStore["Service"],
) => {
  const { held } = jobs
  const now = sql.literal("date_trunc('milliseconds', clock_timestamp())")

  const giveWay = (claim: Claim): Effect.Effect<void> =>
    Effect.asVoid(
      persistently(sql`
        update delivery set status = 'queued', attempts = attempts - 1, leased_until = null,
          next_attempt_at = clock_timestamp(), updated_at = clock_timestamp()
        where ${held(claim)}`),
    )

  const settle = (claim: Claim): Written<string> =>
    persistently(
      orLost(sql<{ readonly settledAt: string }>`
        update delivery set settled_at = coalesce(settled_at, ${now})
        where ${held(claim)}
        returning ${sql.literal(isoTime("settled_at"))} as "settledAt"`),
    ).pipe(Effect.map(({ settledAt }) => settledAt))

  const park = (
    claim: Claim,
    question: PlanQuestion,
    error: DeliveryError,
    {
      completedAttempts,
      leastSeconds,
      startedAttempts,
    }: {
      readonly leastSeconds: number
      readonly startedAttempts: number
      readonly completedAttempts: number
    },
  ): Written<boolean> =>
    inTransaction(
      Effect.gen(function* () {
        const { attempts, isWithdrawn } = yield* orLost(sql<{
          readonly attempts: number
          readonly isWithdrawn: boolean
        }>`
          update delivery set started_attempts = ${startedAttempts},
            completed_attempts = ${completedAttempts},
            attempts = attempts - case when acknowledged_claim = claim then 1 else 0 end
          where ${held(claim)}
          returning attempts, is_withdrawn as "isWithdrawn"`)
        if (isWithdrawn || attempts >= deliveryQueue.attemptsMax) return false
        yield* jobs.retry(claim, error, leastSeconds)
        yield* targets.noteError(targetOf(question), error)
        yield* targets.noteAttempt(targetOf(question), error)
        return true
      }),
    )

  /** The next automatic delivery, if a run completed in the meantime. spec 2.16. */
  const follow = ({ id, organizationId }: Pick<Claim, "id" | "organizationId">) => sql`
    insert into delivery (organization_id, id, audience_id, destination_id,
      destination_config_revision, source_run_id, baseline_run_id, mode, created_at, updated_at)
    select ended.organization_id, gen_random_uuid(), ended.audience_id, ended.destination_id,
      destination.config_revision, latest.id, destination.last_successful_run_id, 'incremental',
      clock_timestamp(), clock_timestamp()
    from delivery as ended
    join destination on destination.organization_id = ended.organization_id
      and destination.id = ended.destination_id
    cross join lateral (
      select run.id from audience_run as run
      where run.organization_id = ended.organization_id and run.audience_id = ended.audience_id
        and run.status = 'completed'
      order by run.completed_at desc, run.id desc
      limit 1
    ) as latest
    where ended.organization_id = ${organizationId} and ended.id = ${id}
      and ended.is_followed and destination.status = 'active' and destination.deleted_at is null
      and destination.initial_sync_completed_at is not null
    on conflict do nothing`

  /** A withdrawn delivery that fails is canceled, because its endpoint no longer counts. spec 4.3. */
  const endingOf = (claim: Claim, ending: Ending) =>
    Effect.map(
      orLost(sql<{ readonly isWithdrawn: boolean }>`
        select is_withdrawn as "isWithdrawn" from delivery where ${held(claim)}
        for no key update`),
      ({ isWithdrawn }) => (isWithdrawn && ending.status === "failed" ? cancelled : ending),
    )

  const awaitApproval = (claim: Claim, question: PlanQuestion): Written<void> =>
    inTransaction(
      Effect.gen(function* () {
        const [counts] = yield* sql<{ readonly removals: number }>`
          select count(*)::int as removals from delivery_removal
          where organization_id = ${question.organizationId}
            and delivery_id = ${question.deliveryId} and removed_at is null`
        const error = removalsNeedApproval(counts!.removals)
        yield* orLost(sql`
          update delivery set status = 'queued', attempts = attempts - 1, leased_until = null,
            next_attempt_at = null, error_code = ${error.code}, error_message = ${error.message},
            updated_at = clock_timestamp()
          where ${held(claim)} and awaits_approval
          returning 1`)
        yield* targets.needsAttention(targetOf(question), error)
      }),
    )

  const end = (
    claim: Claim,
    question: PlanQuestion,
    ending: Ending,
    completedAttempts: number,
  ): Written<void> =>
    inTransaction(
      Effect.gen(function* () {
        const { error, needsAttention, status } = yield* endingOf(claim, ending)
        const { failedCount } = yield* orLost(sql<{ readonly failedCount: number }>`
          update delivery set status = ${status}, leased_until = null, next_attempt_at = null,
            error_code = ${error?.code ?? null}, error_message = ${error?.message ?? null},
            completed_attempts = ${completedAttempts},
            completed_sent_at = case when ${completedAttempts}::int > 0 then ${now} end,
            completed_at = coalesce(settled_at, ${now}),
            updated_at = clock_timestamp()
          where ${held(claim)}
          returning failed_count as "failedCount"`)
        const key = targetOf(question)
        if (status === "completed") {
          yield* targets.delivered(key, question.sourceRunId, { isWhole: failedCount === 0 })
        }
        if (error !== undefined) {
          yield* needsAttention ? targets.needsAttention(key, error) : targets.noteError(key, error)
        }
        yield* sql`
          delete from delivery_removal
          where organization_id = ${question.organizationId}
            and delivery_id = ${question.deliveryId} and removed_at is null`
        yield* follow(claim)
      }),
    )

  return {
    /** Records when the last contact settled. */
    settle,
    /**
     * Schedules the next attempt. False if this was the last one, or the delivery was withdrawn. An attempt with an
     * acknowledgement is not counted, because then the endpoint did accept something.
     */ // spec 2.16
    park,
    /** Returns it to the queue, where it waits until someone approves its removals. */ // spec 2.16.9
    awaitApproval,
    /** Moves it behind deliveries that are already due. */
    giveWay,
    /** Returns it as if it had never been claimed. */
    release: (claim: Claim): Effect.Effect<void> =>
      Effect.asVoid(persistently(jobs.release(claim))),
    /** Ends it permanently, and queues the next automatic delivery if a run completed in the meantime. */
    end,
    /** Only queues the next automatic delivery after one that has ended. Runs in the caller's transaction. */
    follow,
  }
}
