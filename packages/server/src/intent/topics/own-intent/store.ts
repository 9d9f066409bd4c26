// SQL for own intent: which days are due or requested again, who processes them, and the page views that topic rules
// count. The database's clock decides. A task is claimed by locking its row in the transaction that does the work:
// other processes skip it meanwhile, and a kill leaves it unchanged.
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { DatabaseError } from "../../../platform/database/database-error.ts"
import { transaction } from "../../../platform/database/transaction.ts"
import { type PixelTopicRules, windowDays } from "./topic-rule.ts"

export interface OwnIntentTask {
  readonly organizationId: string
  /** `YYYY-MM-DD`, UTC. */
  readonly date: string
}

/** How often someone saw pages of a topic, according to the rule that counts the most. */
export interface TopicViews {
  readonly topicId: number
  readonly emailHash: string
  readonly views: number
}

/** Minutes after midnight (UTC) before a day counts as ended. */ // spec 2.18
export const DueMinutes = Context.Reference<number>("@footfall/server/topics/DueMinutes", {
  defaultValue: () => 15,
})

/** Addresses held in memory at the same time, each at most 2,048 characters. */
const addressesAtOnce = 2_000

/** A page's origin and path. */
export interface PageAddress {
  readonly pixelId: string
  readonly url: string
}

/** The rules that match an address, by index among its pixel's rules, and their topics. */
export interface AddressMatch extends PageAddress {
  /** Its number within the task. */
  readonly id: number
  readonly rules: ReadonlyArray<number>
  readonly topicIds: ReadonlyArray<number>
}

/** Days that are processed late after a downtime. */
export const madeUpDaysMax = 7

/** Days recomputed after topic rules changed, including today. */ // spec 19.3
export const recountedDays = 30

/** How often today is recomputed until it ends. */ // spec 19.3
const presentWait = "15 minutes"

/** How long a request waits for a process that is computing one of its days. */
const requestLockWait = "2s"

/** How long a failed task waits. */
const retryWait = "10 minutes"

/** For statements that scan all page views of a window, and for the work between them. */
const statementTimeout = "5min"
/** How long to wait for other writers of the organization's signals. */
const lockWait = "1min"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const dueMinutes = yield* DueMinutes

  const windowStart = ({ date }: Pick<OwnIntentTask, "date">) =>
    sql`(${date}::date - ${windowDays - 1}::int)::timestamp at time zone 'utc'`

  /** For the rest of the transaction. */
  const nestedLoops = (value: "on" | "off") =>
    sql`select set_config('enable_nestloop', ${value}, true)`

  const seen = sql`
    event e
    join session s on s.organization_id = e.organization_id and s.id = e.session_id
    join visitor v on v.organization_id = s.organization_id and v.id = s.visitor_id`

  /**
   * Page views in the window by identified people who are neither suppressed nor held back. They may arrive much later,
   * from a source or an import.
   */
  const counts = ({ date, organizationId }: OwnIntentTask) => sql`
    s.organization_id = ${organizationId}
    and s.ended_at >= ${windowStart({ date })}
    and v.organization_id = ${organizationId}
    and not v.suppressed
    and not v.held_back
    and e.organization_id = ${organizationId}
    and e.type = 'page'
    and e.session_id is not null
    and e.received_on >= ${date}::date - ${windowDays - 1}::int
    and e.occurred_at >= ${windowStart({ date })}
    and e.occurred_at < (${date}::date + 1)::timestamp at time zone 'utc'`

  return {
    /** Runs the effect in one transaction. */
    transaction: <A, E, R>(
      effect: Effect.Effect<A, E, R>,
    ): Effect.Effect<A, E | DatabaseError, R> =>
      Effect.provideService(transaction(effect), SqlClient.SqlClient, sql),

    /**
     * Records the days that have ended since the last one, at most 7, each with a task for every organization whose
     * pixels have topic rules now. Older tasks are dropped.
     */
    noteDays: sql`
      with ended as (
        select (now() at time zone 'utc' - make_interval(mins => ${dueMinutes}))::date - 1 as last
      ), dropped as (
        delete from own_intent_task
        where noted_at < now() - make_interval(days => ${madeUpDaysMax})
      ), noted as (
        insert into own_intent_day (date)
        select last - back
        from ended, generate_series(0, ${madeUpDaysMax - 1}::int) as back
        where last - back > coalesce((select max(date) from own_intent_day), last - 1)
        on conflict (date) do nothing
        returning date
      )
      insert into own_intent_task (organization_id, date, attempt_at)
      select distinct p.organization_id, noted.date, (noted.date + 1)::timestamp at time zone 'utc'
      from noted
      cross join pixel p
      where p.deleted_at is null and p.settings ? 'topicRules'
      on conflict (organization_id, date) do nothing`.pipe(Effect.asVoid),

    /**
     * Requests a recomputation of the last 30 days, including today, with the rules in force then. Runs in the
     * caller's transaction and waits for no other.
     */
    request: (organizationId: string): Result<void> =>
      sql`insert into own_intent_request (organization_id) values (${organizationId})`.pipe(
        Effect.asVoid,
      ),

    // Newest day first, one second before the next, so that several organizations take turns; all of them after days
    // that have just ended.

    /** Turns requests into tasks. Fails if one of the days is being computed for more than 2 seconds. */
    noteRequests: transaction(
      Effect.andThen(
        sql`select set_config('lock_timeout', ${requestLockWait}, true)`,
        sql`
          with requested as (
            delete from own_intent_request returning organization_id
          )
          insert into own_intent_task (organization_id, date, attempt_at)
          select a.organization_id, (now() at time zone 'utc')::date - back,
            now() - make_interval(secs => ${recountedDays}::int - back)
          from (select distinct organization_id from requested) as a
          join organization o on o.id = a.organization_id
          cross join generate_series(0, ${recountedDays - 1}::int) as back
          -- A day whose page views are partly deleted keeps its signals.
          where back + ${windowDays}::int <= coalesce(o.retention_days, ${recountedDays + windowDays}::int)
          and exists (
            select from pixel p
            where p.organization_id = a.organization_id
              and p.deleted_at is null
              and p.settings ? 'topicRules'
          )
          on conflict (organization_id, date) do update set
            attempt_at = excluded.attempt_at,
            noted_at = now()`,
      ),
    ).pipe(Effect.asVoid, Effect.provideService(SqlClient.SqlClient, sql)),

    // For plan_cache_mode see organization-turns.ts.

    /** The next free task, locked until the transaction ends. */
    takeTask: sql<OwnIntentTask>`
      with settings as (
        select
          set_config('statement_timeout', ${statementTimeout}, true),
          set_config('idle_in_transaction_session_timeout', ${statementTimeout}, true),
          set_config('lock_timeout', ${lockWait}, true),
          set_config('plan_cache_mode', 'force_custom_plan', true)
      )
      select t.organization_id as "organizationId", to_char(t.date, 'YYYY-MM-DD') as date
      from own_intent_task t, settings
      where t.attempt_at <= now()
      order by t.attempt_at, t.date, t.organization_id
      limit 1
      for update of t skip locked`.pipe(Effect.map(([task]) => Option.fromUndefinedOr(task))),

    /** A day that has not ended is recomputed 15 minutes later. */
    finish: ({ date, organizationId }: OwnIntentTask): Result<void> =>
      sql`
        with present as (
          update own_intent_task set attempt_at = now() + ${presentWait}::interval
          where organization_id = ${organizationId}
            and date = ${date}::date
            and date >= (now() at time zone 'utc')::date
          returning date
        )
        delete from own_intent_task
        where organization_id = ${organizationId}
          and date = ${date}::date
          and not exists (select from present)`.pipe(Effect.asVoid),

    /** Retries the task in 10 minutes. */
    postpone: ({ date, organizationId }: OwnIntentTask): Result<void> =>
      sql`
        update own_intent_task set attempt_at = now() + ${retryWait}::interval
        where organization_id = ${organizationId} and date = ${date}::date`.pipe(Effect.asVoid),

    /** Pixels that have topic rules. */
    ruledPixels: (organizationId: string): Result<ReadonlyArray<PixelTopicRules>> =>
      sql<PixelTopicRules>`
      select id as "pixelId", settings -> 'topicRules' as "topicRules"
      from pixel
      where organization_id = ${organizationId}
        and deleted_at is null
        and settings ? 'topicRules'
      order by id`,

    /**
     * Starts reading the relevant addresses of these pixels: those seen in the window by identified people who are
     * neither suppressed nor held back. Strangers can send any number of addresses, so they are read in batches.
     */
    walkAddresses: (task: OwnIntentTask, pixelIds: ReadonlyArray<string>): Result<void> =>
      Effect.gen(function* () {
        yield* sql`
          create temporary table own_intent_match (
            id int, pixel_id uuid, url text, rules int[], topic_ids int[]
          ) on commit drop`
        yield* nestedLoops("off")
        yield* sql`
          declare own_intent_address no scroll cursor for
          select distinct e.pixel_id as "pixelId", e.url
          from ${seen}
          where ${counts(task)}
            and e.url is not null
            and e.pixel_id in (
              select value::uuid from jsonb_array_elements_text(${JSON.stringify(pixelIds)}::text::jsonb)
            )`.unprepared
        yield* nestedLoops("on")
      }),

    /** The next batch; empty at the end. */
    nextAddresses: sql<PageAddress>`
      fetch forward ${sql.literal(String(addressesAtOnce))} from own_intent_address`.unprepared,

    /** Stores which addresses match which rules, for `views`. */
    keepMatches: (matches: ReadonlyArray<AddressMatch>): Result<void> =>
      sql`
        insert into own_intent_match (id, pixel_id, url, rules, topic_ids)
        select m.id, m."pixelId", m.url,
          array(select jsonb_array_elements_text(m.rules)::int),
          array(select jsonb_array_elements_text(m."topicIds")::int)
        from jsonb_to_recordset(${JSON.stringify(matches)}::text::jsonb)
          as m (id int, "pixelId" uuid, url text, rules jsonb, "topicIds" jsonb)`.pipe(
        Effect.asVoid,
      ),

    // Without nested loops: for a partition without statistics, such a plan scanned all page views for each matching
    // address and took minutes for 60,000 views of 5,000 addresses.

    /** Page views of the stored addresses. */
    views: (task: OwnIntentTask): Result<ReadonlyArray<TopicViews>> =>
      Effect.andThen(
        nestedLoops("off"),
        sql<TopicViews>`
          with viewed as (
            select m.id, v.email_hash, count(*) as views
            from ${seen}
            join own_intent_match m on m.pixel_id = e.pixel_id and m.url = e.url
            where ${counts(task)}
            group by m.id, v.email_hash
          ), ruled as (
            select m.pixel_id, one.rule, one.topic_id, viewed.email_hash, sum(views) as views
            from viewed
            join own_intent_match m on m.id = viewed.id
            cross join unnest(m.rules, m.topic_ids) as one (rule, topic_id)
            group by m.pixel_id, one.rule, one.topic_id, viewed.email_hash
          )
          select topic_id as "topicId", email_hash as "emailHash", max(views)::int as views
          from ruled
          group by topic_id, email_hash
          order by topic_id, email_hash`.pipe(Effect.tap(nestedLoops("on"))),
      ),
  }
})

type Result<A> = Effect.Effect<A, DatabaseError>

export class OwnIntentStore extends Context.Service<OwnIntentStore, Effect.Success<typeof make>>()(
  "@footfall/server/topics/OwnIntentStore",
) {
  static readonly layer = Layer.effect(OwnIntentStore, make)
}
