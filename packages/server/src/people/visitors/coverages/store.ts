// Finds organizations whose events wait while identification lags (spec 2.1, coverage).
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** Identification lags when its oldest event has waited longer. Normally events are processed within 5 seconds. */
const lagSeconds = 60

export class CoverageStore extends Context.Service<
  CoverageStore,
  {
    /**
     * Organizations with waiting events, if the oldest waiting event is older than a minute; otherwise none. Costs two
     * index lookups, plus one per organization returned.
     */
    readonly behind: Effect.Effect<ReadonlyArray<string>>
  }
>()("@footfall/server/visitors/CoverageStore") {
  static readonly layer = Layer.effect(
    CoverageStore,
    Effect.map(SqlClient.SqlClient, (sql) =>
      CoverageStore.of({
        behind: sql<{ readonly id: string }>`
          with recursive oldest as (
            select received_at from event_inbox order by sequence limit 1
          ), waiting as (
            (
              select organization_id from event_inbox
              where (select received_at from oldest) < now() - make_interval(secs => ${lagSeconds})
              order by organization_id
              limit 1
            )
            union all
            select (
              select next.organization_id from event_inbox as next
              where next.organization_id > waiting.organization_id
              order by next.organization_id
              limit 1
            )
            from waiting
            where waiting.organization_id is not null
          )
          select organization_id as id from waiting
          where organization_id is not null
          order by organization_id`.pipe(
          Effect.map((rows) => rows.map(({ id }) => id)),
          Effect.orDie,
        ),
      }),
    ),
  )
}
