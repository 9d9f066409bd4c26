// What is kept about a person, by kind: an archive has a file for each, and a receipt counts them.
import type { SqlClient, Statement } from "effect/sql"

/** `rows` selects `row`. */
export interface KeptKind {
  readonly kind: string
  readonly rows: Statement.Fragment
}

export interface KeptRow {
  /** By column, without the organization. */
  readonly row: Readonly<Record<string, unknown>>
}

/** The whole rows of a table. `condition`: on the alias `t`. */
export const keptRows = (
  sql: SqlClient.SqlClient,
  table: string,
  condition: Statement.Fragment,
): Statement.Fragment => sql`
  select to_jsonb(t) as row
  from ${sql(table)} as t where ${condition}`
