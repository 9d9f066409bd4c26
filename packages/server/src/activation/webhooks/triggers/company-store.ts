// SQL that decides which companies are sent to which webhooks and queues them (spec 13.3.5). Like the statements about
// people (store.ts), it runs in a transaction that holds the organization's turn, so what a webhook has been sent does
// not change between reading and writing it.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { KnownVisit } from "../../../people/visitors/occasions.ts"
import { isCompanySuppressed } from "../../../people/suppression/company-rules-store.ts"
import type { CompanyEvent, DueCompany } from "./due-event.ts"
import { digestDelaySeconds, digestEnd } from "./store.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

/** The longest time, in days, after which a company may be sent again. */ // spec 8.6.4
export const companyQuietDays = 7

/**
 * SQL: whether webhook `w` may send someone again whom it last sent at `told`, an expression that is null if it never
 * did. A session is sent once in any case.
 */
export const isAgain = (told: string): string => `(
  ${told} is null or case coalesce(w.again, '7d')
    when 'every_session' then true
    when '1h' then ${told} <= now() - interval '1 hour'
    when '24h' then ${told} <= now() - interval '24 hours'
    when '7d' then ${told} <= now() - interval '7 days'
    else false
  end
)`

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const json = (value: unknown) => sql`${JSON.stringify(value)}::text::jsonb`
  const suppressed = sql.literal(
    isCompanySuppressed({
      organizationId: "c.organization_id",
      domain: "c.domain",
      industry: "c.industry",
    }),
  )

  // The session that ended last decides the company's pixel.
  const due = (
    visits: ReadonlyArray<Pick<KnownVisit, "organizationId" | "sessionId">>,
  ): Result<ReadonlyArray<DueCompany>> =>
    sql<DueCompany>`
      with visit as materialized (
        select s.organization_id, s.id as session_id, s.pixel_id, s.ended_at,
          case when s.visitor_id is null then s.network_domain else v.company_key end as domain
        from jsonb_to_recordset(${json(visits)}) as k ("organizationId" uuid, "sessionId" uuid)
        join session s on s.organization_id = k."organizationId" and s.id = k."sessionId"
        left join visitor v on v.organization_id = s.organization_id and v.id = s.visitor_id
      )
      select distinct on (w.organization_id, w.id, c.domain,
          case when w.again = 'every_session' then visit.session_id end)
        w.organization_id as "organizationId", w.id as "webhookId", c.domain,
        'company.identified' as event, visit.pixel_id as "pixelId", visit.session_id as "sessionId",
        w.again is not distinct from 'every_session' as "isEverySession"
      from visit
      join company c on c.organization_id = visit.organization_id and c.domain = visit.domain
      join webhook w on w.organization_id = visit.organization_id and w.trigger = 'company_seen'
        and w.status = 'active' and w.deleted_at is null
        and (w.pixel_id is null or w.pixel_id = visit.pixel_id)
      left join webhook_company m on m.organization_id = w.organization_id
        and m.webhook_id = w.id and m.domain = c.domain
      where ${sql.literal(isAgain("m.told_at"))}
        and (w.again is distinct from 'every_session' or not exists (
          select from webhook_told_session told
          where told.organization_id = w.organization_id and told.webhook_id = w.id
            and told.session_id = visit.session_id
        ))
        and (w.list_id is null or exists (
          select from list_member
          where list_member.list_id = w.list_id and list_member.key = c.domain
        ))
        and not ${suppressed}
      order by w.organization_id, w.id, c.domain,
        case when w.again = 'every_session' then visit.session_id end, visit.ended_at desc,
        visit.pixel_id`

  const queue = Effect.fnUntraced(function* (companies: ReadonlyArray<CompanyEvent>) {
    if (companies.length === 0) return
    yield* sql`
      with due as materialized (
        select k.*, w.trigger, w.digest,
          ${sql.literal(digestEnd("company_digest_until"))} as digest_until
        from jsonb_to_recordset(${json(companies)}) as k (
          "organizationId" uuid, "webhookId" uuid, "sessionId" uuid, "pixelId" uuid, domain text,
          event text, "isEverySession" boolean, segment jsonb
        )
        join webhook w on w.organization_id = k."organizationId" and w.id = k."webhookId"
      ), remembered as (
        insert into webhook_company (organization_id, webhook_id, domain, told_at)
        select distinct "organizationId", "webhookId", domain, now() from due
        on conflict (organization_id, webhook_id, domain) do update set told_at = excluded.told_at
      ), told as (
        insert into webhook_told_session (organization_id, webhook_id, session_id)
        select "organizationId", "webhookId", "sessionId" from due where "isEverySession"
        on conflict (organization_id, webhook_id, session_id) do nothing
      ), digest as (
        insert into webhook_delivery (organization_id, id, webhook_id, event, trigger, segment,
          pixel_id, digest, company_digest_until, next_attempt_at)
        select distinct on ("organizationId", "webhookId") "organizationId", gen_random_uuid(),
          "webhookId", 'company.digest', trigger, nullif(segment, 'null'), "pixelId", digest,
          digest_until, digest_until + make_interval(secs => ${digestDelaySeconds})
        from due
        where digest <> 'immediate'
        order by "organizationId", "webhookId"
        on conflict (organization_id, webhook_id, company_digest_until)
          where company_digest_until is not null
          do update set updated_at = now()
        returning organization_id, id, webhook_id
      ), listed as (
        insert into webhook_digest_company (organization_id, delivery_id, domain, event)
        select d.organization_id, d.id, due.domain, due.event
        from due
        join digest d on d.organization_id = due."organizationId"
          and d.webhook_id = due."webhookId"
        on conflict (organization_id, delivery_id, domain) do nothing
      )
      insert into webhook_delivery (organization_id, id, webhook_id, event, trigger, segment,
        pixel_id, company_domain, next_attempt_at)
      select "organizationId", gen_random_uuid(), "webhookId", event, trigger,
        nullif(segment, 'null'), "pixelId", domain, now()
      from due
      where digest = 'immediate'`
  })

  const forget = Effect.fnUntraced(function* (
    organizationId: string,
    domains: ReadonlyArray<string>,
  ) {
    if (domains.length === 0) return
    const all = sql`array(select jsonb_array_elements_text(${json(domains)}))`
    const removed = sql`array(
      select domain from unnest(${all}) as one (domain)
      where not exists (
        select from company c where c.organization_id = ${organizationId} and c.domain = one.domain
      )
    )`
    // Queued bodies are built again from the company's remaining data.
    yield* sql`
      update webhook_delivery d set payload = null, payload_at = null, response_snippet = null,
        updated_at = now()
      where d.organization_id = ${organizationId} and (
        d.company_domain = any (${all})
        or d.id = any (array(
          select delivery_id from webhook_digest_company
          where organization_id = ${organizationId} and domain = any (${all})
          union
          select delivery_id from webhook_digest_page
          where organization_id = ${organizationId} and company_domain = any (${all})
        ))
      )`
    yield* sql`
      update webhook_delivery set
        status = case when status = 'queued' then 'skipped' else status end,
        completed_at = coalesce(completed_at, now()),
        leased_until = null, next_attempt_at = null, company_domain = null, page = null,
        updated_at = now()
      where organization_id = ${organizationId} and company_domain = any (${removed})`
    yield* sql`
      delete from webhook_digest_page
      where organization_id = ${organizationId} and company_domain = any (${removed})`
    yield* sql`
      delete from webhook_digest_company
      where organization_id = ${organizationId} and domain = any (${removed})`
    yield* sql`
      delete from webhook_company
      where organization_id = ${organizationId} and domain = any (${removed})`
  })

  return {
    /**
     * The companies of these visits and the webhooks that may send them again, by everything but segments. Runs in the
     * caller's transaction, after companies are up to date.
     */
    due,
    /** Queues the events and records that the companies were sent. */
    queue,
    /**
     * Deletes what was stored about companies of an erased person: bodies and responses of all of them, and everything
     * about companies that no longer exist. Runs in the caller's transaction.
     */
    forget,
  }
})

export class CompanyTriggerStore extends Context.Service<
  CompanyTriggerStore,
  Effect.Success<typeof make>
>()("@footfall/server/webhooks/CompanyTriggerStore") {
  static readonly layer = Layer.effect(CompanyTriggerStore, make)
}
