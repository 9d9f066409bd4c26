// SQL by which a pass decides who owns each session after its rows are written, and when each person was seen on each
// pixel. It reads the sessions themselves, including those of earlier batches, so the result is what all sessions of a
// person add up to (ADR 10).
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { VisitorKey } from "../../suppression/cycle/store.ts"
import type { BrowserTenure } from "../batch-work.ts"
import { timestamp } from "../session-json.ts"

/** A session that moved to another visitor. */
export interface ChangedHands {
  readonly organizationId: string
  readonly sessionId: string
  /** Null if no one owned it. */
  readonly loserId: string | null
}

export interface SessionKey {
  readonly organizationId: string
  readonly sessionId: string
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  /**
   * Assigns the browsers' sessions to whoever had the browser when they began. A session in which someone was
   * identified stays theirs.
   */
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
      from json_to_recordset(${json}::text::json)
        as t (o uuid, a uuid, v uuid, f timestamptz, u timestamptz)
      join session before on before.organization_id = t.o and before.anonymous_id = t.a
      where s.organization_id = before.organization_id
        and s.id = before.id
        and before.started_at >= t.f
        and before.started_at < t.u
        and before.visitor_id is distinct from t.v
        and not (
          (before.converted or before.state ? 'isIdentified')
          and before.visitor_id is not null
        )
      returning
        s.organization_id as "organizationId", s.id as "sessionId",
        before.visitor_id as "loserId"`
  })

  const forgetPixels = (losers: ReadonlyArray<VisitorKey>) =>
    sql`
      delete from visitor_pixel p
      using json_to_recordset(${JSON.stringify(losers)}::text::json)
        as k ("organizationId" uuid, "visitorId" uuid)
      where p.organization_id = k."organizationId" and p.visitor_id = k."visitorId"`

  /** Sums up each person's sessions per pixel, and the totals of all pixels per person. */
  const addUp = (keys: string) =>
    sql`
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
      ), written as (
        insert into visitor_pixel (
          organization_id, visitor_id, pixel_id, email_hash, first_seen_at, last_seen_at,
          custom_attribution, held_back
        )
        select
          s.organization_id, s.visitor_id, s.pixel_id, v.email_hash, s.first_seen_at,
          s.last_seen_at, coalesce(merged.attribution, '{}'), v.held_back
        from span s
        join visitor v on v.organization_id = s.organization_id and v.id = s.visitor_id
        left join visitor_pixel p
          on p.organization_id = s.organization_id
          and p.visitor_id = s.visitor_id
          and p.pixel_id = s.pixel_id
        cross join lateral (
          select jsonb_object_agg(last_said.key, last_said.value) as attribution
          from (
            -- The last value of a key. Within one millisecond, the greater text wins (timed-values.ts).
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
        returning organization_id, visitor_id, first_seen_at, last_seen_at
      ), total as (
        select organization_id, visitor_id, min(first_seen_at) as first_seen_at,
          max(last_seen_at) as last_seen_at
        from (
          select * from written
          union all
          -- Includes rows that were just written in their old form, which changes neither the first nor the last.
          select p.organization_id, p.visitor_id, p.first_seen_at, p.last_seen_at
          from (select distinct organization_id, visitor_id from written) as k
          join visitor_pixel p using (organization_id, visitor_id)
        ) as pixels
        group by organization_id, visitor_id
      )
      update visitor v set
        first_seen_at = total.first_seen_at,
        last_seen_at = total.last_seen_at,
        updated_at = now()
      from total
      where v.organization_id = total.organization_id and v.id = total.visitor_id`

  /**
   * Updates `visitor_pixel` and `visitor` from the sessions of the visitors that own them; a visitor that lost sessions
   * is recomputed from all its remaining ones.
   */
  const seen = Effect.fnUntraced(function* (
    sessions: ReadonlyArray<SessionKey>,
    losers: ReadonlyArray<VisitorKey>,
  ) {
    if (sessions.length === 0 && losers.length === 0) return
    if (losers.length > 0) yield* forgetPixels(losers)
    yield* addUp(JSON.stringify({ sessions, losers }))
  })

  return { handOver, seen }
})

export class OwnershipStore extends Context.Service<OwnershipStore, Effect.Success<typeof make>>()(
  "@footfall/server/identification/OwnershipStore",
) {
  static readonly layer = Layer.effect(OwnershipStore, make)
}
