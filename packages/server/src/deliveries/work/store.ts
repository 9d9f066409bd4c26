// The statements of the worker of deliveries. Every write is one transaction that names the claim, so that
// a worker that was taken for lost writes nothing (reliability.md T6), and each tries again for as long as
// the database cannot be reached (T7): what it may have done before the connection broke it does not do
// twice.
import { Context, Effect, Layer, Schedule, Schema } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { fragmentOf } from "../../audiences/fragment-store.ts"
import { isoTime } from "../../database/iso-time.ts"
import { transaction } from "../../database/transaction.ts"
import { TargetStore } from "../../destinations/targets/store.ts"
import type { Claim } from "../../jobs/queue.ts"
import { jobStore } from "../../jobs/store.ts"
import type { ResultDbRow } from "../../runs/results/result-row.ts"
import type { Topic } from "../../topics/topic.ts"
import type { SqlText } from "../../visitors/query/sql-text.ts"
import { type DeliveryError, deliveryQueue } from "../delivery.ts"
import { type ChangeLetter, changeOf, type PlanQuestion } from "../planning/plan.ts"
import { PlanStore } from "../planning/store.ts"
import type { PlannedContact } from "../sending/planned-contact.ts"
import { acknowledging, type ContentHash } from "./acknowledgement-store.ts"
import { batchContacts, type BatchQuestion, suppressedPlaces } from "./batch-contacts-store.ts"
import type { Acknowledged, Acknowledgement, DeliveryWork, Ending } from "./delivery-work.ts"

/** Somebody else has the delivery now, or nobody: nothing more is to be done. */
export class ClaimLost extends Schema.TaggedError<ClaimLost>()("ClaimLost", {}) {}

type Written<A> = Effect.Effect<A, ClaimLost>

/** Deliveries of one organization that are worked at at the same time, in all processes. Our bound. */
const deliveriesPerOrganizationMax = 20

const retryInterval = "250 millis"

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

type EventTimes = { readonly [Key in "eventAt" | "nextEventAt"]: string }

type StoredProgress = Omit<Acknowledged, "streak"> & Pick<StoredWork, "streak" | "streakCode">

interface StoredContact extends ResultDbRow {
  readonly place: number
  readonly sequence: number
  readonly change: ChangeLetter
  readonly attempts: number
  readonly hasRules: boolean
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const plans = yield* PlanStore
  const targets = yield* TargetStore
  const jobs = jobStore(sql, deliveryQueue)
  const { held } = jobs
  const acknowledgementOf = acknowledging(sql, targets)
  const now = sql.literal("date_trunc('milliseconds', clock_timestamp())")

  const progress = `
    delivery.batch_index as "batchIndex", delivery.sent_count as "sentCount",
    delivery.skipped_count as "skippedCount", delivery.failed_count as "failedCount",
    delivery.acknowledgements, ${isoTime("delivery.event_at")} as "eventAt",
    ${isoTime("coalesce(delivery.next_event_at, delivery.event_at)")} as "nextEventAt",
    delivery.streak,
    delivery.streak_code as "streakCode"`

  const acknowledgedColumns = sql.literal(progress)

  /** Tries again until the database answers; what it answers badly is a defect. */
  const persistently = <A, E, R>(effect: Effect.Effect<A, E | SqlError.SqlError, R>) =>
    effect.pipe(
      Effect.catchDefect((defect) =>
        SqlError.isSqlError(defect) ? Effect.fail(defect) : Effect.die(defect),
      ),
      Effect.retry({ while: mayPass, schedule: Schedule.spaced(retryInterval) }),
      Effect.catchIf(SqlError.isSqlError, Effect.die),
    ) as Effect.Effect<A, Exclude<E, SqlError.SqlError>, R>

  const inTransaction = <A, E>(effect: Effect.Effect<A, E>) =>
    persistently(Effect.provideService(transaction(effect), SqlClient.SqlClient, sql))

  const orLost = <A>(
    rows: Effect.Effect<ReadonlyArray<A>, SqlError.SqlError>,
  ): Effect.Effect<A, SqlError.SqlError | ClaimLost> =>
    Effect.flatMap(rows, ([row]) => (row === undefined ? new ClaimLost() : Effect.succeed(row)))

  const targetOf = ({ destinationId, organizationId }: PlanQuestion) => ({
    organizationId,
    destinationId,
  })

  /** The organization may deliver, and its destination is active. decisions.md 4.4. */
  const isDeliverable = sql.literal(`exists (
    select from destination
    join organization on organization.id = destination.organization_id
    where destination.organization_id = job.organization_id
      and destination.id = job.destination_id
      and destination.status = 'active' and destination.deleted_at is null
      and organization.status in ('active', 'trial')
  )`)

  /** One at a time, so that it begins before the next is looked for, and the bound is exact. */
  const claim = () =>
    jobs.claim({
      limit: 1,
      perOrganizationMax: deliveriesPerOrganizationMax,
      where: isDeliverable,
    })

  /** A crash after some progress is not the endpoint's: that attempt is taken off again. */
  const requeueLost = Effect.asVoid(sql`
    update delivery set status = 'queued', leased_until = null, updated_at = clock_timestamp(),
      attempts = attempts - case when acknowledged_claim = claim then 1 else 0 end
    where status = 'processing' and leased_until < clock_timestamp()
      and (attempts < ${deliveryQueue.attemptsMax} or acknowledged_claim = claim)`)

  const load = (claim: Claim) =>
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
          ${sql.literal(isoTime("delivery.settled_at"))} as "settledAt", ${sql.literal(progress)}
        from delivery
        join audience on audience.organization_id = delivery.organization_id
          and audience.id = delivery.audience_id
        join audience_run as run on run.organization_id = delivery.organization_id
          and run.id = delivery.source_run_id
        where delivery.organization_id = ${claim.organizationId} and delivery.id = ${claim.id}
          and delivery.claim = ${claim.claim}::text::bigint and delivery.leased_until is not null`),
    ).pipe(Effect.map(workOf))

  const plan = (claim: Claim, question: PlanQuestion, hash: SqlText) =>
    inTransaction(
      Effect.gen(function* () {
        const planned = yield* plans.plan(question, hash)
        yield* orLost(sql`
          update delivery set source_count = ${planned.sourceCount},
            batch_count = ${planned.batchCount},
            removed_since_baseline = ${planned.removedSinceBaseline},
            acknowledged_claim = claim, updated_at = clock_timestamp()
          where ${held(claim)} and batch_count is null
          returning 1`)
        return planned
      }),
    ).pipe(
      // A commit whose answer was lost: the second time there is a plan.
      Effect.catchTag("ClaimLost", () => planned(claim)),
    )

  const planned = (claim: Claim) =>
    persistently(
      orLost(sql<{
        readonly batchCount: number
        readonly removedSinceBaseline: number
        readonly sourceCount: number
      }>`
        select source_count as "sourceCount", batch_count as "batchCount",
          removed_since_baseline as "removedSinceBaseline"
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

  const batch = Effect.fnUntraced(function* (question: BatchQuestion) {
    const rows = yield* persistently(sql<StoredContact>`${fragmentOf(batchContacts(question))}`)
    const suppressed =
      rows[0]?.hasRules === true
        ? yield* persistently(
            sql<{ readonly place: number }>`${fragmentOf(suppressedPlaces(question))}`,
          )
        : []
    const places = new Set(suppressed.map(({ place }) => place))
    return rows.map((row) => contactOf(row, places))
  })

  const acknowledge = (
    claim: Claim,
    question: PlanQuestion,
    contentHash: ContentHash,
    settled: Acknowledgement,
  ): Written<Acknowledged> =>
    Effect.suspend(() => {
      const clauses = { held: held(claim), returned: acknowledgedColumns }
      const statement = acknowledgementOf(question, settled, contentHash, clauses)
      return persistently(orLost(sql<StoredProgress>`${statement}`))
    }).pipe(
      Effect.map(progressOf),
      Effect.catchTag("ClaimLost", () => acknowledged(claim, settled)),
    )

  /** A commit whose answer was lost: the second time it is there, under the same claim. */
  const acknowledged = (claim: Claim, settled: Acknowledgement) =>
    persistently(
      orLost(sql<StoredProgress>`
        select ${acknowledgedColumns} from delivery
        where ${held(claim)} and acknowledgements = ${settled.acknowledgements} + 1
          and acknowledged_claim = claim`),
    ).pipe(Effect.map(progressOf))

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
      leastSeconds,
      startedAttempts,
    }: { readonly leastSeconds: number; readonly startedAttempts: number },
  ): Written<void> =>
    inTransaction(
      Effect.gen(function* () {
        yield* orLost(sql`
          update delivery set started_attempts = ${startedAttempts} where ${held(claim)}
          returning 1`)
        yield* jobs.retry(claim, error, leastSeconds)
        yield* targets.noteError(targetOf(question), error)
      }),
    )

  /** The next automatic one, when a run completed meanwhile. decisions.md 2.16. */
  const follow = (claim: Claim) => sql`
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
    where ended.organization_id = ${claim.organizationId} and ended.id = ${claim.id}
      and ended.is_followed and destination.status = 'active' and destination.deleted_at is null
      and destination.initial_sync_completed_at is not null
    on conflict do nothing`

  const end = (
    claim: Claim,
    question: PlanQuestion,
    { error, needsAttention, status }: Ending,
    completedAttempts: number,
  ): Written<void> =>
    inTransaction(
      Effect.gen(function* () {
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
        if (status === "completed") yield* targets.delivered(key, question.sourceRunId)
        if (error !== undefined) {
          yield* needsAttention ? targets.needsAttention(key, error) : targets.noteError(key, error)
        }
        // What a retry would be made of is kept.
        if (status === "cancelled" || (status === "completed" && failedCount === 0)) {
          yield* sql`
            delete from delivery_batch
            where organization_id = ${question.organizationId}
              and delivery_id = ${question.deliveryId}`
        }
        yield* follow(claim)
      }),
    )

  return {
    jobs: { ...jobs, requeueLost },
    /** Deliveries that are due, of active destinations, so that no organization has them all. */
    claim,
    /** Fails with ClaimLost when it is somebody else's now; so does everything that follows. */
    load,
    /** Selects the contacts, once. `hash`: SQL of the content hash. */
    plan,
    /** The endpoint has taken the started event, or is not sent any: the time of the first events. */
    begin,
    mayDeliver,
    /** What of a batch is not settled yet, as it is now. */
    batch,
    /** Writes down what became of contacts: counters, failures, what was sent last, the destination. */
    acknowledge,
    /** The last contact is settled: when. */
    settle,
    /** Puts it back for the next attempt. */
    park,
    /** Puts it back as if it had not been claimed. */
    release: (claim: Claim): Effect.Effect<void> =>
      Effect.asVoid(persistently(jobs.release(claim))),
    /** Its end, for good; and the next automatic one, where a run completed meanwhile. */
    end,
    /** Reads of other rooms, tried again likewise. */
    persistently,
  }
})

export class DeliveryWorkStore extends Context.Service<
  DeliveryWorkStore,
  Effect.Success<typeof make>
>()("@footfall/server/deliveries/DeliveryWorkStore") {
  static readonly layer = Layer.effect(DeliveryWorkStore, make)
}

const passingReasons: ReadonlySet<string> = new Set([
  "ConnectionError",
  "DeadlockError",
  "LockTimeoutError",
  "SerializationError",
  "StatementTimeoutError",
])

/** What is wrong with a statement stays wrong; that the server stops, or is full, does not. */
const mayPass = (error: unknown): boolean => {
  if (!SqlError.isSqlError(error)) return false
  const { _tag, cause } = error.reason
  if (_tag !== "UnknownError") return passingReasons.has(_tag)
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : undefined
  return code === undefined || /^(?:53|57P|E)/.test(code)
}

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

const progressOf = ({ streak, streakCode, ...rest }: StoredProgress): Acknowledged => ({
  ...rest,
  streak: { code: streakCode, count: streak },
})

const contactOf = (row: StoredContact, suppressed: ReadonlySet<number>): PlannedContact => ({
  place: row.place,
  sequence: row.sequence,
  change: changeOf[row.change],
  attempts: row.attempts,
  // Without a result there is none of its columns.
  row: (row.position as number | null) === null ? undefined : row,
  isSuppressed: suppressed.has(row.place),
})
