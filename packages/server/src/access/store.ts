// SQL for API keys and the first start. A key is found by its digest alone, because the key identifies the
// organization; operators find one by its id alone. Everything else includes the organization.
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { isoTime } from "../platform/database/iso-time.ts"
import { type ListStart, pageNewestFirst } from "../platform/database/lists.ts"
import { transactionOf } from "../platform/database/transaction.ts"
import type { ApiKey } from "./api-key.ts"
import type { KeyRights } from "./key-rights.ts"
import type { OrganizationStatus } from "./organization.ts"
import type { Role } from "./role.ts"

/** The columns of a key that authentication reads. */
export interface KeyHolder extends KeyRights {
  readonly organizationId: string
  readonly organizationStatus: OrganizationStatus
  readonly isIntentEnabled: boolean
  readonly apiKeyId: string
  /** Without sites that were deleted. Null: every site. */
  readonly pixelIds: ReadonlyArray<string> | null
  readonly digest: Uint8Array
  readonly isUsable: boolean
  /** How long it remains valid, by the database's clock; null means forever. */
  readonly usableMs: number | null
}

export interface NewApiKey extends KeyRights {
  readonly organizationId: string
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly last4: string
  readonly digest: Uint8Array
  readonly expiresAt: DateTime.Utc | undefined
}

export interface NewOrganization {
  readonly id: string
  readonly name: string
  readonly slug: string
}

export interface NewOwner {
  readonly id: string
  readonly email: string
  readonly passwordHash: string
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const keyColumns = sql.literal(`
    organization_id as "organizationId", id, name, prefix, last4, ${isoTime("created_at")} as "createdAt",
    scopes, pixel_ids::text[] as "pixelIds", allowed_networks as "allowedNetworks",
    ${isoTime("last_used_at")} as "lastUsedAt", last_used_from as "lastUsedFrom",
    ${isoTime("expires_at")} as "expiresAt",
    ${isoTime("revoked_at")} as "revokedAt",
    created_at::text as "createdText"`)

  return {
    findHolder: (digest: Uint8Array): Effect.Effect<Option.Option<KeyHolder>> =>
      sql<KeyHolder>`
        select
          api_key.organization_id as "organizationId",
          organization.status as "organizationStatus",
          organization.intent_enabled as "isIntentEnabled",
          api_key.id as "apiKeyId",
          api_key.digest,
          scopes, allowed_networks as "allowedNetworks",
          case when pixel_ids is not null then array(
            select pixel.id::text from pixel
            where pixel.organization_id = api_key.organization_id
              and pixel.id = any (api_key.pixel_ids) and pixel.deleted_at is null
            order by pixel.id
          ) end as "pixelIds",
          revoked_at is null and (expires_at is null or expires_at > now()) as "isUsable",
          (extract(epoch from expires_at - now()) * 1000)::float8 as "usableMs"
        from api_key
        join organization on organization.id = api_key.organization_id
        where api_key.digest = ${digest}`.pipe(
        Effect.map((rows) => Option.fromNullishOr(rows[0])),
        Effect.orDie,
      ),

    /** Keeps `last_used_at` accurate to a minute without a write per request. */
    touchKey: (
      organizationId: string,
      apiKeyId: string,
      address: string | null,
    ): Effect.Effect<void> =>
      sql`
        update api_key
        set last_used_at = now(), last_used_from = ${address}
        where organization_id = ${organizationId} and id = ${apiKeyId}
          and (last_used_at is null or last_used_at < now() - interval '1 minute')
      `.pipe(Effect.asVoid, Effect.orDie),

    insertKey: ({ expiresAt, ...key }: NewApiKey): Effect.Effect<void> =>
      sql`
        insert into api_key (organization_id, id, name, prefix, last4, digest, expires_at, scopes,
          pixel_ids, allowed_networks)
        values (${key.organizationId}, ${key.id}, ${key.name}, ${key.prefix}, ${key.last4},
          ${key.digest}, ${expiresAt === undefined ? null : DateTime.toDateUtc(expiresAt)},
          ${key.scopes}, ${key.pixelIds}::uuid[], ${key.allowedNetworks})
      `.pipe(Effect.asVoid, Effect.orDie),

    /** How many of the ids are of the organization's pixels. */
    countSites: (organizationId: string, pixelIds: ReadonlyArray<string>): Effect.Effect<number> =>
      sql<{ readonly sites: number }>`
        select count(*)::int as sites from pixel
        where organization_id = ${organizationId} and id = any (${pixelIds}::uuid[])
          and deleted_at is null
      `.pipe(
        Effect.map((rows) => rows[0]!.sites),
        Effect.orDie,
      ),

    getKey: (organizationId: string, apiKeyId: string): Effect.Effect<ApiKey> =>
      sql<ApiKey>`
        select ${keyColumns} from api_key
        where organization_id = ${organizationId} and id = ${apiKeyId}`.pipe(
        Effect.map((rows) => rows[0]!),
        Effect.orDie,
      ),

    /** `limit`: null for all keys after `start`. */
    listKeys: (
      organizationId: string,
      start: ListStart,
      limit: number | null,
    ): Effect.Effect<ReadonlyArray<ApiKey>> =>
      Effect.orDie(
        sql<ApiKey>`
          select ${keyColumns} from api_key
          where organization_id = ${organizationId}
            ${pageNewestFirst(sql, start, limit)}`,
      ),

    countKeys: (organizationId: string): Effect.Effect<number> =>
      sql<{ readonly keys: number }>`
        select count(*)::int as keys from api_key where organization_id = ${organizationId}
      `.pipe(
        Effect.map((rows) => rows[0]!.keys),
        Effect.orDie,
      ),

    /** Keys that are neither revoked nor expired. */
    countUsableKeys: (organizationId: string): Effect.Effect<number> =>
      sql<{ readonly keys: number }>`
        select count(*)::int as keys from api_key
        where organization_id = ${organizationId} and revoked_at is null
          and (expires_at is null or expires_at > now())
      `.pipe(
        Effect.map((rows) => rows[0]!.keys),
        Effect.orDie,
      ),

    /** Serializes changes to an organization's keys and members, until the transaction ends. */
    lockOrganization: (organizationId: string): Effect.Effect<void> =>
      sql`select id from organization where id = ${organizationId} for update`.pipe(
        Effect.asVoid,
        Effect.orDie,
      ),

    /** Undefined if the user is not a member. */
    roleOf: (organizationId: string, userId: string): Effect.Effect<Role | undefined> =>
      sql<{ readonly role: Role }>`
        select role from member
        where organization_id = ${organizationId} and user_id = ${userId}
          and accepted_at is not null
      `.pipe(
        Effect.map((rows) => rows[0]?.role),
        Effect.orDie,
      ),

    /** True if this call revoked the key; false if it was revoked before or does not exist. */
    revokeKey: (organizationId: string, apiKeyId: string): Effect.Effect<boolean> =>
      sql`
        update api_key set revoked_at = now()
        where organization_id = ${organizationId} and id = ${apiKeyId} and revoked_at is null
        returning id
      `.pipe(
        Effect.map((rows) => rows.length > 0),
        Effect.orDie,
      ),

    /** Finds a key by id across organizations, for operators. The id may be any text. */
    organizationOfKey: (apiKeyId: string): Effect.Effect<Option.Option<string>> =>
      sql<{ readonly organizationId: string }>`
        select organization_id as "organizationId" from api_key where id::text = lower(${apiKeyId})
      `.pipe(
        Effect.map((rows) => Option.fromNullishOr(rows[0]?.organizationId)),
        Effect.orDie,
      ),

    /** Serializes the first start of several processes on one empty database. */
    lockFirstStart: sql`select pg_advisory_xact_lock(hashtext('footfall.first-start'))`.pipe(
      Effect.asVoid,
      Effect.orDie,
    ),

    /** Inserts the operator organization and its first owner, in the caller's transaction. */
    insertOperator: Effect.fnUntraced(function* (organization: NewOrganization, owner: NewOwner) {
      yield* sql`
        insert into user_account (id, email, password_hash, proven_at)
        values (${owner.id}, ${owner.email}, ${owner.passwordHash}, now())`
      yield* sql`
        insert into organization (id, name, slug, is_operator, created_by)
        values (${organization.id}, ${organization.name}, ${organization.slug}, true, ${owner.id})`
      yield* sql`
        insert into member (organization_id, user_id, role)
        values (${organization.id}, ${owner.id}, 'owner')`
    }, Effect.orDie),

    /** Runs the effect in one transaction; a failure of the database itself is a defect. */
    transaction: transactionOf(sql),
  }
})

export class AccessStore extends Context.Service<AccessStore, Effect.Success<typeof make>>()(
  "@footfall/server/access/AccessStore",
) {
  static readonly layer = Layer.effect(AccessStore, make)
}
