// Where a page of a list begins, and how nearly every list is read from there: newest first, ties by id
// (decisions.md 1.6). A key is found at once; rows are passed over through the index alone.
import type { SqlClient } from "effect/sql"

/** The sort key of a row, as the cursor carries it. */
export type ListKey = ReadonlyArray<string>

/** As the store is asked: behind the row of the key, or behind a number of rows. */
export type ListStart = { readonly after: ListKey } | { readonly offset: number }

/**
 * The end of a statement that has a condition already. Its rows are ordered by `created_at` and `id`, or
 * by the columns named in their place, and the key of a row is these two as text.
 */
export const newestFirst = (
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
