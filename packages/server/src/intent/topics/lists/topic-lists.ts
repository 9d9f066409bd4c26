// Manages an organization's topic lists (spec 2.18, 5.7). Every topic of a list is in the catalog, which never removes
// topics. Each change is one transaction with its audit entry.
import { Context, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { isDeepStrictEqual } from "node:util"
import { Audit } from "../../../access/audit/audit.ts"
import type { Caller } from "../../../access/caller.ts"
import type { CursorRefused } from "../../../platform/lists/cursor.ts"
import {
  KeyedLists,
  type ListPage,
  type ListPosition,
} from "../../../platform/lists/keyed-lists.ts"
import { Catalog } from "../catalog/catalog.ts"
import { type TopicListRow, TopicListStore } from "./store.ts"
import type { NewTopicList, TopicListChange } from "./topic-list.ts"

export class TopicListNotFound extends Schema.TaggedError<TopicListNotFound>()(
  "TopicListNotFound",
  {},
) {}

/** Ids without a topic, without repeats. */
export class TopicsUnknown extends Schema.TaggedError<TopicsUnknown>()("TopicsUnknown", {
  topicIds: Schema.Array(Schema.Int),
}) {}

const make = Effect.gen(function* () {
  const store = yield* TopicListStore
  const catalog = yield* Catalog
  const lists = yield* KeyedLists
  const audit = yield* Audit
  const random = yield* SecureRandom.SecureRandom

  /** Returns the ids without repeats. */
  const known = Effect.fnUntraced(function* (topicIds: ReadonlyArray<number>) {
    const topics = yield* catalog.byId
    const distinct = [...new Set(topicIds)]
    const unknown = distinct.filter((topicId) => !topics.has(topicId))
    return unknown.length === 0 ? distinct : yield* new TopicsUnknown({ topicIds: unknown })
  })

  const create = Effect.fn("TopicLists.create")(function* (caller: Caller, list: NewTopicList) {
    const { organizationId } = caller
    const topicIds = yield* known(list.topicIds)
    const id = yield* random.uuidV4()
    return yield* store.transaction(
      Effect.tap(
        store.insert({ organizationId, id, name: list.name, topicIds }),
        audit.record(caller, "topic_list.created", id),
      ),
    )
  })

  const find = Effect.fn("TopicLists.find")(function* (
    organizationId: string,
    topicListId: string,
  ) {
    const found = yield* store.find({ organizationId, id: topicListId })
    return found ?? (yield* new TopicListNotFound())
  })

  /** Omitted fields do not change. Guarantee: concurrent changes to different fields are both kept. */
  const change = Effect.fn("TopicLists.change")(function* (
    caller: Caller,
    topicListId: string,
    { topicIds, ...texts }: TopicListChange,
  ) {
    const key = { organizationId: caller.organizationId, id: topicListId }
    const topics = topicIds === undefined ? {} : { topicIds: yield* known(topicIds) }
    const update = Effect.gen(function* () {
      const found = yield* store.findForChange(key)
      if (found === undefined) return yield* new TopicListNotFound()
      const changed = { ...found, ...texts, ...topics }
      if (isDeepStrictEqual(changed, found)) return found
      const updated = yield* store.update(key, changed)
      yield* audit.record(caller, "topic_list.updated", topicListId)
      return updated
    })
    return yield* store.transaction(update)
  })

  /** Fails with TopicListNotFound, also on the second call. */
  const remove = Effect.fn("TopicLists.delete")(function* (caller: Caller, topicListId: string) {
    const removal = Effect.gen(function* () {
      const isDeleted = yield* store.delete({
        organizationId: caller.organizationId,
        id: topicListId,
      })
      if (!isDeleted) return yield* new TopicListNotFound()
      yield* audit.record(caller, "topic_list.deleted", topicListId)
    })
    yield* store.transaction(removal)
  })

  return {
    /** Newest first. Errors: CursorRefused for another list's cursor. */
    list: (
      organizationId: string,
      position: ListPosition,
      limit: number,
    ): Effect.Effect<ListPage<TopicListRow>, CursorRefused> =>
      lists.page(
        { organizationId, route: "GET /v1/intent/topic-lists", filters: [], position, limit },
        store.list(organizationId),
      ),
    create,
    find,
    change,
    delete: remove,
  }
})

export class TopicLists extends Context.Service<TopicLists, Effect.Success<typeof make>>()(
  "@footfall/server/topics/TopicLists",
) {
  static readonly layer = Layer.effect(TopicLists, make)
}
