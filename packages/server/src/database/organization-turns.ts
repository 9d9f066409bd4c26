// The turn of an organization. Whoever writes what identification knows of its people has the turn, until the
// transaction ends: a pass, an import of people, a sync cycle, an erasure, retention, a release, a trigger.
//
// - What is read in a turn does not change before the turn ends: every writer has it.
// - One organization never waits for another: each has a turn of its own. What concerns every organization,
//   people shared with all, has all turns at once and lets those that wait in between.
// - Turns never deadlock: a process that waits for a turn has none, and one that takes several at once
//   passes over those that are taken instead of waiting.
// - A turn is short: its work is bounded by rows, whatever the size of the organization. What is large is
//   done in many turns, between which others get theirs, in the order in which they asked.
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { advisoryLocks } from "./advisory-locks.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

export interface OrganizationTurns {
  /** Waits for an organization's turn. */
  wait(organizationId: string): Result<void>
  /** Waits for the turns of all organizations. */
  readonly waitForAll: Result<void>
  /**
   * A query that takes the free turns of the organizations of another (`"organizationId"`) and returns all of these,
   * with `"isFree"`. It only waits while others have all turns: LockTimeoutError if that takes longer than `waitAtMost`.
   */
  takeFree(organizations: Statement.Fragment, waitAtMost: string): Statement.Fragment
}

/** For the caller's transaction. A plan cached for small tables would read large ones whole. */
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
  // The turns are taken for rows of the join, so after the wait: whoever waits has no turn.
  takeFree: (organizations, waitAtMost) => sql`
    with settings as materialized (
      select
        set_config('lock_timeout', ${waitAtMost}, true),
        set_config('plan_cache_mode', 'force_custom_plan', true),
        pg_advisory_xact_lock_shared(${advisoryLocks.identification})
    )
    select
      asked."organizationId",
      pg_try_advisory_xact_lock(
        ${advisoryLocks.organizationTurn}, hashtext(asked."organizationId"::text)
      ) as "isFree"
    from settings
    cross join (${organizations}) as asked`,
})
