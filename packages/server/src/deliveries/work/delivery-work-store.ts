// A claimed delivery as it is read, and what of it changes while it is worked at.
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { isoTime } from "../../database/iso-time.ts"
import type { Claim } from "../../jobs/queue.ts"
import type { Topic } from "../../topics/topic.ts"
import type { Acknowledged, DeliveryWork } from "./delivery-work.ts"
import type { Persistence, Written } from "./persistence-store.ts"

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

export type StoredProgress = Omit<Acknowledged, "streak"> &
  Pick<StoredWork, "streak" | "streakCode">

/** Columns of a `StoredProgress`. */
export const progressColumns = `
  delivery.batch_index as "batchIndex", delivery.sent_count as "sentCount",
  delivery.skipped_count as "skippedCount", delivery.failed_count as "failedCount",
  delivery.acknowledgements, ${isoTime("delivery.event_at")} as "eventAt",
  ${isoTime("coalesce(delivery.next_event_at, delivery.event_at)")} as "nextEventAt",
  delivery.streak,
  delivery.streak_code as "streakCode"`

export const loading =
  (sql: SqlClient.SqlClient, { orLost, persistently }: Persistence) =>
  (claim: Claim): Written<DeliveryWork> =>
    persistently(
      orLost(sql<StoredWork>`
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
          delivery.batch_count as "batchCount",
          ${sql.literal(isoTime("delivery.started_at"))} as "startedAt",
          delivery.started_sent_at is not null as "hasStarted",
          delivery.started_attempts as "startedAttempts",
          delivery.completed_attempts as "completedAttempts",
          ${sql.literal(isoTime("delivery.settled_at"))} as "settledAt", ${sql.literal(progressColumns)}
        from delivery
        join audience on audience.organization_id = delivery.organization_id
          and audience.id = delivery.audience_id
        join audience_run as run on run.organization_id = delivery.organization_id
          and run.id = delivery.source_run_id
        where delivery.organization_id = ${claim.organizationId} and delivery.id = ${claim.id}
          and delivery.claim = ${claim.claim}::text::bigint and delivery.leased_until is not null`),
    ).pipe(Effect.map(workOf))

/** Their keys as events have them: the database keeps no order. */
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

export const progressOf = ({ streak, streakCode, ...rest }: StoredProgress): Acknowledged => ({
  ...rest,
  streak: { code: streakCode, count: streak },
})
