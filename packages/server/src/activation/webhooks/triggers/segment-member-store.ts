// SQL that keeps who is in the segments of alerts in step with people who are merged or erased (spec 8.7).
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { JoinedVisitors } from "../../../people/visitors/occasions.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const json = (value: unknown) => sql`${JSON.stringify(value)}::text::jsonb`
  const texts = (values: ReadonlyArray<string>) =>
    sql`array(select jsonb_array_elements_text(${json(values)}) collate "C")`

  return {
    /**
     * Two people who are one were in the segment if either was. Of what is not sent yet, that the later one entered is
     * dropped, and that one of them left while the other stayed.
     */
    join: (pairs: ReadonlyArray<JoinedVisitors>): Result<void> =>
      Effect.gen(function* () {
        if (pairs.length === 0) return
        const joined = sql`jsonb_to_recordset(${json(pairs)})
          as k ("organizationId" uuid, "survivorId" uuid, "loserId" uuid)`
        yield* sql`
          with untrue as materialized (
            select w.organization_id, w.id as webhook_id, side.visitor_id, side.event
            from ${joined}
            join segment_watch watch on watch.organization_id = k."organizationId"
              and not watch.is_over
            join webhook w on w.organization_id = watch.organization_id
              and w.segment_id = watch.segment_id
              and w.pixel_id is not distinct from watch.pixel_id
            left join segment_member s on s.organization_id = watch.organization_id
              and s.watch_id = watch.id and s.subject = k."survivorId"::text and s.is_in
            left join segment_member l on l.organization_id = watch.organization_id
              and l.watch_id = watch.id and l.subject = k."loserId"::text and l.is_in
            cross join lateral (values
              ('segment.entered', case
                when l.judged_at >= s.judged_at then k."loserId"
                when l.judged_at < s.judged_at then k."survivorId" end),
              ('segment.left', case when s.subject is null then k."survivorId" end),
              ('segment.left', case when l.subject is null then k."loserId" end)
            ) as side (event, visitor_id)
            where coalesce(s.subject, l.subject) is not null and side.visitor_id is not null
          ), unlisted as (
            delete from webhook_digest_visitor m
            using untrue, webhook_delivery d
            where m.organization_id = untrue.organization_id and m.visitor_id = untrue.visitor_id
              and m.event = untrue.event and d.organization_id = m.organization_id
              and d.id = m.delivery_id and d.webhook_id = untrue.webhook_id
              and d.status = 'queued' and d.attempts = 0 and d.leased_until is null
          )
          update webhook_delivery d set status = 'skipped', completed_at = now(), payload = null,
            payload_at = null, leased_until = null, updated_at = now()
          from untrue
          where d.organization_id = untrue.organization_id and d.webhook_id = untrue.webhook_id
            and d.visitor_id = untrue.visitor_id and d.event = untrue.event
            and d.status = 'queued' and d.attempts = 0 and d.leased_until is null`
        yield* sql`
          with given_up as (
            delete from segment_member m using ${joined}
            where m.organization_id = k."organizationId" and m.subject = k."loserId"::text
            returning m.organization_id, m.watch_id, k."survivorId"::text as subject, m.is_in
          )
          insert into segment_member (organization_id, watch_id, subject, is_in, judged_at)
          select organization_id, watch_id, subject, bool_or(is_in), clock_timestamp()
          from given_up
          group by organization_id, watch_id, subject
          on conflict (organization_id, watch_id, subject) do update set
            is_in = segment_member.is_in or excluded.is_in, judged_at = excluded.judged_at`
      }),

    /** Deletes what is recorded about people, and tells no one. Of a company, a trigger deletes it (0110). */
    forget: (organizationId: string, subjects: ReadonlyArray<string>): Result<void> =>
      subjects.length === 0
        ? Effect.void
        : Effect.andThen(
            sql`
              delete from segment_member
              where organization_id = ${organizationId} and subject = any (${texts(subjects)})`,
            Effect.asVoid(sql`
              delete from segment_stale
              where organization_id = ${organizationId} and subject = any (${texts(subjects)})`),
          ),
  }
})

export class SegmentMemberStore extends Context.Service<
  SegmentMemberStore,
  Effect.Success<typeof make>
>()("@footfall/server/webhooks/SegmentMemberStore") {
  static readonly layer = Layer.effect(SegmentMemberStore, make)
}
