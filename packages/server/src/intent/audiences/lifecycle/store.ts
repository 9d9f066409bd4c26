// SQL for saved audiences. Creating or activating one locks the organization first and then the audience, so that slots
// and audiences are counted exactly. Statements inside a transaction fail with the database's error, because the
// transaction may then be retried.
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { DatabaseError } from "../../../platform/database/database-error.ts"
import { isoTime } from "../../../platform/database/iso-time.ts"
import { newestFirst } from "../../../platform/database/lists.ts"
import { transactionOf } from "../../../platform/database/transaction.ts"
import { dataDateOf } from "../../signals/store.ts"
import type { AudienceConfig } from "../config.ts"
import type { AccessType, AudienceStatus } from "./audience.ts"

export interface AudienceKey {
  readonly organizationId: string
  readonly audienceId: string
}

/** The fields of an audience that a request or its consequences can change. */
export interface AudienceContent {
  readonly name: string
  readonly status: AudienceStatus
  /** In normal form; the keys of the filters in any order. */
  readonly config: AudienceConfig
  readonly sourceUrl: string | null
  readonly accessType: AccessType
  readonly dailyRefreshEnabled: boolean
}

/** A stored audience. Timestamps are ISO 8601, as in responses. */
export interface AudienceRow extends AudienceContent {
  readonly organizationId: string
  readonly id: string
  readonly audienceSize: number
  readonly createdBy: string | null
  readonly lastRefreshedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly pausedAt: string | null
  /** `createdAt` in microseconds: the sort key. */
  readonly createdKey: string
}

/** An organization's limits and usage. */
export interface AudienceAccess {
  /** Null means unlimited. */
  readonly slots: number | null
  readonly slotsUsed: number
  readonly isOneShotEligible: boolean
  /** Audiences that are not deleted. */
  readonly saved: number
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  const nothing = sql.literal("")

  const columns = sql.literal(`
    organization_id as "organizationId", id, name, status, config, source_url as "sourceUrl",
    access_type as "accessType", daily_refresh_enabled as "dailyRefreshEnabled",
    audience_size as "audienceSize", created_by as "createdBy",
    ${isoTime("last_refreshed_at")} as "lastRefreshedAt", ${isoTime("created_at")} as "createdAt",
    ${isoTime("updated_at")} as "updatedAt", ${isoTime("paused_at")} as "pausedAt",
    created_at::text as "createdKey"`)

  const listed = (organizationId: string, status: AudienceStatus | undefined) => sql`
    organization_id = ${organizationId} and deleted_at is null
    ${status === undefined ? nothing : sql`and status = ${status}`}`

  const counted = (organizationId: string) =>
    sql<Pick<AudienceAccess, "slotsUsed" | "saved">>`
      select
        count(*) filter (where status = 'active' and access_type = 'paid')::int as "slotsUsed",
        count(*)::int as saved
      from audience
      where organization_id = ${organizationId} and deleted_at is null
    `.pipe(Effect.map((rows) => rows[0]!)) // an aggregate returns one row

  const find = ({ audienceId, organizationId }: AudienceKey, lock: typeof nothing) =>
    sql<AudienceRow>`
      select ${columns}
      from audience
      where organization_id = ${organizationId} and id = ${audienceId} and deleted_at is null
      ${lock}
    `.pipe(Effect.map((rows) => rows[0]))

  return {
    /** Newest first. */
    list: (organizationId: string, status: AudienceStatus | undefined) =>
      newestFirst<AudienceRow>(sql, {
        columns,
        from: "audience",
        where: listed(organizationId, status),
      }),

    /** Undefined for an unknown id, a deleted audience, or an audience of another organization. */
    find: (key: AudienceKey): Effect.Effect<AudienceRow | undefined> =>
      Effect.orDie(find(key, nothing)),

    /** Like `find`, and locks the row until the caller's transaction ends. */
    findForChange: (key: AudienceKey): Effect.Effect<AudienceRow | undefined, DatabaseError> =>
      find(key, sql.literal("for no key update")),

    /** Locks the organization until the caller's transaction ends; concurrent calls wait. */
    accessForChange: (organizationId: string): Effect.Effect<AudienceAccess, DatabaseError> =>
      Effect.gen(function* () {
        // Not `for update`, so that rows referring to the organization can still be written.
        const [organization] = yield* sql<Pick<AudienceAccess, "slots" | "isOneShotEligible">>`
          select intent_slots as slots, one_shot_eligible as "isOneShotEligible"
          from organization
          where id = ${organizationId}
          for no key update`
        // A separate statement sees what was committed before the lock was acquired.
        const { saved, slotsUsed } = yield* counted(organizationId)
        // The caller belongs to the organization, so it exists.
        return { ...organization!, saved, slotsUsed }
      }),

    /** Active audiences that take a slot. */ // spec 4.1
    slotsUsed: (organizationId: string): Effect.Effect<number> =>
      counted(organizationId).pipe(
        Effect.map(({ slotsUsed }) => slotsUsed),
        Effect.orDie,
      ),

    /** Ids of the audiences that use the segment, oldest first. */
    usingSegment: (
      organizationId: string,
      segmentId: string,
    ): Effect.Effect<ReadonlyArray<string>> =>
      sql<{ readonly id: string }>`
        select id from audience
        where organization_id = ${organizationId} and deleted_at is null
          and config ->> 'segmentId' = ${segmentId}
        order by created_at, id`.pipe(
        Effect.map((rows) => rows.map(({ id }) => id)),
        Effect.orDie,
      ),

    /** Uses up the access to a single run. */
    takeOneShot: (organizationId: string): Effect.Effect<void, DatabaseError> =>
      Effect.asVoid(sql`
        update organization set one_shot_eligible = false where id = ${organizationId}`),

    insert: (
      audience: AudienceContent & Pick<AudienceRow, "organizationId" | "id" | "createdBy">,
    ): Effect.Effect<AudienceRow, DatabaseError> =>
      sql<AudienceRow>`
        insert into audience (
          organization_id, id, name, status, config, source_url, access_type,
          daily_refresh_enabled, created_by, activated_at, activated_data_date
        )
        values (
          ${audience.organizationId}, ${audience.id}, ${audience.name}, ${audience.status},
          ${pg.json(audience.config)}, ${audience.sourceUrl}, ${audience.accessType},
          ${audience.dailyRefreshEnabled}, ${audience.createdBy},
          ${audience.status === "active" ? sql.literal("now()") : null},
          ${audience.status === "active" ? dataDateOf(sql, sql`${audience.organizationId}::uuid`) : null}
        )
        returning ${columns}
      `.pipe(Effect.map((rows) => rows[0]!)),

    /** Writes the audience. Call it after `findForChange`, in the same transaction. */
    update: (
      { audienceId, organizationId }: AudienceKey,
      content: AudienceContent,
    ): Effect.Effect<AudienceRow, DatabaseError> =>
      sql<AudienceRow>`
        update audience
        set name = ${content.name}, status = ${content.status}, config = ${pg.json(content.config)},
          source_url = ${content.sourceUrl}, access_type = ${content.accessType},
          daily_refresh_enabled = ${content.dailyRefreshEnabled},
          activated_at = case
            when ${content.status}::text = 'active' and status <> 'active' then now()
            else activated_at
          end,
          activated_data_date = case
            when ${content.status}::text = 'active' and status <> 'active'
              then ${dataDateOf(sql, sql`${organizationId}::uuid`)}
            else activated_data_date
          end,
          paused_at = case
            when ${content.status}::text <> 'paused' then null
            when status <> 'paused' then now()
            else paused_at
          end,
          updated_at = now()
        where organization_id = ${organizationId} and id = ${audienceId}
        returning ${columns}
      `.pipe(Effect.map((rows) => rows[0]!)),

    /** False if it does not exist. Its data stays but can't be found. */
    delete: ({ audienceId, organizationId }: AudienceKey): Effect.Effect<boolean, DatabaseError> =>
      sql`
        update audience
        set deleted_at = now(), daily_refresh_enabled = false, updated_at = now()
        where organization_id = ${organizationId} and id = ${audienceId} and deleted_at is null
        returning id
      `.pipe(Effect.map((rows) => rows.length > 0)),

    /**
     * Records a completed run on its audience, and pauses an audience with access to a single run. Runs in the
     * transaction that completes the run. `completedAt`: in Postgres timestamp format.
     */ // spec 2.8, 4.1
    refreshed: (
      organizationId: string,
      audienceId: string,
      run: { readonly resultCount: number; readonly completedAt: string },
    ): Effect.Effect<void, DatabaseError> =>
      Effect.asVoid(sql`
        update audience
        set audience_size = ${run.resultCount},
          last_refreshed_at = ${run.completedAt}::timestamptz,
          status = case
            when status = 'active' and access_type = 'one_shot' then 'paused' else status
          end,
          paused_at = case
            when status = 'active' and access_type = 'one_shot'
              then ${run.completedAt}::timestamptz
            else paused_at
          end,
          updated_at = now()
        where organization_id = ${organizationId} and id = ${audienceId} and deleted_at is null`),

    /** Runs the effect in one transaction; a failure of the database itself is a defect. */
    transaction: transactionOf(sql),
  }
})

export class AudienceLifecycleStore extends Context.Service<
  AudienceLifecycleStore,
  Effect.Success<typeof make>
>()("@footfall/server/audiences/AudienceLifecycleStore") {
  static readonly layer = Layer.effect(AudienceLifecycleStore, make)
}
