// SQL for alerts about segments (spec 8.7). A turn holds the organization's lock for its segments, reads and evaluates
// without blocking anyone, and takes the organization's turn only to write. What a merge or an erasure changed in between is
// compared before it is overwritten. Notes are deleted by their numbers, so one that is added meanwhile stays.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { advisoryLocks } from "../../../platform/database/advisory-locks.ts"
import { organizationTurns } from "../../../platform/database/organization-turns.ts"
import { transaction } from "../../../platform/database/transaction.ts"
import { isCompanySuppressed } from "../../../people/suppression/company-rules-store.ts"
import type { RuleSubject } from "../../../people/visitors/query/predicate.ts"
import type { RuleAst } from "../../../people/visitors/query/rule.ts"
import type { Alert, State } from "./judgement.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

/** People, or companies, with a recent session that are looked at first when an alert is new. */
const recentMax = 5_000
const recentSeconds = 30 * 60

/** A watched segment, and how far its sweep came. Times are in epoch milliseconds. */
export interface Watch {
  readonly organizationId: string
  readonly id: string
  readonly pixelId: string | null
  /** Whom the segment contains. */
  readonly subject: RuleSubject
  readonly rule: RuleAst
  readonly isSweeping: boolean
  readonly after: string | null
}

export interface WaitingWatch {
  readonly organizationId: string
  readonly id: string
  readonly hasNotes: boolean
  readonly isDue: boolean
}

/** Someone, or a company, that may have entered or left. */
export interface Note {
  readonly subject: string
  readonly id: string
}

/** An alert with what its messages say. */
export interface SegmentAlert extends Alert {
  readonly segment: { readonly id: string; readonly name: string }
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const turns = organizationTurns(sql)
  const json = (value: unknown) => sql`${JSON.stringify(value)}::text::jsonb`
  const texts = (values: ReadonlyArray<string>) =>
    sql`array(select jsonb_array_elements_text(${json(values)}) collate "C")`
  const ms = (column: string) => sql.literal(`(extract(epoch from ${column}) * 1000)::float8`)
  const isOf = ({ id, organizationId }: Pick<Watch, "id" | "organizationId">) =>
    sql`organization_id = ${organizationId} and watch_id = ${id}`
  const isWatch = ({ id, organizationId }: Pick<Watch, "id" | "organizationId">) =>
    sql`organization_id = ${organizationId} and id = ${id}`

  const alerts = sql.literal(`webhook w
    join segment s on s.organization_id = w.organization_id and s.id = w.segment_id
    left join pixel on pixel.organization_id = w.organization_id and pixel.id = w.pixel_id`)

  /** Whether one can send something. */
  const isActive = sql.literal(`w.trigger in ('entered_segment', 'left_segment')
    and w.status = 'active' and w.deleted_at is null and pixel.deleted_at is null`)

  const isWatched = sql.literal(`w.organization_id = segment_watch.organization_id
    and w.segment_id = segment_watch.segment_id
    and w.pixel_id is not distinct from segment_watch.pixel_id and s.rule_ast = segment_watch.rule`)

  /**
   * Where people and companies are, the column of the subject, and that which orders those who were seen together. A
   * company is silent from the moment at which a rule is in force until its mark is removed, after those of its people.
   */
  const kinds = {
    people: {
      from: sql.literal("visitor"),
      key: sql.literal("id"),
      type: sql.literal("uuid"),
      place: sql.literal("email_hash"),
      isShown: sql.literal("not held_back"),
      isSilent: sql.literal("one.suppressed"),
    },
    companies: {
      from: sql.literal("company"),
      key: sql.literal("domain"),
      type: sql.literal("text"),
      place: sql.literal("domain"),
      isShown: sql.literal("true"),
      isSilent: sql.literal(
        `(one.suppressed or ${isCompanySuppressed({
          organizationId: "one.organization_id",
          domain: "one.domain",
          industry: "one.industry",
        })})`,
      ),
    },
  }

  return {
    /** Begins and ends watches, so that there is one for every segment with an alert, and no other. */
    upkeep: Effect.gen(function* () {
      yield* sql`
        update segment_watch set is_over = true
        where not is_over and not exists (
          select from ${alerts} where ${isActive} and ${isWatched}
        )`
      yield* sql`
        insert into segment_watch (organization_id, segment_id, pixel_id, rule, began_at)
        select w.organization_id, s.id, w.pixel_id, s.rule_ast,
          greatest(min(w.watched_from), s.updated_at)
        from ${alerts}
        where ${isActive}
        group by w.organization_id, s.id, w.pixel_id, s.rule_ast, s.updated_at
        on conflict do nothing`
      // A new alert doesn't wait for the next sweep.
      yield* sql`
        update segment_watch set next_sweep_at = now()
        where not is_over and not is_sweeping and next_sweep_at > now() and exists (
          select from ${alerts} where ${isActive} and ${isWatched}
            and w.watched_from > coalesce(segment_watch.sweep_began_at, '-infinity')
        )`
    }) as Result<void>,

    waiting: sql<WaitingWatch>`
      select organization_id as "organizationId", id,
        exists (
          select from segment_stale
          where organization_id = segment_watch.organization_id and watch_id = segment_watch.id
        ) as "hasNotes",
        is_sweeping or next_sweep_at <= now() as "isDue"
      from segment_watch
      where not is_over
      order by organization_id, id`,

    /** Takes the turn to look at the organization's segments, held until the transaction ends. False: another has it. */
    takeTurn: (organizationId: string): Result<boolean> =>
      Effect.map(
        sql<{ readonly isMine: boolean }>`
          select pg_try_advisory_xact_lock(${advisoryLocks.segments}, hashtext(${organizationId}))
            as "isMine"`,
        ([row]) => row?.isMine === true,
      ),

    /** Undefined: its last alert has gone. */
    watch: (key: Pick<Watch, "id" | "organizationId">): Result<Watch | undefined> =>
      Effect.map(
        sql<Watch>`
          select w.organization_id as "organizationId", w.id, w.pixel_id as "pixelId", s.subject,
            w.rule, w.is_sweeping as "isSweeping", w.sweep_after as after
          from segment_watch w
          join segment s on s.organization_id = w.organization_id and s.id = w.segment_id
          where w.organization_id = ${key.organizationId} and w.id = ${key.id} and not w.is_over`,
        ([row]) => row,
      ),

    /** The alerts of a watch. None while its segment has another rule. */
    alerts: (watch: Watch): Result<ReadonlyArray<SegmentAlert>> =>
      sql<SegmentAlert>`
        select w.id as "webhookId", w.trigger,
          ${ms("greatest(w.watched_from, segment_watch.began_at)")} as from,
          greatest(w.watched_from, segment_watch.began_at)
            <= coalesce(segment_watch.verified_from, '-infinity') as "isSettled",
          jsonb_build_object('id', s.id, 'name', s.name) as segment
        from segment_watch
        join (${alerts}) on ${isActive} and ${isWatched}
        where segment_watch.organization_id = ${watch.organizationId}
          and segment_watch.id = ${watch.id}
        order by w.id`,

    notes: (watch: Watch, limit: number): Result<ReadonlyArray<Note>> =>
      sql<Note>`
        select subject, max(id)::text as id from segment_stale
        where ${isOf(watch)}
        group by subject order by subject limit ${sql.literal(String(limit))}`,

    dropNotes: (watch: Watch, notes: ReadonlyArray<Note>): Result<void> =>
      notes.length === 0
        ? Effect.void
        : Effect.asVoid(sql`
            delete from segment_stale stale
            using jsonb_to_recordset(${json(notes)}) as k (subject text, id bigint)
            where ${isOf(watch)} and stale.subject = k.subject and stale.id <= k.id`),

    /** Begins a sweep. Those who are active now are noted for a new alert, because they may enter at any moment. */
    beginSweep: (watch: Watch): Result<void> => {
      const { from, isShown, key, place } = kinds[watch.subject]
      return Effect.asVoid(sql`
        with begun as (
          update segment_watch set is_sweeping = true, sweep_began_at = clock_timestamp(),
            sweep_after = null
          where ${isWatch(watch)}
          returning *
        )
        insert into segment_stale (organization_id, watch_id, subject)
        select begun.organization_id, begun.id, recent.subject
        from begun
        cross join lateral (
          select one.${key}::text as subject from ${from} as one
          where one.organization_id = begun.organization_id and ${isShown}
            and last_seen_at >= now() - make_interval(secs => ${recentSeconds})
          order by last_seen_at desc, ${place}
          limit ${recentMax}
        ) as recent
        where exists (
          select from webhook w
          where w.organization_id = begun.organization_id and w.segment_id = begun.segment_id
            and w.trigger in ('entered_segment', 'left_segment')
            and greatest(w.watched_from, begun.began_at)
              > coalesce(begun.verified_from, '-infinity')
        )`)
    },

    moveSweep: (watch: Watch, after: string): Result<void> =>
      Effect.asVoid(sql`update segment_watch set sweep_after = ${after} where ${isWatch(watch)}`),

    /** The next one begins so long after this one began. */
    endSweep: (watch: Watch, seconds: number): Result<void> =>
      Effect.asVoid(sql`
        update segment_watch set is_sweeping = false, sweep_after = null,
          verified_from = sweep_began_at,
          next_sweep_at = sweep_began_at + make_interval(secs => ${seconds})
        where ${isWatch(watch)}`),

    /** The next people, or companies, of a sweep, in the order of their ids or domains. */
    next: (watch: Watch, after: string | null, limit: number): Result<ReadonlyArray<string>> => {
      const { from, key, type } = kinds[watch.subject]
      return Effect.map(
        sql<{ readonly subject: string }>`
          select one.${key}::text as subject from ${from} as one
          where organization_id = ${watch.organizationId}
            ${after === null ? sql.literal("") : sql`and one.${key} > ${after}::${type}`}
          order by one.${key} limit ${sql.literal(String(limit))}`.unprepared,
        (rows) => rows.map(({ subject }) => subject),
      )
    },

    /** What is recorded about them. Those who are held back, or no longer there, are left out. */
    states: (watch: Watch, subjects: ReadonlyArray<string>): Result<ReadonlyArray<State>> => {
      const { from, isShown, isSilent, key, type } = kinds[watch.subject]
      return sql<State>`
        select one.${key}::text as subject, ${isSilent} as "isSilent",
          ${ms("one.last_seen_at")} as "seenAt", m.is_in as "isIn",
          ${ms("m.judged_at")} as "judgedAt"
        from ${from} as one
        left join segment_member m on m.organization_id = one.organization_id
          and m.watch_id = ${watch.id} and m.subject = one.${key}::text
        where one.organization_id = ${watch.organizationId} and ${isShown}
          and one.${key} = any (array(select jsonb_array_elements_text(${json(subjects)})::${type}))`
        .unprepared
    },

    now: Effect.map(
      sql<{ readonly at: string; readonly ms: number }>`
        select clock_timestamp()::text as at, ${ms("clock_timestamp()")} as ms`,
      ([row]) => row!,
    ) as Result<{ readonly at: string; readonly ms: number }>,

    waitForTurn: turns.wait,

    /** Writes records; null deletes one. `at`: as of when they were judged. */
    record: (
      watch: Watch,
      records: ReadonlyArray<{ readonly subject: string; readonly record: boolean | null }>,
      at: string,
    ): Result<void> =>
      Effect.gen(function* () {
        const kept = records.filter(({ record }) => record !== null)
        const gone = records.filter(({ record }) => record === null)
        if (gone.length > 0) {
          yield* sql`
            delete from segment_member
            where ${isOf(watch)} and subject = any (${texts(gone.map(({ subject }) => subject))})`
        }
        if (kept.length === 0) return
        yield* sql`
          insert into segment_member (organization_id, watch_id, subject, is_in, judged_at)
          select ${watch.organizationId}::uuid, ${watch.id}::uuid, k.subject, k.record,
            ${at}::timestamptz
          from jsonb_to_recordset(${json(kept)}) as k (subject text, record boolean)
          on conflict (organization_id, watch_id, subject) do update set
            is_in = excluded.is_in, judged_at = excluded.judged_at`
      }),

    /** The watched pixel if there is one, otherwise that of the last session of each. */
    pixels: (
      watch: Watch,
      subjects: ReadonlyArray<string>,
    ): Result<ReadonlyArray<{ readonly subject: string; readonly pixelId: string }>> =>
      sql`
        select k.subject, last.pixel_id as "pixelId"
        from unnest(${texts(subjects)}) as k (subject)
        cross join lateral (
          select coalesce(${watch.pixelId}::uuid, (${
            watch.subject === "companies"
              ? sql`
                  select pixel_id from company_pixel
                  where organization_id = ${watch.organizationId} and domain = k.subject
                  order by last_seen_at desc, pixel_id limit 1`
              : sql`
                  select session.pixel_id from session
                  where session.organization_id = ${watch.organizationId}
                    and session.visitor_id = k.subject::uuid
                  order by session.started_at desc, session.id desc limit 1`
          })) as pixel_id
        ) as last
        where last.pixel_id is not null`,

    /** Says on the webhooks of a watch that its rule could not be evaluated. */
    noteFailure: (watch: Watch, message: string): Result<void> =>
      Effect.asVoid(sql`
        update webhook set segment_failed_at = clock_timestamp(),
          last_error_at = clock_timestamp(), last_error_message = ${message}
        from segment_watch
        where segment_watch.organization_id = ${watch.organizationId}
          and segment_watch.id = ${watch.id}
          and webhook.organization_id = segment_watch.organization_id
          and webhook.segment_id = segment_watch.segment_id
          and webhook.pixel_id is not distinct from segment_watch.pixel_id
          and webhook.trigger in ('entered_segment', 'left_segment')
          and webhook.status = 'active' and webhook.deleted_at is null`),

    /** Deletes what is left of watches that are over. Returns how many rows, up to the limit of each table. */
    clear: (limit: number): Result<number> =>
      Effect.map(
        sql<{ readonly count: number }>`
          with ended as materialized (
            select organization_id, id from segment_watch where is_over
          ), old_member as (
            select m.organization_id, m.watch_id, m.subject from ended
            join segment_member m on m.organization_id = ended.organization_id
              and m.watch_id = ended.id
            limit ${limit}
          ), members as (
            delete from segment_member m using old_member old
            where m.organization_id = old.organization_id and m.watch_id = old.watch_id
              and m.subject = old.subject
            returning 1
          ), old_note as (
            select n.organization_id, n.watch_id, n.subject, n.id from ended
            join segment_stale n on n.organization_id = ended.organization_id
              and n.watch_id = ended.id
            limit ${limit}
          ), notes as (
            delete from segment_stale n using old_note old
            where n.organization_id = old.organization_id and n.watch_id = old.watch_id
              and n.subject = old.subject and n.id = old.id
            returning 1
          ), watches as (
            delete from segment_watch w using ended
            where w.organization_id = ended.organization_id and w.id = ended.id
              and not exists (select from segment_member m
                where m.organization_id = w.organization_id and m.watch_id = w.id)
              and not exists (select from segment_stale n
                where n.organization_id = w.organization_id and n.watch_id = w.id)
          )
          select ((select count(*) from members) + (select count(*) from notes))::int as count`,
        ([row]) => row!.count,
      ),

    transaction: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.provideService(transaction(effect), SqlClient.SqlClient, sql),
  }
})

export class WatchStore extends Context.Service<WatchStore, Effect.Success<typeof make>>()(
  "@footfall/server/webhooks/WatchStore",
) {
  static readonly layer = Layer.effect(WatchStore, make)
}
