// SQL for runs. Statements inside a transaction fail with the database's error, because the transaction may then be
// retried.
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { AudienceConfig } from "../audiences/config.ts"
import type { AudienceKey } from "../audiences/lifecycle/store.ts"
import type { DatabaseError } from "../../platform/database/database-error.ts"
import { isoTime } from "../../platform/database/iso-time.ts"
import { newestFirst } from "../../platform/database/lists.ts"
import { transactionOf } from "../../platform/database/transaction.ts"
import type { Claim } from "../../platform/jobs/queue.ts"
import { jobStore } from "../../platform/jobs/store.ts"
import type { Topic } from "../topics/topic.ts"
import { type Run, type RunErrorCode, type RunKey, runQueue, type RunStatus } from "./run.ts"
import type { Tallies } from "./statistics/statistics.ts"

/** A stored run. Timestamps are ISO 8601, as in responses. */
export interface RunRow extends Run {
  /** As normalized by `normalizeConfig`; the keys of the filters in any order. */
  readonly config: AudienceConfig
  /** The configuration's topics, in its order. */
  readonly topics: ReadonlyArray<Topic>
  /** Whether signals of the data date existed when the run started. */
  readonly hasSignals: boolean
  /** Null until completed. */
  readonly tallies: Tallies | null
  /** Whether the results are past their retention. */
  readonly resultsAreRemoved: boolean
  /** `createdAt` in microseconds: the sort key. */
  readonly createdKey: string
}

export type NewRun = Pick<
  RunRow,
  | "audienceId"
  | "config"
  | "configHash"
  | "dataDate"
  | "hasSignals"
  | "id"
  | "idempotencyKey"
  | "organizationId"
  | "runType"
  | "topics"
>

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  const jobs = jobStore(sql, runQueue)
  const nothing = sql.literal("")

  const columns = sql.literal(`
    id, audience_id as "audienceId", organization_id as "organizationId", status,
    run_type as "runType", config_hash as "configHash", data_date::text as "dataDate",
    'runs/' || id as "resultKey", candidate_count as "candidateCount",
    result_count as "resultCount", attempts, ${isoTime("next_attempt_at")} as "nextAttemptAt",
    idempotency_key as "idempotencyKey", error_code as "errorCode",
    error_message as "errorMessage", ${isoTime("started_at")} as "startedAt",
    ${isoTime("completed_at")} as "completedAt", ${isoTime("cancelled_at")} as "cancelledAt",
    ${isoTime("ready_email_sent_at")} as "readyEmailSentAt",
    ready_email_export_id as "readyEmailExportId", ready_email_error as "readyEmailError",
    ${isoTime("created_at")} as "createdAt", ${isoTime("updated_at")} as "updatedAt",
    config, topics, has_signals as "hasSignals", tallies,
    results_removed_at is not null as "resultsAreRemoved", created_at::text as "createdKey"`)

  const listed = ({ audienceId, organizationId }: AudienceKey, status: RunStatus | undefined) =>
    sql`organization_id = ${organizationId} and audience_id = ${audienceId}
      ${status === undefined ? nothing : sql`and status = ${status}`}`

  /** In whole milliseconds, as in responses. */
  const now = sql.literal("date_trunc('milliseconds', clock_timestamp())")

  /** The same moment throughout the statement, because the clock keeps running. */
  const cancelledAt = sql.literal("date_trunc('milliseconds', statement_timestamp())")
  const cancelled = sql`
    status = 'cancelled', cancelled_at = ${cancelledAt}, completed_at = ${cancelledAt},
    next_attempt_at = null, updated_at = ${cancelledAt}`

  const first = Effect.map((rows: ReadonlyArray<RunRow>) => rows[0])

  return {
    jobs,

    /** Newest first. */
    list: (key: AudienceKey, status: RunStatus | undefined) =>
      newestFirst<RunRow>(sql, {
        columns,
        from: "audience_run",
        where: listed(key, status),
      }),

    /** Undefined for an unknown id, or for a run of another audience or organization. */
    find: ({ audienceId, organizationId, runId }: RunKey): Effect.Effect<RunRow | undefined> =>
      sql<RunRow>`
        select ${columns} from audience_run
        where organization_id = ${organizationId} and audience_id = ${audienceId}
          and id = ${runId}`.pipe(first, Effect.orDie),

    /** The audience's latest completed run. */
    latestCompleted: ({
      audienceId,
      organizationId,
    }: AudienceKey): Effect.Effect<RunRow | undefined, DatabaseError> =>
      sql<RunRow>`
        select ${columns} from audience_run
        where organization_id = ${organizationId} and audience_id = ${audienceId}
          and status = 'completed'
        order by completed_at desc, id desc
        limit 1`.pipe(first),

    /** The run a client started with this key. The server's own keys have their own namespace. */
    byIdempotencyKey: (
      { audienceId, organizationId }: AudienceKey,
      idempotencyKey: string,
    ): Effect.Effect<RunRow | undefined, DatabaseError> =>
      sql<RunRow>`
        select ${columns} from audience_run
        where organization_id = ${organizationId} and audience_id = ${audienceId}
          and not is_server_key and idempotency_key = ${idempotencyKey}`.pipe(first),

    /** The queued or running one. */
    live: ({
      audienceId,
      organizationId,
    }: AudienceKey): Effect.Effect<RunRow | undefined, DatabaseError> =>
      sql<RunRow>`
        select ${columns} from audience_run
        where organization_id = ${organizationId} and audience_id = ${audienceId}
          and status in ('queued', 'running')`.pipe(first),

    /** Undefined if the key was used before or another run of the audience is in progress. */
    insert: (run: NewRun): Effect.Effect<RunRow | undefined, DatabaseError> =>
      sql<RunRow>`
        insert into audience_run (
          organization_id, id, audience_id, run_type, config, config_hash, topics, data_date,
          has_signals, idempotency_key
        )
        values (
          ${run.organizationId}, ${run.id}, ${run.audienceId}, ${run.runType},
          ${pg.json(run.config)}, ${run.configHash}, ${pg.json(run.topics)},
          ${run.dataDate}::date, ${run.hasSignals}, ${run.idempotencyKey}
        )
        on conflict do nothing
        returning ${columns}`.pipe(first),

    /** Undefined if it is not queued or does not exist. Guarantee: a cancel and a claim never both succeed. */
    cancel: ({
      audienceId,
      organizationId,
      runId,
    }: RunKey): Effect.Effect<RunRow | undefined, DatabaseError> =>
      sql<RunRow>`
        update audience_run set ${cancelled}
        where organization_id = ${organizationId} and audience_id = ${audienceId}
          and id = ${runId} and status = 'queued'
        returning ${columns}`.pipe(first),

    /** Cancels the audience's queued runs. */
    cancelQueued: (
      { audienceId, organizationId }: AudienceKey,
      runTypes: ReadonlyArray<Run["runType"]>,
    ): Effect.Effect<void, DatabaseError> =>
      Effect.asVoid(sql`
        update audience_run set ${cancelled}
        where organization_id = ${organizationId} and audience_id = ${audienceId}
          and status = 'queued' and run_type in ${sql.in(runTypes)}`),

    /** Undefined once the claim is over. */
    claimed: (claim: Claim): Effect.Effect<RunRow | undefined, DatabaseError> =>
      sql<RunRow>`select ${columns} from audience_run where ${jobs.held(claim)}`.pipe(first),

    /** Undefined once the claim is over; the caller must then roll back everything it did. */
    complete: (
      claim: Claim,
      found: { readonly candidates: number; readonly results: number; readonly tallies: Tallies },
    ): Effect.Effect<RunRow | undefined, DatabaseError> =>
      sql<RunRow>`
        update audience_run set
          status = 'completed', candidate_count = ${found.candidates},
          result_count = ${found.results}, tallies = ${pg.json(found.tallies)},
          leased_until = null, error_code = null, error_message = null, completed_at = ${now},
          updated_at = ${now}
        where ${jobs.held(claim)}
        returning ${columns}`.pipe(first),

    /** Fails it permanently; does nothing once the claim is over. */
    fail: (
      claim: Claim,
      { code, message }: { readonly code: RunErrorCode; readonly message: string },
    ): Effect.Effect<void, DatabaseError> =>
      Effect.asVoid(sql`
        update audience_run set
          status = 'failed', leased_until = null, error_code = ${code},
          error_message = ${message}, completed_at = ${now}, updated_at = ${now}
        where ${jobs.held(claim)}`),

    /** Runs the effect in one transaction; a failure of the database itself is a defect. */
    transaction: transactionOf(sql),
  }
})

export class RunStore extends Context.Service<RunStore, Effect.Success<typeof make>>()(
  "@footfall/server/runs/RunStore",
) {
  static readonly layer = Layer.effect(RunStore, make)
}
