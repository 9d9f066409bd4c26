// SQL that deletes results past their retention. The run stays, with its counts and statistics.
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { transaction } from "../../../platform/database/transaction.ts"

/** Days after completion. spec 1.8. */
const resultsDaysMax = 365

/** Enough for the results of a large run. */
const statementTimeout = "5min"

const make = Effect.map(SqlClient.SqlClient, (sql) => {
  const mark = sql<{ readonly id: string; readonly organizationId: string }>`
    update audience_run set results_removed_at = clock_timestamp()
    where (organization_id, id) in (
      select run.organization_id, run.id
      from audience_run as run
      join audience on audience.organization_id = run.organization_id
        and audience.id = run.audience_id
      where run.status = 'completed' and run.results_removed_at is null
        and (
          audience.deleted_at is not null
          or (
            run.completed_at < now() - make_interval(days => ${resultsDaysMax})
            and run.completed_at < audience.last_refreshed_at
          )
        )
      limit 1
      for update of run skip locked
    )
    returning organization_id as "organizationId", id`

  const removeOne = Effect.gen(function* () {
    yield* sql`select set_config('statement_timeout', ${statementTimeout}, true)`
    const [run] = yield* mark
    if (run === undefined) return false
    yield* sql`
      delete from run_result
      where organization_id = ${run.organizationId} and run_id = ${run.id}`
    return true
  })

  return {
    /**
     * Deletes the results of one run that is past its retention or whose audience was deleted; false if there is none.
     * The latest completed run of an audience keeps its results.
     *
     * *Guarantee*: atomic; of any number of processes, one handles each run.
     */
    removeOne: Effect.provideService(transaction(removeOne), SqlClient.SqlClient, sql),
  }
})

export class ResultRetentionStore extends Context.Service<
  ResultRetentionStore,
  Effect.Success<typeof make>
>()("@footfall/server/runs/ResultRetentionStore") {
  static readonly layer = Layer.effect(ResultRetentionStore, make)
}
