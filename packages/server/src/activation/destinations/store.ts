// SQL for destinations as their owner sees them. Creating one locks the audience, so the limit is exact. Statements
// inside a transaction fail with the database's error, because the transaction may then be retried.
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { DatabaseError } from "../../platform/database/database-error.ts"
import { isoTime } from "../../platform/database/iso-time.ts"
import { transactionOf } from "../../platform/database/transaction.ts"
import type { AccountRow } from "./accounts/store.ts"
import type {
  DestinationConfig,
  DestinationStatus,
  DestinationType,
  ValidationPolicy,
} from "./destination.ts"
import type { Content } from "./transition.ts"

export interface AudienceKey {
  readonly organizationId: string
  readonly audienceId: string
}

export interface DestinationKey extends AudienceKey {
  readonly destinationId: string
}

/** A stored destination. Timestamps are ISO 8601, as in responses. */
export interface DestinationRow {
  readonly id: string
  readonly organizationId: string
  readonly audienceId: string
  readonly name: string
  readonly destinationType: DestinationType
  readonly status: DestinationStatus
  readonly validationPolicy: ValidationPolicy
  readonly config: DestinationConfig
  readonly configRevision: number
  readonly approvedConfigHash: string | null
  readonly mustBeApproved: boolean
  readonly lastSuccessfulRunId: string | null
  readonly initialSyncCompletedAt: string | null
  readonly stats: {
    readonly totalSynced: number
    readonly totalSkipped: number
    readonly totalFailed: number
    readonly totalRemoved: number
    readonly consecutiveErrors: number
    readonly lastDeliveredAt: string | null
    readonly lastErrorCode: string | null
    readonly lastErrorMessage: string | null
    readonly lastErrorAt: string | null
  }
  /** Null unless it is active and the last attempt failed. */
  readonly retrying: {
    readonly count: number
    readonly errorCode: string | null
    readonly errorMessage: string | null
    readonly at: string | null
  } | null
  /** For the automation type; a removed account counts as disconnected. */
  readonly account: Pick<
    AccountRow,
    "accountName" | "appSlug" | "automationAccountId" | "id" | "lastSyncedAt" | "status"
  > | null
  readonly createdAt: string
  readonly updatedAt: string
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  const nothing = sql.literal("")

  const columns = sql.literal(`
    destination.id, destination.organization_id as "organizationId",
    audience_id as "audienceId", destination.name, destination_type as "destinationType",
    destination.status, validation_policy as "validationPolicy",
    destination.config || jsonb_build_object('destinationType', destination_type) as config,
    config_revision as "configRevision", approved_config_hash as "approvedConfigHash",
    must_be_approved as "mustBeApproved",
    last_successful_run_id as "lastSuccessfulRunId",
    ${isoTime("initial_sync_completed_at")} as "initialSyncCompletedAt",
    json_build_object(
      'totalSynced', total_synced, 'totalSkipped', total_skipped, 'totalFailed', total_failed,
      'totalRemoved', total_removed, 'consecutiveErrors', consecutive_errors, 'lastDeliveredAt', ${isoTime("last_delivered_at")},
      'lastErrorCode', last_error_code, 'lastErrorMessage', last_error_message,
      'lastErrorAt', ${isoTime("last_error_at")}
    ) as stats,
    case when destination.status = 'active' and failed_attempts > 0 then json_build_object(
      'count', failed_attempts, 'errorCode', attempt_error_code,
      'errorMessage', attempt_error_message, 'at', ${isoTime("attempt_error_at")}
    ) end as retrying,
    case when account.id is not null then json_build_object(
      'id', account.id, 'automationAccountId', automation_account_id, 'appSlug', app_slug,
      'accountName', account_name, 'status', account.status,
      'lastSyncedAt', ${isoTime("last_synced_at")}
    ) end as account,
    ${isoTime("destination.created_at")} as "createdAt",
    ${isoTime("destination.updated_at")} as "updatedAt"`)

  const found = ({ audienceId, organizationId }: AudienceKey, more: typeof nothing) =>
    sql<DestinationRow>`
      select ${columns}
      from destination
      join audience on audience.organization_id = destination.organization_id
        and audience.id = audience_id and audience.deleted_at is null
      left join connected_account as account
        on account.organization_id = destination.organization_id
        and account.id = connected_account_id
      where destination.organization_id = ${organizationId} and audience_id = ${audienceId}
        and destination.deleted_at is null
      ${more}`

  const find = (key: DestinationKey) =>
    found(key, sql`and destination.id = ${key.destinationId}`).pipe(Effect.map((rows) => rows[0]))

  const at = ({ audienceId, destinationId, organizationId }: DestinationKey) =>
    sql`organization_id = ${organizationId} and audience_id = ${audienceId}
      and id = ${destinationId} and deleted_at is null`

  /** Locked before the destination, in the same order in which workers store a batch. */
  const lockLive = (of: typeof nothing) => sql`
    select from delivery where status in ('queued', 'processing') and ${of}
    order by id
    for no key update`

  /**
   * Queued deliveries are never sent. A delivery in progress stops after its batch and stays withdrawn, however its
   * current attempt ends (deliveries/).
   */
  const withdraw = (of: typeof nothing) =>
    Effect.asVoid(sql`
      with gone as (
        delete from delivery_removal where removed_at is null and (organization_id, delivery_id) in (
          select organization_id, id from delivery where status = 'queued' and ${of}
        )
      )
      update delivery set is_withdrawn = true,
        status = case when status = 'queued' then 'cancelled' else status end,
        completed_at = case when status = 'queued'
          then date_trunc('milliseconds', clock_timestamp()) end,
        next_attempt_at = null, updated_at = clock_timestamp()
      where status in ('queued', 'processing') and ${of}`)

  const ofDestination = ({ destinationId, organizationId }: DestinationKey) =>
    sql`organization_id = ${organizationId} and destination_id = ${destinationId}`

  return {
    /** Undefined for an audience that is unknown, deleted or another organization's. */
    audience: ({
      audienceId,
      organizationId,
    }: AudienceKey): Effect.Effect<{ readonly id: string; readonly name: string } | undefined> =>
      sql<{ readonly id: string; readonly name: string }>`
        select id, name from audience
        where organization_id = ${organizationId} and id = ${audienceId} and deleted_at is null
      `.pipe(
        Effect.map(([row]) => row),
        Effect.orDie,
      ),

    /** Newest first. */
    list: (key: AudienceKey): Effect.Effect<ReadonlyArray<DestinationRow>> =>
      Effect.orDie(found(key, sql`order by destination.created_at desc, destination.id desc`)),

    /** Undefined for an unknown id, a deleted destination, or a destination of another audience or organization. */
    find: (key: DestinationKey): Effect.Effect<DestinationRow | undefined> =>
      Effect.orDie(find(key)),

    /** Like `find`, and locks the row until the caller's transaction ends. */
    findForChange: (
      key: DestinationKey,
    ): Effect.Effect<DestinationRow | undefined, DatabaseError> =>
      lockLive(ofDestination(key)).pipe(
        Effect.andThen(sql`select from destination where ${at(key)} for no key update`),
        // Reads the row after the lock, which may have changed while waiting for it.
        Effect.andThen(find(key)),
      ),

    /**
     * Counts an audience's destinations and blocks other creations until the transaction ends; undefined if the
     * audience does not exist.
     */
    countForInsert: ({
      audienceId,
      organizationId,
    }: AudienceKey): Effect.Effect<number | undefined, DatabaseError> =>
      Effect.gen(function* () {
        const locked = yield* sql`
          select from audience
          where organization_id = ${organizationId} and id = ${audienceId} and deleted_at is null
          for no key update`
        if (locked.length === 0) return undefined
        // A separate statement sees what was committed before the lock was acquired.
        const rows = yield* sql<{ readonly total: number }>`
          select count(*)::int as total from destination
          where organization_id = ${organizationId} and audience_id = ${audienceId}
            and deleted_at is null`
        return rows[0]!.total
      }),

    /** `sealed`: null for the automation type. */
    insert: (
      key: DestinationKey,
      { config, name, validationPolicy }: Pick<Content, "config" | "name" | "validationPolicy">,
      { headers, secret }: Readonly<Record<"headers" | "secret", Uint8Array | null>>,
    ): Effect.Effect<DestinationRow, DatabaseError> => {
      const { destinationType, ...stored } = config
      const account = "connectedAccountId" in stored ? stored.connectedAccountId : null
      return sql`
        insert into destination (organization_id, id, audience_id, name, destination_type,
          validation_policy, config, connected_account_id, secret, headers)
        values (${key.organizationId}, ${key.destinationId}, ${key.audienceId}, ${name},
          ${destinationType}, ${validationPolicy}, ${pg.json(stored)}, ${account}, ${secret},
          ${headers})
      `.pipe(
        Effect.andThen(find(key)),
        Effect.map((row) => row!), // it was just inserted
      )
    },

    /** Writes the destination. Call it after `findForChange`, in the same transaction. */
    update: (
      key: DestinationKey,
      content: Content,
    ): Effect.Effect<DestinationRow, DatabaseError> => {
      const { destinationType: _, ...stored } = content.config
      return sql`
        update destination set
          name = ${content.name}, status = ${content.status},
          validation_policy = ${content.validationPolicy}, config = ${pg.json(stored)},
          config_revision = ${content.configRevision},
          approved_config_hash = ${content.approvedConfigHash},
          consecutive_errors = ${content.consecutiveErrors},
          failed_attempts = case
            when status <> 'active' and ${content.status} = 'active'
              or config is distinct from ${pg.json(stored)} then 0
            else failed_attempts end,
          must_be_approved = ${content.mustBeApproved}, updated_at = clock_timestamp()
        where ${at(key)}
      `.pipe(
        Effect.andThen(find(key)),
        Effect.map((row) => row!), // it is locked
      )
    },

    /** The values of the headers, encrypted; null without any. Call it after `findForChange`. */
    sealedHeaders: (key: DestinationKey): Effect.Effect<Uint8Array | null, DatabaseError> =>
      sql<{ readonly headers: Uint8Array | null }>`
        select headers from destination where ${at(key)}
      `.pipe(Effect.map((rows) => rows[0]?.headers ?? null)),

    keepHeaders: (
      key: DestinationKey,
      sealed: Uint8Array | null,
    ): Effect.Effect<void, DatabaseError> =>
      Effect.asVoid(sql`update destination set headers = ${sealed} where ${at(key)}`),

    /** Makes the current secret the previous one for this many hours; 0 drops it at once. */
    rotate: (
      key: DestinationKey,
      { graceHours, secret }: { readonly graceHours: number; readonly secret: Uint8Array },
    ): Effect.Effect<DestinationRow, DatabaseError> =>
      sql`
        update destination set
          former_secret = case when ${graceHours}::int > 0 then secret end,
          former_secret_until = case when ${graceHours}::int > 0
            then clock_timestamp() + make_interval(hours => ${graceHours}::int) end,
          secret = ${secret}, updated_at = clock_timestamp()
        where ${at(key)}
      `.pipe(
        Effect.andThen(find(key)),
        Effect.map((row) => row!), // it is locked
      ),

    /** Cancels a destination's queued deliveries and stops those in progress. */ // spec 4.3, 4.4
    withdrawDeliveries: (key: DestinationKey): Effect.Effect<void, DatabaseError> =>
      withdraw(ofDestination(key)),

    /** False if it does not exist. Deletes its secrets at once. */
    delete: (key: DestinationKey): Effect.Effect<boolean, DatabaseError> =>
      sql`
        update destination set deleted_at = clock_timestamp(), updated_at = clock_timestamp(),
          secret = null, former_secret = null, former_secret_until = null, headers = null
        where ${at(key)}
        returning id
      `.pipe(Effect.map((rows) => rows.length > 0)),

    /** Deletes every destination of an audience and cancels queued deliveries. */ // spec 5.8
    deleteOfAudience: ({
      audienceId,
      organizationId,
    }: AudienceKey): Effect.Effect<void, DatabaseError> => {
      const ofAudience = sql`organization_id = ${organizationId} and audience_id = ${audienceId}`
      return lockLive(ofAudience).pipe(
        Effect.andThen(sql`
          update destination set deleted_at = clock_timestamp(), updated_at = clock_timestamp(),
            secret = null, former_secret = null, former_secret_until = null, headers = null
          where ${ofAudience} and deleted_at is null`),
        Effect.andThen(withdraw(ofAudience)),
      )
    },

    /** Runs the effect in one transaction; a failure of the database itself is a defect. */
    transaction: transactionOf(sql),
  }
})

export class DestinationStore extends Context.Service<
  DestinationStore,
  Effect.Success<typeof make>
>()("@footfall/server/destinations/DestinationStore") {
  static readonly layer = Layer.effect(DestinationStore, make)
}
