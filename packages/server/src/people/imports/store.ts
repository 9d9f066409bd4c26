// SQL for imports: the versions of imported data, and who may share it.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { DataKind } from "./import-kind.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

const make = Effect.map(SqlClient.SqlClient, (sql) => ({
  /** The id of the operator organization; undefined before the first start. */
  operatorOrganization: sql<{ id: string }>`
    select id from organization where is_operator`.pipe(Effect.map(([row]) => row?.id)),
  /** Returns one text for the versions of these kinds. It changes whenever one of them is raised. */
  current: (kinds: ReadonlyArray<DataKind>): Result<string> =>
    sql<{ readonly versions: string }>`
        select coalesce(string_agg(version::text, ' ' order by kind), '') as versions
        from data_version
        where ${sql.in("kind", kinds)}`.pipe(
      Effect.map(([row]) => row!.versions), // An aggregate returns one row.
    ),
  raise: (kind: DataKind): Result<void> =>
    Effect.asVoid(sql`update data_version set version = version + 1 where kind = ${kind}`),
  currentPeople: (owners: ReadonlyArray<string>): Result<string> =>
    sql<{ readonly versions: string }>`
        select coalesce(
          string_agg(organization_id || ' ' || version, ' ' order by organization_id), ''
        ) as versions
        from people_version
        where ${sql.in("organization_id", owners)}`.pipe(
      Effect.map(([row]) => row!.versions), // An aggregate returns one row.
    ),
  raisePeople: (owner: string): Result<void> =>
    Effect.asVoid(sql`
      insert into people_version as present (organization_id, version) values (${owner}, 1)
      on conflict (organization_id) do update set version = present.version + 1`),
}))

export class ImportsStore extends Context.Service<ImportsStore, Effect.Success<typeof make>>()(
  "@footfall/server/imports/ImportsStore",
) {
  static readonly layer = Layer.effect(ImportsStore, make)
}
