// SQL for trying a webhook on the sessions of the last days (spec 5.6.11): all that it could send, in the order in
// which they ended, a page of them at a time. It writes nothing.
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import {
  type StatementTimedOut,
  withinLimit,
} from "../../../platform/database/statement-timeout.ts"
import { isCompanySuppressed } from "../../../people/suppression/company-rules-store.ts"

export interface TrialScope {
  readonly organizationId: string
  readonly pixelId: string | null
  readonly listId: string | null
  readonly days: number
}

/** A session of someone known or of a company. */
export interface TrialSession {
  readonly id: string
  readonly pixelId: string
  /** As the database prints it; the sort key. */
  readonly endedKey: string
  /** Epoch milliseconds. */
  readonly startedAt: number
  /** Null for an anonymous visit of a company. */
  readonly visitorId: string | null
  /** The company of the visit, also of a person's. */
  readonly companyDomain: string | null
  /** Whether it has a person or a stored company, and is in the list if there is one. */
  readonly isListed: boolean
  /** Its person, or the company of an anonymous visit. */
  readonly isSuppressed: boolean
  /** Its last pages, newest first. */
  readonly pages: ReadonlyArray<string>
  /** When each was last viewed, in epoch milliseconds. */
  readonly viewedAt: ReadonlyArray<number>
  /** `YYYY-MM-DD`: the first day on which the session's events were received. */
  readonly receivedFrom: string
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const suppressed = sql.literal(
    isCompanySuppressed({
      organizationId: "c.organization_id",
      domain: "c.domain",
      industry: "c.industry",
    }),
  )

  const sessions = (
    { days, listId, organizationId, pixelId }: TrialScope,
    after: Pick<TrialSession, "endedKey" | "id"> | undefined,
    limit: number,
  ): Effect.Effect<ReadonlyArray<TrialSession>, StatementTimedOut> =>
    withinLimit(sql<TrialSession>`
      with visit as materialized (
        select s.*, v.suppressed, case when not v.held_back then v.id end as person_id,
          case when s.visitor_id is null then s.network_domain else v.company_key end as domain
        from session s
        left join visitor v on v.organization_id = s.organization_id and v.id = s.visitor_id
        where s.organization_id = ${organizationId}
          and s.ended_at >= now() - make_interval(days => ${days})
          and (s.visitor_id is not null or s.network_domain is not null)
          ${pixelId === null ? sql.literal("") : sql`and s.pixel_id = ${pixelId}`}
          ${
            after === undefined
              ? sql.literal("")
              : sql`and (s.ended_at, s.id) > (${after.endedKey}::timestamptz, ${after.id}::uuid)`
          }
        order by s.ended_at, s.id
        limit ${limit}
      )
      select visit.id, visit.pixel_id as "pixelId", visit.ended_at::text as "endedKey",
        (extract(epoch from visit.started_at) * 1000)::float8 as "startedAt",
        visit.person_id as "visitorId", visit.domain as "companyDomain",
        case when visit.person_id is null then visit.suppressed is true or ${suppressed}
          else visit.suppressed end as "isSuppressed",
        (visit.person_id is not null or c.domain is not null) and case
          when list.id is null then true
          when list.subject = 'companies' then exists (
            select from list_member m where m.list_id = list.id and m.key = visit.domain
          )
          else exists (
            select from visitor_address address
            join list_member m on m.list_id = list.id and m.key = address.email_hash
            where address.organization_id = visit.organization_id
              and address.visitor_id = visit.person_id
          ) end as "isListed",
        visit.page_urls as pages,
        array(
          select (extract(epoch from viewed) * 1000)::float8
          from unnest(visit.page_times) with ordinality as page (viewed, place) order by place
        ) as "viewedAt",
        to_char((visit.started_at at time zone 'utc')::date - 1, 'YYYY-MM-DD') as "receivedFrom"
      from visit
      left join company c on c.organization_id = visit.organization_id and c.domain = visit.domain
      left join list on list.organization_id = visit.organization_id and list.id = ${listId}::uuid
      order by visit.ended_at, visit.id`)

  return {
    /** The sessions that follow `after`, the one that ended first first. Fewer than `limit` are the last ones. */
    sessions,
  }
})

export class PreviewStore extends Context.Service<PreviewStore, Effect.Success<typeof make>>()(
  "@footfall/server/webhooks/PreviewStore",
) {
  static readonly layer = Layer.effect(PreviewStore, make)
}
