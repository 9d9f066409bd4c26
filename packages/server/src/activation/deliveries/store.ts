// SQL for deliveries; the worker's is in sql/. Statements inside a transaction fail with the database's error, because
// the transaction may then be retried.
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { AudienceKey } from "../../intent/audiences/lifecycle/store.ts"
import { type KeptKind, keptRows } from "../../people/erasure/kept-store.ts"
import type { ErasedPerson } from "../../people/erasure/later-erasure.ts"
import type { DatabaseError } from "../../platform/database/database-error.ts"
import { isoTime } from "../../platform/database/iso-time.ts"
import { type ListStart, newestFirst } from "../../platform/database/lists.ts"
import { transactionOf } from "../../platform/database/transaction.ts"
import { TargetStore } from "../destinations/targets/store.ts"
import type { TargetKey } from "../destinations/targets/target.ts"
import type {
  Delivery,
  DeliveryFailure,
  DeliveryKey,
  DeliveryMode,
  DeliveryStatus,
  RequestedMode,
} from "./delivery.ts"
import { settledContacts } from "./sql/settled-contacts.ts"
import { workStatements } from "./sql/work.ts"

/** A stored delivery. Timestamps are ISO 8601, as in responses. */
export interface DeliveryRow extends Delivery {
  /** `createdAt` in microseconds: the sort key. */
  readonly createdKey: string
}

export interface DeliveryFailureRow extends DeliveryFailure {
  /** `lastAttemptAt` in microseconds: the sort key. */
  readonly lastAttemptKey: string
}

export interface DeliveryFilters {
  readonly destinationId?: string | undefined
  readonly status?: DeliveryStatus | undefined
}

export interface NewDelivery {
  readonly organizationId: string
  readonly id: string
  readonly audienceId: string
  readonly destinationId: string
  readonly destinationConfigRevision: number
  readonly sourceRunId: string
  readonly baselineRunId: string | null
  readonly mode: DeliveryMode
  /** Null for automatic deliveries and retries. */
  readonly requestedMode: RequestedMode | null
  readonly retryOfDeliveryId: string | null
  readonly idempotencyKey: string | null
}

/** The parameters of an earlier request with the same key. */
export interface Replayed {
  readonly delivery: DeliveryRow
  readonly requestedMode: RequestedMode | null
}

export interface CompletedRun {
  readonly organizationId: string
  readonly audienceId: string
  readonly id: string
}

/** spec 1.7. */
const idempotencyHours = 24

/** The kinds of what is kept about a person, their tables and those that have few rows to look through. */
const erasedTables = [
  ["destinations", "destination_contact", "destination"],
  ["delivery_failures", "delivery_failure", "delivery"],
  ["delivery_removals", "delivery_removal", "delivery"],
] as const

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const targets = yield* TargetStore
  const work = workStatements(sql, targets)
  const nothing = sql.literal("")

  const columns = sql.literal(`
    id, organization_id as "organizationId", audience_id as "audienceId",
    destination_id as "destinationId", destination_config_revision as "destinationConfigRevision",
    source_run_id as "sourceRunId", baseline_run_id as "baselineRunId", mode, status,
    source_count as "sourceCount", sent_count + skipped_count + failed_count as "processedCount",
    sent_count as "sentCount", skipped_count as "skippedCount", failed_count as "failedCount",
    removed_count as "removedCount",
    batch_index as "batchIndex", attempts, ${isoTime("next_attempt_at")} as "nextAttemptAt",
    retry_of_delivery_id as "retryOfDeliveryId", error_code as "errorCode",
    error_message as "errorMessage", ${isoTime("started_at")} as "startedAt",
    ${isoTime("completed_at")} as "completedAt", ${isoTime("created_at")} as "createdAt",
    ${isoTime("updated_at")} as "updatedAt", created_at::text as "createdKey"`)

  /** In whole milliseconds, as in responses. */
  const now = sql.literal("date_trunc('milliseconds', clock_timestamp())")
  const cancelled = sql`
    status = 'cancelled', completed_at = ${now}, next_attempt_at = null, updated_at = ${now}`
  const first = Effect.map((rows: ReadonlyArray<DeliveryRow>) => rows[0])

  const listed = (
    { audienceId, organizationId }: AudienceKey,
    { destinationId, status }: DeliveryFilters,
  ) => sql`organization_id = ${organizationId} and audience_id = ${audienceId}
    ${destinationId === undefined ? nothing : sql`and destination_id = ${destinationId}`}
    ${status === undefined ? nothing : sql`and status = ${status}`}`

  const find = ({ audienceId, deliveryId, organizationId }: DeliveryKey, lock: typeof nothing) =>
    sql<DeliveryRow>`
      select ${columns} from delivery
      where organization_id = ${organizationId} and audience_id = ${audienceId}
        and id = ${deliveryId}
      ${lock}`.pipe(first)

  /** The lock orders this against a delivery that ends at the same time. */
  const lockActive = ({ audienceId, organizationId }: CompletedRun) => sql`
    select id from destination
    where organization_id = ${organizationId} and audience_id = ${audienceId}
      and status = 'active' and deleted_at is null and initial_sync_completed_at is not null
    order by id
    for update`

  const markLive = ({ audienceId, organizationId }: CompletedRun) => sql`
    update delivery set is_followed = true
    from destination
    where delivery.organization_id = ${organizationId}
      and delivery.audience_id = ${audienceId} and delivery.status in ('queued', 'processing')
      and destination.organization_id = delivery.organization_id
      and destination.id = delivery.destination_id
      and destination.status = 'active' and destination.deleted_at is null
      and destination.initial_sync_completed_at is not null`

  const insertAutomatic = ({ audienceId, id, organizationId }: CompletedRun) => sql`
    insert into delivery (organization_id, id, audience_id, destination_id,
      destination_config_revision, source_run_id, baseline_run_id, mode, created_at, updated_at)
    select organization_id, gen_random_uuid(), audience_id, destination.id, config_revision,
      ${id}, last_successful_run_id, 'incremental', clock_timestamp(), clock_timestamp()
    from destination
    where organization_id = ${organizationId} and audience_id = ${audienceId}
      and status = 'active' and deleted_at is null and initial_sync_completed_at is not null
      and not exists (
        select from delivery as live
        where live.organization_id = ${organizationId}
          and live.destination_id = destination.id
          and live.status in ('queued', 'processing')
      )`

  return {
    /** Newest first. */
    list: (key: AudienceKey, filters: DeliveryFilters) =>
      newestFirst<DeliveryRow>(sql, {
        columns,
        from: "delivery",
        where: listed(key, filters),
      }),

    /** Undefined for an unknown id, or for a delivery of another audience or organization. */
    find: (key: DeliveryKey): Effect.Effect<DeliveryRow | undefined> =>
      Effect.orDie(find(key, nothing)),

    /** Failures, latest attempt first, from `start`. */
    failures: (
      { deliveryId, organizationId }: DeliveryKey,
      start: ListStart,
      limit: number,
    ): Effect.Effect<ReadonlyArray<DeliveryFailureRow>> =>
      sql<DeliveryFailureRow>`
        select encode(hashed_email, 'hex') as "hashedEmail", error_code as "errorCode",
          error_message as "errorMessage", status_code as "statusCode", attempts,
          ${sql.literal(isoTime("last_attempt_at"))} as "lastAttemptAt",
          last_attempt_at::text as "lastAttemptKey"
        from delivery_failure
        where organization_id = ${organizationId} and delivery_id = ${deliveryId}
          ${
            "after" in start
              ? sql`and (
                  last_attempt_at < ${start.after[0]}::timestamptz
                  or (
                    last_attempt_at = ${start.after[0]}::timestamptz
                    and hashed_email > decode(${start.after[1]}, 'hex')
                  )
                )`
              : nothing
          }
        order by last_attempt_at desc, hashed_email
        limit ${limit} offset ${"offset" in start ? start.offset : 0}::bigint`.pipe(Effect.orDie),

    countFailures: ({ deliveryId, organizationId }: DeliveryKey): Effect.Effect<number> =>
      sql<{ readonly total: number }>`
        select count(*)::int as total from delivery_failure
        where organization_id = ${organizationId} and delivery_id = ${deliveryId}`.pipe(
        Effect.map((rows) => rows[0]!.total),
        Effect.orDie,
      ),

    /** Creating a delivery of a destination requires this lock, so they are created one at a time. */
    lockDestination: ({
      destinationId,
      organizationId,
    }: TargetKey): Effect.Effect<void, DatabaseError> =>
      Effect.asVoid(sql`
        select from destination
        where organization_id = ${organizationId} and id = ${destinationId}
        for update`),

    /** Whether the organization may deliver at all. */ // spec 5.10
    isIntentEnabled: (organizationId: string): Effect.Effect<boolean, DatabaseError> =>
      sql<{ readonly isEnabled: boolean }>`
        select intent_enabled as "isEnabled" from organization where id = ${organizationId}`.pipe(
        Effect.map((rows) => rows[0]!.isEnabled),
      ),

    /** Within the last 24 hours. */
    byIdempotencyKey: (
      { destinationId, organizationId }: TargetKey,
      idempotencyKey: string,
    ): Effect.Effect<Replayed | undefined, DatabaseError> =>
      sql<DeliveryRow & Pick<Replayed, "requestedMode">>`
        select ${columns}, requested_mode as "requestedMode" from delivery
        where organization_id = ${organizationId} and destination_id = ${destinationId}
          and idempotency_key = ${idempotencyKey}
          and created_at > clock_timestamp() - make_interval(hours => ${idempotencyHours})
        order by created_at desc
        limit 1`.pipe(
        Effect.map(([row]) => {
          if (row === undefined) return undefined
          const { requestedMode, ...delivery } = row
          return { delivery, requestedMode }
        }),
      ),

    /** The destination's queued or processing delivery. */
    live: ({
      destinationId,
      organizationId,
    }: TargetKey): Effect.Effect<DeliveryRow | undefined, DatabaseError> =>
      sql<DeliveryRow>`
        select ${columns} from delivery
        where organization_id = ${organizationId} and destination_id = ${destinationId}
          and status in ('queued', 'processing')`.pipe(first),

    /** Locks the row until the caller's transaction ends. */
    findForChange: (key: DeliveryKey): Effect.Effect<DeliveryRow | undefined, DatabaseError> =>
      find(key, sql.literal("for update")),

    /** Undefined if another delivery of the destination is in progress. */
    insert: (delivery: NewDelivery): Effect.Effect<DeliveryRow | undefined, DatabaseError> =>
      sql<DeliveryRow>`
        insert into delivery (
          organization_id, id, audience_id, destination_id, destination_config_revision,
          source_run_id, baseline_run_id, mode, requested_mode, retry_of_delivery_id,
          idempotency_key, created_at, updated_at
        )
        values (
          ${delivery.organizationId}, ${delivery.id}, ${delivery.audienceId},
          ${delivery.destinationId}, ${delivery.destinationConfigRevision},
          ${delivery.sourceRunId}, ${delivery.baselineRunId}, ${delivery.mode},
          ${delivery.requestedMode}, ${delivery.retryOfDeliveryId}, ${delivery.idempotencyKey},
          clock_timestamp(), clock_timestamp()
        )
        on conflict do nothing
        returning ${columns}`.pipe(first),

    /**
     * Undefined if it is not queued. Otherwise the next automatic delivery follows if a run completed in the meantime.
     * Runs in the caller's transaction. *Guarantee*: a claim and a cancel never both succeed.
     */
    cancel: ({
      audienceId,
      deliveryId,
      organizationId,
    }: DeliveryKey): Effect.Effect<DeliveryRow | undefined, DatabaseError> =>
      sql<DeliveryRow>`
        update delivery set ${cancelled}
        where organization_id = ${organizationId} and audience_id = ${audienceId}
          and id = ${deliveryId} and status = 'queued'
        returning ${columns}`.pipe(
        first,
        Effect.tap((row) => (row === undefined ? Effect.void : Effect.asVoid(work.follow(row)))),
        Effect.tap(
          () => sql`
            delete from delivery_removal
            where organization_id = ${organizationId} and delivery_id = ${deliveryId}
              and removed_at is null and not exists (
                select from delivery
                where organization_id = ${organizationId} and id = ${deliveryId}
                  and status in ('queued', 'processing')
              )`,
        ),
      ),

    /**
     * Lets the removals of a waiting delivery through, and activates the destination if it waits for nothing else.
     * Undefined if the delivery doesn't wait. Runs in the caller's transaction.
     */ // spec 2.16.9
    approveRemovals: ({
      audienceId,
      deliveryId,
      organizationId,
    }: DeliveryKey): Effect.Effect<DeliveryRow | undefined, DatabaseError> =>
      sql<DeliveryRow>`
        update delivery set awaits_approval = false, error_code = null, error_message = null,
          updated_at = clock_timestamp()
        where organization_id = ${organizationId} and audience_id = ${audienceId}
          and id = ${deliveryId} and status = 'queued' and awaits_approval
        returning ${columns}`.pipe(
        first,
        Effect.tap((row) =>
          row === undefined
            ? Effect.void
            : targets.approved({ organizationId, destinationId: row.destinationId }),
        ),
      ),

    /**
     * Queues a delivery to every active destination that has had its first one. If one is in progress, it is marked,
     * and the next is created when it ends. Runs in the caller's transaction.
     */ // spec 2.16
    queueAutomatic: (run: CompletedRun): Effect.Effect<void, DatabaseError> =>
      Effect.asVoid(Effect.all([lockActive(run), markLive(run), insertAutomatic(run)])),

    /** What destinations know of a person, and what failed or was removed. */
    kept: ({ addresses, organizationId }: ErasedPerson): ReadonlyArray<KeptKind> => {
      const hashes = sql`array(
        select decode(hash, 'hex') from jsonb_array_elements_text(
          ${JSON.stringify(addresses.map(({ emailHash }) => emailHash))}::text::jsonb) as hash
      )`
      return erasedTables.map(([kind, table, parent]) => ({
        kind,
        rows: keptRows(
          sql,
          table,
          sql`t.organization_id = ${organizationId} and t.hashed_email = any (${hashes})
            and t.${sql(`${parent}_id`)} in (
              select id from ${sql(parent)} where organization_id = ${organizationId}
            )`,
        ),
      }))
    },

    /**
     * Removes people from failures and from last sent content, by SHA-256 of their addresses. Batches contain
     * positions, not addresses. Runs in the caller's transaction.
     */ // spec 5.1
    erase: Effect.fnUntraced(function* (
      organizationId: string,
      emailHashes: ReadonlyArray<string>,
    ): Effect.fn.Return<void, DatabaseError> {
      const hashes = sql`array(
        select decode(hash, 'hex')
        from jsonb_array_elements_text(${JSON.stringify(emailHashes)}::text::jsonb) as hash
      )`
      for (const [, table, parent] of erasedTables) {
        // By the primary key, whose second column has only a few parents.
        yield* sql`
          delete from ${sql(table)} as kept
          where kept.organization_id = ${organizationId}
            and kept.hashed_email = any (${hashes})
            and kept.${sql(`${parent}_id`)} in (
              select id from ${sql(parent)} where organization_id = ${organizationId}
            )`
      }
    }),

    /**
     * Deletes the batches of deliveries whose source run lost its results within the last day, since their positions
     * lead nowhere any more, and who was removed by them.
     */ // spec 1.8
    forgetBatches: Effect.asVoid(sql`
      with old as materialized (
        select delivery.organization_id, delivery.id
        from audience_run as run
        join delivery on delivery.organization_id = run.organization_id
          and delivery.audience_id = run.audience_id and delivery.source_run_id = run.id
        where run.results_removed_at > now() - interval '1 day'
      ), removals as (
        delete from delivery_removal as removal
        using old
        where removal.organization_id = old.organization_id and removal.delivery_id = old.id
          and removal.removed_at is not null
      )
      delete from delivery_batch as batch
      using old
      where batch.organization_id = old.organization_id and batch.delivery_id = old.id`),

    /** Runs the effect in one transaction; a failure of the database itself is a defect. */
    transaction: transactionOf(sql),

    ...work,

    ...settledContacts(sql),
  }
})

export class DeliveryStore extends Context.Service<DeliveryStore, Effect.Success<typeof make>>()(
  "@footfall/server/deliveries/DeliveryStore",
) {
  static readonly layer = Layer.effect(DeliveryStore, make)
}
