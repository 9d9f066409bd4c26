// SQL that reads sessions for responses: those of a person or a browser, by start time and canonical session key. A
// page reads one index and costs only the rows it returns.
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { isoTime } from "../../../platform/database/iso-time.ts"
import { fragmentOf } from "../../../platform/database/sql-text.ts"
import type { ListScope } from "../list-scope.ts"
import { onSites } from "../sites-store.ts"
import { reachDays } from "../timeframe.ts"
import type { SessionRow } from "./session-row.ts"

/** Who owns the sessions: a person, by any of their addresses; an unidentified browser; or a company. */
export type SessionOwner =
  | { readonly emailHash: string }
  | { readonly anonymousId: string }
  | { readonly companyDomain: string }

/** Which sessions to read. A session is within the window if its last event is. ADR 7. */
export type SessionScope = Pick<ListScope, "organizationId" | "pixelId" | "from" | "until" | "asOf">

/** A session's position in the order of the list. */
export interface SessionKey {
  readonly startTime: string
  readonly pixelId: string
  readonly id: string
}

export interface SessionSlice {
  /** Which end to start from. */
  readonly order: "asc" | "desc"
  readonly limit: number
  /** Only sessions after this one in descending order. */
  readonly after?: SessionKey | undefined
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const iso = (column: string) => sql.literal(isoTime(column))
  const nothing = sql.literal("")

  const ofCompany = (organizationId: string, domain: string) => sql`
    organization_id = ${organizationId} and (
      (visitor_id is null and network_domain = ${domain})
      or visitor_id = any (array(
        select id from visitor
        where organization_id = ${organizationId} and company_key = ${domain}
      ))
    )`

  const ownedBy = (organizationId: string, owner: SessionOwner) => {
    if ("companyDomain" in owner) return ofCompany(organizationId, owner.companyDomain)
    return "anonymousId" in owner
      ? sql`organization_id = ${organizationId} and visitor_id is null
          and anonymous_id = ${owner.anonymousId}`
      : sql`organization_id = ${organizationId} and visitor_id = (
          select address.visitor_id from visitor_address as address
          where address.organization_id = ${organizationId}
            and address.email_hash = ${owner.emailHash})`
  }

  const inWindow = ({ asOf, from, until }: SessionScope) => {
    const end =
      until === undefined
        ? sql`and started_at <= ${DateTime.toDateUtc(asOf)}::timestamptz`
        : sql`and started_at < ${DateTime.toDateUtc(until)}::timestamptz`
    if (from === undefined) return end
    const earliest = DateTime.toDateUtc(DateTime.subtract(from, { days: reachDays }))
    return sql`${end} and started_at >= ${earliest}::timestamptz
      and ended_at >= ${DateTime.toDateUtc(from)}::timestamptz`
  }

  const behind = (key: SessionKey | undefined) =>
    key === undefined
      ? nothing
      : sql`and (started_at, pixel_id, id)
          < (${key.startTime}::timestamptz, ${key.pixelId}::uuid, ${key.id}::uuid)`

  return {
    /** Whether the address belongs to a visitor: a person who was seen and is not held back. */
    isVisitor: (organizationId: string, emailHash: string): Effect.Effect<boolean> =>
      sql`
        select 1
        from visitor_address as address
        join visitor on visitor.organization_id = address.organization_id
          and visitor.id = address.visitor_id
        where address.organization_id = ${organizationId} and address.email_hash = ${emailHash}
          and not held_back`.pipe(
        Effect.map((rows) => rows.length > 0),
        Effect.orDie,
      ),

    /**
     * The owner's sessions in scope that started by `asOf`, by start time and then canonical session key, pixel before
     * session. The owner's first session is looked up once, not per row.
     */
    list: (
      scope: SessionScope,
      owner: SessionOwner,
      { after, limit, order }: SessionSlice,
    ): Effect.Effect<ReadonlyArray<SessionRow>> => {
      const owned = ownedBy(scope.organizationId, owner)
      const direction = sql.literal(order)
      return sql<SessionRow>`
        select
          id, pixel_id as "pixelId",
          ${iso("started_at")} as "startTime", ${iso("ended_at")} as "endTime",
          floor(coalesce(active_seconds, extract(epoch from ended_at - started_at)))::int
            as "durationSeconds",
          pageviews, unique_pages as "uniquePages", pricing_page_views as "pricingPageViews",
          demo_page_views as "demoPageViews", entry_url as "entryUrl", exit_url as "exitUrl",
          channel, referrer_domain as "referrerDomain", utm_source as "utmSource",
          utm_medium as "utmMedium", utm_campaign as "utmCampaign", utm_term as "utmTerm",
          utm_content as "utmContent",
          array(select jsonb_object_keys(click_ids)) as "clickIdNames",
          device_type as "deviceType", country,
          id = (
            select id from session where ${owned} order by started_at, pixel_id, id limit 1
          ) as "isFirstSession",
          converted
        from session
        where ${owned} ${inWindow(scope)} ${behind(after)}
          ${fragmentOf(onSites("pixel_id", scope.pixelId))}
        order by started_at ${direction}, pixel_id ${direction}, id ${direction}
        limit ${sql.literal(String(limit))}`.pipe(Effect.orDie)
    },
  }
})

export class SessionStore extends Context.Service<SessionStore, Effect.Success<typeof make>>()(
  "@footfall/server/visitors/SessionStore",
) {
  static readonly layer = Layer.effect(SessionStore, make)
}
