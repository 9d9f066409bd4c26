// Reads pages of the audit log. It only grows and is not counted.
import { DateTime, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { footfall } from "../../platform/http/contract.ts"
import { success } from "../../platform/http/envelope.ts"
import { cursorRefused, pageSizeDefault, positionOf } from "../../platform/http/lists.ts"
import { KeyedLists } from "../../platform/lists/keyed-lists.ts"
import { Caller } from "../caller.ts"
import { AuditLogApi } from "./api.ts"
import { AuditStore } from "./store.ts"

export const AuditLogHandlers = HttpApiBuilder.group(
  footfall.add(AuditLogApi),
  "auditLog",
  Effect.fn(function* (handlers) {
    const store = yield* AuditStore
    const lists = yield* KeyedLists
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* Caller
        const limit = query.limit ?? pageSizeDefault
        const { action, actor } = query
        const from = query.from === undefined ? undefined : DateTime.toDateUtc(query.from)
        const to = query.to === undefined ? undefined : DateTime.toDateUtc(query.to)
        const filter = { action, actor: actor?.toLowerCase(), from, to }
        const page = yield* lists
          .page(
            {
              organizationId,
              route: "audit-log",
              filters: [filter.action, filter.actor, from, to].map((value) => value ?? null),
              position: yield* positionOf(query),
              limit,
            },
            {
              rows: (start, rowsMax) => store.page(organizationId, filter, start, rowsMax),
              count: () => Effect.succeed(null),
              keyOf: ({ id }) => [id],
            },
          )
          .pipe(Effect.catchTag("CursorRefused", cursorRefused))
        const { hasMore, nextCursor, rows } = page
        return yield* success(rows, { limit, hasMore, nextCursor })
      }),
    })
  }),
)
