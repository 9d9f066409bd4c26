// Finds audiences that are due for a daily run.
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { AudienceKey } from "../../audiences/lifecycle/store.ts"
import type { DatabaseError } from "../../../platform/database/database-error.ts"
import { dataDateOf } from "../../signals/store.ts"

export interface DueAudience extends AudienceKey {
  /** `YYYY-MM-DD`. */
  readonly dataDate: string
}

const make = Effect.map(SqlClient.SqlClient, (sql) => {
  const isRefreshed = sql`status = 'active' and daily_refresh_enabled and deleted_at is null`
  return {
    /**
     * Active audiences with daily refresh whose current data date is later than their activation's, and that have no
     * run for it and no other run in progress. Without topics, each day has a data date. Ordered by key, starting after
     * the given one.
     */
    due: (
      behind: AudienceKey | undefined,
      limit: number,
    ): Effect.Effect<ReadonlyArray<DueAudience>, DatabaseError> =>
      sql<DueAudience>`
        with latest as materialized (
          select own.organization_id, ${dataDateOf(sql, sql.literal("own.organization_id"))} as date
          from (select distinct organization_id from audience where ${isRefreshed}) as own
        )
        select audience.organization_id as "organizationId", audience.id as "audienceId",
          data.date::text as "dataDate"
        from audience
        join latest on latest.organization_id = audience.organization_id
        cross join lateral (
          select audience.config -> 'topicIds' <> '[]' as has_topics
        ) as asked
        cross join lateral (
          select case when has_topics then latest.date else current_date end as date,
            case when has_topics then audience.activated_data_date
              else audience.activated_at::date end as activated
        ) as data
        where ${isRefreshed}
          and data.date > coalesce(data.activated, '-infinity')
          ${
            behind === undefined
              ? sql.literal("")
              : sql`and (audience.organization_id, audience.id)
                  > (${behind.organizationId}::uuid, ${behind.audienceId}::uuid)`
          }
          and not exists (
            select from audience_run as run
            where run.organization_id = audience.organization_id
              and run.audience_id = audience.id
              and (
                run.status in ('queued', 'running')
                or (
                  run.is_server_key
                  and run.idempotency_key = 'daily:' || audience.id || ':' || data.date
                )
              )
          )
        order by audience.organization_id, audience.id
        limit ${limit}`,
  }
})

export class DailyRunStore extends Context.Service<DailyRunStore, Effect.Success<typeof make>>()(
  "@footfall/server/runs/DailyRunStore",
) {
  static readonly layer = Layer.effect(DailyRunStore, make)
}
