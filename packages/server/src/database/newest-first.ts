// How nearly every list is read: newest first, ties by id (spec 1.6).
import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { ListKey, ListStart } from "./list-start.ts"
import { type ListTable, listVersion } from "./list-version.ts"

export interface ListedRow {
  readonly id: string
  /** `created_at` as text, to the microsecond. */
  readonly createdKey: string
}

/** The rows of a table that meet a condition, newest first, as `KeyedLists` asks for them. */
export const newestFirst = <Row extends ListedRow>(
  sql: SqlClient.SqlClient,
  {
    columns,
    organizationId,
    table,
    from = table,
    where,
  }: {
    readonly columns: Statement.Fragment
    /** Whose rows they are; `where` says so, too. */
    readonly organizationId: string
    readonly table: ListTable
    /** The table with the name that columns and condition give it. Default: its own. */
    readonly from?: string
    readonly where: Statement.Fragment
  },
) => ({
  rows: (start: ListStart, limit: number): Effect.Effect<ReadonlyArray<Row>> =>
    sql<Row>`
      select ${columns} from ${sql.literal(from)}
      where ${where} ${pageNewestFirst(sql, start, limit)}
    `.pipe(Effect.orDie),

  count: (): Effect.Effect<number> =>
    sql<{ readonly total: number }>`
      select count(*)::int as total from ${sql.literal(from)} where ${where}
    `.pipe(
      Effect.map((rows) => rows[0]!.total), // An aggregate answers one row.
      Effect.orDie,
    ),

  keyOf: ({ createdKey, id }: Row): ListKey => [createdKey, id],

  version: listVersion(sql, organizationId, [table]),
})

/**
 * The end of a statement that has a condition already, for rows that are read in another way. The columns
 * stand for `created_at` and `id`; as text they are the key of a row.
 */
export const pageNewestFirst = (
  sql: SqlClient.SqlClient,
  start: ListStart,
  /** Null: every row from the start on. */
  limit: number | null,
  [createdAt, id]: readonly [createdAt: string, id: string] = ["created_at", "id"],
) => sql`
  ${
    "after" in start
      ? sql`and (${sql.literal(createdAt)}, ${sql.literal(id)})
          < (${start.after[0]}::timestamptz, ${start.after[1]}::uuid)`
      : sql.literal("")
  }
  order by ${sql.literal(createdAt)} desc, ${sql.literal(id)} desc
  limit ${limit}::bigint offset ${"offset" in start ? start.offset : 0}::bigint`
