// Reads encrypted values of every organization, to check whether they can be decrypted.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

export const sealedKinds = ["webhook", "webhook destination", "connected account"] as const

export interface SealedValue {
  readonly kind: (typeof sealedKinds)[number]
  readonly organizationId: string
  readonly id: string
  readonly sealed: Uint8Array
}

/** Per kind, oldest first: those may have been sealed with an earlier secret. */
const valuesMax = 10_000

export class SealedValueStore extends Context.Service<
  SealedValueStore,
  {
    readonly oldest: Effect.Effect<ReadonlyArray<SealedValue>, SqlError.SqlError>
    /** Whether any organization exists. */
    readonly isInstalled: Effect.Effect<boolean, SqlError.SqlError>
  }
>()("@footfall/server/SealedValueStore") {
  static readonly layer = Layer.effect(
    SealedValueStore,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      oldest: sql<SealedValue>`
        (
          select 'webhook' as kind, organization_id as "organizationId", id, secret as sealed
          from webhook where deleted_at is null
          order by created_at limit ${valuesMax}
        ) union all (
          select 'webhook destination', organization_id, id, secret
          from destination where secret is not null
          order by created_at limit ${valuesMax}
        ) union all (
          select 'connected account', organization_id, id, credentials
          from connected_account where credentials is not null
          order by created_at limit ${valuesMax}
        )`,
      isInstalled: sql<{ readonly isInstalled: boolean }>`
        select exists (select from organization) as "isInstalled"`.pipe(
        Effect.map(([row]) => row?.isInstalled === true),
      ),
    })),
  )
}
