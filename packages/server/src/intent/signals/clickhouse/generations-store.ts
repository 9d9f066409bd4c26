// SQL on Postgres for signals in ClickHouse: which set is a date's, and which erased people are still in one. Runs in
// the transaction of an import or erasure.
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { sharedOrganizationId } from "../../../access/organization.ts"
import type { ImportedDate } from "../import/store.ts"
import type { Hit, NamedGeneration } from "./blocks-store.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

export const generationsStore = (sql: SqlClient.SqlClient) => {
  const named = sql`
    day.organization_id as "organizationId", day.date, day.generation,
    array(select person from signal_gone as gone where gone.generation = day.generation) as gone`

  return {
    /** The sets of a date that the organization can use. */
    usable: ({ date, organizationId }: ImportedDate): Result<ReadonlyArray<NamedGeneration>> =>
      sql<NamedGeneration>`
        select ${named}
        from signal_date as day
        where day.organization_id in (${organizationId}::uuid, ${sharedOrganizationId}::uuid)
          and day.date = ${date}::date and day.generation is not null`,

    /** Undefined if the date does not exist. */
    date: ({ date, organizationId }: ImportedDate) =>
      sql<
        { readonly signals: number } & (
          | NamedGeneration
          | { readonly generation: null; readonly gone: ReadonlyArray<number> }
        )
      >`
        select ${named}, day.signals::float8 as signals
        from signal_date as day
        where day.organization_id = ${organizationId}::uuid and day.origin = 'import'
          and day.date = ${date}::date`.pipe(Effect.map(([row]) => row)),

    publish: (
      { date, organizationId }: ImportedDate,
      { generation, signals }: { readonly generation: string; readonly signals: number },
    ): Result<void> =>
      Effect.asVoid(sql`
        insert into signal_date (organization_id, origin, date, signals, generation)
        values (${organizationId}, 'import', ${date}::date, ${signals}, ${generation}::uuid)
        on conflict (organization_id, date, origin) do update set
          signals = excluded.signals,
          generation = excluded.generation,
          updated_at = now()`),

    namedAmong: (generations: ReadonlyArray<string>): Result<ReadonlySet<string>> =>
      sql<{ readonly generation: string }>`
        select generation from signal_date
        where generation in (
          select value::uuid
          from jsonb_array_elements_text(${JSON.stringify(generations)}::text::jsonb)
        )`.pipe(Effect.map((rows) => new Set(rows.map(({ generation }) => generation)))),

    /** Subtracts them from every figure that counted them, and schedules their deletion. */
    erase: (organizationId: string, hits: ReadonlyArray<Hit>): Result<void> =>
      Effect.gen(function* () {
        yield* sql`
          with said as materialized (
            select * from jsonb_to_recordset(${JSON.stringify(hits)}::text::jsonb) as said (
              generation uuid, date date, "topicId" integer, score integer, person integer
            )
          ), noted as (
            insert into signal_gone (generation, person)
            select distinct generation, person from said
            on conflict do nothing
            returning generation, person
          ), hit as materialized (
            select said.date, said."topicId" as topic_id, said.score
            from said
            join noted on noted.generation = said.generation and noted.person = said.person
            join signal_date as day on day.organization_id = ${organizationId}::uuid
              and day.generation = said.generation
          ), dates as (
            update signal_date as day set signals = day.signals - h.count
            from (select date, count(*) as count from hit group by date) as h
            where day.organization_id = ${organizationId}::uuid and day.origin = 'import'
              and day.date = h.date
          )
          update topic_day as t set
            unique_audience = t.unique_audience - h.count,
            total_signals = t.total_signals - h.count,
            score_sum = t.score_sum - h.score_sum,
            high_audience = t.high_audience - h.high,
            medium_audience = t.medium_audience - (h.count - h.high - h.low),
            low_audience = t.low_audience - h.low
          from (
            select topic_id, date, count(*)::int as count, sum(score) as score_sum,
              (count(*) filter (where score >= 90))::int as high,
              (count(*) filter (where score < 70))::int as low
            from hit
            group by topic_id, date
          ) as h
          where ${organizationId}::uuid = ${sharedOrganizationId}::uuid
            and (t.topic_id, t.date) = (h.topic_id, h.date)`
        yield* sql`
          delete from signal_date
          where organization_id = ${organizationId}::uuid and signals = 0`
        if (organizationId === sharedOrganizationId) {
          yield* sql`delete from topic_day where unique_audience = 0`
        }
      }),

    /** Erased people by the set they are in. */
    gone: sql<{ readonly generation: string; readonly people: ReadonlyArray<number> }>`
      select generation, array_agg(person) as people from signal_gone group by generation`,

    /** They have been deleted. */
    forgetGone: (generation: string, people: ReadonlyArray<number>): Result<void> =>
      Effect.asVoid(sql`
        delete from signal_gone
        where generation = ${generation}::uuid
          and person = any (${`{${people.join(",")}}`}::int[])`),
  }
}

/** Whether any date is in ClickHouse. */
export const hasGenerations = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    // Works on an older schema too, which a start without migrations reports elsewhere.
    sql`select from signal_date as day where to_jsonb(day) ->> 'generation' is not null limit 1`,
    (rows) => rows.length > 0,
  ),
)
