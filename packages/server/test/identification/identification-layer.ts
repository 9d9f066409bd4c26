// The identification pass on a separate database, with events written straight to its inbox.
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Partitions } from "../../src/platform/database/partitions.ts"
import { ChangesStore } from "../../src/people/identification/changes/store.ts"
import { CompanyUpkeepStore } from "../../src/people/identification/companies/store.ts"
import { CreditStore } from "../../src/people/credits/store.ts"
import { Identification } from "../../src/people/identification/identification.ts"
import { KnownRows } from "../../src/people/identification/known.ts"
import { LinkedEvents } from "../../src/people/identification/links/linked-events.ts"
import { BrowserLinkStore } from "../../src/people/identification/links/store.ts"
import { PeopleLookup } from "../../src/people/identification/merging/people-lookup.ts"
import { Merging } from "../../src/people/identification/merging/merging.ts"
import { MergingStore } from "../../src/people/identification/merging/store.ts"
import { OwnershipStore } from "../../src/people/identification/ownership/store.ts"
import { Resolution } from "../../src/people/identification/resolving/resolution.ts"
import { ResolvedEvents } from "../../src/people/identification/resolving/resolved-events.ts"
import { ResolvedStore } from "../../src/people/identification/resolving/store.ts"
import { IdentificationStore } from "../../src/people/identification/store.ts"
import { JobWakes } from "../../src/platform/jobs/queue.ts"
import { CycleStore } from "../../src/people/suppression/cycle/store.ts"
import { TombstoneStore } from "../../src/people/person/tombstones/store.ts"
import { Tombstones } from "../../src/people/person/tombstones/tombstones.ts"
import { LinksStore } from "../../src/people/person/links/store.ts"
import { VisitorStore } from "../../src/people/visitors/store.ts"
import type { CollectedEvent, EventPayload } from "../../src/collect/visits/collected-event.ts"
import { VisitsStore } from "../../src/collect/visits/store.ts"
import { QuestionStore } from "../../src/activation/webhooks/triggers/question-store.ts"
import { SessionEndStore } from "../../src/activation/webhooks/triggers/session-end-store.ts"
import { CompanyTriggerStore } from "../../src/activation/webhooks/triggers/company-store.ts"
import { TriggerStore } from "../../src/activation/webhooks/triggers/store.ts"
import { SegmentMemberStore } from "../../src/activation/webhooks/triggers/segment-member-store.ts"
import { Triggers } from "../../src/activation/webhooks/triggers/triggers.ts"
import { fixedDataKeys } from "../support/data-keys.ts"
import { TestDatabase } from "../support/database.ts"
import { UserIdStore } from "../../src/people/identification/user-ids/store.ts"
import { UserIds } from "../../src/people/identification/user-ids/user-ids.ts"

export const organizationId = "3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f"
export const pixelId = "cdd19037-47fb-4e21-a054-2da787925aea"
export const browserId = "88ac470a-224f-4bdb-a28b-577d65372edd"

/** 2026-03-11T08:00:00.000Z. */
export const start = Date.parse("2026-03-11T08:00:00.000Z")
export const minute = 60_000

export const identificationLayer = Identification.layer.pipe(
  Layer.provide(KnownRows.layer),
  Layer.provide(LinkedEvents.layer),
  Layer.provide(Layer.provide(UserIds.layer, UserIdStore.layer)),
  Layer.provide(ResolvedEvents.layer),
  Layer.provide(Resolution.layer),
  Layer.provideMerge(Merging.layer),
  Layer.provideMerge(PeopleLookup.layer),
  Layer.provideMerge(Layer.provide(Tombstones.layer, fixedDataKeys)),
  Layer.provideMerge(Layer.merge(Triggers, JobWakes.layer)),
  Layer.provideMerge(
    Layer.mergeAll(
      BrowserLinkStore.layer,
      IdentificationStore.layer,
      Layer.provide(ChangesStore.layer, CycleStore.layer),
      CompanyTriggerStore.layer,
      CompanyUpkeepStore.layer,
      CreditStore.layer,
      LinksStore.layer,
      MergingStore.layer,
      OwnershipStore.layer,
      ResolvedStore.layer,
      Partitions.layer,
      TombstoneStore.layer,
      QuestionStore.layer,
      SessionEndStore.layer,
      TriggerStore.layer,
      VisitorStore.layer,
      VisitsStore.layer,
      SegmentMemberStore.layer,
    ),
  ),
)

export const testLayer = identificationLayer.pipe(Layer.provideMerge(TestDatabase.layer))

let count = 0

/** A UUID that is unique in this process. Later ones sort after earlier ones. */
export const nextId = (): string =>
  `00000000-0000-4000-8000-${(++count).toString(16).padStart(12, "0")}`

export type EventChange = Omit<Partial<CollectedEvent>, "payload"> & {
  readonly payload?: Partial<EventPayload>
}

/** A page view `minutes` after the start, by default received when it happened. */
export const event = (minutes: number, change: EventChange = {}): CollectedEvent => ({
  organizationId,
  pixelId,
  id: nextId(),
  receivedAt: start + minutes * minute,
  anonymousId: browserId,
  type: "page",
  occurredAt: start + minutes * minute,
  url: "https://tidewater.example/",
  ...change,
  payload: { k: "granted", d: "desktop", ...change.payload },
})

export const identify = (minutes: number, email: string, change: EventChange = {}) =>
  event(minutes, { type: "identify", ...change, payload: { e: email, ...change.payload } })

/** Writes the events to the inbox in the given order. */
export const arrive = (...events: ReadonlyArray<CollectedEvent>) =>
  Effect.flatMap(VisitsStore, (store) => store.insert([{ bucket: undefined, events }]))

export const drain = Effect.flatMap(Identification, (identification) => identification.drain)

/** A session row, with the person's address instead of ids. */
export interface SessionSeen {
  readonly email: string | null
  readonly pixelId: string
  readonly anonymousId: string
  readonly from: number
  readonly until: number
  readonly pageviews: number
  readonly uniquePages: number
  readonly pricing: number
  readonly demo: number
  readonly active: number | null
  readonly pages: ReadonlyArray<string>
  readonly entry: string | null
  readonly exit: string | null
  readonly channel: string
  readonly converted: boolean
}

export const sessions = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<SessionSeen>`
    select
      v.email, s.pixel_id as "pixelId", s.anonymous_id as "anonymousId",
      extract(epoch from s.started_at)::float8 * 1000 as "from",
      extract(epoch from s.ended_at)::float8 * 1000 as "until",
      s.pageviews, s.unique_pages as "uniquePages", s.pricing_page_views as "pricing",
      s.demo_page_views as "demo", s.active_seconds as "active", s.page_urls as "pages",
      s.entry_url as "entry", s.exit_url as "exit", s.channel, s.converted
    from session s
    left join visitor v on v.organization_id = s.organization_id and v.id = s.visitor_id
    order by s.started_at, s.pixel_id, s.anonymous_id, s.ended_at, v.email`,
)

/** Each session's person, its first and last minute after the start, and its page views. */
export const brief = Effect.map(sessions, (rows) =>
  rows.map(({ email, from, until, pageviews }) => [
    email,
    (from - start) / minute,
    (until - start) / minute,
    pageviews,
  ]),
)

export interface VisitorSeen {
  readonly organizationId: string
  readonly email: string | null
  readonly emailHash: string
  readonly sha1: string | null
  readonly firstSeen: number
  readonly lastSeen: number
  readonly firstName: string | null
}

export const visitors = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<VisitorSeen>`
    select
      organization_id as "organizationId", email, email_hash as "emailHash", email_sha1 as "sha1",
      extract(epoch from first_seen_at)::float8 * 1000 as "firstSeen",
      extract(epoch from last_seen_at)::float8 * 1000 as "lastSeen",
      first_name as "firstName"
    from visitor
    order by organization_id, first_seen_at, email`,
)

export interface PixelVisit {
  readonly organizationId: string
  readonly email: string | null
  readonly pixelId: string
  readonly firstSeen: number
  readonly lastSeen: number
  readonly attribution: Record<string, readonly [string, number]>
}

export const pixelVisits = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<PixelVisit>`
    select
      v.organization_id as "organizationId", v.email, p.pixel_id as "pixelId", p.custom_attribution as "attribution",
      extract(epoch from p.first_seen_at)::float8 * 1000 as "firstSeen",
      extract(epoch from p.last_seen_at)::float8 * 1000 as "lastSeen"
    from visitor_pixel p
    join visitor v on v.organization_id = p.organization_id and v.id = p.visitor_id
    where p.email_hash = v.email_hash
    order by p.organization_id, v.email, p.pixel_id`,
)

/**
 * Visitors and companies that don't match the sessions: without any session, with a time that isn't the first or
 * last one, or with a wrong count.
 */
export const contradictions = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    with of_company as (
      select s.organization_id, s.pixel_id, s.started_at, s.ended_at, s.visitor_id,
        case when s.visitor_id is null then s.network_domain else v.company_key end as domain
      from session s
      left join visitor v on v.organization_id = s.organization_id and v.id = s.visitor_id
    ), stored as (
      select organization_id, visitor_id::text as subject, pixel_id, first_seen_at, last_seen_at,
        null::bigint as sessions, null::bigint as anonymous
      from visitor_pixel
      union all
      select organization_id, id::text, null, first_seen_at, last_seen_at, null, null from visitor
      union all
      select organization_id, domain, pixel_id, first_seen_at, last_seen_at, sessions,
        anonymous_sessions
      from company_pixel
      union all
      select organization_id, domain, null, first_seen_at, last_seen_at, sessions,
        anonymous_sessions
      from company
    ), due as (
      select
        organization_id, visitor_id::text, pixel_id, min(started_at) as first_seen_at,
        max(ended_at) as last_seen_at, null::bigint, null::bigint
      from session
      where visitor_id is not null
      group by grouping sets
        ((organization_id, visitor_id, pixel_id), (organization_id, visitor_id))
      union all
      select organization_id, domain, pixel_id, min(started_at), max(ended_at), count(*),
        count(*) filter (where visitor_id is null)
      from of_company
      where domain is not null
      group by grouping sets ((organization_id, domain, pixel_id), (organization_id, domain))
    )
    (table stored except table due) union all (table due except table stored)`,
)
