// Finding the topics of visitors on a separate database.
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { VisitorTopicStores } from "../../src/intent/visitor-topics/layer.ts"
import { VisitorTopics } from "../../src/intent/visitor-topics/visitor-topics.ts"
import { audiencesLayer } from "../audiences/audiences-layer.ts"

export const visitorTopicsLayer = VisitorTopics.layer.pipe(
  Layer.provideMerge(VisitorTopicStores),
  Layer.provideMerge(audiencesLayer),
)

/** Forgets everything that was found. */
export const startOver = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql`
    with round as (
      update visitor_topic_round set kind = null, step = null, source_id = null, whole_version = ''
    )
    select`.pipe(
    Effect.andThen(sql`
      truncate visitor_topic, visitor_number, visitor_topic_stale, visitor_topic_source,
        visitor_topic_basis`),
  ),
)

/** Lets the worker begin at once what it would begin after a rest. */
export const endRests = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.all(
    [
      sql`update visitor_topic_round set rests_until = '-infinity', whole_at = '-infinity'`,
      sql`update visitor_topic_source set begun_at = ended_at where ended_at is not null`,
      sql`update visitor_topic_basis set linked_at = '-infinity'`,
    ],
    { discard: true },
  ),
)

/** Passes until nothing is left to do. */
export const settleTopics = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { pass } = yield* VisitorTopics
  for (let quiet = 0; quiet < 2;) {
    yield* endRests
    yield* pass
    const [left] = yield* sql<{ readonly isQuiet: boolean }>`
      select kind is null and not exists (select from visitor_topic_stale)
        and not exists (select from visitor_number where since is not null)
        and not exists (select from visitor_topic_source where is_gone) as "isQuiet"
      from visitor_topic_round`
    quiet = left!.isQuiet ? quiet + 1 : 0
  }
})

/** What a rule finds: the highest score by topic of an organization's visitors, by their primary address. */
export const topicsOf = (organizationId: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql<{ readonly hash: string; readonly topicId: number; readonly score: number }>`
      select visitor.email_hash as hash, topic.topic_id as "topicId",
        max(topic.score)::integer as score
      from visitor_topic_basis as basis
      join visitor_topic as topic on topic.organization_id = basis.organization_id
        and topic.source_id = any (basis.sources)
      join visitor on visitor.organization_id = topic.organization_id
        and visitor.id = topic.visitor_id
      where basis.organization_id = ${organizationId}::uuid and not visitor.held_back
      group by 1, 2
      order by 1, 2`.pipe(
      Effect.map((rows) => rows.map(({ hash, score, topicId }) => `${hash} ${topicId} ${score}`)),
    ),
  )
