// SQL for resolvers' answers.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { KnownAddress } from "../../person/visitor-enrichment.ts"
import type { Profile } from "../profile.ts"

interface BrowserKey {
  readonly organizationId: string
  readonly anonymousId: string
}

type Result<A> = Effect.Effect<A, SqlError.SqlError>

const make = Effect.map(SqlClient.SqlClient, (sql) => ({
  /** Returns the browsers in which someone was identified. */
  identified: (
    browsers: ReadonlyArray<BrowserKey>,
  ): Result<ReadonlyArray<BrowserKey>> => sql<BrowserKey>`
      select b.organization_id as "organizationId", b.anonymous_id as "anonymousId"
      from json_to_recordset(${JSON.stringify(browsers)}::text::json)
        as k ("organizationId" uuid, "anonymousId" uuid)
      join browser b
        on b.organization_id = k."organizationId" and b.anonymous_id = k."anonymousId"
      order by b.organization_id, b.anonymous_id`,

  /** Stores the first company reported for a visitor; returns the visitors it is new to. */
  fill: (
    companies: ReadonlyArray<{
      readonly organizationId: string
      readonly visitorId: string
      readonly company: Profile
    }>,
  ): Result<ReadonlyArray<KnownAddress>> => sql<KnownAddress>`
      with reported as (
        select distinct on ("organizationId", "visitorId") "organizationId", "visitorId", company
        from json_to_recordset(${JSON.stringify(companies)}::text::json)
          as k ("organizationId" uuid, "visitorId" uuid, company jsonb)
        order by "organizationId", "visitorId", company
      )
      update visitor v set resolved = t.company
      from reported t
      where v.organization_id = t."organizationId"
        and v.id = t."visitorId"
        and v.resolved = '{}'
      returning v.organization_id as "organizationId", v.email_hash as "emailHash"`,
}))

export class ResolvedStore extends Context.Service<ResolvedStore, Effect.Success<typeof make>>()(
  "@footfall/server/identification/ResolvedStore",
) {
  static readonly layer = Layer.effect(ResolvedStore, make)
}
