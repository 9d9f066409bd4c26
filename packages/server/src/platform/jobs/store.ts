// SQL of a job queue. Only the database's clock counts, and every write of a worker names its claim; an empty result
// means the write was refused. Every statement runs in the caller's transaction.
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { type Claim, jitterShare, leaseSeconds, type Queue, waitAfter } from "./queue.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

export interface ClaimOptions {
  readonly limit: number
  /** Maximum rows of one party in progress; exact for a limit of 1. Default: unlimited. */
  readonly perPartyMax?: number
  /** Condition on the row `job`, for example that its destination is active. Default: none. */
  readonly where?: Statement.Fragment
  /** Condition on the row `job`, also for those in progress that count: a lane of the queue. Default: all rows. */
  readonly among?: Statement.Fragment
}

export interface JobStore {
  /**
   * Claims due rows: first of parties (fair-turns.ts) with the fewest in progress, then the oldest.
   *
   * *Guarantee*: each row goes to exactly one worker.
   */
  claim(options: ClaimOptions): Result<ReadonlyArray<Claim>>
  /**
   * Claims rows whose last attempt was lost and that can only be given up. `where`: condition on the row. Default:
   * none.
   */
  claimLost(limit: number, where?: Statement.Fragment): Result<ReadonlyArray<Claim>>
  /** Returns rows of lost workers to the queue if they have attempts left. */
  requeueLost: Result<void>
  /** Extends the lease. False if the claim no longer holds the row. */
  renew(claim: Claim): Result<boolean>
  /** Returns the row as if it had never been claimed. False: it was not held. */
  release(claim: Claim): Result<boolean>
  /**
   * Returns the row for another attempt after the queue's wait, or `leastSeconds` if that is longer. `error` stays on
   * the row until then.
   */
  retry(
    claim: Claim,
    error: { readonly code: string; readonly message: string },
    leastSeconds?: number,
  ): Result<boolean>
  /** Condition for a room's own writes: this claim still holds the row. */
  held(claim: Claim): Statement.Fragment
}

export const jobStore = (sql: SqlClient.SqlClient, queue: Queue): JobStore => {
  const table = sql(queue.table)
  const lease = sql`clock_timestamp() + make_interval(secs => ${leaseSeconds})`
  const claimed = sql.literal(
    `job.organization_id as "organizationId", job.id, job.attempts, job.claim::text as claim`,
  )
  const held = ({ claim, id, organizationId }: Claim) => sql`organization_id = ${organizationId}
    and id = ${id} and claim = ${claim}::text::bigint and leased_until is not null`
  const isOne = Effect.map((rows: ReadonlyArray<unknown>) => rows.length === 1)

  return {
    held,

    claim: ({ among = sql.literal("true"), limit, perPartyMax, where }) =>
      // Locked rows are skipped, and the rows are chosen once, whatever the plan. Rows in progress are few, so they are
      // counted once per party.
      sql<Claim>`
        with busy as materialized (
          select organization.party, count(*) as held
          from ${table} as job
          join organization on organization.id = job.organization_id
          where job.status = ${queue.working} and job.leased_until is not null and ${among}
          group by organization.party
        ), due as materialized (
          select job.organization_id, job.id
          from ${table} as job
          join organization on organization.id = job.organization_id
          left join busy on busy.party = organization.party
          where job.status = ${queue.waiting} and job.leased_until is null
            and (job.next_attempt_at is null or job.next_attempt_at <= clock_timestamp())
            and ${among} and ${where ?? sql.literal("true")}
            ${
              perPartyMax === undefined
                ? sql.literal("")
                : sql`and coalesce(busy.held, 0) < ${perPartyMax}`
            }
          order by coalesce(busy.held, 0), job.next_attempt_at nulls first, job.created_at
          limit ${limit}
          for update of job skip locked
        )
        update ${table} as job set
          status = ${queue.working},
          attempts = job.attempts + 1,
          claim = job.claim + 1,
          next_attempt_at = null,
          leased_until = ${lease},
          started_at = coalesce(job.started_at, date_trunc('milliseconds', clock_timestamp())),
          updated_at = clock_timestamp()
        from due
        where job.organization_id = due.organization_id and job.id = due.id
        returning ${claimed}`,

    claimLost: (limit, where) =>
      sql<Claim>`
        with lost as materialized (
          select organization_id, id from ${table}
          where status = ${queue.working} and leased_until < clock_timestamp()
            and attempts >= ${queue.attemptsMax} and ${where ?? sql.literal("true")}
          limit ${limit}
          for update skip locked
        )
        update ${table} as job set claim = job.claim + 1, leased_until = ${lease}
        from lost
        where job.organization_id = lost.organization_id and job.id = lost.id
        returning ${claimed}`,

    requeueLost: Effect.asVoid(sql`
      update ${table} set status = ${queue.waiting}, leased_until = null,
        updated_at = clock_timestamp()
      where status = ${queue.working} and leased_until < clock_timestamp()
        and attempts < ${queue.attemptsMax}`),

    renew: (claim) =>
      isOne(sql`
        update ${table} set leased_until = ${lease} where ${held(claim)} returning 1`),

    release: (claim) =>
      isOne(sql`
        update ${table} set status = ${queue.waiting}, attempts = attempts - 1,
          leased_until = null, updated_at = clock_timestamp()
        where ${held(claim)} returning 1`),

    retry: (claim, { code, message }, leastSeconds = 0) =>
      isOne(sql`
        update ${table} set status = ${queue.waiting}, leased_until = null,
          next_attempt_at = clock_timestamp() + make_interval(secs => greatest(
            ${leastSeconds}::float8,
            ${waitAfter(queue, claim.attempts)}::float8
              * (1 - ${jitterShare}::float8 + random() * 2 * ${jitterShare}::float8)
          )),
          error_code = ${code}, error_message = ${message}, updated_at = clock_timestamp()
        where ${held(claim)} returning 1`),
  }
}
