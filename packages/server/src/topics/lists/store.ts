// Every statement about topic lists.
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { isoTime } from "../../database/iso-time.ts"
import { newestFirst } from "../../database/newest-first.ts"
import { transactionOf } from "../../database/transaction.ts"
import type { NewTopicList, TopicList } from "./topic-list.ts"

export interface TopicListRow extends TopicList {
  /** `createdAt` to the microsecond: the sort key. */
  readonly createdKey: string
}

export interface TopicListKey {
  readonly organizationId: string
  readonly topicListId: string
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const nothing = sql.literal("")

  const columns = sql.literal(`
    organization_id as "organizationId", id, name, topic_ids as "topicIds",
    ${isoTime("created_at")} as "createdAt", ${isoTime("updated_at")} as "updatedAt",
    created_at::text as "createdKey"`)
  const integers = (values: ReadonlyArray<number>) => sql`${`{${values.join(",")}}`}::integer[]`

  const find = ({ organizationId, topicListId }: TopicListKey, lock: typeof nothing) =>
    sql<TopicListRow>`
      select ${columns}
      from topic_list
      where organization_id = ${organizationId} and id = ${topicListId}
      ${lock}
    `.pipe(
      Effect.map((rows) => rows[0]),
      Effect.orDie,
    )

  return {
    /** Newest first. */
    list: (organizationId: string) =>
      newestFirst<TopicListRow>(sql, {
        columns,
        from: "topic_list",
        where: sql`organization_id = ${organizationId}`,
      }),

    /** Undefined for an unknown id, a deleted one and one of another organization. */
    find: (key: TopicListKey): Effect.Effect<TopicListRow | undefined> => find(key, nothing),

    /** The same, kept as it is until the caller's transaction ends. */
    findForChange: (key: TopicListKey): Effect.Effect<TopicListRow | undefined> =>
      find(key, sql.literal("for update")),

    insert: (
      list: NewTopicList & { readonly organizationId: string; readonly id: string },
    ): Effect.Effect<TopicListRow> =>
      sql<TopicListRow>`
        insert into topic_list (organization_id, id, name, topic_ids)
        values (${list.organizationId}, ${list.id}, ${list.name}, ${integers(list.topicIds)})
        returning ${columns}
      `.pipe(
        Effect.map((rows) => rows[0]!),
        Effect.orDie,
      ),

    /** Writes the content of a list that was found for change in this transaction. */
    update: (
      { organizationId, topicListId }: TopicListKey,
      { name, topicIds }: NewTopicList,
    ): Effect.Effect<TopicListRow> =>
      sql<TopicListRow>`
        update topic_list
        set name = ${name}, topic_ids = ${integers(topicIds)}, updated_at = now()
        where organization_id = ${organizationId} and id = ${topicListId}
        returning ${columns}
      `.pipe(
        Effect.map((rows) => rows[0]!),
        Effect.orDie,
      ),

    /** False when there is none. */
    delete: ({ organizationId, topicListId }: TopicListKey): Effect.Effect<boolean> =>
      sql`
        delete from topic_list
        where organization_id = ${organizationId} and id = ${topicListId}
        returning id
      `.pipe(
        Effect.map((rows) => rows.length > 0),
        Effect.orDie,
      ),

    /** Runs the effect in one transaction; a failure of the database itself is a defect. */
    transaction: transactionOf(sql),
  }
})

export class TopicListStore extends Context.Service<TopicListStore, Effect.Success<typeof make>>()(
  "@footfall/server/topics/TopicListStore",
) {
  static readonly layer = Layer.effect(TopicListStore, make)
}
