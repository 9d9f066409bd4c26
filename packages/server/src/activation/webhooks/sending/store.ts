// SQL that takes deliveries from the queue in bulk. Columns and fence are those of jobs/, but rows are selected here,
// so that a million queued events of one webhook do not slow down another. Each webhook with due deliveries is found by
// one index probe, and yields no more than it has room for.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { isoTime } from "../../../platform/database/iso-time.ts"
import { transaction } from "../../../platform/database/transaction.ts"
import { type Claim, leaseSeconds } from "../../../platform/jobs/queue.ts"
import { type JobStore, jobStore } from "../../../platform/jobs/store.ts"
import { isCompanySuppressed } from "../../../people/suppression/company-rules-store.ts"
import type { DeliveryRecord, SeenPage } from "../delivery-record.ts"
import type { DigestSpan, Trigger, Format } from "../webhook.ts"
import type { SealedSecrets } from "../store.ts"
import { digestEntriesMax } from "../formats/notice.ts"
import { claimedPerWebhookMax, requestsPerWebhookMax, webhookQueue } from "./queue.ts"

/** A claimed delivery with everything needed to send it. */
export interface ClaimedDelivery extends Claim, SealedSecrets {
  readonly webhookId: string
  /** Null if it sends emails. */
  readonly url: string | null
  readonly timeoutMs: number
  /** Scope of the visitor's counters. */
  readonly webhookPixelId: string | null
  readonly event: DeliveryRecord["event"]
  readonly format: Format
  /** Null when the delivery is about one person or company. */
  readonly digest: DigestSpan | null
  readonly trigger: Trigger
  readonly segment: { readonly id: string; readonly name: string } | null
  readonly list: { readonly id: string; readonly name: string } | null
  /** Null unless the event is about a page view. */
  readonly page: SeenPage | null
  readonly pixelId: string
  readonly pixelDomain: string
  readonly createdAt: string
  readonly failures: number
  readonly isRedelivery: boolean
  /** Null when the person has been suppressed, held back or erased since. */
  readonly visitorId: string | null
  /** Null when the company has been suppressed or removed since. */
  readonly companyDomain: string | null
  /** Null before the first attempt. */
  readonly payload: string | null
  /** The format of `payload`. Differs from `format` when the webhook's format changed after the payload was built. */
  readonly payloadFormat: Format
}

/** What a digest may contain: the number of people, and the first ones. */
export interface DigestRow {
  readonly id: string
  readonly people: number
  readonly identified: number
  readonly entered: number
  readonly left: number
  readonly visitorIds: ReadonlyArray<string>
}

/** What a company digest may contain. */
export interface CompanyDigestRow {
  readonly id: string
  readonly companies: number
  readonly entered: number
  readonly left: number
  readonly domains: ReadonlyArray<string>
}

/** What a digest of page views may contain. */
export interface PageDigestRow {
  readonly id: string
  readonly views: number
  readonly first: ReadonlyArray<{
    readonly visitorId: string | null
    readonly companyDomain: string | null
    readonly page: SeenPage
  }>
}

/** The deliveries of one webhook that this worker holds. */
export interface InHand {
  readonly organizationId: string
  readonly webhookId: string
  readonly count: number
  /** Whether its receiver responds quickly. */
  readonly isQuick: boolean
  /** Whether it has not shown that it responds within a second. One that is not held is slow, too. */
  readonly isSlow: boolean
}

/** The places that a worker has. */
export interface Room {
  readonly free: number
  /** How many slow receivers may have together, those in hand included. */
  readonly ofSlow: number
}

type Result<A> = Effect.Effect<A, SqlError.SqlError>

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const jobs = jobStore(sql, webhookQueue)
  const json = (value: unknown) => sql`${JSON.stringify(value)}::text::jsonb`

  const suppressed = sql.literal(
    isCompanySuppressed({
      organizationId: "c.organization_id",
      domain: "c.domain",
      industry: "c.industry",
    }),
  )

  const claim = ({ free, ofSlow }: Room, inHand: ReadonlyArray<InHand>) => {
    const heldBySlow = inHand.reduce((sum, { count, isSlow }) => sum + (isSlow ? count : 0), 0)
    return sql<ClaimedDelivery>`
      with recursive waiting as (
        (
          select organization_id, webhook_id from webhook_delivery
          where status = 'queued' and leased_until is null and not is_redelivery
          order by organization_id, webhook_id
          limit 1
        )
        union all
        select next.organization_id, next.webhook_id
        from waiting
        cross join lateral (
          select d.organization_id, d.webhook_id from webhook_delivery d
          where d.status = 'queued' and d.leased_until is null and not d.is_redelivery
            and (d.organization_id, d.webhook_id) > (waiting.organization_id, waiting.webhook_id)
          order by d.organization_id, d.webhook_id
          limit 1
        ) as next
      ), held as materialized (
        select * from jsonb_to_recordset(${json(inHand)})
          as k ("organizationId" uuid, "webhookId" uuid, count int, "isQuick" boolean, "isSlow" boolean)
      ), busy as materialized (
        select organization.party, sum(held.count)::int as count,
          (sum(held.count) filter (where held."isSlow"))::int as slow
        from held
        join organization on organization.id = held."organizationId"
        group by organization.party
      ), capacity as materialized (
        select w.organization_id, w.id as webhook_id,
          least(
            case when held."isQuick" then ${claimedPerWebhookMax}::int
              else ${requestsPerWebhookMax}::int end - coalesce(held.count, 0),
            -- No more can be chosen below, and what is not chosen need not be locked.
            ${free}::int - coalesce(busy.count, 0),
            case when coalesce(held."isSlow", true)
              then ${ofSlow - heldBySlow}::int - coalesce(busy.slow, 0) end
          ) as places,
          coalesce(held."isSlow", true) as is_slow
        from waiting
        join webhook w on w.organization_id = waiting.organization_id and w.id = waiting.webhook_id
          and w.status = 'active' and w.deleted_at is null
          and (w.rests_until is null or w.rests_until <= now())
        join organization on organization.id = w.organization_id
        left join busy on busy.party = organization.party
        left join held
          on held."organizationId" = w.organization_id and held."webhookId" = w.id
      ), again as materialized (
        select d.organization_id, d.id, d.next_attempt_at,
          coalesce(held."isSlow", true) as is_slow
        from (
          select distinct organization_id, webhook_id from webhook_delivery
          where status = 'queued' and leased_until is null and is_redelivery
            and next_attempt_at <= now()
        ) as delivery
        left join held on held."organizationId" = delivery.organization_id
          and held."webhookId" = delivery.webhook_id
        cross join lateral (
          select one.organization_id, one.id, one.next_attempt_at
          from webhook_delivery one
          where one.organization_id = delivery.organization_id and one.webhook_id = delivery.webhook_id
            and one.status = 'queued' and one.leased_until is null and one.is_redelivery
            and one.next_attempt_at <= now()
          order by one.next_attempt_at
          limit least(greatest(${requestsPerWebhookMax}::int - coalesce(held.count, 0), 0), ${free}::int)
          for update skip locked
        ) as d
      ), candidate as (
        select d.organization_id, d.id, d.next_attempt_at, capacity.is_slow
        from capacity
        cross join lateral (
          select one.organization_id, one.id, one.next_attempt_at
          from webhook_delivery one
          where one.organization_id = capacity.organization_id and one.webhook_id = capacity.webhook_id
            and one.status = 'queued' and one.leased_until is null and not one.is_redelivery
            and one.next_attempt_at <= now()
          order by one.next_attempt_at, one.created_at
          limit greatest(capacity.places, 0)
          for update skip locked
        ) as d
        union all
        select organization_id, id, next_attempt_at, is_slow from again
      ), slow_first as materialized (
        -- The how-maniest place for slow receivers its party would then hold.
        select c.*, organization.party, coalesce(busy.count, 0) as held_by_party,
          coalesce(busy.slow, 0) + row_number() over (
            partition by organization.party, c.is_slow order by c.next_attempt_at, c.id
          ) as slow_place
        from candidate c
        join organization on organization.id = c.organization_id
        left join busy on busy.party = organization.party
      ), slow_order as materialized (
        select slow_first.*, row_number() over (
            partition by is_slow order by slow_place, next_attempt_at, id
          ) as slow_order
        from slow_first
      ), placed as materialized (
        select organization_id, id, next_attempt_at,
          held_by_party + row_number() over (partition by party order by next_attempt_at, id)
            as place
        from slow_order
        where not is_slow or slow_place + slow_order <= ${ofSlow - heldBySlow}::int + 1
      ), ordered as materialized (
        -- First the party that would hold the fewest, then the longest wait.
        select organization_id, id, place,
          row_number() over (order by place, next_attempt_at, id) as place_order
        from placed
      ), due as materialized (
        -- A party gets no more places than it leaves free, so that one without any finds one.
        select organization_id, id from ordered where place + place_order <= ${free}::int + 1
      )
      update webhook_delivery d set
        attempts = d.attempts + 1,
        claim = d.claim + 1,
        leased_until = clock_timestamp() + make_interval(secs => ${leaseSeconds}),
        started_at = coalesce(d.started_at, date_trunc('milliseconds', clock_timestamp())),
        updated_at = clock_timestamp()
      from due
      join webhook_delivery delivery
        on delivery.organization_id = due.organization_id and delivery.id = due.id
      join webhook w on w.organization_id = delivery.organization_id and w.id = delivery.webhook_id
        and w.deleted_at is null
      join pixel on pixel.organization_id = delivery.organization_id and pixel.id = delivery.pixel_id
      left join visitor v on v.organization_id = delivery.organization_id and v.id = delivery.visitor_id
        and not v.suppressed and not v.held_back
      left join company c on delivery.company_domain is not null
        and c.organization_id = delivery.organization_id and c.domain = delivery.company_domain
        and not ${suppressed}
      where d.organization_id = due.organization_id and d.id = due.id
        and d.status = 'queued' and d.leased_until is null
      returning
        d.organization_id as "organizationId", d.id, d.attempts, d.claim::text as claim,
        d.webhook_id as "webhookId", w.url, w.timeout_ms as "timeoutMs",
        w.pixel_id as "webhookPixelId", w.secret,
        case when w.former_secret_until > now() then w.former_secret end as "formerSecret",
        d.event, w.format, d.digest, d.trigger, d.segment, d.list, d.page,
        d.pixel_id as "pixelId", pixel.domain as "pixelDomain",
        ${sql.literal(isoTime("d.created_at"))} as "createdAt", d.failures,
        d.is_redelivery as "isRedelivery", v.id as "visitorId", c.domain as "companyDomain",
        d.payload, coalesce(d.payload_format, w.format) as "payloadFormat"`
  }

  const digests = (deliveries: ReadonlyArray<Pick<Claim, "id" | "organizationId">>) =>
    sql<DigestRow>`
      select m.delivery_id as id, count(*)::int as people,
        count(*) filter (where m.event = 'visitor.identified')::int as identified,
        count(*) filter (where m.event = 'segment.entered')::int as entered,
        count(*) filter (where m.event = 'segment.left')::int as left,
        (array_agg(m.visitor_id order by m.told_at, m.visitor_id))[1:${digestEntriesMax}::int]
          as "visitorIds"
      from jsonb_to_recordset(${json(deliveries.map(({ id, organizationId }) => ({ id, organizationId })))})
        as k ("organizationId" uuid, id uuid)
      join webhook_digest_visitor m
        on m.organization_id = k."organizationId" and m.delivery_id = k.id
      join visitor v on v.organization_id = m.organization_id and v.id = m.visitor_id
        and not v.suppressed and not v.held_back
      group by m.organization_id, m.delivery_id`

  const companyDigests = (deliveries: ReadonlyArray<Pick<Claim, "id" | "organizationId">>) =>
    sql<CompanyDigestRow>`
      select m.delivery_id as id, count(*)::int as companies,
        count(*) filter (where m.event = 'segment.entered')::int as entered,
        count(*) filter (where m.event = 'segment.left')::int as left,
        (array_agg(m.domain order by m.told_at, m.domain))[1:${digestEntriesMax}::int] as domains
      from jsonb_to_recordset(${json(deliveries.map(({ id, organizationId }) => ({ id, organizationId })))})
        as k ("organizationId" uuid, id uuid)
      join webhook_digest_company m
        on m.organization_id = k."organizationId" and m.delivery_id = k.id
      join company c on c.organization_id = m.organization_id and c.domain = m.domain
        and not ${suppressed}
      group by m.organization_id, m.delivery_id`

  const pageDigests = (deliveries: ReadonlyArray<Pick<Claim, "id" | "organizationId">>) =>
    sql<PageDigestRow>`
      select m.delivery_id as id, count(*)::int as views,
        to_jsonb((array_agg(
          jsonb_build_object('visitorId', v.id, 'companyDomain', c.domain, 'page', m.page)
          order by m.told_at, m.session_id
        ))[1:${digestEntriesMax}::int]) as first
      from jsonb_to_recordset(${json(deliveries.map(({ id, organizationId }) => ({ id, organizationId })))})
        as k ("organizationId" uuid, id uuid)
      join webhook_digest_page m
        on m.organization_id = k."organizationId" and m.delivery_id = k.id
      left join visitor v on v.organization_id = m.organization_id and v.id = m.visitor_id
        and not v.suppressed and not v.held_back
      left join company c on m.company_domain is not null
        and c.organization_id = m.organization_id and c.domain = m.company_domain
        and not ${suppressed}
      where coalesce(v.id::text, c.domain) is not null
      group by m.organization_id, m.delivery_id`

  const keepPayloads = (
    payloads: ReadonlyArray<Claim & { readonly payload: string; readonly format: Format }>,
  ): Result<void> =>
    payloads.length === 0
      ? Effect.void
      : sql`
          update webhook_delivery d set payload = k.payload, payload_format = k.format,
            payload_at = now()
          from jsonb_to_recordset(${json(payloads)})
            as k ("organizationId" uuid, id uuid, claim bigint, payload text, format text)
          where d.organization_id = k."organizationId" and d.id = k.id and d.claim = k.claim
            and d.leased_until is not null`.pipe(Effect.asVoid)

  return SendingStore.of({
    jobs,
    claim,
    digests,
    companyDigests,
    pageDigests,
    keepPayloads,
    transaction: (effect) => Effect.provideService(transaction(effect), SqlClient.SqlClient, sql),
    giveUp: (claim) =>
      sql`
        update webhook_delivery set status = 'failed', failures = failures + 1,
          is_redelivery = false, leased_until = null, next_attempt_at = null,
          completed_at = now(), error_message = 'The server stopped during every attempt.',
          updated_at = now()
        where ${jobs.held(claim)}`.pipe(Effect.asVoid),
  })
})

export class SendingStore extends Context.Service<
  SendingStore,
  {
    readonly jobs: JobStore
    /**
     * Claims what is due: deliveries of active webhooks that are not paused by their receiver, and redeliveries of any
     * webhook. `inHand`: what this worker already holds. A webhook gets only the deliveries it has room for, more if it
     * responds quickly; a party gets no more than half of what is free.
     *
     * *Guarantee*: each row goes to exactly one worker.
     */
    claim(room: Room, inHand: ReadonlyArray<InHand>): Result<ReadonlyArray<ClaimedDelivery>>
    /** The current content of digests. A digest with no one left is omitted. */
    digests(
      deliveries: ReadonlyArray<Pick<Claim, "id" | "organizationId">>,
    ): Result<ReadonlyArray<DigestRow>>
    /** Like `digests`, for companies. */
    companyDigests(
      deliveries: ReadonlyArray<Pick<Claim, "id" | "organizationId">>,
    ): Result<ReadonlyArray<CompanyDigestRow>>
    /** Like `digests`, for page views. */
    pageDigests(
      deliveries: ReadonlyArray<Pick<Claim, "id" | "organizationId">>,
    ): Result<ReadonlyArray<PageDigestRow>>
    /** Stores the bodies before their first attempt. */
    keepPayloads(
      payloads: ReadonlyArray<Claim & { readonly payload: string; readonly format: Format }>,
    ): Result<void>
    /** Gives up on a delivery that no worker could finish. */
    giveUp(claim: Claim): Result<void>
    /** Runs the effect in one transaction. */
    transaction<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R>
  }
>()("@footfall/server/webhooks/SendingStore") {
  static readonly layer = Layer.effect(SendingStore, make)
}
