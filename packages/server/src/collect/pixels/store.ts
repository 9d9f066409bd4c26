// SQL for pixels. The pixel host finds a pixel by its id alone, because requests contain nothing else; everywhere
// else the organization comes first.
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, type Option, Schema, Struct } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { OrganizationStatus } from "../../access/organization.ts"
import { isoTime } from "../../platform/database/iso-time.ts"
import { transactionOf } from "../../platform/database/transaction.ts"
import { PausedReason, PixelStatus } from "./pixel.ts"

/** A stored pixel; settings hold only set keys. */
export class PixelRow extends Schema.Opaque<PixelRow>()(
  Schema.Struct({
    organizationId: Schema.String,
    id: Schema.String,
    domain: Schema.String,
    name: Schema.String,
    status: PixelStatus,
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

/** A pixel with its organization's rules for collecting. */
export class HostedPixelRow extends Schema.Opaque<HostedPixelRow>()(
  PixelRow.mapFields((fields) => ({
    ...fields,
    organizationStatus: OrganizationStatus,
    /** jobs/fair-turns.ts */
    party: Schema.String,
    excludedIps: Schema.Array(Schema.String),
  })),
) {}

export class InsertedPixel extends Schema.Opaque<InsertedPixel>()(
  PixelRow.mapFields(Struct.pick(["organizationId", "id", "domain", "name", "settings"])),
) {}

export class PixelKey extends Schema.Opaque<PixelKey>()(
  Schema.Struct({ organizationId: Schema.String, pixelId: Schema.String }),
) {}

/** At most one of the two; neither means every pixel of the organization. */
export interface PixelScope {
  readonly pixelId?: string | undefined
  readonly domain?: string | undefined
}

export interface PixelScopeRow {
  readonly pixels: number
  readonly activePixels: number
  readonly lastEventAt: string | null
  /** The pixel, if the scope has exactly one. */
  readonly pixelId: string | null
  /** How long the organization keeps its data; null means forever. */ // spec 1.8
  readonly retentionDays: number | null
  /** Of the organization. */ // spec 1.5.10
  readonly timeZone: string
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
      select ${columns}, organization.status as "organizationStatus", organization.party,
        excluded_ips as "excludedIps"
      from pixel
      join organization on organization.id = pixel.organization_id
      where pixel.id = ${id} and deleted_at is null`,
  })

  const find = SqlSchema.findOneOption({
    Request: PixelKey,
    Result: PixelRow,
    execute: ({ organizationId, pixelId }) => sql`
      select ${columns}
      from pixel
      where organization_id = ${organizationId} and id = ${pixelId} and deleted_at is null`,
  })

  /** Locks the pixel until the caller's transaction ends. */
  const findForChange = SqlSchema.findOneOption({
    Request: PixelKey,
    Result: PixelRow,
    execute: ({ organizationId, pixelId }) => sql`
      select ${columns}
      from pixel
      where organization_id = ${organizationId} and id = ${pixelId} and deleted_at is null
      for update`,
  })

  const update = SqlSchema.findOne({
    Request: PixelRow,
    Result: PixelRow,
    execute: (pixel) => sql`
      update pixel set
        name = ${pixel.name},
        status = ${pixel.status},
        paused_reason = ${pixel.pausedReason},
        excluded_paths = ${pixel.excludedPaths},
        included_paths = ${pixel.includedPaths},
        settings = ${pg.json(pixel.settings)},
        updated_at = now()
      where organization_id = ${pixel.organizationId} and id = ${pixel.id} and deleted_at is null
      returning ${columns}`,
  })

  const insert = SqlSchema.findOneOption({
    Request: InsertedPixel,
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

    /** None for an unknown or deleted id, or another organization's. */
    find: (key: PixelKey): Effect.Effect<Option.Option<PixelRow>> => Effect.orDie(find(key)),

    /** Like `find`, and locks the row until the caller's transaction ends. */
    findForChange: (key: PixelKey): Effect.Effect<Option.Option<PixelRow>> =>
      Effect.orDie(findForChange(key)),

    /** Writes the fields a request can change. Call it after `findForChange`, in the same transaction. */
    update: (pixel: PixelRow): Effect.Effect<PixelRow> => Effect.orDie(update(pixel)),

    /** False if it does not exist or was already deleted. Frees its domain. */
    delete: ({ organizationId, pixelId }: PixelKey): Effect.Effect<boolean> =>
      sql<{ readonly id: string }>`
        update pixel set deleted_at = now(), updated_at = now()
        where organization_id = ${organizationId} and id = ${pixelId} and deleted_at is null
        returning id
      `.pipe(
        Effect.map((rows) => rows.length > 0),
        Effect.orDie,
      ),

    /** Records that a page on another host reported to the pixel. Once a minute is enough. */
    recordForeignEvent: ({ organizationId, pixelId }: PixelKey): Effect.Effect<void> =>
      sql`
        update pixel set foreign_event_at = now()
        where organization_id = ${organizationId} and id = ${pixelId}
          and (foreign_event_at is null or foreign_event_at < now() - interval '1 minute')
      `.pipe(Effect.asVoid, Effect.orDie),

    hasForeignEvents: ({ organizationId, pixelId }: PixelKey): Effect.Effect<boolean> =>
      sql<{ readonly hasAny: boolean }>`
        select foreign_event_at is not null as "hasAny"
        from pixel
        where organization_id = ${organizationId} and id = ${pixelId}
      `.pipe(
        Effect.map((rows) => rows[0]?.hasAny === true),
        Effect.orDie,
      ),

    /** Runs the effect in one transaction; a failure of the database itself is a defect. */
    transaction: transactionOf(sql),

    /** None if the organization already has a pixel for the domain. */
    insert: (pixel: InsertedPixel): Effect.Effect<Option.Option<PixelRow>> =>
      Effect.orDie(insert(pixel)),

    /** Totals of the pixels in a scope; `pixels` 0 tells an unknown pixel from a quiet one. */
    scope: (
      organizationId: string,
      { domain, pixelId }: PixelScope,
    ): Effect.Effect<PixelScopeRow> =>
      sql<PixelScopeRow>`
        select
          count(*)::int as pixels,
          count(*) filter (where status = 'active')::int as "activePixels",
          ${sql.literal(isoTime("max(last_event_at)"))} as "lastEventAt",
          case when count(*) = 1 then min(id::text) end as "pixelId",
          (select retention_days from organization where organization.id = ${organizationId})
            as "retentionDays",
          (select time_zone from organization where organization.id = ${organizationId})
            as "timeZone"
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

    /** Pixels that a request paused stay paused. */ // spec 4.6
    pauseAllOf: (organizationId: string): Effect.Effect<void> =>
      sql`
        update pixel
        set status = 'paused', paused_reason = 'organization_inactive', updated_at = now()
        where organization_id = ${organizationId} and status = 'active' and deleted_at is null
      `.pipe(Effect.asVoid, Effect.orDie),

    resumeAllOf: (organizationId: string): Effect.Effect<void> =>
      sql`
        update pixel
        set status = 'active', paused_reason = null, updated_at = now()
        where organization_id = ${organizationId} and paused_reason = 'organization_inactive'
          and deleted_at is null
      `.pipe(Effect.asVoid, Effect.orDie),
  }
})

export class PixelStore extends Context.Service<PixelStore, Effect.Success<typeof make>>()(
  "@footfall/server/pixels/PixelStore",
) {
  static readonly layer = Layer.effect(PixelStore, make)
}
