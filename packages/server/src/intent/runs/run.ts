// A run of an audience: who was in it on one data date, computed once and stored (spec 2.11, 4.2). Configuration and
// data date are fixed when it starts.
import { Context, type Effect, Schema } from "effect"
import type { Queue } from "../../platform/jobs/queue.ts"
import type { DatabaseError } from "../../platform/database/database-error.ts"

/** The last three are final. */ // spec 2.11
export const runStatuses = ["queued", "running", "completed", "failed", "cancelled"] as const
export const RunStatus = Schema.Literals(runStatuses)
export type RunStatus = typeof RunStatus.Type

export const runTypes = ["manual", "daily"] as const
export type RunType = (typeof runTypes)[number]

// spec 2.11
export const runErrorCodes = [
  "CONFIG_INVALID",
  "DATA_UNAVAILABLE",
  "QUERY_TIMEOUT",
  "RESULT_TOO_LARGE",
  "STORAGE_ERROR",
  "INTERNAL_ERROR",
] as const
export type RunErrorCode = (typeof runErrorCodes)[number]

const text = Schema.NullOr(Schema.String)

export class Run extends Schema.Opaque<Run>()(
  Schema.Struct({
    id: Schema.String,
    audienceId: Schema.String,
    organizationId: Schema.String,
    status: RunStatus,
    runType: Schema.Literals(runTypes),
    configHash: Schema.String,
    /** `YYYY-MM-DD`. */
    dataDate: Schema.String,
    resultKey: Schema.String,
    candidateCount: Schema.Int,
    resultCount: Schema.Int,
    attempts: Schema.Int,
    nextAttemptAt: text,
    idempotencyKey: Schema.String,
    errorCode: Schema.NullOr(Schema.Literals(runErrorCodes)),
    errorMessage: text,
    startedAt: text,
    completedAt: text,
    cancelledAt: text,
    readyEmailSentAt: text,
    readyEmailExportId: text,
    readyEmailError: text,
    createdAt: Schema.String,
    updatedAt: Schema.String,
  }).annotate({ identifier: "AudienceRun" }),
) {}

/** The queue of runs. Retries wait 30 seconds and 2 minutes. */ // spec 4.2
export const runQueue: Queue = {
  table: "audience_run",
  waiting: "queued",
  working: "running",
  attemptsMax: 3,
  retrySeconds: [30, 120],
}

export interface RunKey {
  readonly organizationId: string
  readonly audienceId: string
  readonly runId: string
}

// Lets later rooms react when a run completes: exports create the file for the ready mail, deliveries start
// automatically. Each queues a row in the completing transaction and acts on it later.
export class RunCompletion extends Context.Service<
  RunCompletion,
  {
    /** Runs in the transaction that completes the run, which may be retried as a whole. Must only use SQL. */
    completed(run: Run): Effect.Effect<void, DatabaseError>
  }
>()("@footfall/server/runs/RunCompletion") {}
