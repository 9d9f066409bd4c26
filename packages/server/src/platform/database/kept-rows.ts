// Lists, finds, locks and deletes the rows that an organization keeps in one table under an id. The store that owns the
// rows inserts and updates them.
import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { type ListedRow, newestFirst } from "./lists.ts"

export interface RowKey {
  readonly organizationId: string
  readonly id: string
}

export const keptRows = <Row extends ListedRow>(
  sql: SqlClient.SqlClient,
  { columns, from }: { readonly columns: Statement.Fragment; readonly from: string },
) => {
  const table = sql.literal(from)
  const matches = ({ id, organizationId }: RowKey) =>
    sql`organization_id = ${organizationId} and id = ${id}`

  const find = (
    key: RowKey,
    lock: "" | "for key share" | "for update",
  ): Effect.Effect<Row | undefined> =>
    sql<Row>`select ${columns} from ${table} where ${matches(key)} ${sql.literal(lock)}`.pipe(
      Effect.map((rows) => rows[0]),
      Effect.orDie,
    )

  return {
    list: (organizationId: string) =>
      newestFirst<Row>(sql, {
        columns,
        from,
        where: sql`organization_id = ${organizationId}`,
      }),

    /** Undefined for an unknown id, a deleted row, or a row of another organization. */
    find: (key: RowKey) => find(key, ""),

    /** Like `find`, and locks the row until the caller's transaction ends. */
    findForChange: (key: RowKey) => find(key, "for update"),

    /** Like `find`, and keeps the row from being deleted until the caller's transaction ends. */
    findKept: (key: RowKey) => find(key, "for key share"),

    /** False if it does not exist. */
    delete: (key: RowKey): Effect.Effect<boolean> =>
      sql`delete from ${table} where ${matches(key)} returning id`.pipe(
        Effect.map((rows) => rows.length > 0),
        Effect.orDie,
      ),
  }
}
