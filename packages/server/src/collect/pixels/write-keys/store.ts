// SQL for write keys. A key is found by its digest alone, because it identifies the pixel.
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { isoTime } from "../../../platform/database/iso-time.ts"
import { transactionOf } from "../../../platform/database/transaction.ts"
import type { PixelKey } from "../store.ts"

export interface WriteKey {
  readonly organizationId: string
  readonly pixelId: string
  readonly id: string
  readonly name: string
  readonly kind: "server" | "browser"
  readonly last4: string
  /** ISO 8601, as in responses. */
  readonly createdAt: string
  readonly lastUsedAt: string | null
  /** When it stops working; null if it does not expire. */
  readonly expiresAt: string | null
  readonly revokedAt: string | null
}

/** What a request that sends events needs to know about its key. */
export interface WriteKeyHolder {
  readonly organizationId: string
  readonly pixelId: string
  readonly id: string
  readonly kind: "server" | "browser"
  /** How long it still works, by the database's clock; null means forever. */
  readonly usableMs: number | null
}

export interface NewWriteKey extends PixelKey {
  readonly id: string
  readonly name: string
  readonly kind: "server" | "browser"
  readonly last4: string
  readonly digest: Uint8Array
}

/** Keys listed per pixel, working ones first. */ // spec 15.1.2
const listedMax = 100

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const columns = sql.literal(`
    organization_id as "organizationId", pixel_id as "pixelId", id, name, kind, last4,
    ${isoTime("created_at")} as "createdAt", ${isoTime("last_used_at")} as "lastUsedAt",
    ${isoTime("expires_at")} as "expiresAt", ${isoTime("revoked_at")} as "revokedAt"`)
  const works = sql.literal("(expires_at is null or expires_at > now())")

  return {
    list: ({ organizationId, pixelId }: PixelKey): Effect.Effect<ReadonlyArray<WriteKey>> =>
      Effect.orDie(
        sql<WriteKey>`
          select ${columns} from write_key
          where organization_id = ${organizationId} and pixel_id = ${pixelId}
          order by ${works} desc, created_at desc, id desc
          limit ${listedMax}`,
      ),

    insert: (key: NewWriteKey): Effect.Effect<WriteKey> =>
      sql<WriteKey>`
        insert into write_key (organization_id, pixel_id, id, name, kind, last4, digest)
        values (${key.organizationId}, ${key.pixelId}, ${key.id}, ${key.name}, ${key.kind},
          ${key.last4}, ${key.digest})
        returning ${columns}`.pipe(
        Effect.map((rows) => rows[0]!),
        Effect.orDie,
      ),

    countWorking: ({ organizationId, pixelId }: PixelKey): Effect.Effect<number> =>
      sql<{ readonly keys: number }>`
        select count(*)::int as keys from write_key
        where organization_id = ${organizationId} and pixel_id = ${pixelId} and ${works}
      `.pipe(
        Effect.map((rows) => rows[0]!.keys), // an aggregate returns one row
        Effect.orDie,
      ),

    /** A second revocation can end the grace period sooner, never later. False if the pixel has no such working key. */
    revoke: (
      { organizationId, pixelId }: PixelKey,
      keyId: string,
      graceHours: number,
    ): Effect.Effect<boolean> =>
      sql`
        update write_key set
          revoked_at = coalesce(revoked_at, now()),
          expires_at = least(expires_at, now() + make_interval(hours => ${graceHours}::int))
        where organization_id = ${organizationId} and pixel_id = ${pixelId} and id = ${keyId}
          and ${works}
        returning id
      `.pipe(
        Effect.map((rows) => rows.length > 0),
        Effect.orDie,
      ),

    /** None unless the digest is a working key's. */
    findHolder: (digest: Uint8Array): Effect.Effect<Option.Option<WriteKeyHolder>> =>
      sql<WriteKeyHolder>`
        select organization_id as "organizationId", pixel_id as "pixelId", id, kind,
          (extract(epoch from expires_at - now()) * 1000)::float8 as "usableMs"
        from write_key where digest = ${digest} and ${works}
      `.pipe(
        Effect.map((rows) => Option.fromNullishOr(rows[0])),
        Effect.orDie,
      ),

    /** Keeps `last_used_at` accurate to a minute without a write per request. */
    touch: ({ id, organizationId, pixelId }: WriteKeyHolder): Effect.Effect<void> =>
      sql`
        update write_key set last_used_at = now()
        where organization_id = ${organizationId} and pixel_id = ${pixelId} and id = ${id}
          and (last_used_at is null or last_used_at < now() - interval '1 minute')
      `.pipe(Effect.asVoid, Effect.orDie),

    /** Runs the effect in one transaction; a failure of the database itself is a defect. */
    transaction: transactionOf(sql),
  }
})

export class WriteKeyStore extends Context.Service<WriteKeyStore, Effect.Success<typeof make>>()(
  "@footfall/server/pixels/WriteKeyStore",
) {
  static readonly layer = Layer.effect(WriteKeyStore, make)
}
