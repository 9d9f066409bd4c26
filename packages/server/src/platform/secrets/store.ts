// SQL for data keys. Only wrapped keys ever reach the database.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { advisoryLocks } from "../database/advisory-locks.ts"
import type { DataKeyName } from "./wrapping.ts"

/** The errors of these statements. */
export type DataKeyStoreError = SqlError.SqlError

export interface DataKeyRow extends DataKeyName {
  readonly wrapped: Uint8Array
}

const make = Effect.map(SqlClient.SqlClient, (sql) => ({
  /** False if the schema predates data keys. */
  exists: sql<{ readonly exists: boolean }>`
      select to_regclass('data_key') is not null as "exists"`.pipe(
    Effect.map(([row]) => row?.exists === true),
  ),

  /** The current key of each purpose comes first. */
  all: sql<DataKeyRow>`
      select purpose, number, wrapped from data_key order by purpose, number`,

  /** Runs the effect once, in a transaction that excludes others of its kind. */
  exclusively: <A, E, R>(
    effect: Effect.Effect<A, E, R>,
  ): Effect.Effect<A, E | SqlError.SqlError, R> =>
    sql.withTransaction(
      // The secret's file is written after the commit, so the commit must be durable.
      sql`
          select
            set_config('synchronous_commit', 'on', true),
            pg_advisory_xact_lock(${advisoryLocks.dataKeys})`.pipe(Effect.andThen(effect)),
    ),
  insert: (rows: ReadonlyArray<DataKeyRow>): Effect.Effect<void, SqlError.SqlError> =>
    Effect.forEach(
      rows,
      ({ number, purpose, wrapped }) => sql`
          insert into data_key (purpose, number, wrapped)
          values (${purpose}, ${number}, ${wrapped})`,
      { discard: true },
    ),
  rewrap: (rows: ReadonlyArray<DataKeyRow>): Effect.Effect<void, SqlError.SqlError> =>
    Effect.forEach(
      rows,
      ({ number, purpose, wrapped }) => sql`
          update data_key set wrapped = ${wrapped}
          where purpose = ${purpose} and number = ${number}`,
      { discard: true },
    ),
  clear: Effect.asVoid(sql`delete from data_key`),
}))

export class DataKeyStore extends Context.Service<DataKeyStore, Effect.Success<typeof make>>()(
  "@footfall/server/secrets/DataKeyStore",
) {
  static readonly layer = Layer.effect(DataKeyStore, make)
}
