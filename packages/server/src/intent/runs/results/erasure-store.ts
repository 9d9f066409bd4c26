// Removes an erased person from stored results, and their share from counts and statistics (spec 5.1).
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { advisoryLocks } from "../../../platform/database/advisory-locks.ts"
import type { DatabaseError } from "../../../platform/database/database-error.ts"
import { talliesOf, talliesWithout } from "../statistics/tallies-store.ts"
import type { KeptKind } from "../../../people/erasure/kept-store.ts"
import type { ErasedPerson, ErasurePart } from "../../../people/erasure/later-erasure.ts"

const make = Effect.map(SqlClient.SqlClient, (sql) => ({
  /** Whether a stored result contains the address. */
  knows: (organizationId: string, emailHash: string): Effect.Effect<boolean, DatabaseError> =>
    sql<{ readonly isKnown: boolean }>`
        select exists (
          select from audience_run as run
          join run_result as person on person.organization_id = run.organization_id
            and person.run_id = run.id and person.position > 0
            and person.hashed_email = decode(${emailHash}, 'hex')
          where run.organization_id = ${organizationId} and run.status = 'completed'
            and run.results_removed_at is null
        ) as "isKnown"`.pipe(Effect.map(([row]) => row?.isKnown === true)),

  /** The stored results that contain the person, with their audience and time. */
  kept: ({ addresses, organizationId }: ErasedPerson): ReadonlyArray<KeptKind> => [
    {
      kind: "runs",
      rows: sql`
        select to_jsonb(person) || jsonb_build_object(
          'audience_id', run.audience_id, 'completed_at', run.completed_at) as row
        from audience_run as run
        cross join jsonb_array_elements_text(
          ${JSON.stringify(addresses.map(({ emailHash }) => emailHash))}::text::jsonb
        ) as address (hash)
        join run_result as person on person.organization_id = run.organization_id
          and person.run_id = run.id and person.position > 0
          and person.hashed_email = decode(address.hash, 'hex')
        where run.organization_id = ${organizationId} and run.status = 'completed'
          and run.results_removed_at is null`,
    },
  ],

  /** Runs in the caller's transaction and keeps runs from completing until it ends. */
  erase: Effect.fnUntraced(function* (organizationId: string, emailHashes: ReadonlyArray<string>) {
    yield* sql`
        select pg_advisory_xact_lock(${advisoryLocks.results}, hashtext(${organizationId}))`
    // Without sorting, only the index by person fits, whatever the statistics say: each run is probed for each address.
    yield* sql`select set_config('enable_sort', 'off', true)`
    yield* sql`
        with removed as (
          delete from run_result as result
          where result.ctid = any (array(
            select found.ctid
            from audience_run as run
            cross join jsonb_array_elements_text(
              ${JSON.stringify(emailHashes)}::text::jsonb
            ) as address (hash)
            cross join lateral (
              select person.ctid from run_result as person
              where person.organization_id = run.organization_id and person.run_id = run.id
                and person.position > 0 and person.hashed_email
                  between decode(address.hash, 'hex') and decode(address.hash, 'hex')
              order by person.hashed_email
              limit 1
            ) as found
            where run.organization_id = ${organizationId} and run.status = 'completed'
              and run.results_removed_at is null
          ))
          returning result.*
        ), subtracted as (
          select run_id, count(*)::integer as results, ${talliesOf(sql)} as tallies
          from removed
          group by run_id
        ), counted as (
          update audience_run as run set
            result_count = run.result_count - subtracted.results,
            tallies = ${talliesWithout(sql, "run.tallies", "subtracted.tallies")}
          from subtracted
          where run.organization_id = ${organizationId} and run.id = subtracted.run_id
          returning run.audience_id, run.completed_at, run.result_count
        )
        update audience set audience_size = counted.result_count
        from counted
        where audience.organization_id = ${organizationId}
          and audience.id = counted.audience_id
          and audience.last_refreshed_at = counted.completed_at`
  }),
}))

export class ResultErasureStore extends Context.Service<
  ResultErasureStore,
  Effect.Success<typeof make>
>()("@footfall/server/runs/ResultErasureStore") {
  static readonly layer = Layer.effect(ResultErasureStore, make)
}

// Erases results at once, although 24 hours are allowed (spec 5.1).
export const erasedResults = Effect.map(
  ResultErasureStore,
  (store): ErasurePart =>
    ({ addresses, organizationId }) =>
      store.erase(
        organizationId,
        addresses.map(({ emailHash }) => emailHash),
      ),
)
