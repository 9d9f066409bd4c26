// SQL that limits what is read to sites: to one, to several together, which a key may be for (spec 7.1), or to all of the
// organization.
import { normalizeDomain, registrableDomain } from "@footfall/normal-form"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { SeenOnSites } from "../../access/key-rights.ts"
import type { Sites } from "../../collect/pixels/store.ts"
import { SqlText, sqlText } from "../../platform/database/sql-text.ts"

/** A condition on a column with a pixel's id. An equation lets Postgres read one site from an index in order. */
export const onSites = (column: string, sites: Sites): SqlText => {
  if (sites === undefined) return SqlText.of("")
  const name = SqlText.of(column)
  return typeof sites === "string"
    ? sqlText`and ${name} = ${sites}::uuid`
    : sqlText`and ${name} = any (${sites}::uuid[])`
}

/** `visitor_pixel` with one row per person: as it is for one site, added up for several. */
export const placesOfPeople = (organizationId: string, sites: Sites): SqlText =>
  typeof sites !== "object"
    ? SqlText.of("visitor_pixel")
    : sqlText`(
        select organization_id, visitor_id, min(email_hash) as email_hash,
          min(first_seen_at) as first_seen_at, max(last_seen_at) as last_seen_at,
          bool_or(held_back) as held_back
        from visitor_pixel
        where organization_id = ${organizationId}::uuid ${onSites("pixel_id", sites)}
        group by organization_id, visitor_id
      ) as visitor_pixel`

/** `company_pixel` with one row per company. */
export const placesOfCompanies = (organizationId: string, sites: Sites, as: string): SqlText =>
  typeof sites !== "object"
    ? SqlText.of(`company_pixel as ${as}`)
    : sqlText`(
        select organization_id, domain, sum(sessions)::int as sessions,
          sum(anonymous_sessions)::int as anonymous_sessions,
          min(first_seen_at) as first_seen_at, max(last_seen_at) as last_seen_at
        from company_pixel
        where organization_id = ${organizationId}::uuid ${onSites("pixel_id", sites)}
        group by organization_id, domain
      ) as ${SqlText.of(as)}`

/** The condition that goes with them: of one site, the rows of the others are left out here. */
export const ofPlaces = (column: string, sites: Sites): SqlText =>
  typeof sites === "string" ? onSites(column, sites) : SqlText.of("")

/** Who was seen on sites that still exist: a person by any address, and a company by any of its hosts. */
export const SeenOnSitesLayer = Layer.effect(
  SeenOnSites,
  Effect.map(SqlClient.SqlClient, (sql) =>
    SeenOnSites.of({
      person: (organizationId, visitorId, pixelIds) =>
        sql`
          select from visitor_address as address
          join visitor_pixel as place on place.organization_id = address.organization_id
            and place.visitor_id = address.visitor_id
          join pixel on pixel.id = place.pixel_id and pixel.deleted_at is null
          where address.organization_id = ${organizationId}
            and address.email_hash = ${visitorId.toLowerCase()}
            and place.pixel_id = any (${pixelIds}::uuid[])
          limit 1`.pipe(
          Effect.map((rows) => rows.length > 0),
          Effect.orDie,
        ),
      company: (organizationId, name, pixelIds) => {
        const host = normalizeDomain(name, 253)
        const domain = host === undefined ? undefined : registrableDomain(host)
        if (domain === undefined) return Effect.succeed(false)
        return sql`
          select from company_pixel as place
          join pixel on pixel.id = place.pixel_id and pixel.deleted_at is null
          where place.organization_id = ${organizationId} and place.domain = ${domain}
            and place.pixel_id = any (${pixelIds}::uuid[])
          limit 1`.pipe(
          Effect.map((rows) => rows.length > 0),
          Effect.orDie,
        )
      },
    }),
  ),
)
