// Maps requests and responses to the Catalog service; decides nothing except page sizes.
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { footfall } from "../../../platform/http/contract.ts"
import { cursorRefused, exclusive, hintIfEmpty } from "../../../platform/http/lists.ts"
import { success } from "../../../platform/http/envelope.ts"
import { Catalog } from "./catalog.ts"
import { TopicsApi } from "./api.ts"

/** Default topics per page. spec 1.6. */
const pageSizeDefault = 100
/** spec 5.7. */
const searchLimitDefault = 10

export const TopicsHandlers = HttpApiBuilder.group(
  footfall.add(TopicsApi),
  "topics",
  Effect.fn(function* (handlers) {
    const catalog = yield* Catalog
    return handlers.handleAll({
      list: Effect.fnUntraced(
        function* ({ query: { cursor, page, pageSize = pageSizeDefault, ...filter } }) {
          if (cursor !== undefined && page !== undefined) {
            return yield* exclusive("/query/page", "cursor")
          }
          const position =
            cursor === undefined ? { offset: ((page ?? 1) - 1) * pageSize } : { cursor }
          const found = yield* catalog.list(filter, position, pageSize)
          return yield* success(found.rows, {
            total: found.total ?? 0, // counted in memory, so never null
            page: Math.floor(found.offset / pageSize) + 1,
            pageSize,
            hasMore: found.hasMore,
            nextCursor: found.nextCursor,
            ...(found.total === 0 ? hintIfEmpty(found.rows, "topics") : {}),
          })
        },
        Effect.catchTag("CursorRefused", cursorRefused),
      ),
      facets: () => Effect.flatMap(catalog.facets, success),
      search: Effect.fnUntraced(function* ({ query: { limit = searchLimitDefault, ...question } }) {
        return yield* success(yield* catalog.search({ ...question, limit }))
      }),
    })
  }),
)
