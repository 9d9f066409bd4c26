// The statements by which a pass writes what it found. Each replaces or merges whole rows of a batch;
// the caller's transaction makes them one. Called in the order of the methods.
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql"
import type { BrowserRow, BrowserTenure, PixelSeen } from "../batch-work.ts"
import type { KnownVisitor } from "../directory.ts"
import { sessionJson, timestamp } from "../rows.ts"
import type { Session } from "../session.ts"

/** A session whose visitor is another than before. */
export interface ChangedHands {
  readonly organizationId: string
  readonly sessionId: string
  /** Null: nobody's before. */
  readonly loserId: string | null
}

export interface SessionKey {
  readonly organizationId: string
  readonly sessionId: string
}

export interface VisitorKey {
  readonly organizationId: string
  readonly visitorId: string
}

type Result<A> = Effect.Effect<A, SqlError.SqlError>

export class ChangesStore extends Context.Service<
  ChangesStore,
  {
    /** Visitors with their addresses; when they were seen is written by `seen`. */
    visitors(visitors: ReadonlyArray<KnownVisitor>): Result<void>
    sessions(sessions: ReadonlyArray<Session>): Result<void>
    browsers(browsers: ReadonlyArray<BrowserRow>): Result<void>
    /**
     * Gives the sessions of the browsers to whom they belong by the time they began. One in which
     * somebody was identified stays theirs.
     */
    handOver(tenures: ReadonlyArray<BrowserTenure>): Result<ReadonlyArray<ChangedHands>>
    /**
     * Brings `visitor_pixel` and `visitor` up to date with the sessions, for the visitors that have
     * them; a loser is worked out anew from all its sessions.
     */
    seen(sessions: ReadonlyArray<SessionKey>, losers: ReadonlyArray<VisitorKey>): Result<void>
    pixels(pixels: ReadonlyArray<PixelSeen>): Result<void>
  }
>()("@footfall/server/identification/ChangesStore") {
  static readonly layer = Layer.effect(
    ChangesStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const visitors = Effect.fnUntraced(function* (known: ReadonlyArray<KnownVisitor>) {
        if (known.length === 0) return
        yield* sql`
          insert into visitor (
            organization_id, id, email, email_hash, email_sha1, email_md5, first_seen_at,
            last_seen_at, first_name, last_name, linkedin_url, phones, phones_dnc, job_title,
            seniority, department, company_name, company_domain, company_linkedin_url,
            company_employee_count, company_total_revenue, company_zip_code, industry, city, state,
            country
          )
          select
            organization_id, id, email, email_hash, email_sha1, email_md5, first_seen_at,
            last_seen_at, first_name, last_name, linkedin_url, phones, phones_dnc, job_title,
            seniority, department, company_name, company_domain, company_linkedin_url,
            company_employee_count, company_total_revenue, company_zip_code, industry, city, state,
            country
          from jsonb_populate_recordset(null::visitor, ${visitorsJson(known)}::text::jsonb)
          on conflict (organization_id, id) do update set
            email = excluded.email,
            email_hash = excluded.email_hash,
            email_sha1 = excluded.email_sha1,
            email_md5 = excluded.email_md5,
            first_name = excluded.first_name,
            last_name = excluded.last_name,
            linkedin_url = excluded.linkedin_url,
            phones = excluded.phones,
            phones_dnc = excluded.phones_dnc,
            job_title = excluded.job_title,
            seniority = excluded.seniority,
            department = excluded.department,
            company_name = excluded.company_name,
            company_domain = excluded.company_domain,
            company_linkedin_url = excluded.company_linkedin_url,
            company_employee_count = excluded.company_employee_count,
            company_total_revenue = excluded.company_total_revenue,
            company_zip_code = excluded.company_zip_code,
            industry = excluded.industry,
            city = excluded.city,
            state = excluded.state,
            country = excluded.country,
            updated_at = now()`
        yield* sql`
          insert into visitor_address
            (organization_id, email_hash, visitor_id, email, kind, first_seen_at)
          select organization_id, email_hash, visitor_id, email, kind, first_seen_at
          from jsonb_populate_recordset(null::visitor_address, ${addressesJson(known)}::text::jsonb)
          on conflict (organization_id, email_hash) do update set
            email = excluded.email,
            kind = excluded.kind,
            first_seen_at = excluded.first_seen_at
          where visitor_address.visitor_id = excluded.visitor_id`
        // The primary address may be another now, and the lists of a pixel are ordered by its hash.
        yield* sql`
          update visitor_pixel p set email_hash = v.email_hash
          from jsonb_to_recordset(${visitorsJson(known)}::text::jsonb)
            as v (organization_id uuid, id uuid, email_hash text)
          where p.organization_id = v.organization_id
            and p.visitor_id = v.id
            and p.email_hash <> v.email_hash`
      })

      const sessions = Effect.fnUntraced(function* (all: ReadonlyArray<Session>) {
        if (all.length === 0) return
        yield* sql`
          insert into session (
            organization_id, id, pixel_id, anonymous_id, visitor_id, started_at, ended_at,
            active_seconds, pageviews, unique_pages, pricing_page_views, demo_page_views, page_urls,
            page_times, entry_url, exit_url, referrer, referrer_domain, channel, utm_source,
            utm_medium, utm_campaign, utm_term, utm_content, click_ids, device_type, country,
            converted, state
          )
          select
            organization_id, id, pixel_id, anonymous_id, visitor_id, started_at, ended_at,
            active_seconds, pageviews, unique_pages, pricing_page_views, demo_page_views, page_urls,
            page_times, entry_url, exit_url, referrer, referrer_domain, channel, utm_source,
            utm_medium, utm_campaign, utm_term, utm_content, click_ids, device_type, country,
            converted, state
          from jsonb_populate_recordset(
            null::session, ${JSON.stringify(all.map(sessionJson))}::text::jsonb
          )
          on conflict (organization_id, id) do update set
            visitor_id = excluded.visitor_id,
            started_at = excluded.started_at,
            ended_at = excluded.ended_at,
            active_seconds = excluded.active_seconds,
            pageviews = excluded.pageviews,
            unique_pages = excluded.unique_pages,
            pricing_page_views = excluded.pricing_page_views,
            demo_page_views = excluded.demo_page_views,
            page_urls = excluded.page_urls,
            page_times = excluded.page_times,
            entry_url = excluded.entry_url,
            exit_url = excluded.exit_url,
            referrer = excluded.referrer,
            referrer_domain = excluded.referrer_domain,
            channel = excluded.channel,
            utm_source = excluded.utm_source,
            utm_medium = excluded.utm_medium,
            utm_campaign = excluded.utm_campaign,
            utm_term = excluded.utm_term,
            utm_content = excluded.utm_content,
            click_ids = excluded.click_ids,
            country = excluded.country,
            converted = excluded.converted,
            state = excluded.state`
      })

      const browsers = Effect.fnUntraced(function* (changed: ReadonlyArray<BrowserRow>) {
        if (changed.length === 0) return
        const json = JSON.stringify(
          changed.map(({ organizationId, anonymousId, identifications }) => ({
            organization_id: organizationId,
            anonymous_id: anonymousId,
            visitor_id: identifications.at(-1)?.[1],
            identifications,
          })),
        )
        yield* sql`
          insert into browser (organization_id, anonymous_id, visitor_id, identifications)
          select organization_id, anonymous_id, visitor_id, identifications
          from jsonb_populate_recordset(null::browser, ${json}::text::jsonb)
          on conflict (organization_id, anonymous_id) do update set
            visitor_id = excluded.visitor_id,
            identifications = excluded.identifications`
      })

      const handOver = Effect.fnUntraced(function* (tenures: ReadonlyArray<BrowserTenure>) {
        if (tenures.length === 0) return []
        const json = JSON.stringify(
          tenures.map(({ organizationId, anonymousId, visitorId, from, until }) => ({
            o: organizationId,
            a: anonymousId,
            v: visitorId,
            f: from === null ? "-infinity" : timestamp(from),
            u: until === null ? "infinity" : timestamp(until),
          })),
        )
        return yield* sql<ChangedHands>`
          update session s set visitor_id = t.v
          from jsonb_to_recordset(${json}::text::jsonb)
            as t (o uuid, a uuid, v uuid, f timestamptz, u timestamptz)
          join session before on before.organization_id = t.o and before.anonymous_id = t.a
          where s.organization_id = before.organization_id
            and s.id = before.id
            and before.started_at >= t.f
            and before.started_at < t.u
            and before.visitor_id is distinct from t.v
            and not (before.converted and before.visitor_id is not null)
          returning
            s.organization_id as "organizationId", s.id as "sessionId",
            before.visitor_id as "loserId"`
      })

      const seen = Effect.fnUntraced(function* (
        touched: ReadonlyArray<SessionKey>,
        losers: ReadonlyArray<VisitorKey>,
      ) {
        if (touched.length === 0 && losers.length === 0) return
        const keys = JSON.stringify({ sessions: touched, losers })
        if (losers.length > 0) {
          yield* sql`
            delete from visitor_pixel p
            using jsonb_to_recordset(${JSON.stringify(losers)}::text::jsonb)
              as k ("organizationId" uuid, "visitorId" uuid)
            where p.organization_id = k."organizationId" and p.visitor_id = k."visitorId"`
        }
        const rows = yield* sql<VisitorKey>`
          with source as (
            select s.organization_id, s.visitor_id, s.pixel_id, s.started_at, s.ended_at, s.state
            from jsonb_to_recordset(${keys}::text::jsonb -> 'sessions')
              as k ("organizationId" uuid, "sessionId" uuid)
            join session s on s.organization_id = k."organizationId" and s.id = k."sessionId"
            where s.visitor_id is not null
            union all
            select s.organization_id, s.visitor_id, s.pixel_id, s.started_at, s.ended_at, s.state
            from jsonb_to_recordset(${keys}::text::jsonb -> 'losers')
              as k ("organizationId" uuid, "visitorId" uuid)
            join session s
              on s.organization_id = k."organizationId" and s.visitor_id = k."visitorId"
          ), span as (
            select
              organization_id, visitor_id, pixel_id, min(started_at) as first_seen_at,
              max(ended_at) as last_seen_at, jsonb_agg(state -> 'attribution') as said
            from source
            group by organization_id, visitor_id, pixel_id
          )
          insert into visitor_pixel (
            organization_id, visitor_id, pixel_id, email_hash, first_seen_at, last_seen_at,
            custom_attribution
          )
          select
            s.organization_id, s.visitor_id, s.pixel_id, v.email_hash, s.first_seen_at,
            s.last_seen_at, coalesce(merged.attribution, '{}')
          from span s
          join visitor v on v.organization_id = s.organization_id and v.id = s.visitor_id
          left join visitor_pixel p
            on p.organization_id = s.organization_id
            and p.visitor_id = s.visitor_id
            and p.pixel_id = s.pixel_id
          cross join lateral (
            select jsonb_object_agg(last_said.key, last_said.value) as attribution
            from (
              -- The last value of a key; of one millisecond, the greater text (timed-values.ts).
              select distinct on (e.key) e.key, e.value
              from jsonb_array_elements(s.said || coalesce(p.custom_attribution, '{}')) as words
              cross join lateral jsonb_each(words) as e
              order by e.key, (e.value ->> 1)::numeric desc, (e.value ->> 0) collate "C" desc
            ) as last_said
          ) as merged
          on conflict (organization_id, visitor_id, pixel_id) do update set
            first_seen_at = least(visitor_pixel.first_seen_at, excluded.first_seen_at),
            last_seen_at = greatest(visitor_pixel.last_seen_at, excluded.last_seen_at),
            custom_attribution = excluded.custom_attribution
          returning organization_id as "organizationId", visitor_id as "visitorId"`
        yield* sql`
          update visitor v set
            first_seen_at = s.first_seen_at,
            last_seen_at = s.last_seen_at,
            updated_at = now()
          from (
            select
              p.organization_id, p.visitor_id,
              min(p.first_seen_at) as first_seen_at, max(p.last_seen_at) as last_seen_at
            from (
              select distinct "organizationId", "visitorId"
              from jsonb_to_recordset(${JSON.stringify([...rows, ...losers])}::text::jsonb)
                as k ("organizationId" uuid, "visitorId" uuid)
            ) as k
            join visitor_pixel p
              on p.organization_id = k."organizationId" and p.visitor_id = k."visitorId"
            group by p.organization_id, p.visitor_id
          ) as s
          where v.organization_id = s.organization_id and v.id = s.visitor_id`
      })

      const pixels = Effect.fnUntraced(function* (all: ReadonlyArray<PixelSeen>) {
        if (all.length === 0) return
        yield* sql`
          update pixel p set
            last_event_at = greatest(p.last_event_at, to_timestamp(k."lastEventAt" / 1000)),
            verified_at = coalesce(p.verified_at, to_timestamp(k."verifiedAt" / 1000))
          from jsonb_to_recordset(${JSON.stringify(all)}::text::jsonb)
            as k ("organizationId" uuid, "pixelId" uuid, "lastEventAt" float8, "verifiedAt" float8)
          where p.organization_id = k."organizationId" and p.id = k."pixelId"`
      })

      return ChangesStore.of({ visitors, sessions, browsers, handOver, seen, pixels })
    }),
  )
}

const visitorsJson = (visitors: ReadonlyArray<KnownVisitor>): string =>
  JSON.stringify(
    visitors.map(({ organizationId, id, addresses, primary, profile }) => {
      const seenAt = timestamp(Math.min(...addresses.map(({ firstSeenAt }) => firstSeenAt)))
      return {
        ...profile,
        organization_id: organizationId,
        id,
        email: primary.email,
        email_hash: primary.emailHash,
        email_sha1: primary.sha1,
        email_md5: primary.md5,
        first_seen_at: seenAt,
        last_seen_at: seenAt,
      }
    }),
  )

const addressesJson = (visitors: ReadonlyArray<KnownVisitor>): string =>
  JSON.stringify(
    visitors.flatMap(({ organizationId, id, addresses }) =>
      addresses.map(({ emailHash, email, kind, firstSeenAt }) => ({
        organization_id: organizationId,
        email_hash: emailHash,
        visitor_id: id,
        email,
        kind,
        first_seen_at: timestamp(firstSeenAt),
      })),
    ),
  )
