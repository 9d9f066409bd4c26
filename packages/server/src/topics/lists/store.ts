// Every statement about topic lists.
import { Context, Effect, Layer } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { transaction } from "../../database/transaction.ts"
import type { ListStart } from "../../http/keyed-lists.ts"
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
  const iso = (column: string) => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  const nothing = sql.literal("")

  const columns = sql.literal(`
    organization_id as "organizationId", id, name, topic_ids as "topicIds",
    ${iso("created_at")} as "createdAt", ${iso("updated_at")} as "updatedAt",
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
    /** Newest first, from the start on. */
    list: (
      organizationId: string,
      start: ListStart,
      limit: number,
    ): Effect.Effect<ReadonlyArray<TopicListRow>> =>
      sql<TopicListRow>`
        select ${columns}
        from topic_list
        where organization_id = ${organizationId}
          ${
            "after" in start
              ? sql`and (created_at, id) < (${start.after[0]}::timestamptz, ${start.after[1]}::uuid)`
              : nothing
          }
        order by created_at desc, id desc
        limit ${limit} offset ${"offset" in start ? start.offset : 0}::bigint`.pipe(Effect.orDie),

    count: (organizationId: string): Effect.Effect<number> =>
      sql<{ readonly total: number }>`
        select count(*)::int as total from topic_list where organization_id = ${organizationId}
      `.pipe(
        Effect.map((rows) => rows[0]!.total),
        Effect.orDie,
      ),

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
    transaction: <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
      transaction(effect).pipe(
        Effect.provideService(SqlClient.SqlClient, sql),
        Effect.catchIf(SqlError.isSqlError, Effect.die),
      ),
  }
})

export class TopicListStore extends Context.Service<TopicListStore, Effect.Success<typeof make>>()(
  "@footfall/server/topics/TopicListStore",
) {
  static readonly layer = Layer.effect(TopicListStore, make)
}
