// What stores need for lists (spec 1.6): where a page begins, rows newest first with ties by id, and the version
// that changes with every committed write. Triggers count the writes (migration 0034).
import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"

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
 * mean `created_at` and `id`; as text they are the key of a row.
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

/** The sort key of a row, as the cursor carries it. */
export type ListKey = ReadonlyArray<string>

/** Where a page begins: behind a key, which an index finds at once, or behind a number of rows. */
export type ListStart = { readonly after: ListKey } | { readonly offset: number }

/** Tables whose writes are counted. */
export type ListTable =
  | "api_key"
  | "audience"
  | "audience_run"
  | "company"
  | "delivery"
  | "delivery_failure"
  | "member"
  | "run_export"
  | "segment"
  | "session"
  | "site_analysis"
  | "topic_list"
  | "visitor"
  | "visitor_pixel"
  | "webhook_delivery"

/**
 * Another text after every committed write of the tables, in every server process.
 * Read it before the rows: what is written in between then belongs to the next version.
 */
export const listVersion = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  tables: ReadonlyArray<ListTable>,
): Effect.Effect<string> =>
  sql<{ readonly version: string }>`
    select coalesce(sum(writes), 0)::text as version from list_version
    where organization_id = ${organizationId} and ${sql.in("list", tables)}`.pipe(
    Effect.map((rows) => rows[0]!.version), // An aggregate answers one row.
    Effect.orDie,
  )
