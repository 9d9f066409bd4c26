// SQL for topic lists.
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { isoTime } from "../../../platform/database/iso-time.ts"
import { keptRows, type RowKey } from "../../../platform/database/kept-rows.ts"
import { transactionOf } from "../../../platform/database/transaction.ts"
import type { NewTopicList, TopicList } from "./topic-list.ts"

export interface TopicListRow extends TopicList {
  /** `createdAt` in microseconds: the sort key. */
  readonly createdKey: string
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const columns = sql.literal(`
    organization_id as "organizationId", id, name, topic_ids as "topicIds",
    ${isoTime("created_at")} as "createdAt", ${isoTime("updated_at")} as "updatedAt",
    created_at::text as "createdKey"`)
  const integers = (values: ReadonlyArray<number>) => sql`${`{${values.join(",")}}`}::integer[]`

  return {
    ...keptRows<TopicListRow>(sql, { columns, from: "topic_list" }),

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

    /** Updates a list locked in the same transaction. */
    update: (
      { id, organizationId }: RowKey,
      { name, topicIds }: NewTopicList,
    ): Effect.Effect<TopicListRow> =>
      sql<TopicListRow>`
        update topic_list
        set name = ${name}, topic_ids = ${integers(topicIds)}, updated_at = now()
        where organization_id = ${organizationId} and id = ${id}
        returning ${columns}
      `.pipe(
        Effect.map((rows) => rows[0]!),
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
