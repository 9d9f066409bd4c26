// SQL for ready mails: queued when a run completes, sent once its file exists or can't be created. The outcome is
// stored on the run.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { transaction } from "../../../../platform/database/transaction.ts"
import type { Claim } from "../../../../platform/jobs/queue.ts"
import { jobStore } from "../../../../platform/jobs/store.ts"
import type { RunKey } from "../../run.ts"
import type { ExportStatus } from "../export.ts"
import { readyMailQueue, type ReadyRun } from "./ready-mail.ts"

export interface ReadyMail extends ReadyRun {
  readonly exportId: string
  readonly exportStatus: ExportStatus
  readonly exportErrorCode: string | null
  /** Null if the creator is no longer a member of the organization. */
  readonly email: string | null
  /** Whether an earlier attempt started to hand it to the mail server. */
  readonly handoverStarted: boolean
}

export type ReadyMailOutcome = { readonly isSent: true } | { readonly error: string }

type Result<A> = Effect.Effect<A, SqlError.SqlError>

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const jobs = jobStore(sql, readyMailQueue)
  const isOne = Effect.map((rows: ReadonlyArray<unknown>) => rows.length === 1)

  return {
    jobs,

    /** The audience's creator while they are a member; undefined for an API key. Runs in the caller's transaction. */
    creator: ({ audienceId, organizationId }: RunKey): Result<string | undefined> =>
      Effect.map(
        sql<{ readonly userId: string }>`
          select member.user_id as "userId"
          from audience
          join member on member.organization_id = audience.organization_id
            and member.user_id = audience.created_by and member.accepted_at is not null
          where audience.organization_id = ${organizationId} and audience.id = ${audienceId}`,
        (rows) => rows[0]?.userId,
      ),

    /** Runs in the caller's transaction. A second mail for the same run is ignored. */
    insert: (
      { organizationId, runId }: RunKey,
      { exportId, userId }: { readonly exportId: string; readonly userId: string },
    ): Result<void> =>
      Effect.gen(function* () {
        yield* sql`
          insert into ready_mail (organization_id, id, export_id, user_id)
          values (${organizationId}, ${runId}, ${exportId}, ${userId})
          on conflict (organization_id, id) do nothing`
        yield* sql`
          update audience_run set ready_email_export_id = ${exportId}
          where organization_id = ${organizationId} and id = ${runId}`
      }),

    /** Claims mails whose file is no longer being created. */
    claim: (limit: number): Result<ReadonlyArray<Claim>> =>
      jobs.claim({
        limit,
        where: sql`not exists (
          select from run_export as e
          where e.organization_id = job.organization_id and e.id = job.export_id
            and e.status = 'processing'
        )`,
      }),

    held: ({ id, organizationId }: Claim): Result<ReadyMail | undefined> =>
      Effect.map(
        sql<ReadyMail>`
          select run.id as "runId", audience.name as "audienceName",
            run.data_date::text as "dataDate", run.candidate_count as "candidateCount",
            run.result_count as "resultCount", e.file_name as "fileName",
            e.id as "exportId", e.status as "exportStatus", e.error_code as "exportErrorCode",
            (
              select user_account.email from member
              join user_account on user_account.id = member.user_id
              where member.organization_id = mail.organization_id
                and member.user_id = mail.user_id and member.accepted_at is not null
            ) as email,
            mail.handed_at is not null as "handoverStarted"
          from ready_mail as mail
          join audience_run as run
            on run.organization_id = mail.organization_id and run.id = mail.id
          join audience
            on audience.organization_id = run.organization_id and audience.id = run.audience_id
          join run_export as e
            on e.organization_id = mail.organization_id and e.id = mail.export_id
          where mail.organization_id = ${organizationId} and mail.id = ${id}`,
        (rows) => rows[0],
      ),

    /** Records that the handover to the mail server starts. False if the claim is no longer held. */
    startHandover: (claim: Claim): Result<boolean> =>
      isOne(sql`
        update ready_mail set handed_at = clock_timestamp() where ${jobs.held(claim)} returning 1`),

    /** Records that the server did not accept it, and schedules another attempt. */
    retry: (claim: Claim, message: string): Result<void> =>
      Effect.andThen(
        sql`update ready_mail set handed_at = null where ${jobs.held(claim)}`,
        jobs.retry(claim, { code: "MAIL_FAILED", message }),
      ).pipe(Effect.asVoid),

    /** Records the outcome, also on the run. Does nothing if the claim is no longer held. */
    end: (claim: Claim, outcome: ReadyMailOutcome): Result<void> =>
      transaction(
        Effect.gen(function* () {
          const error = "error" in outcome ? outcome.error : null
          const ended = yield* sql`
            update ready_mail set status = ${error === null ? "sent" : "failed"},
              leased_until = null, error_message = ${error}, updated_at = clock_timestamp()
            where ${jobs.held(claim)}
            returning 1`
          if (ended.length === 0) return
          yield* sql`
            update audience_run set
              ready_email_sent_at = ${error === null ? sql`date_trunc('milliseconds', clock_timestamp())` : null},
              ready_email_error = ${error}, updated_at = clock_timestamp()
            where organization_id = ${claim.organizationId} and id = ${claim.id}`
        }),
      ).pipe(Effect.provideService(SqlClient.SqlClient, sql)),
  }
})

export class ReadyMailStore extends Context.Service<ReadyMailStore, Effect.Success<typeof make>>()(
  "@footfall/server/runs/ReadyMailStore",
) {
  static readonly layer = Layer.effect(ReadyMailStore, make)
}
