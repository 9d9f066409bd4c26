// SQL that writes a batch. Each statement replaces or merges whole rows; the caller's transaction makes them
// atomic. One statement writes several tables if none depends on another, because each statement takes a round trip
// while the turns are held. Call the methods in order. ownership/store.ts updates who owns the sessions of other
// batches and when people were seen.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { CycleStore } from "../../suppression/cycle/store.ts"
import { ruleDomainOf } from "../../../collect/visits/email-address.ts"
import type { BrowserRow, Changes, PixelSeen } from "../batch-work.ts"
import { companyKeyOf, withoutEmpty } from "../profile.ts"
import type { Session } from "../session.ts"
import { sessionJson, storingSessions, timestamp } from "../session-json.ts"
import type { KnownVisitor } from "../visitor.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

export class ChangesStore extends Context.Service<
  ChangesStore,
  {
    /**
     * Visitors with their addresses, marked by the suppression rules in force; `OwnershipStore` writes when they were
     * seen.
     */
    visitors(visitors: ReadonlyArray<KnownVisitor>): Result<void>
    /**
     * Sessions with their browsers, and when pixels were heard from. Moves the events from the inbox to `event`, without
     * their network's company, and drops duplicates.
     */
    visits(changes: Omit<Changes, "visitors" | "tenures">): Result<void>
    browsers(browsers: ReadonlyArray<BrowserRow>): Result<void>
    /** Moves one event from the inbox to `event`, without a session. */
    setAside(sequence: bigint): Result<void>
  }
>()("@footfall/server/identification/ChangesStore") {
  static readonly layer = Layer.effect(
    ChangesStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const cycle = yield* CycleStore

      const visitors = Effect.fnUntraced(function* (known: ReadonlyArray<KnownVisitor>) {
        if (known.length === 0) return
        // The primary address may have changed, and a pixel's lists are ordered by its hash.
        yield* sql`
          with written as (
            insert into visitor (
              organization_id, id, email, email_hash, email_sha1, email_md5, email_domain, first_seen_at,
              last_seen_at, first_name, last_name, linkedin_url, phones, phones_dnc, job_title,
              seniority, department, company_name, company_domain, company_linkedin_url,
              company_employee_count, company_total_revenue, company_zip_code, industry, city, state,
              country, company_key, traits, vendor, resolved
            )
            select
              organization_id, id, email, email_hash, email_sha1, email_md5, email_domain, first_seen_at,
              last_seen_at, first_name, last_name, linkedin_url, phones, phones_dnc, job_title,
              seniority, department, company_name, company_domain, company_linkedin_url,
              company_employee_count, company_total_revenue, company_zip_code, industry, city, state,
              country, company_key, traits, vendor, resolved
            from json_populate_recordset(null::visitor, ${visitorsJson(known)}::text::json)
            on conflict (organization_id, id) do update set
              email = excluded.email,
              email_hash = excluded.email_hash,
              email_sha1 = excluded.email_sha1,
              email_md5 = excluded.email_md5,
              email_domain = excluded.email_domain,
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
              company_key = excluded.company_key,
              traits = excluded.traits,
              vendor = excluded.vendor,
              resolved = excluded.resolved,
              updated_at = now()
            returning organization_id, id, email_hash
          ), addresses as (
            insert into visitor_address
              (organization_id, email_hash, visitor_id, email, kind, first_seen_at)
            select organization_id, email_hash, visitor_id, email, kind, first_seen_at
            from json_populate_recordset(null::visitor_address, ${addressesJson(known)}::text::json)
            on conflict (organization_id, email_hash) do update set
              email = excluded.email,
              kind = excluded.kind,
              first_seen_at = excluded.first_seen_at
            where visitor_address.visitor_id = excluded.visitor_id
          )
          update visitor_pixel p set email_hash = written.email_hash
          from written
          where p.organization_id = written.organization_id
            and p.visitor_id = written.id
            and p.email_hash <> written.email_hash`
        yield* cycle.mark(
          known.map(({ id, organizationId }) => ({ organizationId, visitorId: id })),
        )
      })

      const sessionsInto = (all: ReadonlyArray<Session>) => {
        const { after, before } = storingSessions
        return sql`${sql.literal(before)}${JSON.stringify(all.map(sessionJson))}${sql.literal(after)}`
      }

      const browsersInto = (changed: ReadonlyArray<BrowserRow>) => {
        const json = JSON.stringify(
          changed.map(({ organizationId, anonymousId, identifications }) => ({
            organization_id: organizationId,
            anonymous_id: anonymousId,
            visitor_id: identifications.at(-1)?.[1] ?? null,
            identifications,
          })),
        )
        return sql`
          insert into browser (organization_id, anonymous_id, visitor_id, identifications)
          select organization_id, anonymous_id, visitor_id, identifications
          from json_populate_recordset(null::browser, ${json}::text::json)
          on conflict (organization_id, anonymous_id) do update set
            visitor_id = excluded.visitor_id,
            identifications = excluded.identifications`
      }

      const pixelsInto = (pixels: ReadonlyArray<PixelSeen>) => sql`
        update pixel p set
          last_event_at = greatest(p.last_event_at, to_timestamp(k."lastEventAt" / 1000)),
          verified_at = coalesce(p.verified_at, to_timestamp(k."verifiedAt" / 1000))
        from json_to_recordset(${JSON.stringify(pixels)}::text::json)
          as k ("organizationId" uuid, "pixelId" uuid, "lastEventAt" float8, "verifiedAt" float8)
        where p.organization_id = k."organizationId" and p.id = k."pixelId"`

      /** Goes last in a statement, after any other parts. */
      const moving = (moves: Changes["moves"]) => {
        const json = JSON.stringify(
          moves.map(({ sequence, sessionId }) => ({ q: sequence.toString(), s: sessionId })),
        )
        return sql`
          moved as (
            delete from event_inbox i
            using json_to_recordset(${json}::text::json) as m (q bigint, s uuid)
            where i.sequence = m.q
            returning i.*, m.s as session_id
          )
          insert into event (
            organization_id, received_on, pixel_id, id, received_at, anonymous_id, session_id, type,
            occurred_at, url, payload
          )
          select
            organization_id, (received_at at time zone 'utc')::date, pixel_id, id, received_at,
            anonymous_id, session_id, type, occurred_at, url, payload - '{co,yt}'::text[]
          from moved`
      }

      const drop = (duplicates: Changes["duplicates"]) => sql`
        delete from event_inbox
        where sequence in (
          select value::bigint
          from jsonb_array_elements_text(${JSON.stringify(duplicates.map(String))}::text::jsonb)
        )`

      const browsers = (changed: ReadonlyArray<BrowserRow>) => Effect.asVoid(browsersInto(changed))

      const visits: ChangesStore["Service"]["visits"] = Effect.fnUntraced(function* (changes) {
        yield* sql`
          with sessions as (${sessionsInto(changes.sessions)}),
          browsers as (${browsersInto(changes.browsers)}),
          pixels as (${pixelsInto(changes.pixels)}),
          ${moving(changes.moves)}`
        if (changes.duplicates.length > 0) yield* drop(changes.duplicates)
      })

      const setAside = (sequence: bigint) =>
        Effect.asVoid(sql`with ${moving([{ sequence, sessionId: null }])}`)

      return ChangesStore.of({ visitors, visits, browsers, setAside })
    }),
  )
}

const visitorsJson = (visitors: ReadonlyArray<KnownVisitor>): string =>
  JSON.stringify(
    visitors.map(
      ({ firstSeenAt, id, organizationId, primary, profile, resolved, traits, vendor }) => {
        const seenAt = timestamp(firstSeenAt)
        return {
          ...profile,
          organization_id: organizationId,
          id,
          email: primary.email,
          email_hash: primary.emailHash,
          email_sha1: primary.sha1,
          email_md5: primary.md5,
          email_domain: primary.email === null ? null : ruleDomainOf(primary.email),
          first_seen_at: seenAt,
          last_seen_at: seenAt,
          company_key: companyKeyOf(profile),
          traits: withoutEmpty(traits),
          vendor,
          resolved: withoutEmpty(resolved),
        }
      },
    ),
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
        first_seen_at: firstSeenAt === null ? null : timestamp(firstSeenAt),
      })),
    ),
  )
