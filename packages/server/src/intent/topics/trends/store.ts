// SQL for reading topics' daily figures, which imports write (spec 2.18). `numeric` rounds percentages and averages:
// halves away from zero.
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { DatabaseError } from "../../../platform/database/database-error.ts"
import type { TopicDay } from "./topic-trend.ts"
import type { TrendWindow } from "./trend-window.ts"

export interface TopicDayRow extends TopicDay {
  readonly topicId: number
}

/** A topic whose audience changed between the two newest dates. */
export interface Change {
  readonly topicId: number
  readonly todayAudience: number
  readonly yesterdayAudience: number
  readonly pctChange: number
}

const make = Effect.map(SqlClient.SqlClient, (sql) => ({
  /** The newest date with data; null without any. */
  newestDate: Effect.map(
    sql<{ readonly newest: string | null }>`
      select to_char(max(date), 'YYYY-MM-DD') as newest from topic_day`,
    ([row]) => row?.newest ?? null,
  ) satisfies Effect.Effect<string | null, DatabaseError>,

  /** The days with data for some topics, ascending within each topic. */
  days: (
    topicIds: ReadonlyArray<number>,
    { from, to }: TrendWindow,
  ): Effect.Effect<ReadonlyArray<TopicDayRow>, DatabaseError> =>
    sql<TopicDayRow>`
      select
        topic_id as "topicId",
        to_char(date, 'YYYY-MM-DD') as "date",
        unique_audience as "uniqueAudience",
        total_signals as "totalSignals",
        round(score_sum::numeric / total_signals, 2)::float8 as "avgScore",
        high_audience as "highAudience",
        medium_audience as "mediumAudience",
        low_audience as "lowAudience"
      from topic_day
      where ${sql.in("topic_id", topicIds)}
        and topic_day.date between ${from}::date and ${to}::date
      order by topic_id, topic_day.date`,

  /** For all topics with an audience on the older of the two newest dates. */
  changes: sql<Change>`
    with today as (select max(date) as date from topic_day),
    yesterday as (select max(date) as date from topic_day where date < (select date from today)),
    change as (
      select
        b.topic_id,
        coalesce(a.unique_audience, 0) as today,
        b.unique_audience as yesterday
      from topic_day b
      left join topic_day a on a.topic_id = b.topic_id and a.date = (select date from today)
      where b.date = (select date from yesterday) and b.unique_audience > 0
    )
    select
      topic_id as "topicId",
      today as "todayAudience",
      yesterday as "yesterdayAudience",
      round((today - yesterday) * 100::numeric / yesterday, 2)::float8 as "pctChange"
    from change
    where today <> yesterday
  ` satisfies Effect.Effect<ReadonlyArray<Change>, DatabaseError>,
}))

export class TrendStore extends Context.Service<TrendStore, Effect.Success<typeof make>>()(
  "@footfall/server/topics/TrendStore",
) {
  static readonly layer = Layer.effect(TrendStore, make)
}
