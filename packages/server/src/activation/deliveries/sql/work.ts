// SQL of the delivery worker. Every write is fenced and retried (persistence.ts).
import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { isoTime } from "../../../platform/database/iso-time.ts"
import type { TargetStore } from "../../destinations/targets/store.ts"
import { type Claim, ClaimLost } from "../../../platform/jobs/queue.ts"
import type { Topic } from "../../../intent/topics/topic.ts"
import type { DeliveryKey } from "../delivery.ts"
import type { Holding, PlanQuestion } from "../plan.ts"
import type { Acknowledged, Acknowledgement, DeliveryWork } from "../delivery-work.ts"
import { acknowledgement } from "./acknowledgement.ts"
import { readingContacts } from "./contacts.ts"
import { failedContacts } from "./failed-contacts.ts"
import { persistence, type Written } from "./persistence.ts"
import { planning } from "./plan.ts"
import { removalStatements, type SettledRemovals } from "./removals.ts"
import { deliveryJobs, endings } from "./queue.ts"

type EventTimes = { readonly [Key in "eventAt" | "nextEventAt"]: string }

interface StoredWork extends Omit<DeliveryWork, "audience" | "deliveryId" | "run" | "streak"> {
  readonly id: string
  readonly audienceId: string
  readonly audienceName: string
  readonly runDataDate: string
  readonly runType: "manual" | "daily"
  readonly runResultCount: number
  readonly runCompletedAt: string
  readonly streak: number
  readonly streakCode: string | null
}

type StoredProgress = Omit<Acknowledged, "streak"> & Pick<StoredWork, "streak" | "streakCode">

/** The columns of `StoredProgress`. */
const progressColumns = `
  delivery.batch_index as "batchIndex", delivery.sent_count as "sentCount",
  delivery.skipped_count as "skippedCount", delivery.failed_count as "failedCount",
  delivery.removed_count as "removedCount",
  delivery.acknowledgements, ${isoTime("delivery.event_at")} as "eventAt",
  ${isoTime("coalesce(delivery.next_event_at, delivery.event_at)")} as "nextEventAt",
  delivery.streak,
  delivery.streak_code as "streakCode"`

export const workStatements = (sql: SqlClient.SqlClient, targets: TargetStore["Service"]) => {
  const writing = persistence(sql)
  const { inLongTransaction, orLost, persistently } = writing
  const jobs = deliveryJobs(sql)
  const { held } = jobs
  const { removalResults, ...removals } = removalStatements(sql, writing, jobs, targets)
  const acknowledgementOf = acknowledgement(sql, targets)
  const keepPlan = planning(sql)
  const now = sql.literal("date_trunc('milliseconds', clock_timestamp())")
  const acknowledgedColumns = sql.literal(progressColumns)

  const workWhere = (condition: Statement.Fragment) => sql<StoredWork>`
        select delivery.id, delivery.organization_id as "organizationId",
          delivery.destination_id as "destinationId", delivery.audience_id as "audienceId",
          audience.name as "audienceName", delivery.mode,
          delivery.destination_config_revision as "destinationConfigRevision",
          delivery.source_run_id as "sourceRunId", delivery.baseline_run_id as "baselineRunId",
          delivery.retry_of_delivery_id as "retryOfDeliveryId",
          run.data_date::text as "runDataDate", run.run_type as "runType",
          run.result_count as "runResultCount",
          ${sql.literal(isoTime("run.completed_at"))} as "runCompletedAt", run.topics,
          delivery.source_count as "sourceCount",
          delivery.removed_since_baseline as "removedSinceBaseline",
          delivery.batch_count as "batchCount", delivery.awaits_approval as "awaitsApproval",
          ${sql.literal(isoTime("delivery.removing_at"))} as "removingAt",
          ${sql.literal(isoTime("delivery.started_at"))} as "startedAt",
          delivery.started_sent_at is not null as "hasStarted",
          delivery.started_attempts as "startedAttempts",
          delivery.completed_attempts as "completedAttempts",
          ${sql.literal(isoTime("delivery.settled_at"))} as "settledAt", delivery.is_withdrawn as "isWithdrawn",
          ${sql.literal(progressColumns)}
        from delivery
        join audience on audience.organization_id = delivery.organization_id
          and audience.id = delivery.audience_id
        join audience_run as run on run.organization_id = delivery.organization_id
          and run.id = delivery.source_run_id
        where ${condition}`

  const load = (claim: Claim): Written<DeliveryWork> =>
    persistently(
      orLost(
        workWhere(sql`delivery.organization_id = ${claim.organizationId} and delivery.id = ${claim.id}
          and delivery.claim = ${claim.claim}::text::bigint and delivery.leased_until is not null`),
      ),
    ).pipe(Effect.map(workOf))

  /** The times of the first events; undefined if it has not started. */
  const begun = ({
    deliveryId,
    organizationId,
  }: DeliveryKey): Effect.Effect<DeliveryWork | undefined> =>
    workWhere(sql`delivery.organization_id = ${organizationId} and delivery.id = ${deliveryId}
      and delivery.started_at is not null`).pipe(
      Effect.map(([row]) => (row === undefined ? undefined : workOf(row))),
      Effect.orDie,
    )

  const plan = (claim: Claim, question: PlanQuestion, holding: Holding) =>
    inLongTransaction(
      Effect.gen(function* () {
        const planned = yield* keepPlan(question, holding)
        const [stored] = yield* sql<{ readonly removingAt: string }>`
          update delivery set source_count = ${planned.sourceCount},
            batch_count = ${planned.batchCount},
            removed_since_baseline = ${planned.removedSinceBaseline},
            awaits_approval = ${planned.awaitsApproval}, removing_at = ${now},
            updated_at = clock_timestamp()
          where ${held(claim)} and batch_count is null
          returning ${sql.literal(isoTime("removing_at"))} as "removingAt"`
        return stored === undefined ? yield* new ClaimLost() : { ...planned, ...stored }
      }),
    ).pipe(
      // After a commit whose response was lost, the second try finds a plan.
      Effect.catchTag("ClaimLost", () => planned(claim)),
    )

  const planned = (claim: Claim) =>
    persistently(
      orLost(sql<{
        readonly awaitsApproval: boolean
        readonly batchCount: number
        readonly removingAt: string
        readonly removedSinceBaseline: number
        readonly sourceCount: number
      }>`
        select source_count as "sourceCount", batch_count as "batchCount",
          removed_since_baseline as "removedSinceBaseline", awaits_approval as "awaitsApproval",
          ${sql.literal(isoTime("removing_at"))} as "removingAt"
        from delivery where ${held(claim)} and batch_count is not null`),
    )

  const begin = (claim: Claim, startedAttempts: number): Written<EventTimes> =>
    persistently(
      orLost(sql<EventTimes>`
        update delivery set started_sent_at = coalesce(started_sent_at, ${now}),
          started_attempts = ${startedAttempts}, event_at = coalesce(event_at, ${now}),
          next_event_at = coalesce(next_event_at, ${now}), updated_at = clock_timestamp()
        where ${held(claim)}
        returning ${sql.literal(isoTime("event_at"))} as "eventAt",
          ${sql.literal(isoTime("next_event_at"))} as "nextEventAt"`),
    )

  /** The organization is active or on trial. */
  const mayDeliver = ({ organizationId }: PlanQuestion): Effect.Effect<boolean> =>
    persistently(
      sql`select from organization where id = ${organizationId} and status in ('active', 'trial')`,
    ).pipe(Effect.map((rows) => rows.length === 1))

  const clausesOf = (claim: Claim) => ({ held: held(claim), returned: acknowledgedColumns })

  const stored = (claim: Claim, acknowledgements: number, statement: Statement.Fragment) =>
    persistently(orLost(sql<StoredProgress>`${statement}`)).pipe(
      Effect.catchTag("ClaimLost", () => acknowledged(claim, acknowledgements)),
      Effect.map(progressOf),
    )

  /** After a commit whose response was lost, the second try finds the result stored under the same claim. */
  const acknowledged = (claim: Claim, acknowledgements: number) =>
    persistently(
      orLost(sql<StoredProgress>`
        select ${acknowledgedColumns} from delivery
        where ${held(claim)} and acknowledgements = ${acknowledgements} + 1`),
    )

  const acknowledge = (
    claim: Claim,
    question: PlanQuestion,
    settled: Acknowledgement,
  ): Written<Acknowledged> =>
    Effect.suspend(() => {
      const statement = acknowledgementOf(question, settled, clausesOf(claim))
      return stored(claim, settled.acknowledgements, statement)
    })

  const acknowledgeRemovals = (
    claim: Claim,
    question: PlanQuestion,
    settled: SettledRemovals,
  ): Written<Acknowledged> =>
    Effect.suspend(() => {
      const statement = removalResults(question, settled, clausesOf(claim))
      return stored(claim, settled.acknowledgements, statement)
    })

  return {
    jobs,
    /** Fails with ClaimLost if another worker holds the delivery now, like every function below. */
    load,
    begun,
    /** Selects the contacts, and whom to remove, once. */
    plan,
    /**
     * Records that the endpoint accepted the started event or does not subscribe to it. Returns the times of the first
     * events.
     */
    begin,
    mayDeliver,
    /** A batch's unsettled contacts as of now. */
    batch: readingContacts(sql, writing),
    ...failedContacts(sql),
    /** Stores the results of contacts: counters, failures, last sent content, the destination. */
    acknowledge,
    ...removals,
    /** Stores the results of removals. */
    acknowledgeRemovals,
    ...endings(sql, writing, jobs, targets),
    /** Retries reads of other rooms in the same way. */
    persistently,
  }
}

/** With keys in the order of events, because the database does not preserve key order. */
const inOrder = ({ category, industry, topicId, topicName, type }: Topic): Topic => ({
  topicId,
  topicName,
  type,
  industry,
  category,
})

const workOf = (row: StoredWork): DeliveryWork => {
  const {
    audienceId,
    audienceName,
    id,
    runCompletedAt,
    runDataDate,
    runResultCount,
    runType,
    streak,
    streakCode,
    topics,
    ...rest
  } = row
  return {
    ...rest,
    topics: topics.map(inOrder),
    deliveryId: id,
    audience: { id: audienceId, name: audienceName },
    run: {
      id: row.sourceRunId,
      dataDate: runDataDate,
      runType,
      resultCount: runResultCount,
      completedAt: runCompletedAt,
    },
    streak: { code: streakCode, count: streak },
  }
}

const progressOf = ({ streak, streakCode, ...rest }: StoredProgress): Acknowledged => ({
  ...rest,
  streak: { code: streakCode, count: streak },
})
