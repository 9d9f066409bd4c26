// The statements of deliveries that no one asked for: after every completed run, to every destination that
// has had its first one (spec 2.16). Where one is in progress it is marked, and the next is made at
// its end (work/store.ts).
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { DatabaseError } from "../../database/database-error.ts"

export interface CompletedRun {
  readonly organizationId: string
  readonly audienceId: string
  readonly id: string
}

export class AutomaticDeliveryStore extends Context.Service<
  AutomaticDeliveryStore,
  {
    /** Queues one for each destination that is to have one. Joins the caller's transaction. */
    queue(run: CompletedRun): Effect.Effect<void, DatabaseError>
  }
>()("@footfall/server/deliveries/AutomaticDeliveryStore") {
  static readonly layer = Layer.effect(
    AutomaticDeliveryStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      /** Locked: a delivery that ends at the same moment comes before or after, not beside. */
      const lock = ({ audienceId, organizationId }: CompletedRun) => sql`
        select id from destination
        where organization_id = ${organizationId} and audience_id = ${audienceId}
          and status = 'active' and deleted_at is null and initial_sync_completed_at is not null
        order by id
        for update`

      const mark = ({ audienceId, organizationId }: CompletedRun) => sql`
        update delivery set is_followed = true
        from destination
        where delivery.organization_id = ${organizationId}
          and delivery.audience_id = ${audienceId} and delivery.status in ('queued', 'processing')
          and destination.organization_id = delivery.organization_id
          and destination.id = delivery.destination_id
          and destination.status = 'active' and destination.deleted_at is null
          and destination.initial_sync_completed_at is not null`

      const insert = ({ audienceId, id, organizationId }: CompletedRun) => sql`
        insert into delivery (organization_id, id, audience_id, destination_id,
          destination_config_revision, source_run_id, baseline_run_id, mode, created_at, updated_at)
        select organization_id, gen_random_uuid(), audience_id, destination.id, config_revision,
          ${id}, last_successful_run_id, 'incremental', clock_timestamp(), clock_timestamp()
        from destination
        where organization_id = ${organizationId} and audience_id = ${audienceId}
          and status = 'active' and deleted_at is null and initial_sync_completed_at is not null
          and not exists (
            select from delivery as live
            where live.organization_id = ${organizationId}
              and live.destination_id = destination.id
              and live.status in ('queued', 'processing')
          )`

      return AutomaticDeliveryStore.of({
        queue: (run) => Effect.asVoid(Effect.all([lock(run), mark(run), insert(run)])),
      })
    }),
  )
}
