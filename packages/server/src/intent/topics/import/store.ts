// SQL that merges imported topics into the catalog.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { Changed, ImportOrigin } from "../../../people/imports/import-kind.ts"
import type { ImportRow } from "../../../people/imports/merged-import.ts"
import { topicColumns } from "./topic-row.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

const make = Effect.map(SqlClient.SqlClient, (sql) => ({
  /** Waits for other topic imports, and blocks new ones until the transaction ends. */
  lock: Effect.asVoid(sql`lock table topic in share row exclusive mode`),

  /** A topic that this import has already written does not count as changed again. */
  merge: ({ importId }: ImportOrigin, rows: ReadonlyArray<ImportRow>): Result<Changed> =>
    sql<Changed>`
        with merged as materialized (
          select
            s.topic_id, s.topic_name, s.type, s.industry, s.category,
            coalesce(s.words, t.words, '{}') as words,
            t.topic_id is null as is_new,
            coalesce(t.import_id = ${importId}::uuid, false) as is_repeated
          from jsonb_to_recordset(${JSON.stringify(rows.map(topicColumns))}::text::jsonb) as s
            (topic_id integer, topic_name text, type text, industry text, category text, words text[])
          left join topic t on t.topic_id = s.topic_id
          where (t.topic_name, t.type, t.industry, t.category, t.words) is distinct from
            (s.topic_name, s.type, s.industry, s.category, coalesce(s.words, t.words, '{}'))
        ), written as (
          insert into topic (topic_id, topic_name, type, industry, category, words, import_id)
          select m.topic_id, m.topic_name, m.type, m.industry, m.category, m.words,
            ${importId}::uuid
          from merged m
          order by m.topic_id
          on conflict (topic_id) do update set
            topic_name = excluded.topic_name,
            type = excluded.type,
            industry = excluded.industry,
            category = excluded.category,
            words = excluded.words,
            import_id = excluded.import_id,
            updated_at = now()
        )
        select
          count(*) filter (where is_new)::int as inserted,
          count(*) filter (where not is_new and not is_repeated)::int as updated
        from merged`.pipe(Effect.map(([row]) => row!)), // an aggregate returns one row
}))

export class TopicImportStore extends Context.Service<
  TopicImportStore,
  Effect.Success<typeof make>
>()("@footfall/server/topics/TopicImportStore") {
  static readonly layer = Layer.effect(TopicImportStore, make)
}
