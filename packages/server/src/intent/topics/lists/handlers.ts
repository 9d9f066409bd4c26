// Maps requests and responses to the TopicLists service; decides nothing.
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { footfall } from "../../../platform/http/contract.ts"
import { Caller } from "../../../access/caller.ts"
import { success } from "../../../platform/http/envelope.ts"
import { notFound, unknownTopics } from "../../../platform/http/errors.ts"
import {
  cursorRefused,
  listMetaOf,
  pageSizeDefault,
  positionOf,
} from "../../../platform/http/lists.ts"
import type { TopicListRow } from "./store.ts"
import { TopicLists } from "./topic-lists.ts"
import type { TopicList } from "./topic-list.ts"
import { TopicListsApi } from "./api.ts"

export const TopicListsHandlers = HttpApiBuilder.group(
  footfall.add(TopicListsApi),
  "topicLists",
  Effect.fn(function* (handlers) {
    const topicLists = yield* TopicLists

    return handlers.handleAll({
      list: Effect.fnUntraced(
        function* ({ query }) {
          const { organizationId } = yield* Caller
          const limit = query.limit ?? pageSizeDefault
          const page = yield* topicLists.list(organizationId, yield* positionOf(query), limit)
          return yield* success(page.rows.map(wireOf), listMetaOf(page, limit, "topicLists"))
        },
        Effect.catchTag("CursorRefused", cursorRefused),
      ),
      create: ({ payload }) =>
        Effect.gen(function* () {
          const created = yield* topicLists.create(yield* Caller, payload)
          return yield* success(wireOf(created))
        }).pipe(
          Effect.catchTag("TopicsUnknown", ({ topicIds }) =>
            unknownTopics(topicIds, payload.topicIds),
          ),
        ),
      get: Effect.fnUntraced(
        function* ({ params }) {
          const { organizationId } = yield* Caller
          return yield* success(wireOf(yield* topicLists.find(organizationId, params.id)))
        },
        Effect.catchTag("TopicListNotFound", () => notFound),
      ),
      update: ({ params, payload }) =>
        Effect.gen(function* () {
          const changed = yield* topicLists.change(yield* Caller, params.id, payload)
          return yield* success(wireOf(changed))
        }).pipe(
          Effect.catchTags({
            TopicListNotFound: () => notFound,
            TopicsUnknown: ({ topicIds }) => unknownTopics(topicIds, payload.topicIds ?? []),
          }),
        ),
      delete: Effect.fnUntraced(
        function* ({ params }) {
          yield* topicLists.delete(yield* Caller, params.id)
          return yield* success({ deleted: true as const })
        },
        Effect.catchTag("TopicListNotFound", () => notFound),
      ),
    })
  }),
)

const wireOf = ({ createdKey: _, ...list }: TopicListRow): TopicList => list
