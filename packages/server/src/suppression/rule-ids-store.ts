// Ids of rules in the order of their creation: UUIDs of version 7 (RFC 9562) that begin with the
// milliseconds of `created_at`. Writes of an organization have moments of their own, so what follows
// the random digits of a write is the place of the row in it.
import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"

const millisecondsOf = (sql: SqlClient.SqlClient, at: Fragment) =>
  sql`lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0')`

export const ruleIds = (sql: SqlClient.SqlClient) => ({
  /** What ids of a write at this moment begin with: all but the last 12 digits. */
  prefix: (at: Fragment): Fragment =>
    sql`${millisecondsOf(sql, at)} || '7' || substr(md5(random()::text), 1, 3)
      || '8' || substr(md5(random()::text), 1, 3)`,

  /** No id of a rule that was created at this moment or later is below. */
  floor: (at: Fragment): Fragment =>
    sql`(${millisecondsOf(sql, at)} || '00000000000000000000')::uuid`,
})
