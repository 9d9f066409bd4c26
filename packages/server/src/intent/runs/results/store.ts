// SQL for reading stored results. They never change, except when people are erased.
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { DatabaseError } from "../../../platform/database/database-error.ts"
import type { ListStart } from "../../../platform/database/lists.ts"
import { type ResultDbRow, resultColumns } from "./result-row.ts"

export interface ResultsKey {
  readonly organizationId: string
  readonly runId: string
}

const make = Effect.map(SqlClient.SqlClient, (sql) => ({
  /** Rows in the order of the results, after a position or a number of rows. */
  rows: (
    { organizationId, runId }: ResultsKey,
    start: ListStart,
    limit: number,
  ): Effect.Effect<ReadonlyArray<ResultDbRow>, DatabaseError> =>
    sql<ResultDbRow>`
        select ${sql.literal(resultColumns)}
        from run_result as result
        where result.organization_id = ${organizationId} and result.run_id = ${runId}
          ${
            "after" in start
              ? sql`and result.position > ${start.after[0]}::text::integer`
              : sql.literal("")
          }
        order by result.position
        limit ${limit} offset ${"offset" in start ? start.offset : 0}::bigint`,
}))

export class ResultStore extends Context.Service<ResultStore, Effect.Success<typeof make>>()(
  "@footfall/server/runs/ResultStore",
) {
  static readonly layer = Layer.effect(ResultStore, make)
}
