// What stores need for lists (spec 1.6): where a page starts, and rows newest first with ties broken by id.
import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"

export interface ListedRow {
  readonly id: string
  /** `created_at` as text, in microseconds. */
  readonly createdKey: string
}

/** Reads the rows of a table that match a condition, newest first, in the form that `KeyedLists` requires. */
export const newestFirst = <Row extends ListedRow>(
  sql: SqlClient.SqlClient,
  {
    columns,
    from,
    where,
  }: {
    readonly columns: Statement.Fragment
    /** The table, with the alias that `columns` and `where` use. */
    readonly from: string
    /** Includes the organization. */
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
      Effect.map((rows) => rows[0]!.total), // an aggregate returns one row
      Effect.orDie,
    ),

  keyOf: ({ createdKey, id }: Row): ListKey => [createdKey, id],
})

/**
 * The end of a statement that already has a condition, for rows selected in another way. Its columns are `created_at`
 * and `id`; as text they form a row's key.
 */
export const pageNewestFirst = (
  sql: SqlClient.SqlClient,
  start: ListStart,
  /** Null for all rows from the start. */
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

/** A row's sort key, as in the cursor. */
export type ListKey = ReadonlyArray<string>

/** Where a page starts: after a key, which an index finds at once, or after a number of rows. */
export type ListStart = { readonly after: ListKey } | { readonly offset: number }
