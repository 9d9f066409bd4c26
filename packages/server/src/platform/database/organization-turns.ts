// The turn of an organization. A transaction that writes identification data about an organization's people first takes
// the turn and holds it until it ends: a pass, an import of people, a sync cycle, an erasure, retention, a release, a
// trigger.
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { advisoryLocks } from "./advisory-locks.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

/**
 * - What a holder reads does not change before its turn ends, because every writer takes the turn.
 * - One organization never waits for another: each has its own turn. Work that affects every organization, such as on
 *   shared people, takes all turns at once and lets waiting writers go first in between.
 * - Turns never deadlock: a process that waits for a turn holds none, and one that takes several at once skips the
 *   turns that are taken instead of waiting.
 * - A turn is short: its work is limited by rows, whatever the size of the organization. Large work is split over many
 *   turns. In between, waiting writers get theirs in the order of their requests.
 */
export interface OrganizationTurns {
  /** Waits for an organization's turn. */
  wait(organizationId: string): Result<void>
  /** Waits for the turns of all organizations. */
  readonly waitForAll: Result<void>
  /**
   * A query that takes the free turns for the organizations that another query returns (`"organizationId"`), and
   * returns all of them, with `"isFree"`. It only waits while another process holds all turns: LockTimeoutError if that
   * takes longer than `waitAtMost`.
   */
  takeFree(organizations: Statement.Fragment, waitAtMost: string): Statement.Fragment
}

/** Applies to the caller's transaction. A plan cached when tables were small would read large ones in full. */
export const organizationTurns = (sql: SqlClient.SqlClient): OrganizationTurns => ({
  wait: (organizationId) =>
    sql`
    select
      set_config('plan_cache_mode', 'force_custom_plan', true),
      pg_advisory_xact_lock_shared(${advisoryLocks.identification}),
      pg_advisory_xact_lock(${advisoryLocks.organizationTurn}, hashtext(${organizationId}))`.pipe(
      Effect.asVoid,
    ),
  waitForAll: sql`
    select
      set_config('plan_cache_mode', 'force_custom_plan', true),
      pg_advisory_xact_lock(${advisoryLocks.identification})`.pipe(Effect.asVoid),
  // The turns are taken for rows of the join, so after the wait: a process that waits holds no turn.
  takeFree: (organizations, waitAtMost) => sql`
    with settings as materialized (
      select
        set_config('lock_timeout', ${waitAtMost}, true),
        set_config('plan_cache_mode', 'force_custom_plan', true),
        pg_advisory_xact_lock_shared(${advisoryLocks.identification})
    )
    select
      requested."organizationId",
      pg_try_advisory_xact_lock(
        ${advisoryLocks.organizationTurn}, hashtext(requested."organizationId"::text)
      ) as "isFree"
    from settings
    cross join (${organizations}) as requested`,
})
