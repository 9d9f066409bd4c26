// SQL that decides what is sent to which webhooks and queues it (spec 8.5). The statements run in the transaction that
// changes people and holds the organizations' turns: nothing else writes what a webhook has been sent, so it can be
// read first and written later. Each statement handles a whole batch across all organizations.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { organizationTurns } from "../../../platform/database/organization-turns.ts"
import { transaction } from "../../../platform/database/transaction.ts"
import type { RuleSubject } from "../../../people/visitors/query/predicate.ts"
import type { RuleAst } from "../../../people/visitors/query/rule.ts"
import type { JoinedVisitors, Occasion } from "../../../people/visitors/occasions.ts"
import type { DueEvent, Listener } from "./due-event.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

/** At most one event per person in this time. Units: seconds. */ // spec 8.5
export const coalescingSeconds = 60
/** A segment that failed is not evaluated in a batch for this long. Units: seconds. */
const failedSeconds = 60

/** Includes the rule of its segment. */
export interface ListenerRow extends Listener {
  readonly rule: RuleAst | null
  readonly segmentSubject: RuleSubject | null
  /** Whether it failed within the last minute. */
  readonly failedRecently: boolean
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const turns = organizationTurns(sql)
  const json = (value: unknown) => sql`${JSON.stringify(value)}::text::jsonb`

  const listeners = (organizationIds: ReadonlyArray<string>) =>
    sql<ListenerRow>`
      select
        w.organization_id as "organizationId", w.id as "webhookId", w.trigger,
        w.pixel_id as "pixelId", w.path, s.rule_ast as rule,
        s.subject as "segmentSubject",
        case when s.id is not null then jsonb_build_object('id', s.id, 'name', s.name) end
          as segment,
        coalesce(w.segment_failed_at > now() - make_interval(secs => ${failedSeconds}), false)
          as "failedRecently"
      from webhook w
      left join segment s on s.organization_id = w.organization_id and s.id = w.segment_id
      where w.organization_id = any (
          array(select jsonb_array_elements_text(${json(organizationIds)})::uuid)
        )
        and w.status = 'active' and w.deleted_at is null
      order by w.organization_id, w.created_at, w.id`

  const dueEvents = (occasions: ReadonlyArray<Occasion>) =>
    sql<DueEvent>`
      with seen as materialized (
        select
          k."organizationId" as organization_id, k."visitorId" as visitor_id, k.kind, k.place,
          coalesce(k."pixelId", (
            select s.pixel_id from session s
            where s.organization_id = k."organizationId" and s.visitor_id = k."visitorId"
            order by s.started_at desc, s.pixel_id desc, s.id desc
            limit 1
          )) as pixel_id
        from rows from (
          jsonb_to_recordset(${json(occasions)})
            as ("organizationId" uuid, "visitorId" uuid, "pixelId" uuid, kind text)
        ) with ordinality as k ("organizationId", "visitorId", "pixelId", kind, place)
      ), wanted as (
        -- If a person has several occasions, the pixel is that of the last one.
        select distinct on (w.organization_id, w.id, seen.visitor_id)
          w.organization_id, w.id as webhook_id, w.trigger, seen.visitor_id, seen.pixel_id,
          bool_or(seen.kind = 'session_end') over occasions as is_end,
          bool_and(seen.kind = 'import') over occasions as is_import
        from seen
        join visitor v on v.organization_id = seen.organization_id and v.id = seen.visitor_id
          and not v.suppressed and not v.held_back
        join webhook w on w.organization_id = seen.organization_id
          and w.status = 'active' and w.deleted_at is null and w.trigger in ('first_match', 'every_update')
          and (w.pixel_id is null or w.pixel_id = seen.pixel_id)
        where seen.pixel_id is not null
          and case when w.trigger = 'first_match'
            -- Without a segment, anyone already known matched before the import.
            then seen.kind <> 'import' or w.segment_id is not null
            else seen.kind <> 'activity' end
        window occasions as (partition by w.organization_id, w.id, seen.visitor_id)
        order by w.organization_id, w.id, seen.visitor_id, seen.place desc
      ), decided as (
        select wanted.*, m.identified_at,
          case
            when wanted.trigger = 'first_match'
              then case when m.identified_at is null then now() end
            when m.told_at is null then now()
            when m.told_at > now() then null
            when wanted.is_end
              or m.told_at <= now() - make_interval(secs => ${coalescingSeconds}) then now()
            else m.told_at + make_interval(secs => ${coalescingSeconds})
          end as due_at
        from wanted
        left join webhook_visitor m on m.organization_id = wanted.organization_id
          and m.webhook_id = wanted.webhook_id and m.visitor_id = wanted.visitor_id
      )
      select
        organization_id as "organizationId", webhook_id as "webhookId",
        visitor_id as "visitorId", pixel_id as "pixelId", due_at::text as "dueAt",
        case when trigger = 'every_update' and (identified_at is not null or is_import)
          then 'visitor.updated' else 'visitor.identified' end as event,
        case when is_end then 'session_end' when is_import then 'import' else 'profile' end as kind
      from decided
      where due_at is not null
      order by organization_id, webhook_id, visitor_id`

  const queueEvents = Effect.fnUntraced(function* (
    events: ReadonlyArray<DueEvent & Pick<Listener, "segment" | "trigger">>,
  ) {
    if (events.length === 0) return
    yield* sql`
      with events as materialized (
        select * from jsonb_to_recordset(${json(events)}) as k (
          "organizationId" uuid, "webhookId" uuid, "visitorId" uuid, "pixelId" uuid, event text,
          "dueAt" timestamptz, trigger text, segment jsonb
        )
      ), remembered as (
        insert into webhook_visitor (organization_id, webhook_id, visitor_id, identified_at, told_at)
        select "organizationId", "webhookId", "visitorId",
          case when event = 'visitor.identified' then "dueAt" end, "dueAt"
        from events
        on conflict (organization_id, webhook_id, visitor_id) do update set
          identified_at = coalesce(webhook_visitor.identified_at, excluded.identified_at),
          told_at = greatest(webhook_visitor.told_at, excluded.told_at)
      ), superseded as (
        -- Replaces the pending evaluation of an earlier occasion.
        delete from webhook_question q using events t
        where q.organization_id = t."organizationId" and q.webhook_id = t."webhookId"
          and q.visitor_id = t."visitorId"
      ), gathered as materialized (
        select t.*, w.digest,
          ${sql.literal(digestEnd("digest_until"))} as digest_until
        from events t
        join webhook w on w.organization_id = t."organizationId" and w.id = t."webhookId"
          and w.digest <> 'immediate'
      ), digest as (
        -- One delivery for all people of the hour, day or week, due slightly later, so that it includes those of the
        -- last second.
        insert into webhook_delivery (organization_id, id, webhook_id, event, trigger, segment,
          pixel_id, digest, digest_until, next_attempt_at)
        select distinct on (g."organizationId", g."webhookId") g."organizationId",
          gen_random_uuid(), g."webhookId", 'visitor.digest', g.trigger,
          nullif(g.segment, 'null'), g."pixelId", g.digest,
          g.digest_until, g.digest_until + make_interval(secs => ${digestDelaySeconds})
        from gathered g
        order by g."organizationId", g."webhookId"
        on conflict (organization_id, webhook_id, digest_until) where digest_until is not null
          do update set updated_at = now()
        returning organization_id, id, webhook_id
      ), listed as (
        insert into webhook_digest_visitor (organization_id, delivery_id, visitor_id, event)
        select d.organization_id, d.id, g."visitorId", g.event
        from gathered g
        join digest d on d.organization_id = g."organizationId" and d.webhook_id = g."webhookId"
        on conflict (organization_id, delivery_id, visitor_id) do nothing
      )
      insert into webhook_delivery (organization_id, id, webhook_id, event, trigger, segment,
        pixel_id, visitor_id, visitor_hash, next_attempt_at)
      select t."organizationId", gen_random_uuid(), t."webhookId", t.event, t.trigger,
        nullif(t.segment, 'null'), t."pixelId", t."visitorId", v.email_hash, t."dueAt"
      from events t
      join visitor v on v.organization_id = t."organizationId" and v.id = t."visitorId"
      where not exists (
        select from gathered g
        where g."organizationId" = t."organizationId" and g."webhookId" = t."webhookId"
      )`
  })

  const join = Effect.fnUntraced(function* (pairs: ReadonlyArray<JoinedVisitors>) {
    if (pairs.length === 0) return
    const joined = sql`jsonb_to_recordset(${json(pairs)})
      as k ("organizationId" uuid, "survivorId" uuid, "loserId" uuid)`
    // When two identified visitors merge, the later one is not new, and its unsent events are dropped.
    yield* sql`
      update webhook_delivery d set status = 'skipped', completed_at = now(), payload = null,
        payload_at = null, leased_until = null, updated_at = now()
      from ${joined}
      join webhook_visitor m on m.organization_id = k."organizationId"
        and m.visitor_id = k."survivorId" and m.identified_at is not null
      where d.organization_id = k."organizationId" and d.visitor_id = k."loserId"
        and d.webhook_id = m.webhook_id and d.event = 'visitor.identified'
        and d.status = 'queued' and d.attempts = 0 and d.leased_until is null`
    yield* sql`
      update webhook_delivery d set visitor_id = k."survivorId"
      from ${joined}
      where d.organization_id = k."organizationId" and d.visitor_id = k."loserId"`
    yield* sql`
      with given_up as (
        delete from webhook_visitor m
        using ${joined}
        where m.organization_id = k."organizationId" and m.visitor_id = k."loserId"
        returning m.organization_id, m.webhook_id, k."survivorId" as visitor_id,
          m.identified_at, m.told_at, m.viewed_at
      )
      insert into webhook_visitor (organization_id, webhook_id, visitor_id, identified_at, told_at,
        viewed_at)
      select organization_id, webhook_id, visitor_id, min(identified_at), max(told_at),
        max(viewed_at)
      from given_up
      group by organization_id, webhook_id, visitor_id
      on conflict (organization_id, webhook_id, visitor_id) do update set
        identified_at = least(webhook_visitor.identified_at, excluded.identified_at),
        told_at = greatest(webhook_visitor.told_at, excluded.told_at),
        viewed_at = greatest(webhook_visitor.viewed_at, excluded.viewed_at)`
    yield* joinQuestions(pairs)
    yield* sql`
      with given_up as (
        delete from webhook_digest_visitor m
        using ${joined}
        where m.organization_id = k."organizationId" and m.visitor_id = k."loserId"
        returning m.organization_id, m.delivery_id, k."survivorId" as visitor_id, m.event, m.told_at
      )
      insert into webhook_digest_visitor (organization_id, delivery_id, visitor_id, event, told_at)
      select distinct on (organization_id, delivery_id, visitor_id) * from given_up
      on conflict (organization_id, delivery_id, visitor_id) do nothing`
    yield* sql`
      update webhook_digest_page m set visitor_id = k."survivorId"
      from ${joined}
      where m.organization_id = k."organizationId" and m.visitor_id = k."loserId"`
  })

  const joinQuestions = (pairs: ReadonlyArray<JoinedVisitors>) => sql`
    with given_up as (
      delete from webhook_question q
      using jsonb_to_recordset(${json(pairs)})
        as k ("organizationId" uuid, "survivorId" uuid, "loserId" uuid)
      where q.organization_id = k."organizationId" and q.visitor_id = k."loserId"
      returning q.*, k."survivorId" as survivor_id
    )
    insert into webhook_question (organization_id, webhook_id, visitor_id, pixel_id, kind, view,
      attempts, asked_at, ask_at)
    select distinct on (organization_id, webhook_id, survivor_id) organization_id, webhook_id,
      survivor_id, pixel_id, kind, view, attempts, asked_at, ask_at
    from given_up
    order by organization_id, webhook_id, survivor_id, asked_at desc
    on conflict (organization_id, webhook_id, visitor_id, session_id) do nothing`

  const forget = Effect.fnUntraced(function* (
    organizationId: string,
    visitorIds: ReadonlyArray<string>,
  ) {
    if (visitorIds.length === 0) return
    const ids = sql`array(select jsonb_array_elements_text(${json(visitorIds)})::uuid)`
    yield* sql`
      delete from webhook_visitor
      where organization_id = ${organizationId} and visitor_id = any (${ids})`
    yield* sql`
      delete from webhook_question
      where organization_id = ${organizationId} and visitor_id = any (${ids})`
    // A queued digest is built again without them.
    yield* sql`
      with removed as (
        delete from webhook_digest_visitor
        where organization_id = ${organizationId} and visitor_id = any (${ids})
        returning delivery_id
      ), pages as (
        delete from webhook_digest_page
        where organization_id = ${organizationId} and visitor_id = any (${ids})
        returning delivery_id
      )
      update webhook_delivery d set payload = null, payload_at = null, response_snippet = null,
        updated_at = now()
      from (select * from removed union select * from pages) as changed
      where d.organization_id = ${organizationId} and d.id = changed.delivery_id`
    yield* sql`
      update webhook_delivery set
        status = case when status = 'queued' then 'skipped' else status end,
        completed_at = coalesce(completed_at, now()),
        leased_until = null, next_attempt_at = null, payload = null, payload_at = null,
        mails = null, response_snippet = null, page = null, visitor_id = null, visitor_hash = null,
        updated_at = now()
      where organization_id = ${organizationId} and visitor_id = any (${ids})`
  })

  return TriggerStore.of({
    listeners,
    dueEvents,
    queueEvents,
    join,
    forget,
    inTurn: (organizationId, effect) =>
      Effect.andThen(turns.wait(organizationId), effect).pipe(
        transaction,
        Effect.provideService(SqlClient.SqlClient, sql),
      ),
  })
})

export class TriggerStore extends Context.Service<
  TriggerStore,
  {
    /** The active webhooks of the organizations. */
    listeners(organizationIds: ReadonlyArray<string>): Result<ReadonlyArray<ListenerRow>>
    /**
     * What to send to which webhook, before segments: people who are neither suppressed nor held back, for webhooks
     * with this trigger and pixel, unless already sent or queued.
     */
    dueEvents(occasions: ReadonlyArray<Occasion>): Result<ReadonlyArray<DueEvent>>
    /** Queues the events and records them as sent. */
    queueEvents(
      events: ReadonlyArray<DueEvent & Pick<Listener, "segment" | "trigger">>,
    ): Result<void>
    /**
     * Moves what is recorded and queued for the losing visitors to the surviving ones, so that no one is announced
     * twice.
     */
    join(pairs: ReadonlyArray<JoinedVisitors>): Result<void>
    /** Deletes what is stored about people, and removes them from queued and recorded deliveries. */
    forget(organizationId: string, visitorIds: ReadonlyArray<string>): Result<void>
    /** Runs the effect in a transaction that holds the organization's turn. */
    inTurn<A, E, R>(
      organizationId: string,
      effect: Effect.Effect<A, E, R>,
    ): Effect.Effect<A, E | SqlError.SqlError, R>
  }
>()("@footfall/server/webhooks/TriggerStore") {
  static readonly layer = Layer.effect(TriggerStore, make)
}

// When a webhook's digest is due, for statements that collect people or companies for it (spec 14.4).

/** Delay after the hour, day or week of a digest ends. Units: seconds. */
export const digestDelaySeconds = 30

/** The column that says when a digest's hour, day or week ends. */
type DigestColumn = "digest_until" | "company_digest_until" | "page_digest_until"

/**
 * SQL: when the current hour, day or week of webhook row `w` ends; null without a digest. Uses the statement's time,
 * because a transaction may have started before the previous hour's digest was sent. Days and weeks end at the
 * webhook's hour in the organization's time zone. A digest that is open when the zone, the day or the hour changes keeps
 * its time, and no later one is due on the same date. An hour that clocks skip is the moment after the skip, one that
 * comes twice is the second.
 */
export const digestEnd = (column: DigestColumn): string => `case w.digest
  when 'immediate' then null
  when 'hourly' then date_trunc('hour', statement_timestamp()) + interval '1 hour'
  else coalesce(
    (select min(open.${column}) from webhook_delivery as open
      where open.organization_id = w.organization_id and open.webhook_id = w.id
        and open.${column} > statement_timestamp() and open.digest = w.digest
        and open.status = 'queued'),
    (select (next.day
        + case when exists (
            select from webhook_delivery as last
            where last.organization_id = w.organization_id and last.webhook_id = w.id
              and last.${column} <= statement_timestamp()
              and last.${column} > statement_timestamp() - interval '3 days'
              and last.digest = w.digest
              and (last.${column} at time zone next.zone)::date = next.day
          ) then next.period else interval '0' end
        + make_interval(hours => w.digest_hour)) at time zone next.zone
      from (
        select zone, period, today.day
          + case when extract(hour from statement_timestamp() at time zone zone) < w.digest_hour
              or today.day > statement_timestamp() at time zone zone
            then interval '0' else period end as day
        from (
          select coalesce((
            select time_zone from organization where organization.id = w.organization_id
          ), 'UTC')
        ) as own (zone)
        cross join lateral (
          select case w.digest when 'daily' then interval '1 day' else interval '7 days' end,
            date_trunc('day', statement_timestamp() at time zone zone)
              + case w.digest when 'daily' then interval '0' else make_interval(days =>
                (w.digest_day + 7 - extract(isodow from statement_timestamp() at time zone zone)::int) % 7
              ) end
        ) as today (period, day)
      ) as next)
  )
end`
