// SQL that finds how an address became known (spec 5.1.8).
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { sharedOrganizationId } from "../../../access/organization.ts"
import type { NamingEvent } from "../../archive/event-archive.ts"
import type { SeenAddress } from "../../archive/store.ts"

/** An import or link that names an address. */
export interface NamingImport {
  readonly emailHash: string
  readonly isLink: boolean
  readonly isShared: boolean
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  return {
    /** Uses the visitor's sessions at that time, because events are not indexed by address. */
    namingEvents: (
      { id, organizationId }: { readonly id: string; readonly organizationId: string },
      addresses: ReadonlyArray<SeenAddress>,
    ): Effect.Effect<ReadonlyArray<NamingEvent>> =>
      sql<NamingEvent>`
        select address."emailHash", found.type, found.pixel_id as "pixelId", found.vendor
        from jsonb_to_recordset(${JSON.stringify(addresses)}::text::jsonb)
          as address ("emailHash" text, email text, "firstSeenAt" float8)
        cross join lateral (
          select event.type, event.pixel_id, event.payload -> 'v' ->> 1 as vendor
          from session
          join event on event.organization_id = session.organization_id
            and event.session_id = session.id
          where session.organization_id = ${organizationId} and session.visitor_id = ${id}
            and session.started_at <= to_timestamp(address."firstSeenAt" / 1000) + interval '1 millisecond'
            and session.ended_at >= to_timestamp(address."firstSeenAt" / 1000) - interval '1 millisecond'
            and event.occurred_at between
              to_timestamp(address."firstSeenAt" / 1000) - interval '1 millisecond'
              and to_timestamp(address."firstSeenAt" / 1000) + interval '1 millisecond'
            and (event.payload ->> 'e' = address.email or event.payload ->> 'h' = address."emailHash")
          order by event.occurred_at
          limit 1
        ) as found`.pipe(Effect.orDie),

    namingImports: (
      organizationId: string,
      emailHashes: ReadonlyArray<string>,
    ): Effect.Effect<ReadonlyArray<NamingImport>> =>
      sql<NamingImport>`
        with asked as materialized (
          select hash from jsonb_array_elements_text(${JSON.stringify(emailHashes)}::text::jsonb) as hash
        )
        select hash as "emailHash", is_link as "isLink",
          organization_id = ${sharedOrganizationId} as "isShared"
        from asked
        join person_address on person_address.email_hash = hash
          and organization_id in (${organizationId}, ${sharedOrganizationId})
        union
        select hash, true, organization_id = ${sharedOrganizationId}
        from asked
        join person_address on person_address.person_hash = hash and is_link
          and organization_id in (${organizationId}, ${sharedOrganizationId})
        union
        select hash, false, organization_id = ${sharedOrganizationId}
        from asked
        join person on person.email_hash = hash
          and organization_id in (${organizationId}, ${sharedOrganizationId})`.pipe(Effect.orDie),
  }
})

export class OriginStore extends Context.Service<OriginStore, Effect.Success<typeof make>>()(
  "@footfall/server/identification/OriginStore",
) {
  static readonly layer = Layer.effect(OriginStore, make)
}
