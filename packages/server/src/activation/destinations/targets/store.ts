// SQL through which deliveries read and update destinations. Every statement runs in the caller's transaction, so
// counters are exact if the caller's writes are fenced. Failures are the database's, so that the transaction may be
// retried.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { isoTime } from "../../../platform/database/iso-time.ts"
import type { DatabaseError } from "../../../platform/database/database-error.ts"
import type {
  AutomationDestinationConfig,
  DestinationStatus,
  DestinationType,
  ValidationPolicy,
  WebhookDestinationConfig,
} from "../destination.ts"
import type { Settled, TargetError, TargetKey } from "./target.ts"

export interface TargetRow {
  readonly organizationId: string
  readonly id: string
  readonly audienceId: string
  readonly audienceName: string
  readonly name: string
  readonly destinationType: DestinationType
  readonly status: DestinationStatus
  readonly isDeleted: boolean
  readonly configRevision: number
  readonly config: StoredConfig
  readonly approvedConfigHash: string | null
  readonly validationPolicy: ValidationPolicy
  readonly secret: Uint8Array | null
  /** Null once its grace period is over, too. */
  readonly formerSecret: Uint8Array | null
  /** Encrypted; null without headers. */
  readonly headers: Uint8Array | null
  readonly lastSuccessfulRunId: string | null
  readonly initialSyncCompletedAt: string | null
}

/** The type is a separate column. */
export type StoredConfig =
  | Omit<WebhookDestinationConfig, "destinationType">
  | Omit<AutomationDestinationConfig, "destinationType">

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const at = ({ destinationId, organizationId }: TargetKey) =>
    sql`organization_id = ${organizationId} and id = ${destinationId}`

  return {
    /** Undefined for an id the organization never had. Deleted destinations are found. */
    find: ({
      destinationId,
      organizationId,
    }: TargetKey): Effect.Effect<TargetRow | undefined, DatabaseError> =>
      sql<TargetRow>`
        select destination.organization_id as "organizationId", destination.id,
          audience_id as "audienceId", audience.name as "audienceName", destination.name,
          destination_type as "destinationType",
          destination.status,
          (destination.deleted_at is not null or audience.deleted_at is not null) as "isDeleted",
          config_revision as "configRevision", destination.config,
          approved_config_hash as "approvedConfigHash", validation_policy as "validationPolicy",
          secret,
          case when former_secret_until > clock_timestamp() then former_secret end
            as "formerSecret",
          headers,
          last_successful_run_id as "lastSuccessfulRunId",
          ${sql.literal(isoTime("initial_sync_completed_at"))}
            as "initialSyncCompletedAt"
        from destination
        join audience on audience.organization_id = destination.organization_id
          and audience.id = audience_id
        where destination.organization_id = ${organizationId}
          and destination.id = ${destinationId}`.pipe(Effect.map((rows) => rows[0])),

    /**
     * A statement that adds a batch's results to the totals and to the count of consecutive errors, if `condition`
     * holds.
     */
    settling: (
      key: TargetKey,
      settled: Settled,
      condition: Statement.Fragment,
    ): Statement.Fragment => {
      const { attemptError, failed, failedAttempts, failedSinceSent, lastError } = settled
      const { removed, sent, skipped } = settled
      return sql`
        update destination set
          total_synced = total_synced + ${sent},
          total_skipped = total_skipped + ${skipped},
          total_failed = total_failed + ${failed},
          total_removed = total_removed + ${removed},
          consecutive_errors = case when ${sent}::int + ${removed}::int > 0 then 0 else consecutive_errors end
            + ${failedSinceSent}::int,
          failed_attempts = case when ${sent}::int + ${removed}::int > 0 then 0 else failed_attempts end
            + ${failedAttempts}::int,
          attempt_error_code = coalesce(${attemptError?.code ?? null}::text, attempt_error_code),
          attempt_error_message = case when ${attemptError?.code ?? null}::text is null
            then attempt_error_message else ${attemptError?.message ?? null}::text end,
          attempt_error_at = case when ${attemptError?.code ?? null}::text is null
            then attempt_error_at else clock_timestamp() end,
          last_delivered_at = case when ${sent}::int + ${removed}::int > 0 then clock_timestamp()
            else last_delivered_at end,
          last_error_code = coalesce(${lastError?.code ?? null}::text, last_error_code),
          last_error_message = case when ${lastError?.code ?? null}::text is null
            then last_error_message else ${lastError?.message ?? null}::text end,
          last_error_at = case when ${lastError?.code ?? null}::text is null
            then last_error_at else clock_timestamp() end
        where ${at(key)} and ${condition}`
    },

    /** Stores a delivery's error that another attempt may overcome. */
    noteError: (
      key: TargetKey,
      { code, message }: TargetError,
    ): Effect.Effect<void, DatabaseError> =>
      sql`
        update destination set last_error_code = ${code}, last_error_message = ${message},
          last_error_at = clock_timestamp()
        where ${at(key)}`.pipe(Effect.asVoid),

    /** An attempt of a delivery failed, and another one follows. Those at contacts were counted as they failed. */
    noteAttempt: (
      key: TargetKey,
      { code, message }: TargetError,
    ): Effect.Effect<void, DatabaseError> =>
      sql`
        update destination set failed_attempts = greatest(failed_attempts, 1),
          attempt_error_code = ${code}, attempt_error_message = ${message},
          attempt_error_at = clock_timestamp()
        where ${at(key)}`.pipe(Effect.asVoid),

    /**
     * Marks an active destination as needing attention; any other status stays. One that was just paused must be
     * approved again before it is active. `error`: stored in `stats` whatever the status.
     */ // spec 4.3
    needsAttention: (
      key: TargetKey,
      { code, message }: TargetError,
    ): Effect.Effect<void, DatabaseError> =>
      sql`
        update destination set
          status = case when status = 'active' then 'needs_attention' else status end,
          must_be_approved = must_be_approved or status = 'paused',
          last_error_code = ${code}, last_error_message = ${message},
          last_error_at = clock_timestamp(), updated_at = clock_timestamp()
        where ${at(key)}`.pipe(Effect.asVoid),

    /** The removals that it needed attention for are approved. Any other status stays. */
    approved: ({ destinationId, organizationId }: TargetKey): Effect.Effect<void, DatabaseError> =>
      sql`
        update destination set status = 'active', updated_at = clock_timestamp()
        where organization_id = ${organizationId} and id = ${destinationId}
          and status = 'needs_attention' and last_error_code = 'REMOVALS_NEED_APPROVAL'
          and deleted_at is null`.pipe(Effect.asVoid),

    /**
     * A delivery of a run is complete. The last delivered run only moves forward, so retrying an older one does not set
     * it back. `isWhole`: no contact failed, so nothing is retried any more.
     */ // spec 4.4
    delivered: (
      key: TargetKey,
      runId: string,
      { isWhole }: { readonly isWhole: boolean },
    ): Effect.Effect<void, DatabaseError> =>
      sql`
        update destination set
          last_successful_run_id = case
            when last_successful_run_id is null or exists (
              select from audience_run as former
              join audience_run as source on source.organization_id = former.organization_id
              where former.organization_id = ${key.organizationId}
                and former.id = last_successful_run_id and source.id = ${runId}
                and (source.completed_at, source.id) >= (former.completed_at, former.id)
            ) then ${runId}::uuid
            else last_successful_run_id end,
          failed_attempts = case when ${isWhole} then 0 else failed_attempts end,
          initial_sync_completed_at = coalesce(initial_sync_completed_at, clock_timestamp())
        where ${at(key)}`.pipe(Effect.asVoid),
  }
})

export class TargetStore extends Context.Service<TargetStore, Effect.Success<typeof make>>()(
  "@footfall/server/destinations/TargetStore",
) {
  static readonly layer = Layer.effect(TargetStore, make)
}
