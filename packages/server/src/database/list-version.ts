// The version of a list: another text after every committed write of the tables it is read from, in every
// server process (spec 1.6). Triggers count the writes (migration 0034).
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"

/** Tables whose writes are counted. */
export type ListTable =
  | "api_key"
  | "audience"
  | "audience_run"
  | "delivery"
  | "delivery_failure"
  | "member"
  | "run_export"
  | "segment"
  | "session"
  | "site_analysis"
  | "topic_list"
  | "visitor"
  | "visitor_pixel"
  | "webhook_delivery"

/** Read it before the rows: what is written in between then belongs to the next version. */
export const listVersion = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  tables: ReadonlyArray<ListTable>,
): Effect.Effect<string> =>
  sql<{ readonly version: string }>`
    select coalesce(sum(writes), 0)::text as version from list_version
    where organization_id = ${organizationId} and ${sql.in("list", tables)}`.pipe(
    Effect.map((rows) => rows[0]!.version), // An aggregate answers one row.
    Effect.orDie,
  )
