// Milestones of an organization: writes that every later response must include, whichever database answers (spec
// 18.5.4). Triggers count them (migration 0063), except changes to people's marks, which the sync cycle counts.
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"

/** The organization of shared records. Its milestones apply to every organization. */
const everyone = "00000000-0000-0000-0000-000000000000"

/** Counts the people whose marks a sync cycle or a pass changed. */
export const marksMilestone = "suppressed"

const milestones = [
  marksMilestone,
  "audience_run",
  "signal_alias_map",
  "suppression_list",
  "tombstone",
]

/** An expression that counts the milestones so far. */
const counted = (sql: SqlClient.SqlClient, organizationId: string): Statement.Fragment => sql`(
  select coalesce(sum(writes), 0)::bigint from list_version
  where organization_id in (${organizationId}, ${everyone}) and ${sql.in("list", milestones)}
)`

/** The replica's state when a read begins. */
interface ReplicaState {
  /** False once the replica was promoted. */
  readonly isReplica: boolean
  /** Whether it has replayed everything up to the log position. */
  readonly isFresh: boolean
  readonly milestones: bigint
}

/** Reads from the fiber's database, the primary or the replica. */
export const milestonesOf = (sql: SqlClient.SqlClient) => ({
  count: (organizationId: string): Effect.Effect<bigint, SqlError.SqlError> =>
    sql<{ readonly count: bigint }>`select ${counted(sql, organizationId)} as count`.pipe(
      Effect.map((rows) => rows[0]!.count), // Always one row.
    ),
  state: (organizationId: string, place: string): Effect.Effect<ReplicaState, SqlError.SqlError> =>
    sql<ReplicaState>`
      select pg_is_in_recovery() as "isReplica",
        coalesce(pg_last_wal_replay_lsn() >= ${place}::pg_lsn, false) as "isFresh",
        ${counted(sql, organizationId)} as milestones`.pipe(
      Effect.map((rows) => rows[0]!), // Always one row.
    ),
})
