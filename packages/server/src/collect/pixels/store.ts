// SQL for pixels. The pixel host finds a pixel by its id alone, because requests contain nothing else; everywhere
// else the organization comes first.
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Option, type Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { OrganizationStatus } from "../../access/organization.ts"
import { isoTime } from "../../platform/database/iso-time.ts"
import { transactionOf } from "../../platform/database/transaction.ts"
import type { PausedReason, PixelStatus } from "./pixel.ts"

/** A stored pixel; settings hold only set keys. */
export interface PixelRow {
  readonly organizationId: string
  readonly id: string
  readonly domain: string
  readonly name: string
  readonly status: typeof PixelStatus.Type
  readonly pausedReason: typeof PausedReason.Type | null
  readonly excludedPaths: ReadonlyArray<string> | null
  readonly includedPaths: ReadonlyArray<string> | null
  readonly settings: Readonly<Record<string, Schema.Json>>
  /** ISO 8601, as in responses. */
  readonly verifiedAt: string | null
  readonly lastEventAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** A pixel with its organization's rules for collecting. */
export interface HostedPixelRow extends PixelRow {
  readonly organizationStatus: OrganizationStatus
  /** jobs/fair-turns.ts */
  readonly party: string
  readonly excludedIps: ReadonlyArray<string>
}

export type InsertedPixel = Pick<PixelRow, "organizationId" | "id" | "domain" | "name" | "settings">

export interface PixelKey {
  readonly organizationId: string
  readonly pixelId: string
}

/** One pixel, several, or undefined for every pixel of the organization. */
export type Sites = string | ReadonlyArray<string> | undefined

/** At most one of the first two; neither means every pixel of the organization, or of `pixelIds`. */
export interface PixelScope {
  readonly pixelId?: string | undefined
  readonly domain?: string | undefined
  /** The pixels that the caller may see. Undefined: all of the organization. */
  readonly pixelIds?: ReadonlyArray<string> | undefined
}

export interface PixelScopeRow {
  readonly pixels: number
  readonly activePixels: number
  readonly lastEventAt: string | null
  /** What is read. Undefined: every pixel of the organization, also those that were deleted. */
  readonly sites: Sites
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
    included_paths as "includedPaths", settings,
    ${isoTime("verified_at")} as "verifiedAt", ${isoTime("last_event_at")} as "lastEventAt",
    ${isoTime("pixel.created_at")} as "createdAt", ${isoTime("pixel.updated_at")} as "updatedAt"`)

  const find = (
    { organizationId, pixelId }: PixelKey,
    lock: "" | "for update",
  ): Effect.Effect<Option.Option<PixelRow>> =>
    sql<PixelRow>`
      select ${columns}
      from pixel
      where organization_id = ${organizationId} and id = ${pixelId} and deleted_at is null
      ${sql.literal(lock)}`.pipe(
      Effect.map((rows) => Option.fromNullishOr(rows[0])),
      Effect.orDie,
    )

  return {
    list: (organizationId: string): Effect.Effect<ReadonlyArray<PixelRow>> =>
      Effect.orDie(
        sql<PixelRow>`
          select ${columns}
          from pixel
          where organization_id = ${organizationId} and deleted_at is null
          order by created_at desc, id desc`,
      ),

    findHosted: (id: string): Effect.Effect<Option.Option<HostedPixelRow>> =>
      sql<HostedPixelRow>`
        select ${columns}, organization.status as "organizationStatus", organization.party,
          excluded_ips as "excludedIps"
        from pixel
        join organization on organization.id = pixel.organization_id
        where pixel.id = ${id} and deleted_at is null`.pipe(
        Effect.map((rows) => Option.fromNullishOr(rows[0])),
        Effect.orDie,
      ),

    /** None for an unknown or deleted id, or another organization's. */
    find: (key: PixelKey) => find(key, ""),

    /** Like `find`, and locks the row until the caller's transaction ends. */
    findForChange: (key: PixelKey) => find(key, "for update"),

    /** Writes the fields a request can change. Call it after `findForChange`, in the same transaction. */
    update: (pixel: PixelRow): Effect.Effect<PixelRow> =>
      sql<PixelRow>`
        update pixel set
          name = ${pixel.name},
          status = ${pixel.status},
          paused_reason = ${pixel.pausedReason},
          excluded_paths = ${pixel.excludedPaths},
          included_paths = ${pixel.includedPaths},
          settings = ${pg.json(pixel.settings)},
          updated_at = now()
        where organization_id = ${pixel.organizationId} and id = ${pixel.id}
          and deleted_at is null
        returning ${columns}`.pipe(
        Effect.map((rows) => rows[0]!),
        Effect.orDie,
      ),

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
      sql<PixelRow>`
        insert into pixel (organization_id, id, domain, name, settings)
        values (${pixel.organizationId}, ${pixel.id}, ${pixel.domain}, ${pixel.name},
          ${pg.json(pixel.settings)})
        on conflict (organization_id, domain) where deleted_at is null do nothing
        returning ${columns}`.pipe(
        Effect.map((rows) => Option.fromNullishOr(rows[0])),
        Effect.orDie,
      ),

    /** Totals of the pixels in a scope; `pixels` 0 tells an unknown pixel from a quiet one. */
    scope: (
      organizationId: string,
      { domain, pixelId, pixelIds }: PixelScope,
    ): Effect.Effect<PixelScopeRow> =>
      sql<PixelScopeRow & { readonly ids: ReadonlyArray<string> }>`
        select
          count(*)::int as pixels,
          count(*) filter (where status = 'active')::int as "activePixels",
          ${sql.literal(isoTime("max(last_event_at)"))} as "lastEventAt",
          coalesce(array_agg(id::text order by id), '{}') as ids,
          (select retention_days from organization where organization.id = ${organizationId})
            as "retentionDays",
          (select time_zone from organization where organization.id = ${organizationId})
            as "timeZone"
        from pixel
        where organization_id = ${organizationId} and deleted_at is null
          ${pixelId === undefined ? sql.literal("") : sql`and id = ${pixelId}`}
          ${domain === undefined ? sql.literal("") : sql`and domain = ${domain}`}
          ${pixelIds === undefined ? sql.literal("") : sql`and id = any (${pixelIds}::uuid[])`}
      `.pipe(
        Effect.map(([row]) => {
          const { ids, ...scope } = row!
          const isWhole = pixelId === undefined && domain === undefined && pixelIds === undefined
          return { ...scope, sites: isWhole ? undefined : ids.length === 1 ? ids[0] : ids }
        }),
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
