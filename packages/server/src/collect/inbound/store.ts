// SQL for inbound sources (spec 15.3). A source is found by its token's digest alone, because the token names it.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { isoTime } from "../../platform/database/iso-time.ts"
import { keptRows, type RowKey } from "../../platform/database/kept-rows.ts"
import { transactionOf } from "../../platform/database/transaction.ts"
import type { InboundConsent, InboundSource, InboundStatus, Preset } from "./inbound-source.ts"
import type { Mapping } from "./mapping.ts"

/** A source as the API shows it. */
export interface InboundRow extends InboundSource {
  /** The last characters of the token. */
  readonly last4: string
  readonly isSigned: boolean
  /** Until when the former URL works; null without one. */
  readonly formerUrlUntil: string | null
  readonly lastRequestAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly createdKey: string
}

/** What a member sets. */
export interface InboundContent {
  readonly name: string
  readonly pixelId: string
  readonly mapping: Mapping | null
  readonly consent: InboundConsent
  readonly status: InboundStatus
}

export interface NewInbound extends RowKey, InboundContent {
  readonly preset: Preset
  readonly digest: Uint8Array
  readonly last4: string
  readonly secret: Uint8Array | null
}

/** What a request needs to know about the source of its token. */
export interface Holder extends InboundSource {
  /** Sealed; the former one is null when it is good no more. */
  readonly secret: Uint8Array | null
  readonly formerSecret: Uint8Array | null
}

/** A source with all its tokens and secrets, for the times without Postgres. Epoch milliseconds. */
export interface KnownSource extends Holder {
  readonly digest: Uint8Array
  readonly formerDigest: Uint8Array | null
  readonly formerUntil: number | null
  readonly formerSecretUntil: number | null
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const sourceColumns = `
    organization_id as "organizationId", id, name, pixel_id as "pixelId", preset, mapping, consent,
    status`
  const columns = sql.literal(`${sourceColumns}, token_last4 as last4,
    secret is not null as "isSigned",
    case when former_until > now() then ${isoTime("former_until")} end as "formerUrlUntil",
    ${isoTime("last_request_at")} as "lastRequestAt", ${isoTime("created_at")} as "createdAt",
    ${isoTime("updated_at")} as "updatedAt", created_at::text as "createdKey"`)
  const rows = keptRows<InboundRow>(sql, { columns, from: "inbound_source" })
  const pixelIsThere = `exists (
    select from pixel
    where pixel.organization_id = inbound_source.organization_id
      and pixel.id = inbound_source.pixel_id and pixel.deleted_at is null)`

  return {
    find: rows.find,
    findForChange: rows.findForChange,
    delete: rows.delete,

    all: (organizationId: string) =>
      sql<InboundRow>`
        select ${columns} from inbound_source where organization_id = ${organizationId}
        order by created_at desc, id desc`.pipe(Effect.orDie),

    /** Waits for other writers of the organization's sources, and returns their number. */
    countForInsert: (organizationId: string) =>
      sql`select from organization where id = ${organizationId} for no key update`.pipe(
        Effect.andThen(
          sql<{ readonly total: number }>`
            select count(*)::int as total from inbound_source
            where organization_id = ${organizationId}`,
        ),
        Effect.map((counts) => counts[0]!.total), // an aggregate returns one row
        Effect.orDie,
      ),

    insert: (source: NewInbound) =>
      sql`
        insert into inbound_source
          (organization_id, id, pixel_id, name, preset, mapping, consent, status, token_digest,
            token_last4, secret)
        values (${source.organizationId}, ${source.id}, ${source.pixelId}, ${source.name},
          ${source.preset}, ${jsonOf(source.mapping)}::text::jsonb, ${source.consent},
          ${source.status}, ${source.digest}, ${source.last4}, ${source.secret})`.pipe(
        Effect.asVoid,
        Effect.orDie,
      ),

    /** `secret`: undefined leaves it; another one makes the present one the former. */
    update: (
      { id, organizationId }: RowKey,
      content: InboundContent,
      secret: Uint8Array | null | undefined,
      formerSecretHours: number,
    ) =>
      sql`
        update inbound_source set
          name = ${content.name}, pixel_id = ${content.pixelId},
          mapping = ${jsonOf(content.mapping)}::text::jsonb, consent = ${content.consent},
          status = ${content.status},
          ${
            secret === undefined
              ? sql.literal("")
              : sql`
                former_secret = case when ${secret}::bytea is not null then secret end,
                former_secret_until = now() + make_interval(hours => ${formerSecretHours}::int),
                secret = ${secret},`
          }
          updated_at = now()
        where organization_id = ${organizationId} and id = ${id}`.pipe(Effect.asVoid, Effect.orDie),

    /** The present token becomes the former one. */
    rotate: (
      { id, organizationId }: RowKey,
      token: { readonly digest: Uint8Array; readonly last4: string },
      graceHours: number,
    ) =>
      sql`
        update inbound_source set
          former_digest = token_digest,
          former_until = now() + make_interval(hours => ${graceHours}::int),
          token_digest = ${token.digest}, token_last4 = ${token.last4}, updated_at = now()
        where organization_id = ${organizationId} and id = ${id}`.pipe(Effect.asVoid, Effect.orDie),

    /** Undefined unless the digest is that of a working token. */
    findHolder: (digest: Uint8Array): Effect.Effect<Holder | undefined, SqlError.SqlError> =>
      sql<Holder>`
        select ${sql.literal(sourceColumns)}, secret,
          case when former_secret_until > now() then former_secret end as "formerSecret"
        from inbound_source
        where (token_digest = ${digest} or (former_digest = ${digest} and former_until > now()))
          and ${sql.literal(pixelIsThere)}`.pipe(Effect.map(([found]) => found)),

    /** Every source of the installation. */
    known: sql<KnownSource>`
      select ${sql.literal(sourceColumns)}, secret, former_secret as "formerSecret",
        token_digest as digest, former_digest as "formerDigest",
        (extract(epoch from former_until) * 1000)::float8 as "formerUntil",
        (extract(epoch from former_secret_until) * 1000)::float8 as "formerSecretUntil"
      from inbound_source
      where ${sql.literal(pixelIsThere)}
      order by organization_id, id`,

    /** Differs after every change of what `known` returns. */
    version: sql<{ readonly version: string }>`
      select count(*) || ' ' || coalesce(sum(extract(epoch from updated_at)), 0) as version
      from inbound_source
      where ${sql.literal(pixelIsThere)}`.pipe(
      Effect.map((rows) => rows[0]!.version), // an aggregate returns one row
    ),

    /** Runs the effect in one transaction; a failure of the database itself is a defect. */
    transaction: transactionOf(sql),
  }
})

export class InboundStore extends Context.Service<InboundStore, Effect.Success<typeof make>>()(
  "@footfall/server/inbound/InboundStore",
) {
  static readonly layer = Layer.effect(InboundStore, make)
}

const jsonOf = (mapping: Mapping | null): string | null =>
  mapping === null ? null : JSON.stringify(mapping)
