// SQL for reading the topic catalog. It is public and small, so it is read as a whole.
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { DatabaseError } from "../../../platform/database/database-error.ts"
import type { Topic } from "../topic.ts"

/** How many people read about a topic on the newest date. */
export interface TopicAudience {
  readonly topicId: number
  readonly uniqueAudience: number
}

const make = Effect.map(SqlClient.SqlClient, (sql) => ({
  /** The whole catalog, by `topicId`. */
  topics: sql<Topic & { readonly words: ReadonlyArray<string> }>`
    select topic_id as "topicId", topic_name as "topicName", type, industry, category, words
    from topic
    order by topic_id
  ` satisfies Effect.Effect<
    ReadonlyArray<Topic & { readonly words: ReadonlyArray<string> }>,
    DatabaseError
  >,

  /** Topics that anyone read about on the newest date. */
  audiences: sql<TopicAudience>`
    select topic_id as "topicId", unique_audience as "uniqueAudience"
    from topic_day
    where date = (select max(date) from topic_day)
  ` satisfies Effect.Effect<ReadonlyArray<TopicAudience>, DatabaseError>,
}))

export class CatalogStore extends Context.Service<CatalogStore, Effect.Success<typeof make>>()(
  "@footfall/server/topics/CatalogStore",
) {
  static readonly layer = Layer.effect(CatalogStore, make)
}
