// Every statement about pixels. A pixel is found by its id alone on the pixel host, where nothing
// else is known; everywhere else the organization comes first.
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, type Option, Schema, Struct } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { OrganizationStatus } from "../access/organization.ts"
import { PausedReason } from "./pixel.ts"

/** A stored pixel; settings hold only the keys that were set. */
export class PixelRow extends Schema.Opaque<PixelRow>()(
  Schema.Struct({
    organizationId: Schema.String,
    id: Schema.String,
    domain: Schema.String,
    name: Schema.String,
    status: Schema.Literals(["active", "paused"]),
    pausedReason: Schema.NullOr(PausedReason),
    excludedPaths: Schema.NullOr(Schema.Array(Schema.String)),
    includedPaths: Schema.NullOr(Schema.Array(Schema.String)),
    settings: Schema.Record(Schema.String, Schema.Json),
    verifiedAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
    lastEventAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
    createdAt: Schema.DateTimeUtcFromDate,
    updatedAt: Schema.DateTimeUtcFromDate,
  }),
) {}

/** A pixel with what its organization says about collecting. */
export class HostedPixelRow extends Schema.Opaque<HostedPixelRow>()(
  PixelRow.mapFields((fields) => ({
    ...fields,
    organizationStatus: OrganizationStatus,
    excludedIps: Schema.Array(Schema.String),
  })),
) {}

export class NewPixel extends Schema.Opaque<NewPixel>()(
  PixelRow.mapFields(Struct.pick(["organizationId", "id", "domain", "name", "settings"])),
) {}

/** At most one of the two; neither is every pixel of the organization. */
export interface PixelScope {
  readonly pixelId?: string | undefined
  readonly domain?: string | undefined
}

export interface PixelScopeRow {
  readonly pixels: number
  readonly activePixels: number
  readonly lastEventAt: string | null
  /** The pixel, when the scope holds exactly one. */
  readonly pixelId: string | null
  /** How far back the organization keeps its data; null: for good. decisions.md 1.8. */
  readonly retentionDays: number | null
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient

  const columns = sql.literal(`
    pixel.organization_id as "organizationId", pixel.id, domain, pixel.name, pixel.status,
    paused_reason as "pausedReason", excluded_paths as "excludedPaths",
    included_paths as "includedPaths", settings, verified_at as "verifiedAt",
    last_event_at as "lastEventAt", pixel.created_at as "createdAt",
    pixel.updated_at as "updatedAt"`)

  const list = SqlSchema.findAll({
    Request: Schema.String,
    Result: PixelRow,
    execute: (organizationId) => sql`
      select ${columns}
      from pixel
      where organization_id = ${organizationId} and deleted_at is null
      order by created_at desc, id desc`,
  })

  const findHosted = SqlSchema.findOneOption({
    Request: Schema.String,
    Result: HostedPixelRow,
    execute: (id) => sql`
      select ${columns}, organization.status as "organizationStatus",
        excluded_ips as "excludedIps"
      from pixel
      join organization on organization.id = pixel.organization_id
      where pixel.id = ${id} and deleted_at is null`,
  })

  const insert = SqlSchema.findOneOption({
    Request: NewPixel,
    Result: PixelRow,
    execute: (pixel) => sql`
      insert into pixel (organization_id, id, domain, name, settings)
      values (${pixel.organizationId}, ${pixel.id}, ${pixel.domain}, ${pixel.name},
        ${pg.json(pixel.settings)})
      on conflict (organization_id, domain) where deleted_at is null do nothing
      returning ${columns}`,
  })

  return {
    list: (organizationId: string): Effect.Effect<ReadonlyArray<PixelRow>> =>
      Effect.orDie(list(organizationId)),

    findHosted: (id: string): Effect.Effect<Option.Option<HostedPixelRow>> =>
      Effect.orDie(findHosted(id)),

    /** None when the organization has a pixel for the domain. */
    insert: (pixel: NewPixel): Effect.Effect<Option.Option<PixelRow>> =>
      Effect.orDie(insert(pixel)),

    /** The pixels of a scope added up; `pixels` 0 tells an unknown one from a quiet one. */
    scope: (
      organizationId: string,
      { domain, pixelId }: PixelScope,
    ): Effect.Effect<PixelScopeRow> =>
      sql<PixelScopeRow>`
        select
          count(*)::int as pixels,
          count(*) filter (where status = 'active')::int as "activePixels",
          to_char(max(last_event_at), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "lastEventAt",
          case when count(*) = 1 then min(id::text) end as "pixelId",
          (select retention_days from organization where organization.id = ${organizationId})
            as "retentionDays"
        from pixel
        where organization_id = ${organizationId} and deleted_at is null
          ${pixelId === undefined ? sql.literal("") : sql`and id = ${pixelId}`}
          ${domain === undefined ? sql.literal("") : sql`and domain = ${domain}`}
      `.pipe(
        Effect.map((rows) => rows[0]!),
        Effect.orDie,
      ),

    findIdByDomain: (organizationId: string, domain: string): Effect.Effect<string | undefined> =>
      sql<{ readonly id: string }>`
        select id from pixel
        where organization_id = ${organizationId} and domain = ${domain} and deleted_at is null
      `.pipe(
        Effect.map((rows) => rows[0]?.id),
        Effect.orDie,
      ),
  }
})

export class PixelStore extends Context.Service<PixelStore, Effect.Success<typeof make>>()(
  "@footfall/server/pixels/PixelStore",
) {
  static readonly layer = Layer.effect(PixelStore, make)
}
