// Maps requests and responses to the Visitors service; decides nothing.
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { footfall } from "../../platform/http/contract.ts"
import { Caller } from "../../access/caller.ts"
import { withFields } from "../../platform/http/chosen-fields.ts"
import { cursorRefused, exclusive, hintIfEmpty } from "../../platform/http/lists.ts"
import { success } from "../../platform/http/envelope.ts"
import { notFound, refuse } from "../../platform/http/errors.ts"
import { Secrets } from "../../platform/secrets/secrets.ts"
import { ruleOfMarks } from "./mark-filters.ts"
import { queryHandler } from "./query/handlers.ts"
import { listTooSlow, rulesBusy } from "./refusals.ts"
import { journeyOf, periodOf, pixelScopeOf, wireScope } from "./scope-on-the-wire.ts"
import { visitorOf } from "./visitor.ts"
import { type VisitorFilter, Visitors } from "./visitors.ts"
import { VisitorsApi } from "./api.ts"

export const VisitorsHandlers = HttpApiBuilder.group(
  footfall.add(VisitorsApi),
  "visitors",
  Effect.fn(function* (handlers) {
    const visitors = yield* Visitors
    const secrets = yield* Secrets

    const list = Effect.fnUntraced(
      function* (
        filter: VisitorFilter,
        position: { readonly page: number } | { readonly cursor: string },
        shown: { readonly limit?: number; readonly fields?: string },
      ) {
        const found = yield* visitors.list(filter, position, shown.limit)
        const { scope, visitors: rows, ...meta } = found
        // Not encoded by its schema: skipping that, and writing out visitorOf, raised 122 pages a second to 154 on
        // a busy machine. Tests check these responses against the schema.
        return HttpServerResponse.jsonUnsafe(
          yield* success(withFields(rows.map(visitorOf), shown.fields), {
            ...meta,
            scope: wireScope(scope),
            ...(meta.total === 0 ? hintIfEmpty(rows, hintOf(filter)) : {}),
          }),
        )
      },
      Effect.catchTags({
        PixelNotFound: () => notFound,
        CursorRefused: cursorRefused,
        QueryTooSlow: listTooSlow,
        RulesBusy: rulesBusy,
      }),
    )

    const lookUp = Effect.fnUntraced(
      function* (filter: VisitorFilter, email: string) {
        const found = yield* Effect.catchTag(visitors.find(filter, email), "VisitorNotFound", () =>
          refuse({ code: "NOT_FOUND", message: "No visitor found for this email address." }),
        )
        const journey = journeyOf(found, secrets)
        const meta = { scope: wireScope(found.scope) }
        return yield* success({ ...visitorOf(found.visitor), journey }, meta)
      },
      Effect.catchTag("PixelNotFound", () => notFound),
    )

    return handlers.handleAll({
      query: yield* queryHandler,
      list: Effect.fnUntraced(function* ({ query }) {
        const { cursor, email, fields, page, q, sort } = query
        if (cursor !== undefined && page !== undefined) {
          return yield* exclusive("/query/page", "cursor")
        }
        if (email !== undefined && fields !== undefined) {
          return yield* exclusive("/query/fields", "email")
        }
        if (email !== undefined && q !== undefined) return yield* exclusive("/query/q", "email")
        if (email !== undefined && sort !== undefined) {
          return yield* exclusive("/query/sort", "email")
        }
        for (const name of ["ownerId", "tag"] as const) {
          if (email !== undefined && query[name] !== undefined) {
            return yield* exclusive(`/query/${name}`, "email")
          }
        }
        const filter: VisitorFilter = {
          organizationId: (yield* Caller).organizationId,
          timeframe: yield* periodOf(query, email === undefined ? "7d" : "all"),
          suppressed: query.suppressed ?? "include",
          q,
          sort,
          rule: ruleOfMarks("people", query),
          ...(yield* pixelScopeOf(query)),
        }
        if (email !== undefined) return yield* lookUp(filter, email)
        return yield* list(filter, cursor === undefined ? { page: page ?? 1 } : { cursor }, query)
      }),
    })
  }),
)

const hintOf = ({ q, rule }: VisitorFilter) => {
  if (rule !== undefined) return "marked"
  return q === undefined ? "visitors" : "visitorSearch"
}
