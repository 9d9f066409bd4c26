// SQL for reading stored results. They never change, except when people are erased.
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { DatabaseError } from "../../../platform/database/database-error.ts"
import type { ListStart } from "../../../platform/database/lists.ts"
import { fragmentOf, SqlText, sqlText } from "../../../platform/database/sql-text.ts"
import { type ResultDbRow, resultColumns } from "./result-row.ts"
import { suppressedAmong } from "./suppressed.ts"

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

  /** Positions, after `after` and up to `last`, of people whom a rule in force matches now. */
  suppressedPositions: (
    { organizationId, runId }: ResultsKey,
    { after, last }: { readonly after: string; readonly last: number },
  ): Effect.Effect<ReadonlyArray<number>, DatabaseError> =>
    Effect.gen(function* () {
      // Without rules nothing is looked up.
      const [first] = yield* sql`
        select from suppression_rule where organization_id = ${organizationId} limit 1`
      if (first === undefined) return []
      const found = suppressedAmong(organizationId, {
        from: SqlText.of(`run_result as result
          cross join lateral (select result.position as place offset 0) as piece`),
        where: sqlText`result.organization_id = ${organizationId}::uuid
          and result.run_id = ${runId}::uuid
          and result.position > ${after}::integer and result.position <= ${last}::integer`,
      })
      const rows = yield* sql<{ readonly place: number }>`${fragmentOf(found)}`
      return rows.map(({ place }) => place)
    }),
}))

export class ResultStore extends Context.Service<ResultStore, Effect.Success<typeof make>>()(
  "@footfall/server/runs/ResultStore",
) {
  static readonly layer = Layer.effect(ResultStore, make)
}
