// The statements about the versions of imported data.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { DataKind } from "./import-kind.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

const make = Effect.map(SqlClient.SqlClient, (sql) => ({
  /** One text for the versions of these kinds, another one as soon as one of them was raised. */
  of: (kinds: ReadonlyArray<DataKind>): Result<string> =>
    sql<{ readonly versions: string }>`
        select coalesce(string_agg(version::text, ' ' order by kind), '') as versions
        from data_version
        where ${sql.in("kind", kinds)}`.pipe(
      Effect.map(([row]) => row!.versions), // An aggregate answers one row.
    ),
  raise: (kind: DataKind): Result<void> =>
    Effect.asVoid(sql`update data_version set version = version + 1 where kind = ${kind}`),
}))

export class DataVersionStore extends Context.Service<
  DataVersionStore,
  Effect.Success<typeof make>
>()("@footfall/server/people/DataVersionStore") {
  static readonly layer = Layer.effect(DataVersionStore, make)
}
