// Which steps from an empty database to the first audience an installation has completed.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

export interface FirstDay {
  readonly hasOrganization: boolean
  readonly hasPixel: boolean
  /** Whether an event of any pixel has arrived. */
  readonly hasEvents: boolean
  readonly hasPeople: boolean
  readonly hasCompanies: boolean
  readonly hasTopics: boolean
  /** Whether a pixel has topic rules. */
  readonly hasTopicRules: boolean
  /** Imported, or derived from topic rules. */
  readonly hasSignals: boolean
}

export class FirstDayStore extends Context.Service<
  FirstDayStore,
  { readonly state: Effect.Effect<FirstDay, SqlError.SqlError> }
>()("@footfall/server/FirstDayStore") {
  static readonly layer = Layer.effect(
    FirstDayStore,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      state: sql<FirstDay>`
        select
          exists (select from organization) as "hasOrganization",
          exists (select from pixel where deleted_at is null) as "hasPixel",
          exists (select from pixel where last_event_at is not null) as "hasEvents",
          exists (select from visitor) as "hasPeople",
          exists (select from company) as "hasCompanies",
          exists (select from topic) as "hasTopics",
          exists (
            select from pixel where deleted_at is null and settings ? 'topicRules'
          ) as "hasTopicRules",
          exists (select from signal_date) as "hasSignals"
      `.pipe(Effect.map(([row]) => row!)), // always one row
    })),
  )
}
