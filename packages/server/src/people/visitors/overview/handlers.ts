// Maps requests and responses to the Overviews service; decides nothing.
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Caller } from "../../../access/caller.ts"
import { footfall } from "../../../platform/http/contract.ts"
import { success } from "../../../platform/http/envelope.ts"
import { notFound } from "../../../platform/http/errors.ts"
import type { SuppressedFilter } from "../list-scope.ts"
import { daysRefused, listTooSlow, rulesBusy } from "../refusals.ts"
import { periodOf, pixelScopeOf } from "../scope-on-the-wire.ts"
import { breakdownRowsDefault, OverviewApi } from "./api.ts"
import { Breakdowns } from "./breakdowns.ts"
import { Overviews } from "./overview.ts"
import type { Comparison, OverviewTimeframe } from "./windows.ts"

export const OverviewHandlers = HttpApiBuilder.group(
  footfall.add(OverviewApi),
  "overview",
  Effect.fn(function* (handlers) {
    const overviews = yield* Overviews
    const breakdowns = yield* Breakdowns

    return handlers.handleAll({
      get: Effect.fnUntraced(
        function* ({ query }) {
          return yield* success(yield* overviews.read(yield* questionOf(query)))
        },
        Effect.catchTags({
          PixelNotFound: () => notFound,
          DaysRefused: daysRefused,
          QueryTooSlow: listTooSlow,
          RulesBusy: rulesBusy,
        }),
      ),

      breakdown: Effect.fnUntraced(
        function* ({ query }) {
          const { by, limit = breakdownRowsDefault } = query
          const question = yield* questionOf(query)
          return yield* success(yield* breakdowns.read({ ...question, by, limit }))
        },
        Effect.catchTags({
          PixelNotFound: () => notFound,
          DaysRefused: daysRefused,
          QueryTooSlow: listTooSlow,
          RulesBusy: rulesBusy,
        }),
      ),
    })
  }),
)

interface Query {
  readonly timeframe?: OverviewTimeframe
  readonly from?: string
  readonly to?: string
  readonly compare?: Comparison
  readonly pixelId?: string
  readonly domain?: string
  readonly suppressed?: SuppressedFilter
}

const questionOf = Effect.fnUntraced(function* (query: Query) {
  return {
    organizationId: (yield* Caller).organizationId,
    period: yield* periodOf(query, "30d"),
    compare: query.compare,
    suppressed: query.suppressed ?? "exclude",
    ...(yield* pixelScopeOf(query)),
  }
})
