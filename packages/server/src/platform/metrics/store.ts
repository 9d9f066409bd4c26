// The values that operators monitor in the database: depth and lag of each queue, connections, size. Rows are counted
// without their owners, so nothing about an organization appears.
import { Context, Effect, Layer, type Redacted } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { replicaProblem } from "../database/replica.ts"

/** A table used as a queue, with the names of its statuses. See jobs/queue.ts. */
export interface MeasuredQueue {
  readonly table: string
  readonly waiting: string
  readonly working: string
}

export interface QueueDepth {
  readonly name: string
  /** Due and unclaimed. */
  readonly waiting: number
  /** Waiting for its next attempt. */
  readonly delayed: number
  /** Claimed by a worker. */
  readonly working: number
  /** How long the oldest job has been due. */
  readonly lagSeconds: number
}

export const receiverKinds = ["webhook", "destination", "account"] as const

/** Webhooks, webhook destinations or connected accounts of all organizations. */
export interface ReceiverCount {
  readonly kind: (typeof receiverKinds)[number]
  /** `failing`: the last attempt failed, and more will follow. `stopped`: the server gave up, and a person must act. */
  readonly state: "working" | "failing" | "stopped"
  readonly count: number
}

export interface DatabaseUse {
  readonly active: number
  readonly idle: number
  readonly idleInTransaction: number
  readonly bytes: number
}

/** Counting stops here; a deeper queue is reported with this depth. */
export const depthMax = 1_000_000

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const one = <Row>(rows: ReadonlyArray<Row>): Row => rows[0]!
  return {
    queue: (
      name: string,
      { table, waiting, working }: MeasuredQueue,
    ): Effect.Effect<QueueDepth, SqlError.SqlError> =>
      sql<QueueDepth>`
        with job as (
          select leased_until, coalesce(next_attempt_at, created_at) as due_at,
            coalesce(next_attempt_at, created_at) > clock_timestamp() as is_delayed
          from ${sql(table)} where status in ${sql.in([waiting, working])} limit ${depthMax}
        )
        select ${name}::text as name,
          (count(*) filter (where leased_until is null and not is_delayed))::int as waiting,
          (count(*) filter (where leased_until is null and is_delayed))::int as delayed,
          (count(*) filter (where leased_until is not null))::int as working,
          coalesce(extract(epoch from clock_timestamp() - min(due_at)
            filter (where leased_until is null and not is_delayed)), 0)::float8 as "lagSeconds"
        from job`.pipe(Effect.map(one)),

    /** Collected events that identification has not processed yet. */
    inbox: sql<QueueDepth>`
      with waiting as (
        select received_at from event_inbox order by sequence limit ${depthMax}
      )
      select 'visits' as name, count(*)::int as waiting, 0 as delayed, 0 as working,
        coalesce(extract(epoch from clock_timestamp() - min(received_at)), 0)::float8
          as "lagSeconds"
      from waiting`.pipe(Effect.map(one)),

    /** What receives data from this server, by whether it does. Paused and deleted ones are left out. */
    receivers: sql<ReceiverCount>`
      with receiver as (
        select 'webhook' as kind, status = 'auto_disabled' as is_stopped,
          last_error_at > coalesce(last_delivered_at, '-infinity') as is_failing
        from webhook where deleted_at is null and status <> 'inactive'
        union all
        select 'destination', status = 'needs_attention',
          last_error_at > coalesce(last_delivered_at, '-infinity')
        from destination where deleted_at is null and status in ('active', 'needs_attention')
        union all
        select 'account', status = 'unhealthy', false
        from connected_account where deleted_at is null and status <> 'disconnected'
      )
      select kind,
        case when is_stopped then 'stopped' when is_failing then 'failing' else 'working' end as state,
        count(*)::int as count
      from receiver group by 1, 2`,

    /** Postgres version and clock, in epoch milliseconds. */
    server: sql<{ version: string; now: number }>`
      select current_setting('server_version') as version,
        (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.pipe(Effect.map(one)),

    /** Says what is wrong with the read replica; undefined if nothing is. */
    replicaProblem: (url: Redacted.Redacted, withinMs: number) =>
      replicaProblem(sql, url, withinMs),

    /** Connections of all processes of this server, and the size of the database. */
    use: sql<DatabaseUse>`
      select
        (count(*) filter (where state = 'active'))::int as active,
        (count(*) filter (where state = 'idle'))::int as idle,
        (count(*) filter (where state like 'idle in transaction%'))::int as "idleInTransaction",
        pg_database_size(current_database())::float8 as bytes
      from pg_stat_activity
      where datname = current_database() and application_name = 'footfall'`.pipe(Effect.map(one)),
  }
})

export class MetricsStore extends Context.Service<MetricsStore, Effect.Success<typeof make>>()(
  "@footfall/server/metrics/MetricsStore",
) {
  static readonly layer = Layer.effect(MetricsStore, make)
}
