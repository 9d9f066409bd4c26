// The collect path's single statement: counts batches against their rate limit and stores the events of accepted ones
// in one commit. Events travel as one JSON text, read as `json`, which costs less than arrays or `jsonb`. They are
// numbered in order of arrival and inserted in the order of their ids, so two commits never deadlock.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import type { CollectedEvent } from "./collected-event.ts"

/** Batches per minute, address and pixel. */ // spec 10.2
export const batchesPerMinuteMax = 600

/** The events of one request. */
export interface CollectedBatch {
  /** The rate counter; undefined means unlimited. */
  readonly bucket: string | undefined
  /** What the counter counts it as. Default: 1. */
  readonly weight?: number
  readonly events: ReadonlyArray<CollectedEvent>
}

export class VisitsStore extends Context.Service<
  VisitsStore,
  {
    /**
     * Stores the batches except those above their rate. An event id that is already waiting is not stored again.
     * Guarantee: atomic.
     *
     * @returns for each batch, in order, whether it was within its rate
     */
    insert(
      batches: ReadonlyArray<CollectedBatch>,
    ): Effect.Effect<ReadonlyArray<boolean>, SqlError.SqlError>
  }
>()("@footfall/server/visits/VisitsStore") {
  static readonly layer = Layer.effect(
    VisitsStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      /** Of events with the same id, stores the first, which has the smaller number. */
      const storing = (batches: ReadonlyArray<CollectedBatch>, joined: Fragment) => sql`
        insert into event_inbox (
          sequence, organization_id, pixel_id, id, received_at, anonymous_id, type, occurred_at, url, payload
        ) overriding system value
        select sequence, o, x, id, to_timestamp(r / 1000), a, t, to_timestamp(c / 1000), u, p
        from (
          select nextval('event_inbox_sequence_seq') as sequence, arrived.*
          from (
            select e.*
            from rows from (
              json_to_recordset(${eventsJson(batches)}::text::json) as (
                b int, o uuid, x uuid, id uuid, r float8, a uuid, t text, c float8, u text, p jsonb
              )
            ) with ordinality as e (b, o, x, id, r, a, t, c, u, p, place)
            ${joined}
            order by e.place
          ) as arrived
        ) as numbered
        order by o, x, id, sequence
        on conflict (organization_id, pixel_id, id) do nothing`

      const insertCounted = (batches: ReadonlyArray<CollectedBatch>) => sql<{ batch: number }>`
        with submitted as (
          select bucket, batch, weight,
            sum(weight) over (partition by bucket order by batch) as place
          from json_to_recordset(${bucketsJson(batches)}::text::json)
            as s (batch int, bucket text, weight int)
        ), buckets as (
          select bucket, sum(weight)::int as batches
          from submitted
          where bucket is not null
          group by bucket
        ), counted as (
          -- Every statement locks its counters in the same order, so two of them cannot deadlock here. Refused
          -- batches are counted too: they do not move the window, so that changes no result.
          insert into rate_limit as present (bucket, window_ends_at, used)
          select bucket, now() + interval '1 minute', batches
          from buckets
          order by bucket
          on conflict (bucket) do update set
            used = case
              when present.window_ends_at <= now() then excluded.used
              else present.used + excluded.used
            end,
            window_ends_at = case
              when present.window_ends_at <= now() then excluded.window_ends_at
              else present.window_ends_at
            end
          returning bucket, used
        ), admitted as materialized (
          select s.batch
          from submitted s
          left join buckets a on a.bucket = s.bucket
          left join counted c on c.bucket = s.bucket
          where s.bucket is null or c.used - a.batches + s.place <= ${batchesPerMinuteMax}
        ), stored as (
          ${storing(batches, sql`join admitted on admitted.batch = e.b`)}
        )
        select batch from admitted`

      const insert = Effect.fnUntraced(function* (batches: ReadonlyArray<CollectedBatch>) {
        if (batches.every(({ bucket }) => bucket === undefined)) {
          yield* storing(batches, sql.literal(""))
          return batches.map(() => true)
        }
        const admitted = new Set((yield* insertCounted(batches)).map(({ batch }) => batch))
        return batches.map((_, batch) => admitted.has(batch))
      })

      return VisitsStore.of({ insert })
    }),
  )
}

const bucketsJson = (batches: ReadonlyArray<CollectedBatch>): string =>
  JSON.stringify(batches.map(({ bucket, weight = 1 }, batch) => ({ batch, bucket, weight })))

const eventsJson = (batches: ReadonlyArray<CollectedBatch>): string =>
  JSON.stringify(
    batches.flatMap(({ events }, b) =>
      events.map((event) => ({
        b,
        o: event.organizationId,
        x: event.pixelId,
        id: event.id,
        r: event.receivedAt,
        a: event.anonymousId,
        t: event.type,
        c: event.occurredAt,
        u: event.url === "" ? null : event.url,
        p: event.payload,
      })),
    ),
  )
