// A queue for the tests of the protocol, with the columns that jobs/queue.ts names.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Queue } from "../../src/platform/jobs/queue.ts"

export const queue: Queue = {
  table: "job_test",
  waiting: "queued",
  working: "running",
  attemptsMax: 3,
  retrySeconds: [30, 120],
}

export const ours = "11111111-1111-4111-8111-111111111111"
export const theirs = "22222222-2222-4222-8222-222222222222"

export const makeQueue = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`drop table if exists job_test`
  yield* sql`
    insert into organization (id, name, slug)
    select id, id::text, id::text from unnest(${[ours, theirs]}::uuid[]) as id
    on conflict do nothing`
  yield* sql`
    create table job_test (
      organization_id uuid not null,
      id uuid not null default gen_random_uuid(),
      status text not null default 'queued',
      attempts integer not null default 0,
      claim bigint not null default 0,
      next_attempt_at timestamptz,
      leased_until timestamptz,
      started_at timestamptz,
      error_code text,
      error_message text,
      created_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp(),
      primary key (organization_id, id)
    )`
})

export const put = (count: number, organizationId = ours) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    for (let n = 0; n < count; n++) {
      yield* sql`insert into job_test (organization_id) values (${organizationId})`
    }
  })

export interface JobRow {
  readonly id: string
  readonly status: string
  readonly attempts: number
  readonly claim: string
  readonly leaseSeconds: number | null
  readonly waitSeconds: number | null
  readonly startedAt: string | null
  readonly errorCode: string | null
}

/** Oldest first. */
export const rows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<JobRow>`
    select id, status, attempts, claim::text as claim,
      extract(epoch from leased_until - clock_timestamp())::float8 as "leaseSeconds",
      extract(epoch from next_attempt_at - clock_timestamp())::float8 as "waitSeconds",
      started_at::text as "startedAt", error_code as "errorCode"
    from job_test order by created_at`
})

/** Shifts the rows as if this much time had passed. */
export const later = (seconds: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const span = sql`make_interval(secs => ${seconds}::float8)`
    yield* sql`
      update job_test set leased_until = leased_until - ${span},
        next_attempt_at = next_attempt_at - ${span}`
  })
