// SQL for exports. A file past its expiry counts as expired even before it is removed.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { isoTime } from "../../../platform/database/iso-time.ts"
import { newestFirst } from "../../../platform/database/lists.ts"
import { transaction, transactionOf } from "../../../platform/database/transaction.ts"
import type { Claim } from "../../../platform/jobs/queue.ts"
import { jobStore } from "../../../platform/jobs/store.ts"
import type { Topic } from "../../topics/topic.ts"
import type { RunKey, RunStatus } from "../run.ts"
import { type Export, exportQueue, type ExportType, keptDays } from "./export.ts"

export interface ExportRow extends Omit<Export, "contentType"> {
  /** `createdAt` in microseconds: the sort key. */
  readonly createdKey: string
}

/** What an export needs to know about its run. */
export interface ExportedRun {
  readonly organizationId: string
  readonly audienceId: string
  readonly runId: string
  readonly audienceName: string
  readonly status: RunStatus
  readonly dataDate: string
  readonly resultCount: number
  readonly topics: ReadonlyArray<Topic>
}

/** Size and hash of a complete file. */
export interface FileFacts {
  readonly byteSize: number
  readonly rowCount: number
  readonly contentSha256: string
}

/** An export whose file is complete or being created. */
export interface KeptExport {
  readonly id: string
  readonly contentSha256: string | null
  /** The newest claim while the file is being created; a bigint as text. */
  readonly claim: string | null
}

type Result<A> = Effect.Effect<A, SqlError.SqlError>

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const jobs = jobStore(sql, exportQueue)
  const nothing = sql.literal("")

  const isKept = sql.literal(`(e.status = 'completed' and e.expires_at > clock_timestamp())`)
  const columns = sql.literal(`
    e.organization_id as "organizationId", e.id, e.audience_id as "audienceId", e.run_id as "runId",
    e.export_type as "exportType",
    case when e.status = 'completed' and e.expires_at <= clock_timestamp() then 'expired'
      else e.status end as status,
    e.byte_size::float8 as "byteSize", e.row_count as "rowCount", e.file_name as "fileName",
    e.content_sha256 as "contentSha256", e.error_code as "errorCode",
    e.error_message as "errorMessage", e.requested_by as "requestedBy",
    ${isoTime("e.completed_at")} as "completedAt", ${isoTime("e.expires_at")} as "expiresAt",
    ${isoTime("e.created_at")} as "createdAt", ${isoTime("e.updated_at")} as "updatedAt",
    e.created_at::text as "createdKey"`)

  const runColumns = sql.literal(`
    run.organization_id as "organizationId", run.audience_id as "audienceId", run.id as "runId",
    audience.name as "audienceName", run.status, run.data_date::text as "dataDate",
    run.result_count as "resultCount", run.topics`)

  const run = ({ audienceId, organizationId, runId }: RunKey, lock: typeof nothing) =>
    Effect.map(
      sql<ExportedRun>`
        select ${runColumns}
        from audience_run as run
        join audience on audience.organization_id = run.organization_id
          and audience.id = run.audience_id and audience.deleted_at is null
        where run.organization_id = ${organizationId} and run.id = ${runId}
          and run.audience_id = ${audienceId} and run.results_removed_at is null
        ${lock}`,
      (rows) => rows[0],
    )

  const ofRun = ({ audienceId, organizationId, runId }: RunKey) => sql`
    e.organization_id = ${organizationId} and e.run_id = ${runId} and e.audience_id = ${audienceId}`

  return {
    jobs,

    /** Runs the effect in one transaction; a failure of the database itself is a defect. */
    transaction: transactionOf(sql),

    /** Undefined if the run does not exist, belongs to a deleted audience, or its results were removed. */
    run: (key: RunKey): Result<ExportedRun | undefined> => run(key, nothing),

    /** Like `run`, and locks it against other exports and erasures until the transaction ends. */
    lockRun: (key: RunKey): Result<ExportedRun | undefined> =>
      run(key, sql.literal("for no key update of run")),

    /** The run's export to reuse, of this type: a complete one, otherwise one being created. */
    reusable: (key: RunKey, type: ExportType): Result<ExportRow | undefined> =>
      Effect.map(
        sql<ExportRow>`
          select ${columns} from run_export as e
          where ${ofRun(key)} and e.export_type = ${type} and (${isKept} or e.status = 'processing')
          order by e.status = 'completed' desc, e.created_at desc, e.id desc
          limit 1`,
        (rows) => rows[0],
      ),

    insert: (
      { audienceId, organizationId, runId }: RunKey,
      made: {
        readonly id: string
        readonly exportType: ExportType
        readonly fileName: string
        readonly requestedBy: string | null
      },
    ): Result<ExportRow> =>
      Effect.map(
        sql<ExportRow>`
          insert into run_export as e
            (organization_id, id, audience_id, run_id, export_type, file_name, requested_by)
          values (${organizationId}, ${made.id}, ${audienceId}, ${runId}, ${made.exportType},
            ${made.fileName}, ${made.requestedBy})
          returning ${columns}`,
        (rows) => rows[0]!,
      ),

    /** Newest first. */
    list: (key: RunKey) =>
      newestFirst<ExportRow>(sql, {
        columns,
        from: "run_export as e",
        where: ofRun(key),
      }),

    find: (key: RunKey, exportId: string): Result<ExportRow | undefined> =>
      Effect.map(
        sql<ExportRow>`
          select ${columns} from run_export as e where ${ofRun(key)} and e.id = ${exportId}`,
        (rows) => rows[0],
      ),

    /** By the id in a signed link, across organizations. Undefined for a deleted audience's. */
    findLinked: (exportId: string): Result<ExportRow | undefined> =>
      Effect.map(
        sql<ExportRow>`
          select ${columns} from run_export as e
          join audience on audience.organization_id = e.organization_id
            and audience.id = e.audience_id and audience.deleted_at is null
          where e.id = ${exportId}`,
        (rows) => rows[0],
      ),

    /** The export of a claim. */
    held: (claim: Claim): Result<ExportRow | undefined> =>
      Effect.map(
        sql<ExportRow>`
          select ${columns} from run_export as e
          where e.organization_id = ${claim.organizationId} and e.id = ${claim.id}`,
        (rows) => rows[0],
      ),

    /**
     * Marks the file complete. False if the claim is no longer held, or if a person was erased from the results since
     * they were read, so the file is outdated.
     */
    complete: (claim: Claim, runId: string, file: FileFacts): Result<boolean> =>
      transaction(
        Effect.gen(function* () {
          // An erasure locks the run before looking for exports, so one of the two sees the other.
          yield* sql`
            select from audience_run
            where organization_id = ${claim.organizationId} and id = ${runId}
            for key share`
          const rows = yield* sql`
            update run_export set
              status = 'completed', leased_until = null, error_code = null, error_message = null,
              byte_size = ${file.byteSize}::float8::bigint, row_count = ${file.rowCount},
              content_sha256 = ${file.contentSha256},
              completed_at = date_trunc('milliseconds', clock_timestamp()),
              expires_at = date_trunc('milliseconds', clock_timestamp())
                + make_interval(days => ${keptDays}),
              updated_at = clock_timestamp()
            where ${jobs.held(claim)} and ${file.rowCount} = (
              select count(*) from run_result
              where organization_id = ${claim.organizationId} and run_id = ${runId}
            )
            returning 1`
          return rows.length === 1
        }),
      ).pipe(Effect.provideService(SqlClient.SqlClient, sql)),

    /** Marks an export as failed. */
    fail: (
      claim: Claim,
      error: { readonly code: string; readonly message: string },
    ): Result<boolean> =>
      Effect.map(
        sql`
          update run_export set status = 'failed', leased_until = null,
            error_code = ${error.code}, error_message = ${error.message},
            completed_at = date_trunc('milliseconds', clock_timestamp()),
            updated_at = clock_timestamp()
          where ${jobs.held(claim)} returning 1`,
        (rows) => rows.length === 1,
      ),

    /** Marks exports past their expiry as expired. */
    expireDue: Effect.asVoid(sql`
      update run_export set status = 'expired', updated_at = clock_timestamp()
      where status = 'completed' and expires_at <= clock_timestamp()`),

    /**
     * Returns which of these exports keep their files: with the SHA-256 of a complete file, or the claim that is
     * writing it.
     */
    kept: (ids: ReadonlyArray<string>): Result<ReadonlyArray<KeptExport>> =>
      sql`
        select e.id, e.content_sha256 as "contentSha256",
          case when e.status = 'processing' then e.claim::text end as claim
        from run_export as e
        where e.id = any (${`{${ids.join(",")}}`}::uuid[])
          and (e.status = 'processing' or ${isKept})`,

    /**
     * Runs in an erasure, before the results are deleted: expires files that contain the person, and restarts those
     * being created.
     */
    endOfPerson: (organizationId: string, emailHashes: ReadonlyArray<string>): Result<void> =>
      Effect.gen(function* () {
        const runs = sql`(
          select run_id from run_result
          where organization_id = ${organizationId} and hashed_email = any (
            array(select decode(jsonb_array_elements_text(
              ${JSON.stringify(emailHashes)}::text::jsonb), 'hex')))
        )`
        yield* sql`
          select from audience_run
          where organization_id = ${organizationId} and id in ${runs}
          order by id
          for update`
        yield* sql`
          update run_export set status = 'expired', updated_at = clock_timestamp(),
            expires_at = least(expires_at, date_trunc('milliseconds', clock_timestamp()))
          where organization_id = ${organizationId} and status = 'completed' and run_id in ${runs}`
        yield* sql`
          update run_export set claim = claim + 1, leased_until = null,
            attempts = greatest(attempts - 1, 0), updated_at = clock_timestamp()
          where organization_id = ${organizationId} and status = 'processing'
            and leased_until is not null and run_id in ${runs}`
      }),
  }
})

export class ExportStore extends Context.Service<ExportStore, Effect.Success<typeof make>>()(
  "@footfall/server/runs/ExportStore",
) {
  static readonly layer = Layer.effect(ExportStore, make)
}
