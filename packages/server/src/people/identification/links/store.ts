// SQL for links of browsers, as used by a pass.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { sharedOrganizationId } from "../../../access/organization.ts"

export interface BrowserLink {
  readonly organizationId: string
  readonly anonymousId: string
  readonly emailHash: string
}

type Result<A> = Effect.Effect<A, SqlError.SqlError>

const make = Effect.map(SqlClient.SqlClient, (sql) => ({
  /** The unused links of these browsers, the organization's own before shared ones. A browser key's claim is none. */
  unused: (
    browsers: ReadonlyArray<Omit<BrowserLink, "emailHash">>,
  ): Result<ReadonlyArray<BrowserLink>> =>
    sql<BrowserLink>`
        select
          k."organizationId", k."anonymousId", l.email_hash as "emailHash"
        from json_to_recordset(${JSON.stringify(browsers)}::text::json)
          as k ("organizationId" uuid, "anonymousId" uuid)
        cross join lateral (
          select i.email_hash
          from identity_link i
          where i.organization_id in (k."organizationId", ${sharedOrganizationId})
            and i.kind = 'anonymous_id'
            and i.value = k."anonymousId"::text
            and not i.is_of_browser_key
          order by i.organization_id = ${sharedOrganizationId}
          limit 1
        ) as l
        left join browser b
          on b.organization_id = k."organizationId" and b.anonymous_id = k."anonymousId"
        where b.linked_hash is distinct from l.email_hash
        order by k."organizationId", k."anonymousId"`,
  note: (used: ReadonlyArray<BrowserLink>): Result<void> =>
    used.length === 0
      ? Effect.void
      : Effect.asVoid(sql`
            update browser b set linked_hash = k."emailHash"
            from json_to_recordset(${JSON.stringify(used)}::text::json)
              as k ("organizationId" uuid, "anonymousId" uuid, "emailHash" text)
            where b.organization_id = k."organizationId"
              and b.anonymous_id = k."anonymousId"`),
}))

export class BrowserLinkStore extends Context.Service<
  BrowserLinkStore,
  Effect.Success<typeof make>
>()("@footfall/server/identification/BrowserLinkStore") {
  static readonly layer = Layer.effect(BrowserLinkStore, make)
}
