// Maps requests and responses to the Lists service; decides nothing except the page sizes.
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Caller } from "../../access/caller.ts"
import { footfall } from "../../platform/http/contract.ts"
import { success } from "../../platform/http/envelope.ts"
import { notFound, refuse, usedBy } from "../../platform/http/errors.ts"
import {
  cursorRefused,
  hintIfEmpty,
  listMetaOf,
  pageSizeDefault,
  positionOf,
} from "../../platform/http/lists.ts"
import { type List, ListsApi } from "./api.ts"
import { listsMax, valuesMax } from "./list.ts"
import { type ListFull, type ListInUse, Lists, type NoValidValues } from "./lists.ts"
import type { ListRow } from "./store.ts"

/** spec 5.17 */
const membersLimitDefault = 500

export const ListsHandlers = HttpApiBuilder.group(
  footfall.add(ListsApi),
  "lists",
  Effect.fn(function* (handlers) {
    const lists = yield* Lists

    return handlers.handleAll({
      list: Effect.fnUntraced(
        function* ({ query }) {
          const { organizationId } = yield* Caller
          const position = yield* positionOf(query)
          const limit = query.limit ?? pageSizeDefault
          const page = yield* lists.list(organizationId, position, limit)
          return yield* success(page.rows.map(listOf), listMetaOf(page, limit, "lists"))
        },
        Effect.catchTag("CursorRefused", cursorRefused),
      ),
      create: Effect.fnUntraced(
        function* ({ payload }) {
          return yield* success(listOf(yield* lists.create(yield* Caller, payload)))
        },
        Effect.catchTags({ TooManyLists: tooMany, ListsBusy: busy }),
      ),
      get: Effect.fnUntraced(
        function* ({ params }) {
          const { organizationId } = yield* Caller
          return yield* success(listOf(yield* lists.find(organizationId, params.listId)))
        },
        Effect.catchTag("ListNotFound", () => notFound),
      ),
      update: Effect.fnUntraced(
        function* ({ params, payload }) {
          const renamed = yield* lists.rename(yield* Caller, params.listId, payload.name)
          return yield* success(listOf(renamed))
        },
        Effect.catchTags({ ListNotFound: () => notFound, ListsBusy: busy }),
      ),
      delete: Effect.fnUntraced(
        function* ({ params }) {
          yield* lists.delete(yield* Caller, params.listId)
          return yield* success({ deleted: true as const })
        },
        Effect.catchTags({ ListNotFound: () => notFound, ListInUse: inUse, ListsBusy: busy }),
      ),
      members: Effect.fnUntraced(
        function* ({ params, query }) {
          const { organizationId } = yield* Caller
          const position = yield* positionOf(query)
          const limit = query.limit ?? membersLimitDefault
          const text = query.q?.trim().toLowerCase() || undefined
          const page = yield* lists.members(organizationId, params.listId, {
            text,
            position,
            limit,
          })
          const { hasMore, nextCursor, rows } = page
          return yield* success(rows, {
            limit,
            hasMore,
            nextCursor,
            ...hintIfEmpty(rows, "listMembers"),
          })
        },
        Effect.catchTags({ CursorRefused: cursorRefused, ListNotFound: () => notFound }),
      ),
      addMembers: Effect.fnUntraced(function* ({ params, payload }) {
        const { values } = payload
        return yield* success(yield* lists.addMembers(yield* Caller, params.listId, values))
      }, Effect.catchTags(writeRefused)),
      replaceMembers: Effect.fnUntraced(function* ({ params, payload }) {
        const { values } = payload
        return yield* success(yield* lists.replaceMembers(yield* Caller, params.listId, values))
      }, Effect.catchTags(writeRefused)),
      removeMembers: Effect.fnUntraced(
        function* ({ params, payload }) {
          const { values } = payload
          return yield* success(yield* lists.removeMembers(yield* Caller, params.listId, values))
        },
        Effect.catchTags({ ListNotFound: () => notFound, ListsBusy: busy }),
      ),
    })
  }),
)

const listOf = ({ createdKey: _key, version: _version, ...list }: ListRow): List => list

const tooMany = () =>
  refuse({
    code: "CONFLICT",
    message: `An organization has at most ${listsMax} lists. Delete one first.`,
  })

const inUse = ({ score, segmentIds, suppressionSourceIds, webhookIds }: ListInUse) =>
  refuse({
    code: "LIST_IN_USE",
    message: `${usedBy([
      [segmentIds.length, "segment"],
      [webhookIds.length, "webhook"],
      [suppressionSourceIds.length, "suppression source"],
      ...(score ? ["the score"] : []),
    ])} Change or delete them first.`,
    details: { segmentIds, webhookIds, suppressionSourceIds, score },
  })

/** For imports too. */
export const full = ({ size }: ListFull) =>
  refuse({
    code: "LIST_FULL",
    message: `A list has at most ${valuesMax} values, and this one would have ${size}. Nothing was stored.`,
    details: { valuesMax, size },
  })

/** For imports too. */
export const busy = () =>
  refuse({
    code: "SERVICE_UNAVAILABLE",
    message: "Too many writes to lists are waiting. Try again in a moment.",
  })

const noneValid = ({ received }: NoValidValues) => {
  const message = `Expected at least one valid value, or [] to remove all, received ${received} values of which none is valid. Nothing was changed.`
  return refuse({
    code: "VALIDATION_ERROR",
    message,
    details: { issues: [{ path: "/body/values", code: "format", message }] },
  })
}

const writeRefused = {
  ListNotFound: () => notFound,
  ListsBusy: busy,
  ListFull: full,
  NoValidValues: noneValid,
}
