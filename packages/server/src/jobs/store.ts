// The statements of a queue. Only the clock of the database counts, and every write of a worker names its
// claim; what comes back empty was refused. All of them join the caller's transaction.
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { type Claim, jitterShare, leaseSeconds, type Queue, waitAfter } from "./queue.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

export interface ClaimOptions {
  readonly limit: number
  /** Rows of one organization in work at the same time; exact with a limit of 1. Default: no bound. */
  readonly perOrganizationMax?: number
  /** Condition on the row `job`, for instance that its destination is active. Default: none. */
  readonly where?: Statement.Fragment
}

export interface JobStore {
  /**
   * Claims rows that are due: first of the organizations that have the fewest in work, then the oldest.
   *
   * *Guarantee*: of any number of workers one gets each row.
   */
  claim(options: ClaimOptions): Result<ReadonlyArray<Claim>>
  /**
   * Claims rows whose last attempt was lost: nothing is left but to give them up. `where`: condition on the row.
   * Default: none.
   */
  claimLost(limit: number, where?: Statement.Fragment): Result<ReadonlyArray<Claim>>
  /** Puts back what lost workers held and may be tried again. */
  requeueLost: Result<void>
  /** Prolongs the lease; false: it is someone else's now, or no one's. */
  renew(claim: Claim): Result<boolean>
  /** Puts it back as if it had never been claimed; false: it was not held. */
  release(claim: Claim): Result<boolean>
  /**
   * Puts it back for another attempt after the wait of the queue, or `leastSeconds` when that is longer.
   * `error`: kept on the row while it waits.
   */
  retry(
    claim: Claim,
    error: { readonly code: string; readonly message: string },
    leastSeconds?: number,
  ): Result<boolean>
  /** Condition on the row itself, for the writes of a room: it is still held by this claim. */
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

    claim: ({ limit, perOrganizationMax, where }) =>
      // Locked rows are passed over, and the rows are chosen once, whatever the plan. Who has how many in work
      // is counted once, over the few that are.
      sql<Claim>`
        with busy as materialized (
          select organization_id, count(*) as held from ${table}
          where status = ${queue.working} and leased_until is not null
          group by organization_id
        ), due as materialized (
          select job.organization_id, job.id
          from ${table} as job
          left join busy on busy.organization_id = job.organization_id
          where job.status = ${queue.waiting} and job.leased_until is null
            and (job.next_attempt_at is null or job.next_attempt_at <= clock_timestamp())
            and ${where ?? sql.literal("true")}
            ${
              perOrganizationMax === undefined
                ? sql.literal("")
                : sql`and coalesce(busy.held, 0) < ${perOrganizationMax}`
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
