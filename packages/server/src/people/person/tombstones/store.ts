// SQL for the tombstones of erased people. Rows are never deleted.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

export interface TombstoneRow {
  readonly organizationId: string
  /** Lowercase hex. */
  readonly digest: string
}

const make = Effect.map(SqlClient.SqlClient, (sql) => ({
  /** Returns the given tombstones that are stored. */
  among: (
    rows: ReadonlyArray<TombstoneRow>,
  ): Effect.Effect<ReadonlyArray<TombstoneRow>, SqlError.SqlError> => sql<TombstoneRow>`
      select k."organizationId", k.digest
      from json_to_recordset(${JSON.stringify(rows)}::text::json)
        as k ("organizationId" uuid, digest text)
      join tombstone t
        on t.organization_id = k."organizationId" and t.digest = decode(k.digest, 'hex')`,
  leave: (rows: ReadonlyArray<TombstoneRow>): Effect.Effect<void, SqlError.SqlError> =>
    Effect.asVoid(sql`
        insert into tombstone (organization_id, digest)
        select "organizationId", decode(digest, 'hex')
        from json_to_recordset(${JSON.stringify(rows)}::text::json)
          as k ("organizationId" uuid, digest text)
        on conflict (organization_id, digest) do nothing`),
}))

export class TombstoneStore extends Context.Service<TombstoneStore, Effect.Success<typeof make>>()(
  "@footfall/server/people/TombstoneStore",
) {
  static readonly layer = Layer.effect(TombstoneStore, make)
}
