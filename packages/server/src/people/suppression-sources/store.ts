// SQL for suppression sources and the queue of their syncs.
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { isoTime } from "../../platform/database/iso-time.ts"
import { keptRows, type RowKey } from "../../platform/database/kept-rows.ts"
import { textArray } from "../../platform/database/text-array.ts"
import type { Claim } from "../../platform/jobs/queue.ts"
import { jobStore } from "../../platform/jobs/store.ts"
import type { ListSubject } from "../lists/list.ts"
import type { RuleType } from "../suppression/rule.ts"
import {
  type LastSync,
  type Schedule,
  type SourceKindName,
  type SourcePeople,
  type SourceStatus,
  syncQueue,
  type Validators,
} from "./source.ts"

/** What a member sets. */
export interface SourceContentRow {
  readonly name: string
  readonly types: ReadonlyArray<RuleType>
  readonly schedule: Schedule
  readonly url: string | null
  readonly column: string | null
  readonly headerNames: ReadonlyArray<string>
  readonly connectedAccountId: string | null
  /** In the organization for `list`, otherwise at the service. */
  readonly listId: string | null
  readonly people: SourcePeople | null
}

export interface SourceRow extends SourceContentRow {
  readonly organizationId: string
  readonly id: string
  readonly kind: SourceKindName
  readonly status: SourceStatus
  /** Rules that the source has. */
  readonly rules: number
  readonly attention: Attention | null
  readonly lastSync: LastSync | null
  /** Null while it is paused or needs attention. */
  readonly nextSyncAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly createdKey: string
}

/** What a member has to approve. */
export interface Attention {
  readonly reason: string
  readonly removals: number
  readonly present: number
}

/** What a sync needs beside the row. */
export interface SyncRow extends SourceRow {
  readonly headers: Uint8Array | null
  readonly validators: Validators | null
  readonly approvedRemovals: number | null
  readonly subject: ListSubject | null
  readonly listVersion: string | null
  readonly settingsVersion: number
}

export interface NewSource extends SourceContentRow, RowKey {
  readonly kind: SourceKindName
  readonly headers: Uint8Array | null
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const jobs = jobStore(sql, syncQueue)
  const columnsText = `
    organization_id as "organizationId", id, name, kind, to_json(types) as types, schedule, status,
    coalesce(list_id::text, service_list_id) as "listId",
    connected_account_id as "connectedAccountId", people, url, column_name as "column",
    to_json(coalesce(header_names, '{}')) as "headerNames", rules, attention,
    last_sync as "lastSync",
    (select case
       when suppression_source.status <> 'active' then null
       else ${isoTime("coalesce(sync.next_attempt_at, clock_timestamp())")} end
     from suppression_sync as sync
     where sync.organization_id = suppression_source.organization_id
       and sync.id = suppression_source.id) as "nextSyncAt",
    ${isoTime("created_at")} as "createdAt", ${isoTime("updated_at")} as "updatedAt",
    created_at::text as "createdKey"`
  const columns = sql.literal(columnsText)
  const { findForChange, ...rows } = keptRows<SourceRow>(sql, {
    columns,
    from: "suppression_source",
  })

  const due = ({ id, organizationId }: RowKey) => sql`
    update suppression_sync set
      next_attempt_at = case when status = 'waiting' then clock_timestamp() else next_attempt_at end,
      is_asked = status = 'working', attempts = case when status = 'waiting' then 0 else attempts end
    where organization_id = ${organizationId} and id = ${id}`

  return {
    jobs,
    list: rows.list,
    find: rows.find,
    findForChange,
    delete: rows.delete,

    all: (organizationId: string) =>
      sql<SourceRow>`
        select ${columns} from suppression_source where organization_id = ${organizationId}
        order by created_at desc, id desc`.pipe(Effect.orDie),

    /** Waits for other writers of the organization's sources, and returns their number. */
    countForInsert: (organizationId: string) =>
      sql`select from organization where id = ${organizationId} for no key update`.pipe(
        Effect.andThen(
          sql<{ readonly total: number }>`
            select count(*)::int as total from suppression_source
            where organization_id = ${organizationId}`,
        ),
        Effect.map((counts) => counts[0]!.total),
        Effect.orDie,
      ),

    insert: Effect.fnUntraced(function* (source: NewSource) {
      const { id, organizationId } = source
      yield* sql`
        insert into suppression_source
          (organization_id, id, name, kind, types, schedule, list_id, service_list_id,
            connected_account_id, people, url, column_name, header_names, headers)
        values (${organizationId}, ${id}, ${source.name}, ${source.kind},
          ${textArray(source.types)}::text::text[], ${source.schedule},
          ${source.kind === "list" ? source.listId : null},
          ${source.kind === "list" ? null : source.listId}, ${source.connectedAccountId},
          ${source.people}, ${source.url}, ${source.column},
          ${textArray(source.headerNames)}::text::text[], ${source.headers})`
      yield* sql`
        insert into suppression_sync (organization_id, id, next_attempt_at)
        values (${organizationId}, ${id}, clock_timestamp())`
      // Its rules come from it. Stays when the source is deleted, for rules that stay.
      yield* sql`
        insert into data_origin (organization_id, id, kind, name)
        values (${organizationId}, ${id}, 'source', ${source.name})`
    }, Effect.orDie),

    /** `headers`: undefined leaves them. Forgets what the last file was, so that the next sync reads all. */
    update: Effect.fnUntraced(function* (
      { id, organizationId }: RowKey,
      source: SourceContentRow & {
        readonly status: SourceStatus
        readonly headers: Uint8Array | null | undefined
      },
    ) {
      yield* sql`
        update suppression_source set
          name = ${source.name}, types = ${textArray(source.types)}::text::text[],
          schedule = ${source.schedule}, url = ${source.url}, column_name = ${source.column},
          service_list_id = case when list_id is null then ${source.listId} end,
          connected_account_id = ${source.connectedAccountId}, people = ${source.people},
          status = ${source.status}, attention = null, approved_removals = null, validators = null,
          settings_version = settings_version + 1,
          ${
            source.headers === undefined
              ? sql.literal("")
              : sql`headers = ${source.headers},
                  header_names = ${textArray(source.headerNames)}::text::text[],`
          }
          updated_at = now()
        where organization_id = ${organizationId} and id = ${id}`
      yield* sql`
        update data_origin set name = ${source.name}
        where organization_id = ${organizationId} and id = ${id}`
      yield* due({ id, organizationId })
    }, Effect.orDie),

    /** Lets the next sync remove at most this many rules, and makes it due. */
    approve: Effect.fnUntraced(function* ({ id, organizationId }: RowKey, removals: number | null) {
      yield* sql`
        update suppression_source set status = 'active', attention = null,
          approved_removals = ${removals}, updated_at = now()
        where organization_id = ${organizationId} and id = ${id}`
      yield* due({ id, organizationId })
    }, Effect.orDie),

    /** Claims sources of these kinds whose sync is due. A party has one of them in progress. */
    claim: (limit: number, kinds: ReadonlyArray<SourceKindName>) =>
      jobs.claim({
        limit,
        perPartyMax: 1,
        among: sql`exists (
          select from suppression_source as source
          where source.organization_id = job.organization_id and source.id = job.id
            and source.kind in ${sql.in(kinds)})`,
        where: sql`exists (
          select from suppression_source as source
          where source.organization_id = job.organization_id and source.id = job.id
            and source.status = 'active')`,
      }),

    /** Returns a sync whose source was changed meanwhile to the queue, where it is due at once. */
    startOver: (claim: Claim) =>
      Effect.asVoid(sql`
        update suppression_sync set status = 'waiting', leased_until = null, attempts = 0,
          is_asked = false, next_attempt_at = clock_timestamp(), updated_at = clock_timestamp()
        where ${jobs.held(claim)}`),

    /** Whether a source is still as it was when its sync began, and is synced. */
    isCurrent: ({ id, organizationId, settingsVersion }: SyncRow) =>
      Effect.map(
        sql`
          select from suppression_source
          where organization_id = ${organizationId} and id = ${id} and status = 'active'
            and settings_version = ${settingsVersion}`,
        (found) => found.length > 0,
      ),

    /** The sources that read a connected account, the oldest first. */
    usingAccount: (organizationId: string, connectedAccountId: string) =>
      sql<{ readonly id: string; readonly name: string }>`
        select id, name from suppression_source
        where organization_id = ${organizationId} and connected_account_id = ${connectedAccountId}
        order by created_at, id`,

    /** Makes sources due whose list has changed since their last sync. Reads each of them by an index. */
    noticeLists: sql`
      update suppression_sync as job set next_attempt_at = clock_timestamp()
      from suppression_source as source
      join list on list.id = source.list_id
      where source.list_id is not null and source.status = 'active'
        and source.list_version is distinct from list.version
        and job.organization_id = source.organization_id and job.id = source.id
        and job.status = 'waiting' and job.attempts = 0
        and job.next_attempt_at > clock_timestamp()`,

    /** A source that is being synced. */
    findSync: ({ id, organizationId }: RowKey) =>
      Effect.map(
        sql<SyncRow>`
          select ${columns}, headers, validators, approved_removals as "approvedRemovals",
            (select subject from list where list.id = list_id) as subject,
            (select version::text from list where list.id = list_id) as "listVersion",
            settings_version as "settingsVersion"
          from suppression_source where organization_id = ${organizationId} and id = ${id}`,
        ([found]) => found,
      ),

    /**
     * In a transaction: keeps a source from being changed or deleted. False if it has been since the sync began. Not the
     * row of its sync, whose lease is renewed meanwhile.
     */
    lockForSync: ({ id, organizationId, settingsVersion }: SyncRow) =>
      Effect.map(
        sql`
          select from suppression_source
          where organization_id = ${organizationId} and id = ${id}
            and settings_version = ${settingsVersion}
          for no key update`,
        (found) => found.length > 0,
      ),

    /**
     * At the end of the transaction of a sync: stores its outcome and when the next one is due. False if another worker has
     * the sync.
     */
    settle: Effect.fnUntraced(function* (
      claim: Claim,
      outcome: {
        readonly lastSync: Omit<LastSync, "at">
        readonly status: SourceStatus
        readonly attention: Attention | null
        /** Undefined leaves what the last sync has stored. */
        readonly synced?: {
          readonly rules: number
          readonly validators: Validators | null
          readonly listVersion: string | null
        }
      },
    ) {
      const { id, organizationId } = claim
      const { synced } = outcome
      yield* sql`
        update suppression_source set
          status = case when status = 'active' then ${outcome.status} else status end,
          attention = ${outcome.attention === null ? null : JSON.stringify(outcome.attention)}::text::jsonb,
          approved_removals = null,
          last_sync = ${JSON.stringify(outcome.lastSync)}::text::jsonb || jsonb_build_object(
            'at', ${sql.literal(isoTime("clock_timestamp()"))}),
          ${
            synced === undefined
              ? sql.literal("")
              : sql`rules = ${synced.rules},
                  validators = ${synced.validators === null ? null : JSON.stringify(synced.validators)}::text::jsonb,
                  list_version = ${synced.listVersion}::text::bigint,`
          }
          updated_at = now()
        where organization_id = ${organizationId} and id = ${id}`
      const held = yield* sql`
        update suppression_sync as job set status = 'waiting', leased_until = null, attempts = 0,
          started_at = null, error_code = null, error_message = null, updated_at = clock_timestamp(),
          is_asked = false,
          next_attempt_at = clock_timestamp() + case
            when is_asked then interval '0'
            when source.schedule = 'hourly' then interval '1 hour'
            else interval '1 day' end
        from suppression_source as source
        where job.organization_id = ${organizationId} and job.id = ${id}
          and source.organization_id = job.organization_id and source.id = job.id
          and job.claim = ${claim.claim}::text::bigint and job.leased_until is not null
        returning 1`
      return held.length > 0
    }),

    /** In a transaction: stores that a sync failed, and when it is tried again. Nothing if another worker has it. */
    fail: Effect.fnUntraced(function* (
      claim: Claim,
      error: { readonly code: string; readonly message: string },
    ) {
      if (!(yield* jobs.retry(claim, error))) return
      const lastSync = {
        outcome: "failed",
        new: 0,
        removed: 0,
        errorCode: error.code,
        errorMessage: error.message,
      }
      yield* sql`
        update suppression_source set
          last_sync = ${JSON.stringify(lastSync)}::text::jsonb || jsonb_build_object(
            'at', ${sql.literal(isoTime("clock_timestamp()"))}),
          updated_at = now()
        where organization_id = ${claim.organizationId} and id = ${claim.id}`
    }),
  }
})

export class SourceStore extends Context.Service<SourceStore, Effect.Success<typeof make>>()(
  "@footfall/server/suppression-sources/SourceStore",
) {
  static readonly layer = Layer.effect(SourceStore, make)
}
