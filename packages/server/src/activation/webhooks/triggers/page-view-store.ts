// SQL for alerts about page views (spec 8.6): which sessions they may send, what was viewed in them, and the queue.
// Like the statements about people (store.ts), it runs in a transaction that holds the organization's turn, so what an
// alert has sent does not change between reading and writing it.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { Moment } from "../../../people/archive/session-events.ts"
import { isCompanySuppressed } from "../../../people/suppression/company-rules-store.ts"
import { isAgain } from "./company-store.ts"
import type { Candidate, DueView, Listener } from "./due-event.ts"
import { digestDelaySeconds, digestEnd } from "./store.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

/** A page view that arrives later than this sets off nothing. Units: seconds. */ // spec 8.6.3
export const lateSeconds = 600
/** Page views and heartbeats that are read of one session: the last ones. */
const momentsMax = 2_000

/** A session and an alert that may send it. */
export interface AlertSession {
  readonly organizationId: string
  readonly webhookId: string
  readonly sessionId: string
}

/** A page view or a heartbeat of a session. */
export interface SessionMoment extends Moment {
  readonly sessionId: string
  readonly title: string | null
  /** When it was received, in epoch milliseconds. */
  readonly receivedAt: number
  readonly isLate: boolean
}

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

  const candidates = (sessions: ReadonlyArray<AlertSession>): Result<ReadonlyArray<Candidate>> =>
    sql<Candidate>`
      with asked as materialized (
        select s.organization_id, k."webhookId" as webhook_id, s.id, s.pixel_id, s.started_at,
          s.ended_at, case when not v.held_back then v.id end as visitor_id,
          case when s.visitor_id is null then s.network_domain else v.company_key end as domain
        from jsonb_to_recordset(${json(sessions)})
          as k ("organizationId" uuid, "webhookId" uuid, "sessionId" uuid)
        join session s on s.organization_id = k."organizationId" and s.id = k."sessionId"
        left join visitor v on v.organization_id = s.organization_id and v.id = s.visitor_id
        where v.suppressed is not true and not exists (
          select from webhook_told_session told
          where told.organization_id = k."organizationId" and told.webhook_id = k."webhookId"
            and told.session_id = k."sessionId"
        )
      )
      select
        a.organization_id as "organizationId", w.id as "webhookId", a.id as "sessionId",
        a.pixel_id as "pixelId", a.visitor_id as "visitorId",
        case when a.visitor_id is null then a.domain end as "companyDomain",
        a.domain as "companyKey",
        w.min_seconds as "minSeconds", w.again <> 'every_session' as "isLimited",
        (extract(epoch from w.watched_from) * 1000)::float8 as "watchedFrom",
        to_char((a.started_at at time zone 'utc')::date - 1, 'YYYY-MM-DD') as "receivedFrom"
      from asked a
      join webhook w on w.organization_id = a.organization_id and w.id = a.webhook_id
        and w.status = 'active' and w.deleted_at is null and w.trigger = 'page_viewed'
      left join company c on a.visitor_id is null
        and c.organization_id = a.organization_id and c.domain = a.domain
      left join webhook_visitor person on person.organization_id = a.organization_id
        and person.webhook_id = w.id and person.visitor_id = a.visitor_id
      left join webhook_company place on place.organization_id = a.organization_id
        and place.webhook_id = w.id and place.domain = c.domain
      left join list on list.organization_id = w.organization_id and list.id = w.list_id
      where (a.visitor_id is not null or (c.domain is not null and not ${suppressed}))
        and case w.identified
          when 'identified' then a.visitor_id is not null
          when 'anonymous' then a.visitor_id is null
          else true end
        and case when a.visitor_id is null then ${sql.literal(isAgain("place.viewed_at"))}
          else ${sql.literal(isAgain("person.viewed_at"))} end
        and case
          when list.id is null then w.list_id is null
          when list.subject = 'companies' then exists (
            select from list_member m where m.list_id = list.id and m.key = a.domain
          )
          else exists (
            select from visitor_address address
            join list_member m on m.list_id = list.id and m.key = address.email_hash
            where address.organization_id = a.organization_id
              and address.visitor_id = a.visitor_id
          ) end
      order by a.organization_id, w.id, a.ended_at, a.id`

  /** Reads no more than `momentsMax` of a session, because a stranger may have sent any number. */
  const moments = (
    sessions: ReadonlyArray<Pick<Candidate, "organizationId" | "receivedFrom" | "sessionId">>,
  ): Result<ReadonlyArray<SessionMoment>> => {
    const keys = sessions.map(({ organizationId, sessionId }) => ({ organizationId, sessionId }))
    const receivedFrom = sessions.map((session) => session.receivedFrom).toSorted()[0] ?? ""
    return sql<SessionMoment>`
      select k."sessionId", e.id::text, e.url, e.title, e.seconds, e."isLate",
        (extract(epoch from e.occurred_at) * 1000)::float8 as at,
        (extract(epoch from e.received_at) * 1000)::float8 as "receivedAt"
      from jsonb_to_recordset(${json(keys)}) as k ("organizationId" uuid, "sessionId" uuid)
      cross join lateral (
        select id, occurred_at, received_at, coalesce(url, '') as url, payload ->> 't' as title,
          case when type = 'heartbeat' then coalesce((payload ->> 's')::float8, 0) end as seconds,
          received_at - occurred_at > make_interval(secs => ${lateSeconds}) as "isLate"
        from event
        where organization_id = k."organizationId" and session_id = k."sessionId"
          and received_on >= ${sql.literal(`'${receivedFrom}'`)} and type in ('page', 'heartbeat')
        order by occurred_at desc, id desc
        limit ${sql.literal(String(momentsMax))}
      ) as e
      order by k."sessionId", e.occurred_at, e.id`
  }

  const queue = Effect.fnUntraced(function* (
    views: ReadonlyArray<DueView & Pick<Listener, "segment">>,
  ) {
    if (views.length === 0) return
    yield* sql`
      with views as materialized (
        select k.*, w.trigger, w.digest, ${sql.literal(digestEnd("page_digest_until"))} as digest_until,
          case when list.id is not null then jsonb_build_object('id', list.id, 'name', list.name) end
            as list
        from jsonb_to_recordset(${json(views)}) as k (
          "organizationId" uuid, "webhookId" uuid, "sessionId" uuid, "pixelId" uuid,
          "visitorId" uuid, "companyDomain" text, segment jsonb, page jsonb
        )
        join webhook w on w.organization_id = k."organizationId" and w.id = k."webhookId"
        left join list on list.organization_id = w.organization_id and list.id = w.list_id
      ), told as (
        insert into webhook_told_session (organization_id, webhook_id, session_id)
        select "organizationId", "webhookId", "sessionId" from views
      ), people as (
        insert into webhook_visitor (organization_id, webhook_id, visitor_id, told_at, viewed_at)
        select distinct "organizationId", "webhookId", "visitorId", '-infinity'::timestamptz, now()
        from views where "visitorId" is not null
        on conflict (organization_id, webhook_id, visitor_id) do update set
          viewed_at = excluded.viewed_at
      ), companies as (
        insert into webhook_company (organization_id, webhook_id, domain, told_at, viewed_at)
        select distinct "organizationId", "webhookId", "companyDomain", '-infinity'::timestamptz,
          now()
        from views where "visitorId" is null
        on conflict (organization_id, webhook_id, domain) do update set
          viewed_at = excluded.viewed_at
      ), digest as (
        insert into webhook_delivery (organization_id, id, webhook_id, event, trigger, pixel_id,
          digest, page_digest_until, next_attempt_at)
        select distinct on ("organizationId", "webhookId") "organizationId", gen_random_uuid(),
          "webhookId", 'page.digest', trigger, "pixelId", digest, digest_until,
          digest_until + make_interval(secs => ${digestDelaySeconds})
        from views
        where digest <> 'immediate'
        order by "organizationId", "webhookId"
        on conflict (organization_id, webhook_id, page_digest_until)
          where page_digest_until is not null
          do update set updated_at = now()
        returning organization_id, id, webhook_id
      ), listed as (
        insert into webhook_digest_page (organization_id, delivery_id, session_id, visitor_id,
          company_domain, page)
        select d.organization_id, d.id, v."sessionId", v."visitorId", v."companyDomain", v.page
        from views v
        join digest d on d.organization_id = v."organizationId" and d.webhook_id = v."webhookId"
        on conflict (organization_id, delivery_id, session_id) do nothing
      )
      insert into webhook_delivery (organization_id, id, webhook_id, event, trigger, segment,
        list, page, pixel_id, visitor_id, visitor_hash, company_domain, next_attempt_at)
      select v."organizationId", gen_random_uuid(), v."webhookId", 'page.viewed', v.trigger,
        nullif(v.segment, 'null'), v.list, v.page, v."pixelId", v."visitorId", p.email_hash,
        v."companyDomain", now()
      from views v
      left join visitor p on p.organization_id = v."organizationId" and p.id = v."visitorId"
      where v.digest = 'immediate'`
  })

  /** Returns how many it deleted of those that were sent so many days ago. */
  const forgetSessions = (days: number, limit: number): Result<number> =>
    sql`
      delete from webhook_told_session told
      using (
        select organization_id, webhook_id, session_id from webhook_told_session
        where told_at < now() - make_interval(days => ${days})
        limit ${limit}
      ) as old
      where told.organization_id = old.organization_id and told.webhook_id = old.webhook_id
        and told.session_id = old.session_id
      returning 1`.pipe(Effect.map((rows) => rows.length))

  return {
    /**
     * The sessions that an alert may send, by everything but what was viewed and segments: someone known or a
     * company that is not suppressed, in the alert's list, and not sent before.
     */
    candidates,
    /** The page views and heartbeats of sessions, each session's in the order of time. */
    moments,
    /** Queues the page views and records that they were sent. */
    queue,
    forgetSessions,
  }
})

export class PageViewStore extends Context.Service<PageViewStore, Effect.Success<typeof make>>()(
  "@footfall/server/webhooks/PageViewStore",
) {
  static readonly layer = Layer.effect(PageViewStore, make)
}
